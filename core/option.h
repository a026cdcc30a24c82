/* Options: how a design writes its one table of them, from which the runtime, the command line, --help, the presets, the
 * record and the guides read.
 *
 * A design's options.h lists each option once, in a macro that is given another macro for it:
 *
 *     #define DESIGN_OPTIONS(OPTION)                                                                        \
 *         OPTION(enum idle_policy, idle, "idle", ACTORBENCH_CHOICE, "park|spin", 0, "what a worker without work does", \
 *                IDLE_PARK, IDLE_SPIN)
 *
 *     type, member      of struct options, by which the runtime reads it
 *     name, kind, choices, minimum, help      as in struct actorbench_option
 *     values            the default, and the value under each of the design's presets, in their order
 *
 * The macros below make of that the struct, the order in actorbench_config.options, and the table.
 */
#ifndef ACTORBENCH_OPTION_H
#define ACTORBENCH_OPTION_H

#include "executor.h"
#include "platform/delay.h"
#include "platform/topology.h"

#define OPTION_MEMBER(type, member, ...) type member;
#define OPTION_INDEX(type, member, ...)  OPTION_##member,
#define OPTION_VALUE(type, member, ...)  .member = (type)value[OPTION_##member],
#define OPTION_ROW(type, member, name, kind, choices, minimum, help, ...) \
    {name, kind, choices, minimum, help, {__VA_ARGS__}},

/* The table of a list, and the function that reads a configuration by it. */
#define OPTIONS_TABLE(LIST)                                                                                \
    enum { LIST(OPTION_INDEX) OPTION_COUNT };                                                              \
    _Static_assert((int)OPTION_COUNT <= (int)ACTORBENCH_OPTIONS, "make actorbench_config.options larger"); \
    const struct actorbench_option actorbench_options[] = {LIST(OPTION_ROW){0}};                           \
    struct options options_of(const struct actorbench_config *config) {                                    \
        const unsigned *value = config->options;                                                           \
        return (struct options){LIST(OPTION_VALUE)};                                                       \
    }

/* What several designs have; not all have the last heuristic. */
enum steal_heuristic { STEAL_NONE, STEAL_RANDOM, STEAL_NEAREST, STEAL_LONGEST };
enum idle_policy { IDLE_PARK, IDLE_SPIN };

/* The end of every list: in builds that can slow down sends (platform/delay.h), by how much; and how to read it. */
#if defined(ACTORBENCH_SEND_DELAY)
#define OPTION_SEND_DELAY(OPTION, ...)                                                                       \
    OPTION(unsigned, send_delay, "send-delay", ACTORBENCH_NUMBER, NULL, 1, "picoseconds added to each send", \
           __VA_ARGS__)
#define SEND_DELAY(options) ((options).send_delay)
#else
#define OPTION_SEND_DELAY(OPTION, ...)
#define SEND_DELAY(options) 0u
#endif

#endif
