/* The message-centric design's options and presets as tables. */
#include "options.h"

const char executor_design[] = "message-centric";

OPTIONS_TABLE(MESSAGE_CENTRIC_OPTIONS)

const struct executor_preset executor_presets[] = {{"thesis", "as in the thesis' system"}, {0}};
