/* The swap of two slots: what it changes, what it leaves alone, and that no mailbox is lost or doubled by many. */
#include <pthread.h>

#include "harness.h"
#include "parts.h"

static struct mailbox boxes[3];

static void test_swap(void **state) {
    (void)state;
    mailbox_slot own, theirs;
    atomic_initialise(&own, &boxes[0]);
    atomic_initialise(&theirs, &boxes[1]);
    assert_true(slots_swap(&own, &boxes[0], &theirs, &boxes[1]));
    assert_ptr_equal(slot_mailbox(&own), &boxes[1]);
    assert_ptr_equal(slot_mailbox(&theirs), &boxes[0]);
}

static void test_own_mailbox_was_stolen(void **state) {
    (void)state;
    mailbox_slot own, theirs;
    atomic_initialise(&own, &boxes[2]);
    atomic_initialise(&theirs, &boxes[1]);
    assert_false(slots_swap(&own, &boxes[0], &theirs, &boxes[1]));
    assert_ptr_equal(slot_mailbox(&own), &boxes[2]);
    assert_ptr_equal(slot_mailbox(&theirs), &boxes[1]);
}

static void test_loot_is_gone(void **state) {
    (void)state;
    mailbox_slot own, theirs;
    atomic_initialise(&own, &boxes[0]);
    atomic_initialise(&theirs, &boxes[2]);
    assert_false(slots_swap(&own, &boxes[0], &theirs, &boxes[1]));
    assert_ptr_equal(slot_mailbox(&own), &boxes[0]);
    assert_ptr_equal(slot_mailbox(&theirs), &boxes[2]);
}

/* Null in the victim's slot: the victim is in the midst of a swap of its own. */
static void test_victim_is_swapping(void **state) {
    (void)state;
    mailbox_slot own, theirs;
    atomic_initialise(&own, &boxes[0]);
    atomic_initialise(&theirs, NULL);
    assert_false(slots_swap(&own, &boxes[0], &theirs, &boxes[1]));
    assert_ptr_equal(slot_mailbox(&own), &boxes[0]);
    assert_ptr_equal(slot_mailbox(&theirs), NULL);
}

/* ---- Many thieves at once ----------------------------------------------------------------------------------------- */

enum { THIEVES = 4, SHARE = 3, MAILBOXES = THIEVES * SHARE, SWAPS = 20000 };

static mailbox_slot slots[MAILBOXES];
static struct mailbox mailboxes[MAILBOXES];

struct thief {
    pthread_t thread;
    unsigned index;
    unsigned successes, failures, nulls; /* nulls: in its own range, where there must be none */
};

static void *steal(void *argument) {
    struct thief *thief = argument;
    struct random random = random_seed(test_seed(), thief->index);
    for (unsigned i = 0; i < SWAPS; i++) {
        mailbox_slot *own = &slots[thief->index * SHARE + random_below(&random, SHARE)];
        unsigned other = random_below(&random, THIEVES - 1);
        unsigned victim = other < thief->index ? other : other + 1;
        mailbox_slot *theirs = &slots[victim * SHARE + random_below(&random, SHARE)];
        struct mailbox *mine = slot_mailbox(own), *loot = slot_mailbox(theirs);
        if (mine == NULL)
            thief->nulls++;
        if (mine == NULL || loot == NULL)
            continue;
        if (slots_swap(own, mine, theirs, loot))
            thief->successes++;
        else
            thief->failures++;
    }
    return NULL;
}

static void test_concurrent_swaps_permute(void **state) {
    (void)state;
    struct thief thieves[THIEVES] = {{0}};
    bool seen[MAILBOXES] = {false};
    unsigned successes = 0;
    for (unsigned i = 0; i < MAILBOXES; i++)
        atomic_initialise(&slots[i], &mailboxes[i]);
    watchdog_start(60, "swaps; ACTORBENCH_TEST_SEED=%llu", (unsigned long long)test_seed());
    for (unsigned i = 0; i < THIEVES; i++) {
        thieves[i].index = i;
        assert_int_equal(pthread_create(&thieves[i].thread, NULL, steal, &thieves[i]), 0);
    }
    for (unsigned i = 0; i < THIEVES; i++) {
        assert_int_equal(pthread_join(thieves[i].thread, NULL), 0);
        assert_int_equal(thieves[i].nulls, 0);
        successes += thieves[i].successes;
    }
    watchdog_stop();
    assert_true(successes > 0);
    for (unsigned i = 0; i < MAILBOXES; i++) {
        struct mailbox *held = slot_mailbox(&slots[i]);
        assert_non_null(held);
        assert_false(seen[held - mailboxes]);
        seen[held - mailboxes] = true;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_own_mailbox_was_stolen),
        cmocka_unit_test(test_loot_is_gone),
        cmocka_unit_test(test_victim_is_swapping),
        cmocka_unit_test(test_concurrent_swaps_permute),
    };
    return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
