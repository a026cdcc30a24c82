/* Delivery of envelopes, where an envelope holds all that a worker needs to know: in the designs whose mailboxes actors share. */
#ifndef ACTORBENCH_DELIVERY_H
#define ACTORBENCH_DELIVERY_H

#include "envelope.h"
#include "lifecycle.h"
#include "platform/cpu.h"

/* Does what a message and a behaviour ask for; true if the actor has ended. The message comes first: it may be a part of the
 * actor. */
static inline bool end_what_ends(struct actorbench_actor *actor, struct actorbench_message *message,
                                 enum actorbench_allocation fate, void (*before_end)(struct actorbench_actor *)) {
    lifecycle_settle_message(message);
    if (fate != ACTORBENCH_NODELETE) {
        if (before_end != NULL)
            before_end(actor);
        lifecycle_end_actor(actor, fate);
    }
    return fate != ACTORBENCH_NODELETE;
}

/* Runs one behaviour, for `what` as in lifecycle_run; true if its actor has ended, and the caller must count it. In the usual case nothing
 * is asked for, neither by the behaviour nor by the message. Inlined whatever the compiler thinks, and the envelope's members are passed on
 * one by one: passed whole it would be read in pieces larger than those that a send has just written, and such a load waits for the cache.
 * `before_end`, if not NULL, is called with an actor that is about to end. */
__attribute__((always_inline)) static inline bool deliver(struct envelope envelope, const void *what,
                                                          void (*before_end)(struct actorbench_actor *)) {
    lifecycle_check_delivery(envelope.actor, envelope.message);
    STAMPED(latency_add(envelope.sent);)
    enum actorbench_allocation fate = lifecycle_run(what, envelope.actor, envelope.message, envelope.reaction);
    if (likely((fate | this_delivery.fate) == ACTORBENCH_NODELETE))
        return false;
    return end_what_ends(envelope.actor, envelope.message, fate, before_end);
}

/* Hands the envelopes from `next` up to `end` to `deliver`, which is inlined. */
static inline void envelopes_run(const PLAIN(struct envelope) * next, const PLAIN(struct envelope) * end,
                                 void (*run)(struct envelope)) {
    for (; next != end; next++)
        run(*next);
}

#endif
