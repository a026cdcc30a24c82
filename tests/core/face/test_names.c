/* Names: what is said of a wrong preset names as many as there is room for, in one line, however long they are. The tables are
 * this program's, in place of a design's. */
#include "harness.h"

#define LONG_NAME(number) "a-preset-with-a-name-of-sixty-letters-which-is-rather-long-" #number

const char actorbench_design[] = "long-named";
const struct actorbench_option actorbench_options[] = {
    {"idle", ACTORBENCH_CHOICE, "park|spin", 0, "", {0, 1, 1, 1, 1, 1, 1}},
    {0},
};
const struct actorbench_preset actorbench_presets[] = {
    {LONG_NAME(1), ""},
    {LONG_NAME(2), ""},
    {LONG_NAME(3), ""},
    {LONG_NAME(4), ""},
    {LONG_NAME(5), ""},
    {LONG_NAME(6), ""},
    {0},
};

static void test_wrong_preset(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    const char *complaint = actorbench_set_preset(&config, "mine");
    assert_non_null(complaint);
    assert_null(strchr(complaint, '\n'));
    static const char start[] = "--preset cannot be \"mine\": it is " LONG_NAME(1);
    assert_int_equal(strncmp(complaint, start, sizeof start - 1), 0);
}

/* A name is quoted as far as there is room, and no name breaks the line or the list behind it. */
static void test_long_preset(void **state) {
    (void)state;
    char name[5000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct actorbench_config config = actorbench_defaults();
    const char *complaint = actorbench_set_preset(&config, name);
    assert_non_null(complaint);
    assert_non_null(strstr(complaint, LONG_NAME(1)));
}

static void test_every_preset_is_found(void **state) {
    (void)state;
    for (const struct actorbench_preset *preset = actorbench_presets; preset->name != NULL; preset++) {
        struct actorbench_config config = actorbench_defaults();
        assert_null(actorbench_set_preset(&config, preset->name));
        assert_int_equal(config.options[0], 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_preset_is_found),
        cmocka_unit_test(test_wrong_preset),
        cmocka_unit_test(test_long_preset),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
