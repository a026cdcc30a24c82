/* The delay of the self-test's sends: what is owed, and what is burnt. */
#include "harness.h"
#include "platform/delay.h"

enum { BURST_PS = DELAY_BURST_NS * PS_PER_NS };

static void test_a_burst_is_due_when_a_burst_is_owed(void **state) {
    (void)state;
    int64_t owed = 0;
    uint64_t bursts = 0;
    for (unsigned i = 0; i < 1000000; i++)
        if (delay_is_due(&owed, 430))
            bursts++, owed -= BURST_PS;
    assert_int_equal(bursts, 430);
    assert_int_equal(owed, 0);
}

static void test_what_a_burst_took_too_long_is_not_owed_again(void **state) {
    (void)state;
    int64_t owed = BURST_PS;
    uint64_t start = clock_monotonic_ns();
    delay_burn(&owed);
    uint64_t took = clock_monotonic_ns() - start;
    assert_true(took >= DELAY_BURST_NS);
    assert_true(owed <= 0);
    assert_true(owed >= BURST_PS - (int64_t)took * PS_PER_NS);
}

static void test_nothing_is_owed_for_no_delay(void **state) {
    (void)state;
    int64_t owed = 0;
    assert_false(delay_is_due(&owed, 0));
    assert_int_equal(owed, 0);
}

static void test_what_is_refused(void **state) {
    (void)state;
    assert_null(delay_refusal(0));
    assert_null(delay_refusal(MAXIMUM_DELAY_PS));
    assert_string_equal(delay_refusal(MAXIMUM_DELAY_PS + 1),
                        "a delay of 1000001 ps a send is too long: choose 1 to 1000000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_burst_is_due_when_a_burst_is_owed),
        cmocka_unit_test(test_what_a_burst_took_too_long_is_not_owed_again),
        cmocka_unit_test(test_nothing_is_owed_for_no_delay),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests_name("delay", tests, NULL, NULL);
}
