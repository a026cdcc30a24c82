/* Lays out the loaded actors and the dummies, round-robin as tickets are drawn. */
#include "balance.h"

#include <stdlib.h>
#include <time.h>

static ATOMIC(uint64_t) dummies_left;

typedef struct {
    struct actor actor;
} dummy;
#define BEHAVIOURS_dummy(ON) ON(dummy, finished_pill, dummy_ends)
ACTOR_TYPE(dummy)

static enum allocation dummy_ends(dummy *self, finished_pill *pill) {
    (void)self, (void)pill;
    atomic_fetch_sub_relaxed(&dummies_left, 1); /* relaxed: main only waits for the count */
    return DELETE;
}

static bool is_loaded(unsigned worker, unsigned step) {
    return step == 0 ? worker == 0 : worker % step == 0;
}

static unsigned loaded_workers(unsigned step) {
    return step == 0 ? 1 : (executor_workers() + step - 1) / step;
}

/* Dummies have done their part when everybody is laid out: they end before the clock starts. */
static void await_dummies(void) {
    const struct timespec pause = {.tv_nsec = 100000};
    while (atomic_load_relaxed(&dummies_left) != 0)
        (void)nanosleep(&pause, NULL);
}

int balance_main(const struct workload *workload, unsigned step, int argc, char **argv) {
    traffic_rounds = BALANCE_ROUNDS;
    workload_begin(workload, argc, argv);
    workload_start_executor();
    uint64_t actors = traffic_actors * loaded_workers(step);
    traffic_prepare(actors);
    uint64_t made = 0;
    for (uint64_t ticket = 0; made < actors; ticket++) {
        if (is_loaded(executor_place(ticket), step)) {
            traffic_add();
            made++;
            continue;
        }
        atomic_fetch_add_relaxed(&dummies_left, 1);
        actor_send(dummy, actor_new(dummy), &finished_message);
    }
    await_dummies();
    traffic_run();
    executor_stop();
    return workload_end(traffic_verify(), 0);
}
