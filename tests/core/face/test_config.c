/* Options by name, whatever they are: every choice, every preset, what is refused; and that the tables cover all. */
#include "options.h"
#include "rows.h"

/* An option's choices, or some numbers that it may be, with bars between. */
static void write_choices(const struct actorbench_option *option, char *text, size_t size) {
    if (option->choices != NULL)
        (void)snprintf(text, size, "%s", option->choices);
    else
        (void)snprintf(text, size, "%u|%u|65536", option->minimum, option->minimum + 15);
}

/* Each choice of each option is set and read back, and the others stay. */
static void test_every_choice(void **state) {
    (void)state;
    unsigned choices_seen = 0;
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++) {
        char choices[128];
        write_choices(option, choices, sizeof choices);
        char *rest = choices;
        for (char *choice = strtok_r(choices, "|", &rest); choice != NULL; choice = strtok_r(NULL, "|", &rest)) {
            struct actorbench_config config = actorbench_defaults();
            set_option(&config, option->name, choice);
            assert_value(&config, option->name, choice);
            for (const struct actorbench_option *other = actorbench_options; other->name != NULL; other++)
                if (other != option)
                    assert_int_equal(config.options[other - actorbench_options], other->values[0]);
            choices_seen++;
        }
    }
    assert_in_range(choices_seen, 10, 100);
}

/* A table that is too long is refused by the compiler, too. */
static void test_options_have_room(void **state) {
    (void)state;
    struct actorbench_config config;
    size_t options = 0;
    while (actorbench_options[options].name != NULL)
        options++;
    assert_in_range(options, 1, LENGTH(config.options));
}

static void test_unknown_names(void **state) {
    (void)state;
    assert_refused("", "1", "is no option of the ");
    assert_refused("id", "park", "--id is no option");
    assert_refused("idle-", "park", "--idle- is no option");
    assert_refused("a-name-that-is-much-too-long-to-be-repeated-in-full-anywhere", "1", "is no option");
    assert_refused("of two\nlines", "1", "--of two?lines is no option");
    assert_refused("idle", "\x1b[31mpark\n", "--idle cannot be \"?[31mpark?\"");
}

static void test_bad_choices(void **state) {
    (void)state;
    static const char *const bad[] = {"", "par", "parkx", "park|spin", "|", "Park", "0"};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_refused("idle", bad[i], "it is park|spin");
}

/* ---- Sets --------------------------------------------------------------------------------------------------------- */

/* Every set of what may be named, in the order of the choices, is read and written as it was. */
static void test_every_set(void **state) {
    (void)state;
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++) {
        if (option->kind != ACTORBENCH_SET)
            continue;
        char choices[128], *rest = choices;
        const char *names[8];
        unsigned count = 0;
        (void)snprintf(choices, sizeof choices, "%s", option->choices);
        for (char *name = strtok_r(choices, "|", &rest); name != NULL; name = strtok_r(NULL, "|", &rest))
            names[count++] = name;
        for (unsigned set = 0; set < 1u << count; set++) {
            struct actorbench_config config = actorbench_defaults();
            char text[ACTORBENCH_TEXT] = "";
            for (unsigned i = 0; i < count; i++)
                if (set >> i & 1)
                    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? "," : "", names[i]);
            set_option(&config, option->name, set == 0 ? "nothing" : text);
            assert_value(&config, option->name, set == 0 ? "nothing" : text);
            assert_int_equal(config.options[option - actorbench_options], set);
        }
    }
}

/* ---- Presets ------------------------------------------------------------------------------------------------------ */

/* Each preset sets the values of its column, whatever was set before, and starts. */
static void test_every_preset(void **state) {
    (void)state;
    for (const struct actorbench_preset *preset = actorbench_presets; preset->name != NULL; preset++) {
        struct actorbench_config config = actorbench_defaults();
        config.workers = 3;
        set_option(&config, "pin", "spread");
        assert_null(actorbench_set_preset(&config, preset->name));
        assert_int_equal(config.workers, 3);
        for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++)
            assert_int_equal(config.options[option - actorbench_options],
                             option->values[preset - actorbench_presets + 1]);
        start_executor(&config);
        actorbench_stop();
    }
}

