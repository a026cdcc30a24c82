/* Lays out the loaded actors and the dummies, round-robin as tickets are drawn. */
#include "balance.h"

typedef struct {
    struct actorbench_actor actor;
} dummy;
#define BEHAVIOURS_dummy(ON) ON(dummy, actorbench_finished_pill, dummy_ends)
ACTORBENCH_ACTOR_TYPE(dummy)

static enum actorbench_allocation dummy_ends(dummy *self, actorbench_finished_pill *pill) {
    (void)self, (void)pill;
    return ACTORBENCH_DELETE;
}

static bool is_loaded(unsigned worker, unsigned step) {
    return step == 0 ? worker == 0 : worker % step == 0;
}

static unsigned loaded_workers(unsigned step) {
    return step == 0 ? 1 : (actorbench_workers() + step - 1) / step;
}

/* A dummy ends with the one message that it is sent at once. */
void balance_lay_out(unsigned step, uint64_t actors, void (*add)(void)) {
    uint64_t made = 0;
    for (uint64_t ticket = 0; made < actors; ticket++) {
        if (is_loaded(actorbench_place(ticket), step)) {
            add();
            made++;
        } else {
            actorbench_send(dummy, actorbench_actor_new(dummy), &actorbench_finished_message);
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
    actorbench_stop();
    return workload_end(traffic_verify(), 0);
}
