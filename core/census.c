/* The one census of the program. */
#include "census.h"

struct census census;
