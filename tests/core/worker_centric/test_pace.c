/* Pace: what the work of a message is taken to be, how long a run is then, and what is worth a thief's way. */
#include "harness.h"
#include "worker_centric/pace.h"

static struct worker worker;

static int start(void **state) {
    (void)state;
    memset((void *)&worker, 0, sizeof worker);
    atomic_initialise(&worker.work_ns, UNKNOWN_NS);
    return 0;
}

static uint32_t work_ns(void) {
    return atomic_load_relaxed(&worker.work_ns);
}

static void test_runs_are_short(void **state) {
    (void)state;
    static const struct {
        uint32_t work_ns;
        uint64_t messages;
    } runs[] = {{UNKNOWN_NS, RUN_UNKNOWN},
                {0, RUN_MESSAGES},
                {RUN_NS / RUN_MESSAGES, RUN_MESSAGES},
                {RUN_NS / RUN_MESSAGES + 1, RUN_NS / (RUN_NS / RUN_MESSAGES + 1)},
                {RUN_NS / 2, 2},
                {RUN_NS / 2 + 1, 1},
                {RUN_NS - 1, 1},
                {RUN_NS, 1},
                {UNKNOWN_NS - 1, 1}};
    for (size_t i = 0; i < LENGTH(runs); i++) {
        atomic_store_relaxed(&worker.work_ns, runs[i].work_ns);
        assert_int_equal(pace_run(&worker), runs[i].messages);
        if (runs[i].messages > 1 && runs[i].work_ns != UNKNOWN_NS)
            assert_in_range(runs[i].messages * runs[i].work_ns, 0, RUN_NS);
    }
}

static void judge(uint64_t messages, uint64_t now) {
    worker.pace.messages = messages;
    pace_judge(&worker, now);
    assert_int_equal(worker.pace.since, now);
    assert_int_equal(worker.pace.messages, 0);
}

/* The first measure counts as it is, later ones half. */
static void test_estimate(void **state) {
    (void)state;
    judge(0, 1000);
    assert_int_equal(work_ns(), UNKNOWN_NS);
    judge(10, 2000);
    assert_int_equal(work_ns(), 100);
    judge(0, 1000000);
    assert_int_equal(work_ns(), 100);
    judge(2, 1000600);
    assert_int_equal(work_ns(), 200);
    judge(1000, 1000600);
    assert_int_equal(work_ns(), 100);
}

/* Such long work is still known, and comes down again. */
static void test_very_long_work(void **state) {
    (void)state;
    judge(0, 0);
    judge(1, 1ull << 40);
    assert_int_equal(work_ns(), UNKNOWN_NS - 1);
    judge(1, 1ull << 41);
    assert_int_equal(work_ns(), UNKNOWN_NS - 1);
    judge(1, (1ull << 41) + 1);
    assert_int_equal(work_ns(), (UNKNOWN_NS - 1) / 2);
}

/* Where what was borrowed took longer than to hand it over, what would be borrowed next is taken to be as long, for a while. */
static void test_borrowed_work(void **state) {
    (void)state;
    assert_int_equal(pace_borrowed(&worker), UNKNOWN_NS);
    judge(0, 0);
    judge(10, 100);
    pace_judge_borrowed(&worker, 2, 1000, 1000 + 2 * CROSSING_NS);
    assert_int_equal(pace_borrowed(&worker), 10);
    pace_judge_borrowed(&worker, 2, 1000, 1001 + 2 * CROSSING_NS);
    assert_int_equal(pace_borrowed(&worker), CROSSING_NS);
    assert_true(pace_is_worth_crossing(1, pace_borrowed(&worker)));
    judge(0, 1001 + 2 * CROSSING_NS + LONG_NS - 1);
    assert_int_equal(pace_borrowed(&worker), CROSSING_NS);
    judge(0, 1001 + 2 * CROSSING_NS + LONG_NS);
    assert_int_equal(pace_borrowed(&worker), 10);
    judge(1, worker.pace.since + 4 * CROSSING_NS);
    pace_judge_borrowed(&worker, 1, 0, worker.pace.since);
    assert_int_equal(pace_borrowed(&worker), work_ns());
}

static void test_worth_waking(void **state) {
    (void)state;
    assert_false(pace_is_worth_waking(0, UNKNOWN_NS));
    assert_false(pace_is_worth_waking(0, 1000));
    assert_false(pace_is_worth_waking(WORTH_NS, 0));
    assert_true(pace_is_worth_waking(WORTH_NS + 1, 0)); /* no message is without any work */
    assert_true(pace_is_worth_waking(1, UNKNOWN_NS));
    assert_true(pace_is_worth_waking(20, WORTH_NS / 20));
    assert_false(pace_is_worth_waking(19, WORTH_NS / 20));
    assert_false(pace_is_worth_waking(20, WORTH_NS / 20 - 1));     /* together WORTH_NS, and no more */
    assert_true(pace_is_worth_waking(UINT32_MAX, UNKNOWN_NS - 1)); /* no overflow */
}

