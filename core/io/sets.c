/* Interest sets, and the master that waits for them. */
#include "sets.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "design.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/fatal.h"
#include "platform/memory.h"
#include "platform/spinlock.h"
#include "watch.h"

enum { SETS_AT_ONCE = 64 /* of what the master is told */ };
#define STOP UINT64_MAX /* what the master is told when it shall end */

struct set {
    CACHE_ALIGNED struct spinlock polling;   /* only ever tried: who finds it taken does something else */
    struct actorbench_io_statistics counted; /* under it, but busy_polls, master_events and rearms */
    struct interest *interest;
    CACHE_ALIGNED ATOMIC(uint32_t) armed;
    ATOMIC(uint32_t) sleeper; /* the worker that rearmed it last */
    ATOMIC(uint64_t) busy_polls, rearms;
};

static struct {
    const struct backend *backend;
    struct actorbench_io_config config;
    struct set *sets;
    unsigned count;
    int master, stop; /* descriptors */
    pthread_t thread;
    uint64_t master_events; /* of the thread */
} io = {.master = -1, .stop = -1};

/* ---- The sets ------------------------------------------------------------------------------------------------------- */

static bool watch_set(int operation, unsigned number) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = number};
    return epoll_ctl(io.master, operation, io.backend->descriptor(io.sets[number].interest), &event) == 0;
}

static bool make_master(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = STOP};
    io.master = epoll_create1(EPOLL_CLOEXEC);
    io.stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return io.master >= 0 && io.stop >= 0 && epoll_ctl(io.master, EPOLL_CTL_ADD, io.stop, &event) == 0;
}

static bool make_set(unsigned number) {
    struct set *set = &io.sets[number];
    spinlock_init(&set->polling);
    atomic_initialise(&set->armed, 1);
    atomic_initialise(&set->sleeper, number);
    set->interest = io.backend->make();
    return set->interest != NULL && watch_set(EPOLL_CTL_ADD, number);
}

const char *sets_make(const struct actorbench_io_config *config, unsigned count) {
    static char line[160];
    io.config = *config;
    io.backend = config->backend == ACTORBENCH_IO_URING ? &backend_uring : &backend_epoll;
    io.count = count;
    io.master_events = 0;
    io.sets = (struct set *)memory_aligned(count * sizeof *io.sets, CACHE_LINE, "the interest sets");
    bool made = make_master();
    for (unsigned i = 0; i < count && made; i++)
        made = make_set(i);
    if (made)
        return NULL;
    (void)snprintf(line, sizeof line, "there is no I/O by %s here: %s", io.backend->name, strerror(errno));
    sets_free();
    return line;
}

void sets_free(void) {
    for (unsigned i = 0; i < io.count; i++)
        if (io.sets[i].interest != NULL)
            io.backend->free(io.sets[i].interest);
    if (io.master >= 0)
        (void)close(io.master);
    if (io.stop >= 0)
        (void)close(io.stop);
    free(io.sets);
    io.master = io.stop = -1;
    io.sets = NULL;
    io.count = 0;
}

bool sets_add(unsigned set, int descriptor, uint64_t watch) {
    return io.backend->add(io.sets[set].interest, descriptor, watch);
}

void sets_remove(unsigned set, uint64_t watch) {
    io.backend->remove(io.sets[set].interest, watch);
}

struct actorbench_io_statistics sets_statistics(void) {
    struct actorbench_io_statistics sum = {.master_events = io.master_events};
    for (unsigned i = 0; i < io.count; i++) {
        const struct set *set = &io.sets[i];
        sum.polls += set->counted.polls;
        sum.empty_polls += set->counted.empty_polls;
        sum.events += set->counted.events;
        sum.messages += set->counted.messages;
        sum.busy_polls += atomic_load_relaxed(&set->busy_polls);
        sum.rearms += atomic_load_relaxed(&set->rearms);
    }
    return sum;
}

/* ---- Level 1 -------------------------------------------------------------------------------------------------------- */

unsigned actorbench_io_sets(void) {
    return io.count;
}

unsigned actorbench_io_set_of(unsigned worker) {
    return worker % io.count;
}

