/* The source's default policy: who idles polls (React++, 4.4 "The Default I/O Policy"). */
#include "policy.h"

void policy_nothing(void) {
}

bool policy_no_idle(unsigned worker) {
    (void)worker;
    return false;
}

void policy_no_block(unsigned worker) {
    (void)worker;
}

bool policy_poll(unsigned worker) {
    return actorbench_io_poll(actorbench_io_set_of(worker)) != 0;
}

void policy_rearm(unsigned worker) {
    actorbench_io_rearm(actorbench_io_set_of(worker), worker);
}

static void on_event(const struct actorbench_io_event *event) {
    if (event->level == ACTORBENCH_IO_MASTER)
        actorbench_io_wake(event->set);
    else
        actorbench_io_tell(event->watch);
}

const struct actorbench_io_policy actorbench_io_by_workers = {
    .pre_launch = policy_nothing,
    .post_launch = policy_nothing,
    .on_event = on_event,
    .on_idle = policy_poll,
    .on_block = policy_rearm,
    .pre_stop = policy_nothing,
    .post_stop = policy_nothing,
};
