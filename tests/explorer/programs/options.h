/* The options of these programs: those of an executor, after a first word of the program's own. */
#ifndef ACTORBENCH_TESTS_EXPLORER_OPTIONS_H
#define ACTORBENCH_TESTS_EXPLORER_OPTIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor.h"

enum { MOST_WORKERS = 4, BAD_USAGE = 2 };

_Noreturn static inline void refuse(const char *why) {
    (void)fprintf(stderr, "%s; see tests/explorer/programs\n", why);
    exit(BAD_USAGE);
}

static inline struct actorbench_config read_options(int argc, char **argv) {
    struct actorbench_config config = actorbench_defaults();
    config.workers = MOST_WORKERS;
    for (int i = 2; i + 1 < argc; i += 2) {
        const char *why = NULL;
        if (strncmp(argv[i], "--", 2) != 0)
            refuse(argv[i]);
        if (strcmp(argv[i], "--workers") == 0)
            config.workers = (unsigned)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--topology") == 0)
            config.topology = argv[i + 1];
        else
            why = actorbench_set_option(&config, argv[i] + 2, argv[i + 1]);
        if (why != NULL)
            refuse(why);
    }
    if (config.workers < 1 || config.workers > MOST_WORKERS)
        refuse("workers are 1 to 4");
    return config;
}

static inline void start(const struct actorbench_config *config) {
    const char *why = actorbench_start(config);
    if (why != NULL)
        refuse(why);
}

#endif
