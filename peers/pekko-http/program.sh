#!/bin/sh
# Pekko HTTP as a system. What stands between @ signs is filled in by the build.
exec '@SERVE@' pekko-http '@VERSION@' '@RUNTIME@' 2 '@FOLDER@/serve.sh' "$@"
