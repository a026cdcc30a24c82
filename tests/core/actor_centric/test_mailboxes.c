/* Every kind of mailbox: letters come out once, in order; one sender finds an idle actor, and none is left behind. */
#include <pthread.h>

#include "letters.h"
#include "platform/random.h"

static const struct kind {
    enum mailbox_kind kind;
    enum link_order order;
} kinds[] = {
    {MAILBOX_SWAP, LINK_RELEASE},  {MAILBOX_SWAP, LINK_ORDERED},   {MAILBOX_STACK, LINK_RELEASE},
    {MAILBOX_CHUNK, LINK_RELEASE}, {MAILBOX_LOCKED, LINK_RELEASE},
};

static struct mailbox box;

static bool push(const struct kind *kind, uintptr_t number) {
    return mailbox_push(&box, kind->kind, kind->order, numbered(number));
}

static void expect(const struct kind *kind, uintptr_t first, uintptr_t last) {
    struct letter letter = {0};
    for (uintptr_t number = first; number <= last; number++) {
        assert_true(mailbox_next(&box, kind->kind, &letter));
        assert_int_equal(number_of(letter), number);
    }
}

/* The first push after a rest, and it alone, finds the actor idle. */
static void test_idle_and_ready(void **state) {
    const struct kind *kind = *state;
    struct letter letter = {0};
    mailbox_init(&box, kind->kind);
    for (unsigned round = 0; round < 100; round++) {
        assert_true(push(kind, 1));
        for (uintptr_t number = 2; number <= round; number++)
            assert_false(push(kind, number));
        expect(kind, 1, round < 2 ? 1 : round);
        assert_false(push(kind, 1000));
        expect(kind, 1000, 1000);
        assert_false(mailbox_next(&box, kind->kind, &letter));
        assert_true(mailbox_rest(&box, kind->kind));
    }
    assert_true(push(kind, 1));
    expect(kind, 1, 1);
    assert_int_equal(mailbox_destroy(&box, kind->kind), 0);
}

/* A limit of messages ends a run between any two letters: the actor then rests only if there is no other. */
static void test_rest_in_the_midst(void **state) {
    const struct kind *kind = *state;
    for (uintptr_t letters = 1; letters <= 40; letters++)
        for (uintptr_t later = 0; later <= 2; later++) {
            mailbox_init(&box, kind->kind);
            for (uintptr_t number = 1; number <= letters; number++)
                assert_int_equal(push(kind, number), number == 1);
            for (uintptr_t number = 1; number <= letters + later; number++) {
                expect(kind, number, number);
                if (number <= later)
                    assert_false(push(kind, letters + number));
                assert_int_equal(mailbox_rest(&box, kind->kind), number == letters + later);
            }
            assert_true(push(kind, 1));
            expect(kind, 1, 1);
            assert_int_equal(mailbox_destroy(&box, kind->kind), 0);
        }
}

/* What an actor that ends has not taken is counted, and freed: the leak sanitizer looks on. */
static void test_destroy_with_letters(void **state) {
    const struct kind *kind = *state;
    for (size_t left = 0; left <= 40; left++) {
        mailbox_init(&box, kind->kind);
        for (uintptr_t number = 1; number <= left + 3; number++)
            (void)push(kind, number);
        expect(kind, 1, 3);
        assert_int_equal(mailbox_destroy(&box, kind->kind), left);
    }
}

/* ---- Senders and workers at once --------------------------------------------------------------------------------- */

enum { SENDERS = 3, WORKERS = 2, SENDS = SANITIZED_BUILD ? 5000 : 20000 };

static const struct kind *shared_kind;
static ATOMIC(uint32_t) ready; /* the actor waits for a worker: a ready queue of one place */
static ATOMIC(uint32_t) woken_twice;
static ATOMIC(uint32_t) ended;

/* What a run finds and changes. Plain: only the hand-over orders it, and ThreadSanitizer sees if it does not. */
static uintptr_t received, last_from[SENDERS];
static bool in_order;

static void make_ready(void) {
    if (atomic_exchange_acq_rel(&ready, 1) != 0)
        atomic_store_relaxed(&woken_twice, 1);
}

static void *send_all(void *argument) {
    uintptr_t sender = *(unsigned *)argument;
    struct random random = random_seed(test_seed(), sender);
    for (uintptr_t i = 1; i <= SENDS; i++) {
        if (push(shared_kind, i * SENDERS + sender))
            make_ready();
        if (random_below(&random, 64) == 0)
            cpu_yield(); /* the mailbox runs dry now and then */
    }
    return NULL;
}

/* Runs at most so many letters; true if there are more. */
static bool run_some(unsigned most) {
    struct letter letter = {0};
    for (unsigned ran = 0; ran < most;) {
        if (!mailbox_next(&box, shared_kind->kind, &letter)) {
            if (mailbox_rest(&box, shared_kind->kind))
                return false;
            continue;
        }
        uintptr_t number = number_of(letter), sender = number % SENDERS;
        in_order = in_order && number > last_from[sender];
        last_from[sender] = number;
        if (++received == SENDERS * SENDS) {
            atomic_store_relaxed(&ended, 1);
            return false; /* the actor has terminated: its mailbox is destroyed, not put to rest */
        }
        ran++;
    }
    return !mailbox_rest(&box, shared_kind->kind);
}

static void *work(void *argument) {
    struct random random = random_seed(test_seed(), SENDERS + *(unsigned *)argument);
    while (!atomic_load_relaxed(&ended)) {
        if (atomic_exchange_acq_rel(&ready, 0) == 0)
            cpu_yield();
        else if (run_some(1 + random_below(&random, 20)))
            make_ready();
    }
    return NULL;
}

static void test_concurrently(void **state) {
    pthread_t threads[SENDERS + WORKERS];
    unsigned numbers[SENDERS + WORKERS];
    shared_kind = *state;
    mailbox_init(&box, shared_kind->kind);
    received = 0;
    in_order = true;
    memset(last_from, 0, sizeof last_from);
    atomic_initialise(&ready, 0);
    atomic_initialise(&woken_twice, 0);
    atomic_initialise(&ended, 0);
    watchdog_start(60, "senders and workers on one mailbox of kind %d; ACTORBENCH_TEST_SEED=%llu",
                   (int)shared_kind->kind, (unsigned long long)test_seed());
    for (unsigned i = 0; i < LENGTH(threads); i++) {
        numbers[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, i < SENDERS ? send_all : work, &numbers[i]), 0);
    }
    for (unsigned i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    watchdog_stop();
    assert_int_equal(received, SENDERS * SENDS);
    assert_true(in_order);
    assert_int_equal(atomic_load_relaxed(&woken_twice), 0);
    assert_int_equal(mailbox_destroy(&box, shared_kind->kind), 0);
}

/* clang-format off */
#define OF_KIND(test, name, number) {#test " " name, test, NULL, NULL, (void *)&kinds[number]}
#define EACH_KIND(test)                                                                                       \
    OF_KIND(test, "swap release", 0), OF_KIND(test, "swap ordered", 1), OF_KIND(test, "stack", 2),            \
    OF_KIND(test, "chunk", 3), OF_KIND(test, "locked", 4)
/* clang-format on */

int main(void) {
    const struct CMUnitTest tests[] = {
        EACH_KIND(test_idle_and_ready),
        EACH_KIND(test_rest_in_the_midst),
        EACH_KIND(test_destroy_with_letters),
        EACH_KIND(test_concurrently),
    };
    return cmocka_run_group_tests_name("mailboxes", tests, say_seed, NULL);
}
