/* The actor-centric design's options and presets as tables. */
#include "options.h"

const char actorbench_design[] = "actor-centric";

OPTIONS_TABLE(ACTOR_CENTRIC_OPTIONS)

const struct actorbench_preset actorbench_presets[] = {
    {"caf", "CAF's work stealing"},
    {"caf-locality", "CAF's locality-guided scheduling"},
    {"react", "React++'s two queues a worker"},
    {"scalaz", "scalaz' actor on a pool of threads"},
    {0},
};
