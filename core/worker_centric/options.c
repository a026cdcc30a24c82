/* The worker-centric design's options as a table. It is no source's system: it has no presets. */
#include "options.h"

const char actorbench_design[] = "worker-centric";

OPTIONS_TABLE(WORKER_CENTRIC_OPTIONS)

const struct actorbench_preset actorbench_presets[] = {{0}};
