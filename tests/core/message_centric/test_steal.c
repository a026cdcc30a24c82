/* Scans and thefts, on workers made by hand: in which order a worker looks through its mailboxes, when a thief tries, which
 * mailbox of a victim's it takes, which it gives for it, and that what is stolen comes last. */
#include "sharded/workers.h"

#include "message_centric/steal.h"
#include "message_centric/worker.h"

enum { SHARE = 4, THIEF = 0, VICTIM = 1, VICTIMS = SHARE, MOST_RUNS = 16 };

static struct worker *thief;
static struct actorbench_message message;
static const struct actorbench_message_type plain = {"plain", NULL, sizeof(struct actorbench_message), NULL};

/* The thief has boxes 0 .. 3, its victim 4 .. 7. */
static int set_up(void **state) {
    (void)state;
    executor.options = (struct options){.queue = QUEUE_COPY, .steal = STEAL_LONGEST, .scans_before_steal = 2};
    make_workers(2, SHARE);
    thief = &executor.workers[THIEF];
    actorbench_message_construct(&message, &plain, ACTORBENCH_NODELETE);
    return 0;
}

/* ---- What runs ------------------------------------------------------------------------------------------------------ */

static unsigned ran[MOST_RUNS], runs; /* the actors, by number */

static enum actorbench_allocation note(struct actorbench_actor *actor, struct actorbench_message *content) {
    (void)content;
    ran[runs++] = (unsigned)(actor - actors);
    return ACTORBENCH_NODELETE;
}

static void send_to(unsigned actor, actorbench_behaviour *reaction) {
    struct envelope envelope = {&actors[actor], &message, reaction};
    (void)box_append(&boxes[actor], envelope);
}

static enum actorbench_allocation note_and_send_on(struct actorbench_actor *actor, struct actorbench_message *content) {
    send_to((unsigned)(actor - actors), note);
    return note(actor, content);
}

/* Scans once, and expects so many actors to run, in this order. */
static void expect_scan(size_t count, ...) {
    va_list expected;
    va_start(expected, count);
    runs = 0;
    (void)worker_scan(thief);
    assert_int_equal(runs, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ran[i], va_arg(expected, unsigned));
    va_end(expected);
}

static void send_to_all_the_thiefs(void) {
    for (unsigned i = 0; i < SHARE; i++)
        for (unsigned actor = 0; actor < 2 * SHARE; actor++)
            if (slot_mailbox(sharding_slots(THIEF) + i) == &boxes[actor])
                send_to(actor, note);
}

/* ---- Scans ---------------------------------------------------------------------------------------------------------- */

static void test_a_scan_goes_by_slots(void **state) {
    (void)state;
    send_to_all_the_thiefs();
    expect_scan(4, 0u, 1u, 2u, 3u);
    expect_scan(0);
    send_to(3, note);
    send_to(1, note);
    expect_scan(2, 1u, 3u);
}

/* Also one with a lone message, which sends another into the same mailbox. */
static void test_a_scan_gulps_a_mailbox_once(void **state) {
    (void)state;
    send_to(1, note_and_send_on);
    send_to(2, note);
    expect_scan(2, 1u, 2u);
    expect_scan(1, 1u);
    expect_scan(0);
}

/* ---- Thefts --------------------------------------------------------------------------------------------------------- */

static unsigned place_of(unsigned mailbox) {
    unsigned place = 0;
    while (slot_mailbox(&sharding.slots[place]) != &boxes[mailbox])
        place++;
    return place;
}

static bool is_the_thiefs(unsigned mailbox) {
    return place_of(mailbox) < SHARE;
}

static void test_what_is_stolen_is_scanned_last(void **state) {
    (void)state;
    send_to(VICTIMS + 2, note);
    steal_attempt(thief);
    assert_true(is_the_thiefs(VICTIMS + 2));
    send_to_all_the_thiefs();
    expect_scan(5, 1u, 2u, 3u, VICTIMS + 2u, VICTIMS + 2u);
}

/* The slots for thefts take turns: the last one's mailbox is given away last, and comes last again. */
static void test_thefts_take_turns(void **state) {
    (void)state;
    for (unsigned i = 0; i < SHARE; i++) {
        send_to(VICTIMS + i, note);
        steal_attempt(thief);
        assert_int_equal(place_of(VICTIMS + i), i);
        expect_scan(1, VICTIMS + i);
    }
    send_to_all_the_thiefs();
    expect_scan(4, VICTIMS + 0u, VICTIMS + 1u, VICTIMS + 2u, VICTIMS + 3u);
}

/* Messages that come to the thief meanwhile stay where they are, and still come before what was stolen. */
static void test_a_mailbox_with_messages_is_not_given(void **state) {
    (void)state;
    send_to(0, note);
    send_to(2, note);
    send_to(VICTIMS, note);
    steal_attempt(thief);
    assert_int_equal(place_of(VICTIMS), 1);
    expect_scan(3, 2u, 0u, VICTIMS + 0u);
}

static void test_who_has_work_everywhere_steals_nothing(void **state) {
    (void)state;
    send_to_all_the_thiefs();
    send_to(VICTIMS, note);
    steal_attempt(thief);
    assert_false(is_the_thiefs(VICTIMS));
    expect_scan(4, 0u, 1u, 2u, 3u);
}

/* The first that has messages and that nobody processes; in the next attempt the next. */
static void test_the_first_that_fits_is_taken(void **state) {
    (void)state;
    size_t gulped;
    send_to(VICTIMS + 1, note);
    assert_int_equal(mailbox_gulp(&boxes[VICTIMS + 1], QUEUE_COPY, &executor.workers[VICTIM].local, &gulped), GULPED);
    for (unsigned i = 1; i < SHARE; i++)
        send_to(VICTIMS + i, note);
    steal_attempt(thief);
    assert_true(is_the_thiefs(VICTIMS + 2));
    steal_attempt(thief);
    assert_true(is_the_thiefs(VICTIMS + 3));
    steal_attempt(thief);
    assert_false(is_the_thiefs(VICTIMS + 0));
    assert_false(is_the_thiefs(VICTIMS + 1));
}