/* To one that is awake the way is shorter, but for the lines of short messages; unless they would be worth waking it. */
static void test_worth(void **state) {
    (void)state;
    enum { LONG = 10 * LINES_NS, FEW = WAY_NS / (LONG - LINES_NS) };
    assert_false(pace_is_worth(0, UNKNOWN_NS));
    assert_true(pace_is_worth(1, UNKNOWN_NS));
    assert_false(pace_is_worth(FEW, LONG - 1));
    assert_true(pace_is_worth(FEW + 1, LONG));
    assert_false(pace_is_worth_waking(FEW + 1, LONG));
    assert_false(pace_is_worth(WORTH_NS / LINES_NS, LINES_NS - 1));
    assert_true(pace_is_worth(WORTH_NS / LINES_NS + 1, LINES_NS - 1));
    assert_false(pace_is_worth(WORTH_NS, 0));
    assert_true(pace_is_worth(WORTH_NS + 1, 0));
    assert_true(pace_is_worth(UINT32_MAX, UNKNOWN_NS - 1));
}

/* What is handed over to a worker that looks need be worth less. */
static void test_worth_crossing(void **state) {
    (void)state;
    assert_false(pace_is_worth_crossing(1, CROSSING_NS - 1));
    assert_true(pace_is_worth_crossing(1, CROSSING_NS));
    assert_true(pace_is_worth_crossing(10, CROSSING_NS / 10));
    assert_true(pace_is_worth_crossing(1, UNKNOWN_NS));
}

static void test_long(void **state) {
    (void)state;
    assert_false(pace_is_long(0));
    assert_false(pace_is_long(WORTH_NS / SORT_NS));
    assert_true(pace_is_long(WORTH_NS / SORT_NS + 1));
}

/* In the midst of work a short time says nothing, and goes on to count. */
static void test_judging_work(void **state) {
    (void)state;
    judge(1, 1000);
    uint32_t before = work_ns();
    worker.pace.messages = 4;
    pace_judge_work(&worker, 1000 + WORTH_NS);
    assert_int_equal(work_ns(), before);
    assert_int_equal(worker.pace.messages, 4);
    pace_judge_work(&worker, 1000 + 2 * WORTH_NS);
    assert_int_equal(work_ns(), (before + 2 * WORTH_NS / 4) / 2);
    assert_int_equal(worker.pace.messages, 0);
}

/* ---- What a worker measures ----------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_message message;
} word;
ACTORBENCH_MESSAGE_TYPE(word)

typedef struct {
    struct actorbench_actor actor;
} reader;
#define BEHAVIOURS_reader(ON) ON(reader, word, reader_reads)
ACTORBENCH_ACTOR_TYPE(reader)

static ATOMIC(unsigned) words_read;
static uint32_t measured; /* the estimate when the last one was read */

static enum actorbench_allocation reader_reads(reader *self, word *message) {
    (void)self, (void)message;
    measured = atomic_load_relaxed(&this_worker->work_ns);
    (void)atomic_fetch_add_acq_rel(&words_read, 1); /* release: pairs with the load in send_and_wait */
    return ACTORBENCH_NODELETE;
}

static void send_and_wait(reader *receiver, word *message) {
    unsigned before = atomic_load_relaxed(&words_read);
    actorbench_send(reader, receiver, message);
    AWAIT(atomic_load_acquire(&words_read) != before);
}

/* Between two messages a worker sleeps, for far longer than they take. */
static void test_sleep_is_no_work(void **state) {
    (void)state;
    enum { PAUSE_NS = 300 * 1000 * 1000 };
    struct actorbench_config config = configuration("workers", "1");
    reader receiver;
    word message;
    watchdog_start(60, "a worker that sleeps");
    actorbench_message_init(word, &message, ACTORBENCH_NODELETE);
    start_executor(&config);
    actorbench_actor_init(reader, &receiver);
    send_and_wait(&receiver, &message);
    pause_ns(PAUSE_NS);
    send_and_wait(&receiver, &message);
    send_and_wait(&receiver, &message);
    assert_in_range(measured, 0, PAUSE_NS / 4);
    actorbench_send(reader, &receiver, &actorbench_finished_message);
    actorbench_stop();
    watchdog_stop();
}

#define ON_A_WORKER(test) cmocka_unit_test_setup(test, start)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_WORKER(test_runs_are_short), ON_A_WORKER(test_estimate),     ON_A_WORKER(test_very_long_work),
        ON_A_WORKER(test_worth_waking),   ON_A_WORKER(test_worth),        ON_A_WORKER(test_worth_crossing),
        ON_A_WORKER(test_long),           ON_A_WORKER(test_judging_work), cmocka_unit_test(test_sleep_is_no_work),
        ON_A_WORKER(test_borrowed_work),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
