/* Lays out the loaded actors and the dummies, round-robin as tickets are drawn. */
#include "balance.h"

typedef struct {
    struct actor actor;
} dummy;
#define BEHAVIOURS_dummy(ON) ON(dummy, finished_pill, dummy_ends)
ACTOR_TYPE(dummy)

static enum allocation dummy_ends(dummy *self, finished_pill *pill) {
    (void)self, (void)pill;
    return DELETE;
}

static bool is_loaded(unsigned worker, unsigned step) {
    return step == 0 ? worker == 0 : worker % step == 0;
}

static unsigned loaded_workers(unsigned step) {
    return step == 0 ? 1 : (executor_workers() + step - 1) / step;
}

/* A dummy ends with the one message that it is sent at once. */
void balance_lay_out(unsigned step, uint64_t actors, void (*add)(void)) {
    uint64_t made = 0;
    for (uint64_t ticket = 0; made < actors; ticket++) {
        if (is_loaded(executor_place(ticket), step)) {
            add();
            made++;
        } else {
            actor_send(dummy, actor_new(dummy), &finished_message);
        }
    }
}

int balance_main(const struct workload *workload, unsigned step, int argc, char **argv) {
    traffic_rounds = BALANCE_ROUNDS;
    workload_begin(workload, argc, argv);
    workload_start_executor();
    uint64_t actors = traffic_actors * loaded_workers(step);
    traffic_prepare(actors);
    workload_start_clock();
    balance_lay_out(step, actors, traffic_add);
    traffic_run();
    executor_stop();
    return workload_end(traffic_verify(), 0);
}
