/* The table of watches. */
#include "watch.h"

#include <errno.h>
#include <stdlib.h>

#include "lifecycle.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/memory.h"

enum phase { ENDED, QUIET, TOLD, ENDING, PHASES };

struct entry {
    ATOMIC(uint32_t) state; /* generation * PHASES + phase */
    /* Of who began the watch, until it has ended, and no message is on its way. */
    PLAIN(unsigned) set;
    PLAIN(struct actorbench_actor *) receiver;
    PLAIN(struct actorbench_message *) message;
    PLAIN(actorbench_behaviour *) reaction;
};

static struct entry *entries;
static unsigned count;

void watch_make(unsigned descriptors) {
    entries = (struct entry *)memory_zeroed(descriptors, sizeof *entries, "the watches");
    count = descriptors;
}

void watch_free(void) {
    free(entries);
    entries = NULL;
    count = 0;
}

static uint64_t name_of(uint32_t state, int descriptor) {
    return (uint64_t)(state / PHASES) << 32 | (uint32_t)descriptor;
}

static struct entry *entry_of(int descriptor) {
    check(descriptor >= 0 && (unsigned)descriptor < count, "descriptor %d was never watched", descriptor);
    return &entries[descriptor];
}

uint64_t watch_begin(int descriptor, unsigned set, struct actorbench_actor *receiver,
                     struct actorbench_message *message, actorbench_behaviour *reaction) {
    if (descriptor < 0 || (unsigned)descriptor >= count) {
        errno = descriptor < 0 ? EBADF : EMFILE;
        return 0;
    }
    struct entry *entry = &entries[descriptor];
    /* Pairs with watch_taken and watch_end: whoever it was before has done with the entry. */
    uint32_t before = atomic_load_acquire(&entry->state);
    check(before % PHASES == ENDED, "descriptor %d is watched already", descriptor);
    if (CHECKED_BUILD)
        lifecycle_mark_sent(message); /* who has nothing to read has not forgotten to send it */
    entry->set = set;
    entry->receiver = receiver;
    entry->message = message;
    entry->reaction = reaction;
    uint32_t state = (before / PHASES + 1) * PHASES + QUIET;
    atomic_store_release(&entry->state, state); /* pairs with the compare-and-swap in watch_tell */
    return name_of(state, descriptor);
}

void watch_taken(int descriptor) {
    struct entry *entry = entry_of(descriptor);
    uint32_t state = atomic_load_relaxed(&entry->state); /* nobody else changes what is TOLD, or ENDING */
    check(state % PHASES >= TOLD, "no message of descriptor %d has come since it was taken last", descriptor);
    enum phase next = state % PHASES == TOLD ? QUIET : ENDED;
    /* As watch.h says; and pairs with the load in watch_begin. */
    (void)atomic_exchange_seq_cst(&entry->state, state / PHASES * PHASES + next);
}

bool watch_end(int descriptor, uint64_t *watch, unsigned *set) {
    struct entry *entry = entry_of(descriptor);
    uint32_t state = atomic_load_relaxed(&entry->state), first = state / PHASES * PHASES;
    check(state % PHASES == QUIET || state % PHASES == TOLD, "descriptor %d is not watched", descriptor);
    *watch = name_of(state, descriptor);
    *set = entry->set;
    /* Pairs with the load in watch_begin, and, sequentially consistent as is the other, with that in watch_stands. */
    uint32_t quiet = first + QUIET;
    if (atomic_cas_seq_cst(&entry->state, &quiet, first + ENDED))
        return true;
    (void)atomic_exchange_seq_cst(&entry->state, first + ENDING);
    return false;
}

bool watch_stands(uint64_t watch) {
    /* Sequentially consistent: pairs with those in watch_end. */
    uint32_t state = atomic_load_seq_cst(&entries[(uint32_t)watch].state);
    return state / PHASES == watch >> 32 && (state % PHASES == QUIET || state % PHASES == TOLD);
}

bool watch_tell(uint64_t watch) {
    uint32_t descriptor = (uint32_t)watch;
    if (unlikely(descriptor >= count))
        return false;
    struct entry *entry = &entries[descriptor];
    uint32_t quiet = (uint32_t)(watch >> 32) * PHASES + QUIET;
    if (!atomic_cas_seq_cst(&entry->state, &quiet, quiet - QUIET + TOLD)) /* pairs with the exchange in watch_taken */
        return false;
    (void)actorbench_post(entry->receiver, entry->message, entry->reaction);
    return true;
}