/* What a preset is said to be makes it of the defaults, and names nothing that is as by default. */
static void test_presets_as_text(void **state) {
    (void)state;
    for (const struct actorbench_preset *preset = actorbench_presets; preset->name != NULL; preset++) {
        struct actorbench_config config = actorbench_defaults(), said = config;
        char text[256], *rest = text;
        assert_null(actorbench_set_preset(&config, preset->name));
        actorbench_describe_preset(preset, text, sizeof text);
        for (char *pair = strtok_r(text, " ", &rest); pair != NULL; pair = strtok_r(NULL, " ", &rest)) {
            char *value = strchr(pair, '=');
            assert_non_null(value);
            *value++ = '\0';
            struct actorbench_config before = said;
            set_option(&said, pair, value);
            assert_memory_not_equal(&said.options, &before.options, sizeof said.options);
        }
        assert_memory_equal(&said.options, &config.options, sizeof said.options);
    }
}

static void test_presets_have_room(void **state) {
    (void)state;
    size_t presets = 0;
    while (actorbench_presets[presets].name != NULL)
        presets++;
    assert_in_range(presets, 0, ACTORBENCH_PRESETS);
}

static void test_unknown_preset(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults(), before = config;
    const char *complaint = actorbench_set_preset(&config, "mine");
    assert_non_null(complaint);
    for (const struct actorbench_preset *preset = actorbench_presets; preset->name != NULL; preset++)
        assert_non_null(strstr(complaint, preset->name));
    assert_memory_equal(&config.options, &before.options, sizeof config.options);
}

static void test_get_cuts_what_is_too_long(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    char value[4];
    actorbench_get_option(&config, option_named("idle"), value, sizeof value);
    assert_string_equal(value, "par");
}

/* ---- The covering table of rows.h ---------------------------------------------------------------------------------- */

enum { COLUMNS = 16, CHOICES = 16 };

/* The lines' values by number: workers as they are, options as the configuration holds them. */
static unsigned column_values(unsigned line, unsigned values[COLUMNS]) {
    struct actorbench_config config = configuration(covering[0], covering[line]);
    unsigned columns = 0;
    values[columns++] = config.workers;
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++)
        if (strstr(covering[0], option->name) != NULL)
            values[columns++] = config.options[option - actorbench_options];
    return columns;
}

/* Every choice of an option that has choices, alone or in a set, but for --pin, which has no part in how messages go. */
static void test_covering_names_every_choice(void **state) {
    (void)state;
    for (const struct actorbench_option *option = actorbench_options; option->name != NULL; option++) {
        if (option->choices == NULL || strcmp(option->name, "pin") == 0)
            continue;
        bool seen[CHOICES] = {false};
        unsigned choices = 1;
        for (const char *c = option->choices; *c != '\0'; c++)
            choices += *c == '|';
        for (unsigned line = 1; line < LENGTH(covering); line++) {
            unsigned value = configuration(covering[0], covering[line]).options[option - actorbench_options];
            for (unsigned choice = 0; choice < choices; choice++)
                seen[choice] |= option->kind == ACTORBENCH_SET      ? value >> choice & 1
                                : option->kind == ACTORBENCH_NUMBER ? value == ACTORBENCH_WORD(choice)
                                                                    : value == choice;
        }
        for (unsigned choice = 0; choice < choices; choice++)
            if (!seen[choice])
                fail_msg("no line has choice %u of --%s", choice, option->name);
    }
}

/* Of every two lines, the values of every two columns stand together in some line. */
static void test_covering_pairs_all_values(void **state) {
    (void)state;
    enum { LINES = LENGTH(covering) };
    static unsigned values[LINES][COLUMNS];
    unsigned columns = 0;
    for (unsigned line = 1; line < LINES; line++)
        columns = column_values(line, values[line]);
    for (unsigned a = 0; a < columns; a++)
        for (unsigned b = a + 1; b < columns; b++)
            for (unsigned i = 1; i < LINES; i++)
                for (unsigned j = 1; j < LINES; j++) {
                    bool together = false;
                    for (unsigned line = 1; line < LINES && !together; line++)
                        together = values[line][a] == values[i][a] && values[line][b] == values[j][b];
                    if (!together)
                        fail_msg("no line has the value of column %u in \"%s\" and that of column %u in \"%s\"", a,
                                 covering[i], b, covering[j]);
                }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_choice),
        cmocka_unit_test(test_options_have_room),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_bad_choices),
        cmocka_unit_test(test_every_set),
        cmocka_unit_test(test_every_preset),
        cmocka_unit_test(test_presets_as_text),
        cmocka_unit_test(test_presets_have_room),
        cmocka_unit_test(test_unknown_preset),
        cmocka_unit_test(test_get_cuts_what_is_too_long),
        cmocka_unit_test(test_covering_names_every_choice),
        cmocka_unit_test(test_covering_pairs_all_values),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
