#!/bin/sh
# Becomes the server in Go, as peers/web-common/served.h asks. usage: PORT WORKERS CONNECTIONS FOLDER
GOMAXPROCS=$2 exec "${0%/*}/server.bin" "$1"
