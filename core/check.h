/* Checks of the debug build: they cost nothing in a release build, where the condition is not even evaluated.
 *
 * Each message says what is wrong, with which object, and what to do about it.
 */
#ifndef ACTORBENCH_CHECK_H
#define ACTORBENCH_CHECK_H

#include <stdbool.h>

#include "platform/fatal.h"

#if defined(ACTORBENCH_CHECKED)
enum { CHECKED_BUILD = true };
#else
enum { CHECKED_BUILD = false };
#endif

/* Stops the program with the formatted message unless `condition` holds. */
#define check(condition, ...)              \
    do {                                   \
        if (CHECKED_BUILD && !(condition)) \
            fatal(__VA_ARGS__);            \
    } while (0)

#endif
