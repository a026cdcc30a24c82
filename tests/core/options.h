/* Options for tests: what a configuration says, and what is refused. */
#ifndef ACTORBENCH_TESTS_OPTIONS_H
#define ACTORBENCH_TESTS_OPTIONS_H

#include "harness.h"

static inline const struct actorbench_option *option_named(const char *name) {
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    fail_msg("there is no option %s", name);
    return NULL;
}

static inline void assert_value(const struct actorbench_config *config, const char *name, const char *expected) {
    char value[ACTORBENCH_TEXT];
    actorbench_get_option(config, option_named(name), value, sizeof value);
    assert_string_equal(value, expected);
}

static inline void assert_refused(const char *name, const char *value, const char *words) {
    struct actorbench_config config = actorbench_defaults(), before = config;
    const char *complaint = actorbench_set_option(&config, name, value);
    assert_non_null(complaint);
    if (strstr(complaint, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", complaint, words);
    assert_null(strchr(complaint, '\n'));
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

#endif
