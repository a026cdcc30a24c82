#!/bin/sh
# A workload's program: the JVM with its flags. What stands between @ signs is filled in by the build.

# The collector must be known before the JVM starts; the program itself refuses a wrong one.
gc=Parallel
before=
for word; do
    case "$before $word" in
    '--gc g1') gc=G1 ;;
    '--gc serial') gc=Serial ;;
    '--gc parallel') gc=Parallel ;;
    esac
    before=$word
done

# A heap may take three quarters of the memory, as one of the default size does not hold all workloads; a program that
# runs out of it ends. No performance counters in a file, which would be in /tmp.
exec '@JAVA@' "-XX:+Use${gc}GC" -XX:MaxRAMPercentage=75 -XX:+ExitOnOutOfMemoryError -XX:-UsePerfData \
    -cp '@FOLDER@/classes:@FOLDER@/lib/*' 'actorbench.@CLASS@' "$@"