/* The set that the calling thread polls: on_event, and what it calls, count for it. */
static _Thread_local struct set *polled;

void actorbench_io_tell(uint64_t watch) {
    if (watch_tell(watch) && polled != NULL)
        polled->counted.messages++;
}

/* Who ends a watch takes it out after it has ended, and this looks after it was put in: so it is not left there. If the kernel refuses
 * it, its receiver is told nothing more but what has come now. */
static void add_again(unsigned set, uint64_t watch) {
    (void)sets_add(set, (int)(uint32_t)watch, watch);
    if (!watch_stands(watch))
        sets_remove(set, watch);
}

static unsigned poll_once(unsigned number) {
    struct set *set = &io.sets[number];
    struct ready ready[READY_MOST];
    unsigned found = io.backend->poll(set->interest, ready, io.config.events);
    set->counted.polls++;
    set->counted.empty_polls += found == 0;
    set->counted.events += found;
    for (unsigned i = 0; i < found; i++) {
        if (unlikely(ready[i].ended))
            add_again(number, ready[i].watch);
        io.config.policy->on_event(&(struct actorbench_io_event){
            .level = ACTORBENCH_IO_SLAVE, .set = number, .watch = ready[i].watch, .events = ready[i].events});
    }
    return found;
}

unsigned actorbench_io_poll(unsigned number) {
    struct set *set = &io.sets[number];
    unsigned events = 0;
    if (!spinlock_try(&set->polling)) {
        (void)atomic_fetch_add_relaxed(&set->busy_polls, 1);
        return 0;
    }
    polled = set;
    for (unsigned round = 0; round < io.config.rounds; round++) {
        unsigned found = poll_once(number);
        events += found;
        if (found < io.config.events)
            break; /* there is no more for now */
    }
    polled = NULL;
    spinlock_release(&set->polling);
    return events;
}

void actorbench_io_rearm(unsigned number, unsigned worker) {
    struct set *set = &io.sets[number];
    atomic_store_relaxed(&set->sleeper, worker); /* a hint where the master looks first */
    /* Sequentially consistent, as sets.h says: pairs with the exchange in tell_of_set. */
    if (atomic_exchange_seq_cst(&set->armed, 1) == 1)
        return;
    (void)atomic_fetch_add_relaxed(&set->rearms, 1);
    if (!watch_set(EPOLL_CTL_MOD, number))
        fatal("an interest set cannot be watched any more: %s", strerror(errno));
}

/* ---- Level 0 -------------------------------------------------------------------------------------------------------- */

void actorbench_io_wake(unsigned number) {
    if (io.count == 1)
        design_wake_any(atomic_load_relaxed(&io.sets[number].sleeper));
    else
        design_wake(number);
}

static void tell_of_set(unsigned number) {
    io.master_events++;
    /* Sequentially consistent, as sets.h says: pairs with the exchange in actorbench_io_rearm. */
    (void)atomic_exchange_seq_cst(&io.sets[number].armed, 0);
    io.config.policy->on_event(
        &(struct actorbench_io_event){.level = ACTORBENCH_IO_MASTER, .set = number, .events = EPOLLIN});
}

static void *watch_sets(void *unused) {
    (void)unused;
    for (;;) {
        struct epoll_event events[SETS_AT_ONCE];
        int found = epoll_wait(io.master, events, SETS_AT_ONCE, -1);
        if (found < 0 && errno != EINTR)
            fatal("the master cannot wait for interest sets: %s", strerror(errno));
        for (int i = 0; i < found; i++) {
            if (events[i].data.u64 == STOP)
                return NULL;
            tell_of_set((unsigned)events[i].data.u64);
        }
    }
}

void sets_start_master(void) {
    int refused = pthread_create(&io.thread, NULL, watch_sets, NULL);
    if (refused != 0)
        fatal("the thread that waits for I/O cannot be started: %s", strerror(refused));
}

void sets_stop_master(void) {
    const uint64_t once = 1;
    if (write(io.stop, &once, sizeof once) != (ssize_t)sizeof once)
        fatal("the thread that waits for I/O cannot be stopped: %s", strerror(errno));
    (void)pthread_join(io.thread, NULL); /* can't fail: it is ours, and joined once */
}
