/* Names: what is said of a wrong preset or option names all that there are, in one line, however many. The tables are this
 * program's, in place of a design's. */
#include "harness.h"

#define LONG_NAME(number) "a-preset-with-a-long-name-" #number
#define TEN(tens)                                                                     \
    {LONG_NAME(tens##0), "idle=spin", ""}, {LONG_NAME(tens##1), "idle=spin", ""},     \
        {LONG_NAME(tens##2), "idle=spin", ""}, {LONG_NAME(tens##3), "idle=spin", ""}, \
        {LONG_NAME(tens##4), "idle=spin", ""}, {LONG_NAME(tens##5), "idle=spin", ""}, \
        {LONG_NAME(tens##6), "idle=spin", ""}, {LONG_NAME(tens##7), "idle=spin", ""}, \
        {LONG_NAME(tens##8), "idle=spin", ""}, {                                      \
        LONG_NAME(tens##9), "idle=spin", ""                                           \
    }

const char executor_design[] = "many-named";
const struct executor_option executor_options[] = {{"idle", "park|spin", 0, 0, ""}, {0}};
const struct executor_preset executor_presets[] = {TEN(1), TEN(2), TEN(3), TEN(4), TEN(5), TEN(6), TEN(7), {0}};

static void test_wrong_preset(void **state) {
    (void)state;
    struct executor_config config = executor_defaults();
    const char *complaint = executor_set_preset(&config, "mine");
    assert_non_null(complaint);
    assert_null(strchr(complaint, '\n'));
    assert_int_equal(strncmp(complaint, "--preset cannot be \"mine\": it is a-preset-with-a-long-name-10|", 63), 0);
}

/* A name is quoted as far as there is room, and no name breaks the line or the list behind it. */
static void test_long_preset(void **state) {
    (void)state;
    char name[5000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct executor_config config = executor_defaults();
    const char *complaint = executor_set_preset(&config, name);
    assert_non_null(complaint);
    assert_non_null(strstr(complaint, "a-preset-with-a-long-name-10|"));
}

static void test_every_preset_is_found(void **state) {
    (void)state;
    for (const struct executor_preset *preset = executor_presets; preset->name != NULL; preset++) {
        struct executor_config config = executor_defaults();
        assert_null(executor_set_preset(&config, preset->name));
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
