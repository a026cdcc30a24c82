/* Sleeping and waking; the reasoning is in sleep.h. */
#include "sleep.h"

#include "design.h"
#include "platform/parking.h"
#include "ready.h"

void sleep_worker(struct worker *worker) {
    struct ready_list *list = ready_list_of(worker);
    atomic_store_seq_cst(&worker->sleeping, ASLEEP);
    /* Sequentially consistent: pairs with the store in executor.c. */
    if (!atomic_load_seq_cst(&executor_round.stopping) && ready_list_join_sleepers(list, worker)) {
        uint64_t timeout = executor.options.steal == STEAL_NONE ? PARKING_NO_TIMEOUT : LOOT_CHECK_NS;
        atomic_fetch_add_relaxed(&executor.sleepers, 1);
        parking_wait(&worker->sleeping, ASLEEP, timeout);
        atomic_fetch_sub_relaxed(&executor.sleepers, 1);
        ready_list_leave_sleepers(list, worker);
    }
    atomic_store_relaxed(&worker->sleeping, AWAKE); /* relaxed: a wake that comes too late is only superfluous */
}

void sleep_wake(struct worker *worker) {
    /* Sequentially consistent: for executor_stop, whose store of `stopping` must come before. */
    if (atomic_exchange_seq_cst(&worker->sleeping, AWAKE) == ASLEEP)
        parking_wake(&worker->sleeping);
}

void sleep_wake_one(struct worker *caller) {
    if (likely(atomic_load_relaxed(&executor.sleepers) == 0) || executor.options.steal == STEAL_NONE)
        return; /* a hint, like all here */
    unsigned start = random_below(&caller->random, crew.count);
    for (unsigned i = 0; i < crew.count; i++) {
        struct worker *other = &executor.workers[(start + i) % crew.count];
        if (other != caller && atomic_load_relaxed(&other->sleeping) == ASLEEP) {
            sleep_wake(other);
            return;
        }
    }
}
