/* The message-centric design's options and presets as tables. */
#include "options.h"

const char actorbench_design[] = "message-centric";

OPTIONS_TABLE(MESSAGE_CENTRIC_OPTIONS)

const struct actorbench_preset actorbench_presets[] = {{"thesis", "as in the thesis' system"}, {0}};
