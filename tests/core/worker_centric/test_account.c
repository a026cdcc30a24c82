/* A worker's account with the census: numbers drawn together, ends told together, none lost however many there are. */
#include "harness.h"

#include "worker_centric/account.h"

static struct account account;

static int begin(void **state) {
    (void)state;
    census_init();
    account = (struct account){0, 0, 0};
    return 0;
}

static uint64_t terminated(void) {
    return atomic_load_relaxed(&census.terminated);
}

static void test_numbers_follow_each_other(void **state) {
    (void)state;
    for (uint64_t number = 0; number < 3 * ACCOUNT_DRAW; number++)
        assert_int_equal(account_add(&account), number);
    assert_int_equal(census_created(), 3 * ACCOUNT_DRAW);
}

static void test_what_was_not_made_is_given_back(void **state) {
    (void)state;
    (void)account_add(&account);
    account.ended = 1;
    account_settle(&account);
    assert_int_equal(census_created(), 1);
    assert_int_equal(terminated(), ACCOUNT_DRAW);
    census_wait(); /* nobody is left but main: it does not wait */
}

/* More ends than 32 bits hold. */
static void test_no_end_is_lost(void **state) {
    (void)state;
    uint64_t many = (UINT64_C(1) << 32) + 9;
    (void)census_add(many);
    account.ended = many;
    account_settle(&account);
    assert_int_equal(terminated(), many);
    assert_int_equal(account.ended, 0);
}

static void test_the_last_one_is_announced(void **state) {
    (void)state;
    (void)account_add(&account);
    atomic_fetch_add_relaxed(&census.terminated, 1); /* main waits */
    assert_int_equal(atomic_load_relaxed(&census.all_terminated), 0);
    account.ended = 1;
    account_settle(&account);
    assert_int_equal(atomic_load_relaxed(&census.all_terminated), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_numbers_follow_each_other, begin),
        cmocka_unit_test_setup(test_what_was_not_made_is_given_back, begin),
        cmocka_unit_test_setup(test_no_end_is_lost, begin),
        cmocka_unit_test_setup(test_the_last_one_is_announced, begin),
    };
    return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
