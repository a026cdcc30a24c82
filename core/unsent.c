/* Counting messages that are never sent, and telling at the end. */
#include "unsent.h"

#include "platform/atomic.h"
#include "platform/fatal.h"

/* The types of which there was a message. */
static ATOMIC(struct actorbench_message_tally *) tallies;

void unsent_made(const struct actorbench_message_type *type) {
    struct actorbench_message_tally *tally = type->tally;
    if (tally == NULL || atomic_fetch_add_relaxed(&tally->made, 1) != 0) /* relaxed, like all counts here */
        return;
    tally->type = type;
    tally->next = atomic_load_relaxed(&tallies);
    while (!atomic_cas_acq_rel(&tallies, &tally->next, tally)) /* pairs with the load in tell */
        continue;
}

void unsent_settled(const struct actorbench_message_type *type) {
    if (type->tally != NULL)
        (void)atomic_fetch_add_relaxed(&type->tally->settled, 1);
}

/* Runs after main, or exit(3); where a checker has the atomics, there is nothing then that could run them. */
#if !defined(ACTORBENCH_CHECKER)
__attribute__((destructor)) static void tell(void) {
    for (struct actorbench_message_tally *tally = atomic_load_acquire(&tallies); tally != NULL; tally = tally->next) {
        uint64_t made = atomic_load_relaxed(&tally->made), settled = atomic_load_relaxed(&tally->settled);
        if (made > settled)
            warning("%llu of the messages of type %s were given up but never sent: send them, or do not make them",
                    (unsigned long long)(made - settled), tally->type->name);
    }
}
#endif
