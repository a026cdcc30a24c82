#!/bin/sh
# nginx as a system. What stands between @ signs is filled in by the build.
export PATH="$PATH:/usr/sbin"
exec '@SERVE@' nginx "$(nginx -v 2>&1 | sed 's|.*/||')" '' 0 '@FOLDER@/serve.sh' "$@"
