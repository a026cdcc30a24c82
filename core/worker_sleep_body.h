/* The functions of worker_sleep.h, over a design's own workers. Included by a file of a design's, after its state.h and
 *
 *     bool sleep_begin(struct worker *)    whether there is nothing for the worker; whoever has something for it from here on
 *                                          will wake it
 *     void sleep_end(struct worker *)      takes back what sleep_begin, where it said so, has left with others
 *     bool sleep_may_help(const struct worker *thief, const struct worker *busy)      whether the one may steal from the other
 */
#include "crew.h"
#include "design.h"
#include "layer.h"
#include "platform/parking.h"
#include "worker_sleep.h"

void sleep_worker(struct worker *worker) {
    atomic_store_seq_cst(&worker->sleeping, ASLEEP); /* pairs with the load in sleep_wake_swapped, in sharded/sleep.h */
    /* Sequentially consistent: pairs with the store in executor.c. */
    if (!atomic_load_seq_cst(&executor_round.stopping) && sleep_begin(worker)) {
        if (unlikely(executor_round.layer != NULL))
            executor_round.layer->blocks(worker->index);
        uint64_t timeout = executor.options.steal == STEAL_NONE ? PARKING_NO_TIMEOUT : LOOT_CHECK_NS;
        atomic_fetch_add_relaxed(&crew.sleepers, 1);
        parking_wait(&worker->sleeping, ASLEEP, timeout);
        atomic_fetch_sub_relaxed(&crew.sleepers, 1);
        sleep_end(worker);
    }
    atomic_store_relaxed(&worker->sleeping, AWAKE); /* relaxed: a wake that comes too late is only superfluous */
}

void sleep_wake(struct worker *worker) {
    /* Sequentially consistent: for actorbench_stop, whose store of `stopping` must come before. */
    if (atomic_exchange_seq_cst(&worker->sleeping, AWAKE) == ASLEEP)
        parking_wake(&worker->sleeping);
}

void sleep_wake_any(unsigned first) {
    for (unsigned i = 0; i < crew.count; i++) {
        struct worker *worker = &executor.workers[(first + i) % crew.count];
        /* Sequentially consistent: pairs with the store in sleep_worker. */
        if (atomic_load_seq_cst(&worker->sleeping) == ASLEEP) {
            sleep_wake(worker);
            return;
        }
    }
}

void sleep_wake_one(struct worker *caller) {
    if (likely(atomic_load_relaxed(&crew.sleepers) == 0)) /* a hint, like all here */
        return;
    unsigned start = random_below(&caller->random, crew.count);
    for (unsigned i = 0; i < crew.count; i++) {
        struct worker *other = &executor.workers[(start + i) % crew.count];
        if (other != caller && sleep_may_help(other, caller) && atomic_load_relaxed(&other->sleeping) == ASLEEP) {
            sleep_wake(other);
            return;
        }
    }
}
