/* Conservation: under every mechanism each message is received once, in order, by one worker at a time. */
#include "traffic.h"

/* A covering set: every two values of any two options stand together in one row at least. Each row is a test. */
static const struct row {
    unsigned workers;
    const char *queue, *reclaim, *mailboxes, *steal, *loot, *idle;
} rows[] = {
    {1, "list", "naive", "2", "longest", "worthwhile", "spin"},
    {1, "copy", "half", "16", "random", "any", "park"},
    {1, "copy", "none", "2", "none", "waiting", "park"},
    {2, "copy", "half", "16", "longest", "waiting", "spin"},
    {2, "list", "none", "2", "none", "worthwhile", "park"},
    {2, "list", "naive", "2", "random", "any", "spin"},
    {3, "list", "naive", "16", "none", "any", "spin"},
    {3, "copy", "none", "2", "longest", "waiting", "park"},
    {3, "copy", "half", "16", "random", "worthwhile", "spin"},
    {4, "list", "none", "16", "random", "waiting", "park"},
    {4, "copy", "naive", "2", "random", "worthwhile", "spin"},
    {4, "copy", "half", "16", "longest", "any", "park"},
    {4, "list", "half", "16", "none", "waiting", "spin"},
    {5, "list", "half", "2", "random", "worthwhile", "park"},
    {5, "copy", "none", "16", "longest", "waiting", "spin"},
    {5, "list", "naive", "16", "none", "any", "park"},
    {6, "copy", "none", "2", "longest", "any", "park"},
    {6, "list", "half", "16", "none", "worthwhile", "spin"},
    {6, "list", "naive", "16", "random", "waiting", "park"},
    {7, "copy", "none", "16", "random", "worthwhile", "spin"},
    {7, "list", "half", "2", "none", "waiting", "park"},
    {7, "copy", "naive", "16", "longest", "any", "spin"},
    {8, "copy", "naive", "2", "none", "waiting", "park"},
    {8, "list", "half", "16", "random", "any", "spin"},
    {8, "copy", "none", "16", "longest", "worthwhile", "spin"},
};

static void run_row(const struct row *row) {
    struct executor_config config = executor_defaults();
    config.workers = row->workers;
    config.seed = test_seed();
    set_option(&config, "queue", row->queue);
    set_option(&config, "reclaim", row->reclaim);
    set_option(&config, "mailboxes-per-worker", row->mailboxes);
    set_option(&config, "steal", row->steal);
    set_option(&config, "loot", row->loot);
    set_option(&config, "idle", row->idle);
    run_traffic(&config);
}

static void test_row(void **state) {
    const struct row *row = *state;
    watchdog_start(60, "%u workers, %s, %s, %s mailboxes, %s, %s, %s; ACTORBENCH_TEST_SEED=%llu", row->workers,
                   row->queue, row->reclaim, row->mailboxes, row->steal, row->loot, row->idle,
                   (unsigned long long)test_seed());
    run_row(row);
    watchdog_stop();
}

/* Says how to replay the run, should a row have failed. */
static int say_seed(void **state) {
    (void)state;
    (void)fprintf(stderr, "conservation: replay with ACTORBENCH_TEST_SEED=%llu\n", (unsigned long long)test_seed());
    return 0;
}

int main(void) {
    static struct CMUnitTest tests[LENGTH(rows)];
    static char names[LENGTH(rows)][96];
    traffic_budget = SANITIZED_BUILD ? 2500 : 20000;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct row *row = &rows[i];
        (void)snprintf(names[i], sizeof names[i], "%u workers %s %s %s %s %s %s", row->workers, row->queue,
                       row->reclaim, row->mailboxes, row->steal, row->loot, row->idle);
        tests[i] = (struct CMUnitTest){names[i], test_row, NULL, NULL, (void *)row};
    }
    return cmocka_run_group_tests_name("conservation", tests, say_seed, NULL);
}
