/* Sleeping on a ready list; the reasoning is in sleep.h. */
#include "sleep.h"

#include "ready.h"

static bool sleep_begin(struct worker *worker) {
    return ready_list_join_sleepers(ready_list_of(worker), worker);
}

static void sleep_end(struct worker *worker) {
    ready_list_leave_sleepers(ready_list_of(worker), worker);
}

#include "worker_sleep_body.h"
