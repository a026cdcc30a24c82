/* Shares: while there is work for all, every worker has a part in it, wherever the work comes from. */
#include <pthread.h>

#include "rows.h"
#include "shares.h"

/* Actors for each worker, and messages that wait for each of those that are fed: so many that, while a worker has nothing,
 * something waits with another for longer than any design lets it wait before it may be stolen. */
enum { ACTORS_EACH = 48, WAITING = 32, MOST_ACTORS = MOST_WORKERS * ACTORS_EACH };

typedef struct {
    struct actorbench_message message;
} step;
ACTORBENCH_MESSAGE_TYPE(step)

/* ---- Work that keeps itself going: each actor sends to itself ------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
} looper;
#define BEHAVIOURS_looper(ON) ON(looper, step, looper_steps)
ACTORBENCH_ACTOR_TYPE(looper)

typedef struct {
    struct actorbench_actor actor;
    unsigned actors;
} maker;
#define BEHAVIOURS_maker(ON) ON(maker, step, maker_makes)
ACTORBENCH_ACTOR_TYPE(maker)

static looper loopers[MOST_ACTORS];
static step a_step;

static enum actorbench_allocation looper_steps(looper *self, step *message) {
    if (shares_are_known())
        return ACTORBENCH_FINISHED;
    count_share();
    pause_ns(LONG_NS);
    actorbench_send(looper, self, message);
    return ACTORBENCH_NODELETE;
}

static void make_loopers(unsigned actors) {
    for (unsigned i = 0; i < actors; i++) {
        actorbench_actor_init(looper, &loopers[i]);
        actorbench_send(looper, &loopers[i], &a_step);
    }
}

static enum actorbench_allocation maker_makes(maker *self, step *message) {
    (void)message;
    make_loopers(self->actors);
    return ACTORBENCH_FINISHED;
}

/* ---- Work that comes from outside ----------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    bool works; /* or stands aside */
    ATOMIC(unsigned) waiting;
} receiver;
#define BEHAVIOURS_receiver(ON) ON(receiver, step, receiver_works)
ACTORBENCH_ACTOR_TYPE(receiver)

static receiver receivers[MOST_ACTORS];
static unsigned receiver_count;

static enum actorbench_allocation receiver_works(receiver *self, step *message) {
    (void)message;
    if (!shares_are_known()) {
        count_share();
        pause_ns(LONG_NS);
    }
    (void)atomic_fetch_sub_relaxed(&self->waiting, 1);
    return ACTORBENCH_NODELETE;
}

/* Makes actors; those of worker 0 work, or all. */
static void make_receivers(unsigned workers, bool on_one_worker) {
    receiver_count = workers * ACTORS_EACH;
    for (unsigned i = 0; i < receiver_count; i++) {
        receivers[i].works = !on_one_worker || actorbench_place(i) == 0;
        atomic_initialise(&receivers[i].waiting, 0);
        actorbench_actor_init(receiver, &receivers[i]);
    }
}

/* Sends until the shares are known, so that WAITING messages or so wait for each actor that works. (From then on a receiver may take
 * them as fast as they come, and never have so many.) */
static void *feed(void *argument) {
    while (!shares_are_known()) {
        for (unsigned i = 0; i < receiver_count; i++)
            while (receivers[i].works && !shares_are_known() && atomic_load_relaxed(&receivers[i].waiting) < WAITING) {
                (void)atomic_fetch_add_relaxed(&receivers[i].waiting, 1);
                actorbench_send(receiver, &receivers[i], &a_step);
            }
        pause_ns(LONG_NS);
    }
    return argument;
}

/* ---- The tests ------------------------------------------------------------------------------------------------------ */

static const unsigned worker_counts[] = {4, 8, 16};

/* Whether a line of a table is run with a number of workers: sanitized builds take one a line, and so does who says how many. */
static bool is_run(unsigned line, unsigned number) {
    if (workers_to_test(0) != 0)
        return number == 0;
    return !SANITIZED_BUILD || line % LENGTH(worker_counts) == number;
}

/* A round under a line of a table, with so many workers; `work` makes the work, and returns when there is no more to come. */
static void run_shares(const struct table_line *line, void (*work)(unsigned workers), const char *what) {
    static unsigned turn;
    struct actorbench_config config = configuration(line->names, line->values);
    turn++;
    for (unsigned i = 0; i < LENGTH(worker_counts); i++) {
        if (!is_run(turn, i))
            continue;
        config.workers = workers_to_test(worker_counts[i]);
        watchdog_start(SECONDS, "%s under %s, %u workers; ACTORBENCH_TEST_SEED=%llu", what, line->values,
                       config.workers, (unsigned long long)test_seed());
        actorbench_message_init(step, &a_step, ACTORBENCH_NODELETE);
        start_shares(&config, ENOUGH, config.workers * ENOUGH * UNEVEN);
        work(config.workers);
        actorbench_stop();
        watchdog_stop();
        say_shares(line->values, config.workers, what);
        expect_shares(config.workers, ENOUGH, what);
    }
}

static void deal_to_all(unsigned workers) {
    make_loopers(workers * ACTORS_EACH);
}

static void make_in_one_behaviour(unsigned workers) {
    static maker first;
    actorbench_actor_init(maker, &first);
    first.actors = workers * ACTORS_EACH;
    actorbench_send(maker, &first, &a_step);
    actorbench_wait();
}

static void feed_from(unsigned workers, bool on_one_worker, bool another_thread) {
    pthread_t thread;
    make_receivers(workers, on_one_worker);
    if (another_thread)
        assert_int_equal(pthread_create(&thread, NULL, feed, NULL), 0);
    (void)feed(NULL);
    if (another_thread)
        assert_int_equal(pthread_join(thread, NULL), 0);
    for (unsigned i = 0; i < receiver_count; i++) {
        AWAIT(atomic_load_relaxed(&receivers[i].waiting) == 0); /* what another thread sent has no order with the end */
        actorbench_send(receiver, &receivers[i], &actorbench_finished_message);
    }
}

static void feed_one_worker_from_main(unsigned workers) {
    feed_from(workers, true, false);
}

static void feed_one_worker_from_two_threads(unsigned workers) {
    feed_from(workers, true, true);
}

static void feed_all_from_main(unsigned workers) {
    feed_from(workers, false, false);
}

static void feed_all_from_two_threads(unsigned workers) {
    feed_from(workers, false, true);
}

static void test_dealt_to_all(void **state) {
    run_shares(*state, deal_to_all, "work dealt to all");
}

static void test_made_by_one_behaviour(void **state) {
    run_shares(*state, make_in_one_behaviour, "work made by one behaviour");
}

static void test_from_main(void **state) {
    run_shares(*state, feed_one_worker_from_main, "work from main for one worker");
}

static void test_from_two_threads(void **state) {
    run_shares(*state, feed_one_worker_from_two_threads, "work from two threads for one worker");
}

static void test_from_main_to_all(void **state) {
    run_shares(*state, feed_all_from_main, "work from main for all");
}

static void test_from_two_threads_to_all(void **state) {
    run_shares(*state, feed_all_from_two_threads, "work from two threads for all");
}

int main(void) {
    ADD_TABLE(shared, test_dealt_to_all);
    ADD_TABLE(shared, test_made_by_one_behaviour);
    ADD_TABLE(shared, test_from_main);
    ADD_TABLE(shared, test_from_two_threads);
    ADD_TABLE(dealt, test_dealt_to_all);
    ADD_TABLE(dealt, test_from_main_to_all);
    ADD_TABLE(dealt, test_from_two_threads_to_all);
    return run_tables("shares");
}
