/* Counts by message queue. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"

struct tally *tally_new(void) {
    size_t size = run_mailboxes() * sizeof(struct tally);
    struct tally *tallies = aligned_alloc(64, size);
    if (tallies == NULL)
        run_refuse("there is not enough memory for %u message queues", run_mailboxes());
    return memset(tallies, 0, size);
}

uint64_t tally_received(const struct tally *tallies) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < run_mailboxes(); i++)
        sum += tallies[i].received;
    return sum;
}

uint64_t tally_ended(const struct tally *tallies) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < run_mailboxes(); i++)
        sum += tallies[i].ended;
    return sum;
}
