#!/bin/sh
# Becomes the server in the JVM, as peers/web-common/served.h asks. usage: PORT WORKERS CONNECTIONS FOLDER
folder=${0%/*}
exec java -XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError -XX:-UsePerfData -cp "$folder/classes:$folder/lib/*" actorbench.Server \
    "$1" "$2" "$3"
