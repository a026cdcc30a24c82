/* Sleeping on a ready list; the reasoning is in sleep.h. */
#include "sleep.h"

#include "ready.h"

static bool sleep_begin(struct worker *worker) {
    return ready_list_is_empty(&worker->bound) && ready_list_join_sleepers(ready_list_of(worker), worker);
}

static void sleep_end(struct worker *worker) {
    ready_list_leave_sleepers(ready_list_of(worker), worker);
}

static bool sleep_may_help(const struct worker *thief, const struct worker *busy) {
    return division_together(&executor.division, thief->index, busy->index);
}

#include "worker_sleep_body.h"
