/* The end of actors and messages: what the executor does with an allocation after a behaviour. */
#ifndef ACTORBENCH_LIFECYCLE_H
#define ACTORBENCH_LIFECYCLE_H

#include "actor.h"
#include "check.h"
#include "envelope.h"
#include "platform/atomic.h"
#include "unsent.h"

/* The ticket of an actor that has terminated (thesis, "Safety and Productivity"); kept in checked builds only. */
#define TICKET_TERMINATED UINTPTR_MAX

/* Marks a message as sent, in checked builds. */
static inline void lifecycle_mark_sent(struct actorbench_message *message) {
    /* Relaxed: read by who gives the message up, after its last send. One of its first sends counts. */
    if (CHECKED_BUILD && atomic_load_relaxed(&message->sent) == 0 && atomic_fetch_add_relaxed(&message->sent, 1) == 0)
        unsent_settled(message->type);
}

/* Stops a checked build if the receiver has terminated; marks the message as sent. Called for every send. */
static inline void lifecycle_check_send(struct actorbench_actor *receiver, struct actorbench_message *message) {
    if (!CHECKED_BUILD)
        return;
    check(atomic_load_relaxed(&receiver->ticket) != TICKET_TERMINATED,
          "a message of type %s is sent to actor %p of type %s, which has terminated: "
          "send it before the actor's last message, or keep the actor (ACTORBENCH_NODELETE)",
          message->type->name, (void *)receiver, receiver->type->name);
    lifecycle_mark_sent(message);
}

/* Stops a checked build if an envelope's actor terminated while the envelope was queued. */
static inline void lifecycle_check_delivery(struct actorbench_actor *receiver, struct actorbench_message *message) {
    check(atomic_load_relaxed(&receiver->ticket) != TICKET_TERMINATED,
          "a message of type %s was still queued for actor %p of type %s when it terminated: "
          "make the message that ends an actor the last one sent to it",
          message->type->name, (void *)receiver, receiver->type->name);
}

/* Ends an actor whose behaviour returned `fate` (not ACTORBENCH_NODELETE); the caller does not touch it again. The caller then
 * counts it as terminated. */
void lifecycle_end_actor(struct actorbench_actor *actor, enum actorbench_allocation fate);

/* Stops the program: at the executor's end there is a message that nobody received. For checked builds. */
void lifecycle_complain_unreceived(const struct actorbench_actor *receiver, const struct actorbench_message *message);

/* Ends a message whose fate is ACTORBENCH_DELETE or ACTORBENCH_DESTROY; the caller does not touch it again. */
void lifecycle_end_message(struct actorbench_message *message, enum actorbench_allocation fate);

/* Ends a message that nobody will receive, as its allocation says; the caller does not touch it again. */
static inline void lifecycle_discard_message(struct actorbench_message *message) {
    enum actorbench_allocation fate = message->allocation;
    if (fate == ACTORBENCH_DELETE || fate == ACTORBENCH_DESTROY)
        lifecycle_end_message(message, fate);
}

/* ---- Delivery ------------------------------------------------------------------------------------------------------ */

/* What the calling thread's behaviour runs for, and what is to become of the message. After a behaviour its message is not read
 * again: sent on, it may have been ended by its next receiver. So its fate is what it said before, or else what this behaviour
 * has set. (The thesis reads it afterwards: "Actor Messages".) */
struct delivery {
    /* The message; or the end of the envelope that has it, if that stays where it is; or NULL: no behaviour runs. */
    const void *what;
    enum actorbench_allocation fate;
    bool is_in_place;             /* which of them: constant where this is the outermost */
    const struct delivery *outer; /* that whose behaviour gives its actor this message, which had been kept; or NULL */
};

extern _Thread_local struct delivery this_delivery;

/* Whether the behaviour that runs has been given this message. */
static inline bool lifecycle_is_delivered(const struct actorbench_message *message) {
    const void *what = this_delivery.what;
    if (what == NULL || !this_delivery.is_in_place)
        return what == message;
    struct envelope envelope = ((const PLAIN(struct envelope) *)what)[-1];
    return envelope.message == message;
}

/* The end of the envelope for which the outermost behaviour runs; NULL: none runs, or it is not in place. */
static inline const PLAIN(struct envelope) * lifecycle_envelope_end(void) {
    const struct delivery *delivery = &this_delivery;
    while (delivery->outer != NULL)
        delivery = delivery->outer;
    return delivery->is_in_place ? (const PLAIN(struct envelope) *)delivery->what : NULL;
}

/* Runs a behaviour for `what`, its message or the end of its envelope, as this_delivery.is_in_place says; what becomes of the actor. Then
 * this_delivery.fate is what becomes of the message. */
static inline enum actorbench_allocation lifecycle_run(const void *what, struct actorbench_actor *actor,
                                                       struct actorbench_message *message,
                                                       actorbench_behaviour *reaction) {
    this_delivery.what = what;
    this_delivery.fate = message->allocation;
    return reaction(actor, message);
}

/* Does what the fate of the message that has just run asks for. Its destructor may set others': no message runs meanwhile. */
static inline void lifecycle_settle_message(struct actorbench_message *message) {
    enum actorbench_allocation fate = this_delivery.fate;
    this_delivery.what = NULL;
    if (fate == ACTORBENCH_DELETE || fate == ACTORBENCH_DESTROY)
        lifecycle_end_message(message, fate);
}

#endif
