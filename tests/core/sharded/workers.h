/* Workers made by hand, without threads, in a design whose mailboxes actors share: worker i has the mailboxes from
 * i * share on, and actor i is mailbox i's. */
#ifndef ACTORBENCH_TESTS_SHARDED_WORKERS_H
#define ACTORBENCH_TESTS_SHARDED_WORKERS_H

#include "parts.h"

#include "crew.h"
#include "design.h"
#include "numbered.h"
#include "sharded/sleep.h"

enum { MOST_ACTORS = 16 };

static struct mailbox *boxes;
static struct actorbench_actor actors[MOST_ACTORS];

/* Set executor.options before. */
static inline void make_workers(unsigned count, unsigned share) {
    assert_in_range(count * share, 1, MOST_ACTORS);
    crew.count = count;
    sharding.share = share;
    sharding.larger = 0;
    sharding.mailbox_count = count * share;
    sharding.slots = memory_zeroed(count * share, sizeof *sharding.slots, "slots");
    atomic_initialise(&crew.sleepers, 0);
    atomic_initialise(&executor_round.stopping, 0);
    executor.workers = memory_on_node(count * sizeof *executor.workers, CACHE_LINE, ANY_NODE, "workers");
    boxes = memory_on_node(count * share * sizeof *boxes, CACHE_LINE, ANY_NODE, "mailboxes");
    for (unsigned i = 0; i < count * share; i++) {
        box_init(&boxes[i], i);
        atomic_initialise(&sharding.slots[i], &boxes[i]);
        atomic_initialise(&actors[i].ticket, (uintptr_t)&boxes[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct worker *worker = &executor.workers[i];
        worker->index = i;
        worker->random = random_seed(test_seed(), i);
        atomic_initialise(&worker->sleeping, AWAKE);
        atomic_initialise(&worker->stamp, 0);
        parts_init(worker);
    }
}

static inline int release_workers(void **state) {
    (void)state;
    for (unsigned i = 0; i < sharding.mailbox_count; i++)
        box_destroy(&boxes[i]);
    for (unsigned i = 0; i < crew.count; i++)
        parts_release(&executor.workers[i]);
    free(boxes);
    free(executor.workers);
    sharding_release();
    memset((void *)&executor, 0, sizeof executor);
    crew.count = 0;
    watchdog_stop();
    return 0;
}

/* An envelope for an actor that says which it is, and is never delivered. */
static inline struct envelope to(unsigned actor, uintptr_t number) {
    struct envelope envelope = {&actors[actor], (struct actorbench_message *)number, NULL};
    return envelope;
}

#endif
