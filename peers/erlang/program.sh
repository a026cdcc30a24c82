#!/bin/sh
# A workload's program: the Erlang VM with its flags. What stands between @ signs is filled in by the build.

# What the VM must know before it starts; the program itself refuses a wrong value, of which the VM then hears nothing.
schedulers="" wait=medium bind=u queue=on_heap heap=233
before=
for word; do
    case "$before $word" in
    '--workers 0') schedulers= ;;
    '--workers '[1-9] | '--workers '[1-9][0-9] | '--workers '[1-9][0-9][0-9]) schedulers="+S $word:$word" ;;
    '--busy-wait medium' | '--busy-wait none' | '--busy-wait very_long') wait=$word ;;
    '--bind no') bind=u ;;
    '--bind yes') bind=db ;;
    '--queue-data client') queue=on_heap ;;
    '--queue-data on_heap' | '--queue-data off_heap') queue=$word ;;
    '--heap '[1-9]*[!0-9]*) ;;
    '--heap '[1-9]*) [ "${#word}" -lt 9 ] && heap=$word ;;
    esac
    before=$word
done

# No flags but ours; no crash dump in the folder where we are.
unset ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ERL_LIBS
export ERL_CRASH_DUMP_BYTES=0

# A million processes or more, little file I/O, no break handler, no log; no distribution, so no epmd.
# shellcheck disable=SC2086 # two words, or none
exec '@ERL@' $schedulers +sbwt "$wait" +sbt "$bind" +hmqd "$queue" +hms "$heap" +P 1048576 +SDio 1 +Bd \
    -noshell -noinput -boot no_dot_erlang -kernel logger_level none -pa '@FOLDER@/ebin' \
    -s program start '@WORKLOAD@' -extra "$@"
