/* A letter: what a send leaves in a mailbox. An envelope without its actor, since the mailbox knows whose it is. */
#ifndef ACTORBENCH_ACTOR_CENTRIC_LETTER_H
#define ACTORBENCH_ACTOR_CENTRIC_LETTER_H

#include "actor.h"
#include "latency.h"
#include "platform/atomic.h"

struct letter {
    struct actorbench_message *message;
    actorbench_behaviour *reaction;
    STAMPED(uint64_t sent;) /* cycles */
};

/* A letter on the heap, for the mailboxes that link them: 24 bytes, the most that a chunk of 32 of malloc(3) holds. (In a build
 * that takes latency, 32.) */
struct letter_node {
    ATOMIC(struct letter_node *) next;
    PLAIN(struct letter) letter;
};

#endif
