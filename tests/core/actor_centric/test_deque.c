/* The deque: its owner takes the newest, thieves the oldest, and each item is taken once. */
#include <pthread.h>

#include "actor_centric/deque.h"
#include "actor_centric/mailbox.h"
#include "harness.h"
#include "platform/random.h"

enum { ITEMS = SANITIZED_BUILD ? 20000 : 100000, THIEVES = 3 };

/* `home` is the item's mark: plain, written before it is pushed and by who takes it. */
static struct mailbox items[ITEMS];
static struct deque deque;

enum mark { AT_HAND = 1, TAKEN = 2 };

static void push(unsigned item) {
    items[item].home = AT_HAND;
    deque_push(&deque, &items[item]);
}

static void expect_popped(unsigned item) {
    assert_ptr_equal(deque_pop(&deque), &items[item]);
}

static void expect_stolen(unsigned item) {
    struct mailbox *stolen = NULL;
    assert_int_equal(deque_steal(&deque, &stolen), DEQUE_STOLEN);
    assert_ptr_equal(stolen, &items[item]);
}

static void expect_empty(void) {
    struct mailbox *stolen = NULL;
    assert_int_equal(deque_count(&deque), 0);
    assert_null(deque_pop(&deque));
    assert_int_equal(deque_steal(&deque, &stolen), DEQUE_EMPTY);
}

static void test_both_ends(void **state) {
    (void)state;
    deque_init(&deque, 4);
    expect_empty();
    for (unsigned round = 0; round < 10; round++) { /* round the array, more than once */
        for (unsigned item = 0; item < 4; item++)
            push(item);
        assert_int_equal(deque_count(&deque), 4);
        expect_popped(3);
        expect_stolen(0);
        expect_popped(2);
        expect_stolen(1);
        expect_empty();
    }
    deque_destroy(&deque);
}

/* A full array is doubled; what was in it is kept, in order, wherever in the array it began. */
static void test_growth(void **state) {
    (void)state;
    for (unsigned stolen = 0; stolen <= 3; stolen++) {
        deque_init(&deque, 2);
        for (unsigned item = 0; item < stolen; item++) {
            push(item);
            expect_stolen(item);
        }
        for (unsigned item = stolen; item < 1000; item++)
            push(item);
        assert_int_equal(deque_count(&deque), 1000 - stolen);
        for (unsigned item = stolen; item < 500; item++)
            expect_stolen(item);
        for (unsigned item = 999; item >= 500; item--)
            expect_popped(item);
        expect_empty();
        deque_destroy(&deque);
    }
}

/* ---- The owner and thieves at once -------------------------------------------------------------------------------- */

static ATOMIC(uint32_t) owner_is_done, taken_in_all, taken_wrongly;

static void take(struct mailbox *item) {
    if (item->home != AT_HAND)
        atomic_store_relaxed(&taken_wrongly, 1);
    item->home = TAKEN;
    (void)atomic_fetch_add_relaxed(&taken_in_all, 1);
}

static void *steal_all(void *unused) {
    struct mailbox *item = NULL;
    while (!atomic_load_relaxed(&owner_is_done)) {
        if (deque_steal(&deque, &item) == DEQUE_STOLEN)
            take(item);
        else
            cpu_relax();
    }
    return unused;
}

/* The owner pushes bursts of up to `burst` items, and pops up to as many after each. */
static void contend(unsigned burst) {
    pthread_t thieves[THIEVES];
    struct random random = random_seed(test_seed(), burst);
    watchdog_start(60, "a deque under theft, bursts of %u; ACTORBENCH_TEST_SEED=%llu", burst,
                   (unsigned long long)test_seed());
    deque_init(&deque, 2);
    atomic_initialise(&owner_is_done, 0);
    atomic_initialise(&taken_in_all, 0);
    atomic_initialise(&taken_wrongly, 0);
    for (unsigned i = 0; i < THIEVES; i++)
        assert_int_equal(pthread_create(&thieves[i], NULL, steal_all, NULL), 0);
    for (unsigned pushed = 0; pushed < ITEMS;) {
        unsigned pushes = 1 + random_below(&random, burst);
        for (unsigned i = 0; i < pushes && pushed < ITEMS; i++)
            push(pushed++);
        struct mailbox *item;
        for (unsigned pops = random_below(&random, pushes + 1); pops > 0 && (item = deque_pop(&deque)) != NULL; pops--)
            take(item);
    }
    for (struct mailbox *item; (item = deque_pop(&deque)) != NULL;)
        take(item);
    AWAIT(atomic_load_relaxed(&taken_in_all) >= ITEMS); /* a thief may have its last item in hand */
    atomic_store_relaxed(&owner_is_done, 1);
    for (unsigned i = 0; i < THIEVES; i++)
        assert_int_equal(pthread_join(thieves[i], NULL), 0);
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&taken_in_all), ITEMS);
    assert_int_equal(atomic_load_relaxed(&taken_wrongly), 0);
    for (unsigned i = 0; i < ITEMS; i++)
        assert_int_equal(items[i].home, TAKEN);
    deque_destroy(&deque);
}

/* One item at a time: every pop contends with the thieves for the last one. */
static void test_the_last_item(void **state) {
    (void)state;
    contend(1);
}

static void test_growth_under_theft(void **state) {
    (void)state;
    contend(3);
    contend(1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ends),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_the_last_item),
        cmocka_unit_test(test_growth_under_theft),
    };
    return cmocka_run_group_tests_name("deque", tests, say_seed, NULL);
}
