/* Options by name: reading and writing what a design declares in actorbench_options and actorbench_presets. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor.h"
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

/* Appends to what is in `text`, as far as there is room. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* A configuration's options become the defaults (0), or those of preset number `column` - 1. */
static void set_all(struct actorbench_config *config, size_t column) {
    for (size_t i = 0; actorbench_options[i].name != NULL; i++)
        config->options[i] = actorbench_options[i].values[column];
}

struct actorbench_config actorbench_defaults(void) {
    struct actorbench_config config = {.workers = 0, .seed = 1};
    set_all(&config, 0);
    return config;
}

/* The number among "a|b|c" of what stands first in `value`, `length` letters long, or -1. */
static int choice_of(const char *choices, const char *value, size_t length) {
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

static bool read_choice(const struct actorbench_option *option, const char *text, unsigned *value) {
    int choice = choice_of(option->choices, text, strlen(text));
    *value = (unsigned)choice;
    return choice >= 0;
}

static bool read_set(const struct actorbench_option *option, const char *text, unsigned *value) {
    *value = 0;
    if (strcmp(text, "nothing") == 0)
        return true;
    for (const char *item = text;; item++) {
        size_t length = strcspn(item, ",");
        int choice = choice_of(option->choices, item, length);
        if (choice < 0)
            return false;
        *value |= 1u << choice;
        item += length;
        if (*item == '\0')
            return true;
    }
}

static bool read_number(const struct actorbench_option *option, const char *text, unsigned *value) {
    char *end;
    if (option->choices != NULL && read_choice(option, text, value)) {
        *value = ACTORBENCH_WORD(*value);
        return true;
    }
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    *value = (unsigned)number;
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && number >= option->minimum &&
           number <= UINT_MAX;
}

static const char *refuse(const struct actorbench_option *option, const char *value) {
    char allowed[128] = "";
    if (option->kind == ACTORBENCH_NUMBER)
        append(allowed, sizeof allowed, "a whole number from %u%s%s", option->minimum,
               option->choices != NULL ? ", or " : "", option->choices != NULL ? option->choices : "");
    else
        append(allowed, sizeof allowed, "%s%s", option->choices,
               option->kind == ACTORBENCH_SET ? ", several with commas between them, or nothing" : "");
    return complain("--%s cannot be \"%.40s\": it is %s", option->name, value, allowed);
}

const char *actorbench_set_option(struct actorbench_config *config, const char *name, const char *value) {
    for (size_t i = 0; actorbench_options[i].name != NULL; i++) {
        const struct actorbench_option *option = &actorbench_options[i];
        if (strcmp(option->name, name) != 0)
            continue;
        unsigned number;
        bool valid = option->kind == ACTORBENCH_CHOICE ? read_choice(option, value, &number)
                     : option->kind == ACTORBENCH_SET  ? read_set(option, value, &number)
                                                       : read_number(option, value, &number);
        if (!valid)
            return refuse(option, value);
        config->options[i] = number;
        return NULL;
    }
    return complain("--%.40s is no option of the %s design", name, actorbench_design);
}

const char *actorbench_set_preset(struct actorbench_config *config, const char *name) {
    char names[128] = "";
    for (size_t i = 0; actorbench_presets[i].name != NULL; i++) {
        if (strcmp(actorbench_presets[i].name, name) == 0) {
            set_all(config, i + 1);
            return NULL;
        }
        append(names, sizeof names, "%s%s", i == 0 ? "" : "|", actorbench_presets[i].name);
    }
    if (*names == '\0')
        return complain("--preset cannot be \"%.40s\": the %s design has none", name, actorbench_design);
    return complain("--preset cannot be \"%.40s\": it is %s", name, names);
}

/* Whether a number's value is one of its choices. */
static bool is_word(const struct actorbench_option *option, unsigned value) {
    unsigned words = option->choices != NULL;
    for (const char *c = option->choices; words != 0 && *c != '\0'; c++)
        words += *c == '|';
    return ACTORBENCH_WORD(value) < words;
}

/* Appends the name of a choice. */
static void append_choice(char *text, size_t size, const struct actorbench_option *option, unsigned number) {
    const char *choice = option->choices;
    while (number-- > 0)
        choice += strcspn(choice, "|") + 1;
    append(text, size, "%.*s", (int)strcspn(choice, "|"), choice);
}

static void append_value(char *text, size_t size, const struct actorbench_option *option, unsigned value) {
    if (option->kind == ACTORBENCH_NUMBER && is_word(option, value))
        append_choice(text, size, option, ACTORBENCH_WORD(value));
    else if (option->kind == ACTORBENCH_NUMBER)
        append(text, size, "%u", value);
    else if (option->kind == ACTORBENCH_CHOICE)
        append_choice(text, size, option, value);
    else if (value == 0)
        append(text, size, "nothing");
    for (unsigned bit = 0; option->kind == ACTORBENCH_SET && value >> bit != 0; bit++) {
        if ((value >> bit) % 2 == 0)
            continue;
        append_choice(text, size, option, bit);
        append(text, size, value >> bit == 1 ? "" : ",");
    }
}

void actorbench_get_option(const struct actorbench_config *config, const struct actorbench_option *option, char *text,
                           size_t size) {
    *text = '\0';
    append_value(text, size, option, config->options[option - actorbench_options]);
}

void actorbench_describe_preset(const struct actorbench_preset *preset, char *text, size_t size) {
    size_t column = (size_t)(preset - actorbench_presets) + 1;
    *text = '\0';
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++) {
        if (option->values[column] == option->values[0])
            continue;
        append(text, size, "%s%s=", *text == '\0' ? "" : " ", option->name);
        append_value(text, size, option, option->values[column]);
    }
}
