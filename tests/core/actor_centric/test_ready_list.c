/* The ready list: actors in their order, in one piece or cut in two; and each push takes one sleeper off. */
#include "workers.h"

static struct ready_list list;

static void test_order(void **state) {
    (void)state;
    ready_list_init(&list);
    assert_null(ready_list_take(&list));
    list_actors(&list, 0, 2);
    assert_int_equal(ready_list_count(&list), 3);
    assert_ptr_equal(ready_list_take(&list), &boxes[0]);
    list_actors(&list, 3, 3);
    for (unsigned i = 1; i <= 3; i++)
        assert_ptr_equal(ready_list_take(&list), &boxes[i]);
    assert_int_equal(ready_list_count(&list), 0);
    assert_null(ready_list_take(&list));
    list_actors(&list, 4, 4); /* after it has run empty */
    assert_ptr_equal(ready_list_take(&list), &boxes[4]);
}

static void test_take_all(void **state) {
    (void)state;
    ready_list_init(&list);
    struct ready_chain none = ready_list_take_all(&list);
    assert_no_chain(&none);
    list_actors(&list, 0, 4);
    struct ready_chain all = ready_list_take_all(&list);
    assert_chain(&all, 0, 4);
    assert_int_equal(ready_list_count(&list), 0);
    list_actors(&list, 5, 6);
    all = ready_list_take_all(&list);
    assert_chain(&all, 5, 6);
}

static void test_split(void **state) {
    (void)state;
    for (unsigned actors = 2; actors <= BOXES; actors++)
        for (unsigned cut = 1; cut < actors; cut++) {
            struct ready_chain rest = {0};
            for (unsigned i = 0; i < actors; i++)
                ready_chain_append(&rest, &boxes[i]);
            struct ready_chain front = ready_chain_split(&rest, cut);
            assert_chain(&front, 0, cut - 1);
            assert_chain(&rest, cut, actors - 1);
            assert_ptr_equal(front.last, &boxes[cut - 1]);
            assert_ptr_equal(rest.last, &boxes[actors - 1]);
        }
}

/* Thieves compare it: it changes when actors are taken, and only then. */
static void test_turns(void **state) {
    (void)state;
    ready_list_init(&list);
    uint32_t turn = atomic_load_relaxed(&list.turn);
    list_actors(&list, 0, 3);
    assert_int_equal(atomic_load_relaxed(&list.turn), turn);
    (void)ready_list_take(&list);
    assert_int_equal(atomic_load_relaxed(&list.turn), turn + 1);
    (void)ready_list_take_all(&list);
    assert_int_equal(atomic_load_relaxed(&list.turn), turn + 2);
}

static void test_sleepers(void **state) {
    (void)state;
    struct worker *workers = executor.workers;
    ready_list_init(&list);
    for (unsigned i = 0; i < WORKERS; i++)
        assert_true(ready_list_join_sleepers(&list, &workers[i]));
    ready_list_leave_sleepers(&list, &workers[1]); /* in the midst */
    ready_list_leave_sleepers(&list, &workers[1]); /* and once more: no harm */
    bool woken[WORKERS] = {false};
    for (unsigned i = 0; i < WORKERS - 1; i++) {
        struct worker *sleeper = ready_list_push(&list, &boxes[i]);
        assert_non_null(sleeper);
        assert_false(woken[sleeper->index]);
        woken[sleeper->index] = true;
    }
    assert_false(woken[1]);
    assert_null(ready_list_push(&list, &boxes[WORKERS]));
}

static void test_nobody_sleeps_on_work(void **state) {
    (void)state;
    ready_list_init(&list);
    list_actors(&list, 0, 0);
    assert_false(ready_list_join_sleepers(&list, &executor.workers[0]));
    assert_null(ready_list_push(&list, &boxes[1]));
    (void)ready_list_take_all(&list);
    assert_true(ready_list_join_sleepers(&list, &executor.workers[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_take_all), cmocka_unit_test(test_split),
        cmocka_unit_test(test_turns), WITH_WORKERS(test_sleepers),     WITH_WORKERS(test_nobody_sleeps_on_work),
    };
    return cmocka_run_group_tests_name("ready list", tests, NULL, NULL);
}
