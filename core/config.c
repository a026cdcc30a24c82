/* Options by name: reading and writing what a design declares in executor_options. */
#include "executor.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/fatal.h"
#include "platform/text.h"

static char complaint[256];

/* One line, whatever names and values it quotes. */
__attribute__((format(printf, 1, 2))) static const char *complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(complaint, sizeof complaint, format, arguments);
    va_end(arguments);
    text_make_visible(complaint);
    return complaint;
}

struct executor_config executor_defaults(void) {
    struct executor_config config = {.workers = 0, .seed = 1};
    for (unsigned i = 0; executor_options[i].name != NULL; i++)
        config.options[i] = executor_options[i].initial;
    return config;
}

/* The number of `value` among "a|b|c", or -1. */
static int choice_of(const char *choices, const char *value) {
    size_t length = strlen(value);
    int number = 0;
    for (const char *choice = choices;; choice++, number++) {
        size_t here = strcspn(choice, "|");
        if (here == length && strncmp(choice, value, length) == 0)
            return number;
        choice += here;
        if (*choice == '\0')
            return -1;
    }
}

static bool number_of(const char *text, unsigned minimum, unsigned *number) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < minimum || value > UINT_MAX)
        return false;
    *number = (unsigned)value;
    return true;
}

const char *executor_set_option(struct executor_config *config, const char *name, const char *value) {
    for (unsigned i = 0; executor_options[i].name != NULL; i++) {
        const struct executor_option *option = &executor_options[i];
        if (strcmp(option->name, name) != 0)
            continue;
        int choice = option->choices == NULL ? -1 : choice_of(option->choices, value);
        if (choice >= 0) {
            config->options[i] = (unsigned)choice;
            return NULL;
        }
        if (option->choices == NULL && number_of(value, option->minimum, &config->options[i]))
            return NULL;
        char number[32];
        (void)snprintf(number, sizeof number, "a whole number from %u", option->minimum);
        return complain("--%s cannot be \"%.40s\": it is %s", name, value,
                        option->choices == NULL ? number : option->choices);
    }
    return complain("--%.40s is no option of the %s design", name, executor_design);
}

/* Sets what a preset's text says: "loot=any idle=spin". The text is ours: what is wrong in it is a mistake in core/. */
static void apply(struct executor_config *config, const char *options) {
    char name[32], value[32];
    int length;
    for (const char *at = options; sscanf(at, " %31[^=]=%31s%n", name, value, &length) == 2; at += length)
        if (executor_set_option(config, name, value) != NULL)
            fatal("a preset is wrong: %s", complaint);
}

const char *executor_set_preset(struct executor_config *config, const char *name) {
    size_t length = 0;
    char names[128] = "";
    for (const struct executor_preset *preset = executor_presets; preset->name != NULL; preset++) {
        if (strcmp(preset->name, name) == 0) {
            memcpy(config->options, executor_defaults().options, sizeof config->options);
            apply(config, preset->options);
            return NULL;
        }
        length += (size_t)snprintf(names + length, sizeof names - length, length == 0 ? "%s" : "|%s", preset->name);
    }
    return complain("--preset cannot be \"%.40s\": it is %s", name, names);
}

void executor_get_option(const struct executor_config *config, const struct executor_option *option, char *text,
                         size_t size) {
    unsigned value = config->options[option - executor_options];
    if (option->choices == NULL) {
        (void)snprintf(text, size, "%u", value);
        return;
    }
    const char *choice = option->choices;
    while (value-- > 0)
        choice += strcspn(choice, "|") + 1;
    (void)snprintf(text, size, "%.*s", (int)strcspn(choice, "|"), choice);
}
