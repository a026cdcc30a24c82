/* What the designs define alike, over their own workers. Included by a file of a design's, after its state.h. */
#include "crew.h"
#include "design.h"
#include "worker_sleep.h"

enum pin_plan design_pin(const struct actorbench_config *config) {
    return options_of(config).pin;
}

void design_wake(unsigned worker) {
    sleep_wake(&executor.workers[worker]);
}

void design_wake_any(unsigned first) {
    sleep_wake_any(first);
}

const struct actorbench_statistics *design_statistics(unsigned worker) {
    return &executor.workers[worker].statistics;
}

unsigned actorbench_worker(void) {
    return this_worker != NULL ? this_worker->index : crew.count;
}
