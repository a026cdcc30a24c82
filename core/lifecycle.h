/* The end of actors and messages: what the executor does with an allocation after a behaviour. */
#ifndef ACTORBENCH_LIFECYCLE_H
#define ACTORBENCH_LIFECYCLE_H

#include "actor.h"

/* The ticket of an actor that has terminated (thesis, "Safety and Productivity"); kept in checked builds only. */
#define TICKET_TERMINATED UINTPTR_MAX

/* Stops a checked build if the receiver has terminated; marks the message as sent. Called for every send. */
void lifecycle_check_send(struct actor *receiver, struct message *message);

/* Stops a checked build if an envelope's actor terminated while the envelope was queued. */
void lifecycle_check_delivery(struct actor *receiver, struct message *message);

/* Does what a message says of itself, after the behaviour that ran it; the caller does not touch it again. */
static inline void lifecycle_settle_message(struct message *message);

/* Ends an actor whose behaviour returned `fate` (not NODELETE); the caller does not touch it again. The caller then
 * counts it as terminated. */
void lifecycle_end_actor(struct actor *actor, enum allocation fate);

/* A message that says DELETE or DESTROY. */
void lifecycle_end_message(struct message *message, enum allocation fate);

static inline void lifecycle_settle_message(struct message *message) {
    enum allocation fate = message->allocation;
    if (fate == DELETE || fate == DESTROY)
        lifecycle_end_message(message, fate);
}

#endif
