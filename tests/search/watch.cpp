/* Watches (io/watch.h): what comes is found by the receiver, or a message is on its way to it; no more than one is; and who polls late
 * neither tells the next watch of a descriptor nor reads what it writes. */
#include "search.h"

#include "platform/spinlock.h"

static int errno; /* relacy has taken the other away */

#include "io/watch.c"

enum { DESCRIPTOR = 0, SET = 3 };

static struct actorbench_actor receivers[2];
static struct actorbench_message messages[2];

static enum actorbench_allocation runs(struct actorbench_actor *, struct actorbench_message *) {
    return ACTORBENCH_NODELETE;
}

/* Messages that were sent to each receiver. */
static ATOMIC(uint32_t) *posted;

struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *message,
                                         actorbench_behaviour *reaction) {
    size_t which = (size_t)(receiver - receivers);
    ALWAYS(message == &messages[which] && reaction == runs);
    (void)atomic_fetch_add_acq_rel(&posted[which], 1);
    return receiver;
}

template <typename derived, rl::thread_id_t threads = 2> struct watched : search::scenario<derived, threads> {
    uint64_t watch;

    void prepare() {
        watch_make(1);
        atomic_initialise(&entries[DESCRIPTOR].state, 0);
        posted = search::zeroed<ATOMIC(uint32_t)>(2);
        atomic_initialise(&posted[0], 0);
        atomic_initialise(&posted[1], 0);
        watch = begin(0);
    }
    uint64_t begin(unsigned receiver) {
        return watch_begin(DESCRIPTOR, SET, &receivers[receiver], &messages[receiver], runs);
    }
    uint32_t sent(unsigned receiver) {
        return atomic_load_acquire(&posted[receiver]);
    }
    void finish() {
        watch_free();
        free(posted);
    }
};

/* The kernel: what has come to a descriptor, and whether its set says so. */
struct kernel {
    struct spinlock lock;
    search::plain<unsigned> bytes;
    search::plain<uint64_t> ready; /* a watch, or 0 */

    void comes(uint64_t watch) {
        spinlock_acquire(&lock);
        bytes = bytes + 1;
        ready = watch;
        spinlock_release(&lock);
    }
    uint64_t poll() {
        spinlock_acquire(&lock);
        uint64_t found = ready;
        ready = 0;
        spinlock_release(&lock);
        return found;
    }
    unsigned read() {
        spinlock_acquire(&lock);
        unsigned found = bytes;
        bytes = 0;
        spinlock_release(&lock);
        return found;
    }
};

/* Two bytes come, each is polled; the receiver takes what it is sent, and reads. */
struct comes : watched<comes> {
    struct kernel kernel;
    unsigned taken, read;

    void prepare() {
        watched::prepare();
        spinlock_init(&kernel.lock);
        kernel.bytes = 0;
        kernel.ready = 0;
        taken = read = 0;
    }
    void thread(unsigned number) {
        if (number == 0)
            for (unsigned i = 0; i < 2; i++) {
                kernel.comes(watch);
                uint64_t found = kernel.poll();
                if (found != 0)
                    (void)watch_tell(found);
            }
        else
            for (unsigned i = 0; i < 2; i++) {
                if (sent(0) == taken)
                    continue;
                taken++;
                watch_taken(DESCRIPTOR);
                read += kernel.read();
            }
    }
    void finish() {
        ALWAYS(sent(0) - taken <= 1);
        ALWAYS(read == 2 || sent(0) == taken + 1);
        watched::finish();
    }
};

/* The receiver ends its watch beside who polls, takes what may be on its way, and closes; another gets the descriptor's number. That
 * it is free the kernel says, whose order is none of C11's: so the other looks, and learns no more by it. */
struct ends : watched<ends, 3> {
    void end() {
        uint64_t ended;
        unsigned set;
        if (!watch_end(DESCRIPTOR, &ended, &set)) {
            while (sent(0) == 0)
                cpu_yield();
            watch_taken(DESCRIPTOR);
        }
        ALWAYS(ended == watch && set == SET);
    }
    void begin_another() {
        while (atomic_load_relaxed(&entries[DESCRIPTOR].state) % PHASES != ENDED)
            cpu_yield();
        ALWAYS(begin(1) != watch);
    }
    void thread(unsigned number) {
        if (number == 0)
            (void)watch_tell(watch);
        else if (number == 1)
            end();
        else
            begin_another();
    }
    void finish() {
        ALWAYS(sent(0) <= 1 && sent(1) == 0);
        watched::finish();
    }
};

/* Who adds a watch to its set again looks whether it stands; who ends it takes it out afterwards. */
struct added : watched<added> {
    ATOMIC(uint32_t) *in_set;

    void prepare() {
        watched::prepare();
        in_set = search::zeroed<ATOMIC(uint32_t)>();
        atomic_initialise(in_set, 0);
    }
    void thread(unsigned number) {
        if (number == 0) {
            (void)atomic_exchange_seq_cst(in_set, 1); /* the kernel's: under a lock of its own */
            if (!watch_stands(watch))
                (void)atomic_exchange_seq_cst(in_set, 0);
            return;
        }
        uint64_t ended;
        unsigned set;
        ALWAYS(watch_end(DESCRIPTOR, &ended, &set));
        (void)atomic_exchange_seq_cst(in_set, 0);
    }
    void finish() {
        ALWAYS(atomic_load_relaxed(in_set) == 0);
        free(in_set);
        watched::finish();
    }
};

SEARCHES(BOUNDED(comes, 4), BOUNDED(ends, 4), FULL(added))
