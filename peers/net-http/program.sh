#!/bin/sh
# Go's net/http as a system. What stands between @ signs is filled in by the build.
exec '@SERVE@' net-http '@VERSION@' '' 0 '@FOLDER@/serve.sh' "$@"