/* A null, in the midst of a swap of the victim's, is passed over. */
static void test_a_victim_that_swaps(void **state) {
    (void)state;
    struct mailbox *held = slot_mailbox(sharding_slots(VICTIM));
    send_to(VICTIMS, note);
    send_to(VICTIMS + 1, note);
    atomic_store_relaxed(sharding_slots(VICTIM), (struct mailbox *)NULL);
    steal_attempt(thief);
    atomic_store_relaxed(sharding_slots(VICTIM), held);
    assert_true(is_the_thiefs(VICTIMS + 1));
}

/* Every mailbox of the victim's is the first for some thief. */
static void test_a_random_search_begins_anywhere(void **state) {
    (void)state;
    enum { TRIALS = 1000 };
    executor.options.search = SEARCH_RANDOM;
    bool taken[SHARE] = {false};
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        for (unsigned i = 0; i < SHARE; i++)
            send_to(VICTIMS + i, note);
        steal_attempt(thief);
        for (unsigned i = 0; i < SHARE; i++)
            taken[i] |= is_the_thiefs(VICTIMS + i);
        (void)release_workers(state);
        (void)set_up(state);
        executor.options.search = SEARCH_RANDOM;
        thief->random = random_seed(test_seed(), trial);
    }
    for (unsigned i = 0; i < SHARE; i++)
        assert_true(taken[i]);
}

/* ---- When a thief tries --------------------------------------------------------------------------------------------- */

/* Whether the thief tries to steal after this scan without work. */
static bool tries(void) {
    atomic_store_relaxed(&thief->stamp, 0);
    steal_after_scan(thief);
    return atomic_load_relaxed(&thief->stamp) != 0;
}

/* After how many scans without work its next attempt comes. */
static unsigned scans_to_attempt(void) {
    unsigned scans = 1;
    while (!tries())
        scans++;
    return scans;
}

static void expect_attempts(size_t count, ...) {
    va_list scans;
    va_start(scans, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(scans_to_attempt(), va_arg(scans, unsigned));
    va_end(scans);
}

static void test_eagerness(void **state) {
    (void)state;
    for (unsigned scans = 1; scans <= 5; scans++) {
        executor.options.scans_before_steal = scans;
        steal_begin(thief);
        expect_attempts(4, scans, scans, scans, scans);
    }
}

/* Work in between: so many scans without work must follow each other. */
static void test_scans_in_vain_are_consecutive(void **state) {
    (void)state;
    executor.options.scans_before_steal = 3;
    steal_begin(thief);
    assert_false(tries());
    assert_false(tries());
    steal_begin(thief);
    expect_attempts(1, 3u);
}

static void test_backoff_doubles(void **state) {
    (void)state;
    executor.options.steal_backoff = BACKOFF_DOUBLE;
    steal_begin(thief);
    expect_attempts(12, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 1024u, 1024u);
    steal_begin(thief);
    expect_attempts(2, 2u, 4u);
}

static void test_backoff_ends_with_loot(void **state) {
    (void)state;
    executor.options.steal_backoff = BACKOFF_DOUBLE;
    steal_begin(thief);
    expect_attempts(3, 2u, 4u, 8u);
    send_to(VICTIMS, note);
    expect_attempts(1, 16u);
    assert_true(is_the_thiefs(VICTIMS));
    expect_attempts(2, 2u, 4u);
}

/* What is left of a long wait is no longer than a short one. */
static void test_backoff_ends_with_sleep(void **state) {
    (void)state;
    executor.options.steal_backoff = BACKOFF_DOUBLE;
    steal_begin(thief);
    expect_attempts(3, 2u, 4u, 8u);
    steal_after_sleep(thief);
    expect_attempts(2, 2u, 4u);
    for (unsigned i = 1; i < 8; i++)
        assert_false(tries());
    steal_after_sleep(thief);
    expect_attempts(1, 1u);
}

/* However patient a thief is, its sleeps do not make it wait for ever. */
static void test_sleep_does_not_begin_anew(void **state) {
    (void)state;
    executor.options.scans_before_steal = 5;
    steal_begin(thief);
    for (unsigned i = 1; i < 5; i++) {
        assert_false(tries());
        steal_after_sleep(thief);
    }
    assert_true(tries());
}

#define BY_HAND(test) cmocka_unit_test_setup_teardown(test, set_up, release_workers)

int main(void) {
    const struct CMUnitTest tests[] = {
        BY_HAND(test_a_scan_goes_by_slots),
        BY_HAND(test_a_scan_gulps_a_mailbox_once),
        BY_HAND(test_what_is_stolen_is_scanned_last),
        BY_HAND(test_thefts_take_turns),
        BY_HAND(test_a_mailbox_with_messages_is_not_given),
        BY_HAND(test_who_has_work_everywhere_steals_nothing),
        BY_HAND(test_the_first_that_fits_is_taken),
        BY_HAND(test_a_victim_that_swaps),
        BY_HAND(test_a_random_search_begins_anywhere),
        BY_HAND(test_eagerness),
        BY_HAND(test_scans_in_vain_are_consecutive),
        BY_HAND(test_backoff_doubles),
        BY_HAND(test_backoff_ends_with_loot),
        BY_HAND(test_backoff_ends_with_sleep),
        BY_HAND(test_sleep_does_not_begin_anew),
    };
    return cmocka_run_group_tests_name("steal", tests, NULL, NULL);
}
