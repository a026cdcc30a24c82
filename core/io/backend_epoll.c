/* Interest sets by epoll(7). A descriptor leaves its set when it is closed. */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "backend.h"
#include "platform/memory.h"

struct interest {
    int descriptor;
};

static struct interest *epoll_make(void) {
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    struct interest *interest = (struct interest *)memory_zeroed(1, sizeof *interest, "an interest set");
    interest->descriptor = descriptor;
    return interest;
}

static void epoll_free(struct interest *interest) {
    (void)close(interest->descriptor);
    free(interest);
}

static int epoll_descriptor(const struct interest *interest) {
    return interest->descriptor;
}

static bool epoll_add(struct interest *interest, int descriptor, uint64_t watch) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.u64 = watch};
    if (epoll_ctl(interest->descriptor, EPOLL_CTL_ADD, descriptor, &event) == 0)
        return true;
    /* A watch of it has ended, and it was not closed. */
    return errno == EEXIST && epoll_ctl(interest->descriptor, EPOLL_CTL_MOD, descriptor, &event) == 0;
}

static void epoll_remove(struct interest *interest, uint64_t watch) {
    (void)interest, (void)watch;
}

static unsigned epoll_poll(struct interest *interest, struct ready *ready, unsigned most) {
    struct epoll_event events[READY_MOST];
    int found = epoll_wait(interest->descriptor, events, (int)most, 0);
    for (int i = 0; i < found; i++)
        ready[i] = (struct ready){events[i].data.u64, events[i].events, false};
    return found < 0 ? 0 : (unsigned)found; /* interrupted: whoever polls will do so again */
}

const struct backend backend_epoll = {
    .name = "epoll",
    .make = epoll_make,
    .free = epoll_free,
    .descriptor = epoll_descriptor,
    .add = epoll_add,
    .remove = epoll_remove,
    .poll = epoll_poll,
};
