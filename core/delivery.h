/* Delivery of envelopes, where an envelope holds all that a worker needs to know: in the designs whose mailboxes actors share. */
#ifndef ACTORBENCH_DELIVERY_H
#define ACTORBENCH_DELIVERY_H

#include "census.h"
#include "envelope.h"
#include "lifecycle.h"

/* Does what a message and a behaviour ask for. The message comes first: it may be a part of the actor. */
static inline void end_what_ends(struct actor *actor, struct message *message, enum allocation fate) {
    lifecycle_settle_message(message);
    if (fate == NODELETE)
        return;
    lifecycle_end_actor(actor, fate);
    if (census_remove())
        census_announce();
}

/* Runs one behaviour. In the usual case nothing is asked for, neither by it nor by the message. The envelope's members are
 * passed on one by one: passed whole it would be read in pieces larger than those that a send has just written, and such a
 * load waits for the cache. */
static inline void deliver(struct envelope envelope) {
    lifecycle_check_delivery(envelope.actor, envelope.message);
    enum allocation fate = lifecycle_run(envelope.actor, envelope.message, envelope.reaction);
    if (unlikely((fate | this_delivery.fate) != NODELETE))
        end_what_ends(envelope.actor, envelope.message, fate);
}

/* Hands the envelopes from `next` up to `end` to `deliver`, which is inlined. */
static inline void envelopes_run(const PLAIN(struct envelope) * next, const PLAIN(struct envelope) * end,
                                 void (*run)(struct envelope)) {
    for (; next != end; next++)
        run(*next);
}

#endif
