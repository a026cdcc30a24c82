/* Making and ending actors and messages, and the poison pills (thesis, "Actor Behaviours" to "Actor Termination"). */
#include "lifecycle.h"

#include "storage.h"

_Thread_local struct delivery this_delivery;

static const struct actorbench_message_type delete_pill_type = {"actorbench_delete_pill", NULL,
                                                                sizeof(actorbench_delete_pill), NULL};
static const struct actorbench_message_type destroy_pill_type = {"actorbench_destroy_pill", NULL,
                                                                 sizeof(actorbench_destroy_pill), NULL};
static const struct actorbench_message_type finished_pill_type = {"actorbench_finished_pill", NULL,
                                                                  sizeof(actorbench_finished_pill), NULL};

actorbench_delete_pill actorbench_delete_message = {{.type = &delete_pill_type, .allocation = ACTORBENCH_FINISHED}};
actorbench_destroy_pill actorbench_destroy_message = {{.type = &destroy_pill_type, .allocation = ACTORBENCH_FINISHED}};
actorbench_finished_pill actorbench_finished_message = {
    {.type = &finished_pill_type, .allocation = ACTORBENCH_FINISHED}};

enum actorbench_allocation actorbench_on_delete(struct actorbench_actor *actor, struct actorbench_message *message) {
    (void)actor, (void)message;
    return ACTORBENCH_DELETE;
}

enum actorbench_allocation actorbench_on_destroy(struct actorbench_actor *actor, struct actorbench_message *message) {
    (void)actor, (void)message;
    return ACTORBENCH_DESTROY;
}

enum actorbench_allocation actorbench_on_finished(struct actorbench_actor *actor, struct actorbench_message *message) {
    (void)actor, (void)message;
    return ACTORBENCH_FINISHED;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static const struct actorbench_message_type error_type = {"actorbench_error", NULL, sizeof(actorbench_error), NULL};

enum actorbench_allocation actorbench_on_error(struct actorbench_actor *actor, struct actorbench_message *message) {
    warning("actor %p of type %s failed: %s", (void *)actor, actor->type->name, ((actorbench_error *)message)->what);
    return ACTORBENCH_NODELETE;
}

enum actorbench_allocation actorbench_report(struct actorbench_actor *actor, actorbench_behaviour *handler,
                                             const char *what) {
    actorbench_error error = {{.type = &error_type, .allocation = ACTORBENCH_FINISHED}, what};
    return handler(actor, &error.message);
}

/* ---- Actors and messages ----------------------------------------------------------------------------------------- */

void *actorbench_actor_allocate(size_t size, size_t alignment, const struct actorbench_actor_type *type) {
    struct actorbench_actor *actor = (struct actorbench_actor *)storage_take(size, alignment, type->name);
    actorbench_actor_construct(actor, type);
    return actor;
}

void actorbench_message_construct(struct actorbench_message *message, const struct actorbench_message_type *type,
                                  enum actorbench_allocation fate) {
    message->type = type;
    message->allocation = fate;
    atomic_initialise(&message->sent, 0);
    if (CHECKED_BUILD)
        unsent_made(type);
}

void *actorbench_message_allocate(size_t size, size_t alignment, const struct actorbench_message_type *type,
                                  enum actorbench_allocation fate) {
    struct actorbench_message *message = (struct actorbench_message *)storage_take(size, alignment, type->name);
    actorbench_message_construct(message, type, fate);
    return message;
}

void actorbench_message_set_allocation(struct actorbench_message *message, enum actorbench_allocation fate) {
    message->allocation = fate;
    if (lifecycle_is_delivered(message))
        this_delivery.fate = fate;
}

void lifecycle_end_message(struct actorbench_message *message, enum actorbench_allocation fate) {
    if (message->type->destructor != NULL)
        message->type->destructor(message);
    if (fate == ACTORBENCH_DELETE)
        storage_give(message, message->type->size);
}

static void warn_if_unsent(const struct actorbench_message *message) {
    /* Relaxed: the caller owns the message, so every send of it happened before. */
    if (!CHECKED_BUILD || atomic_load_relaxed(&message->sent) != 0)
        return;
    warning("message %p of type %s is given up but was never sent: send it, or do not make it", (const void *)message,
            message->type->name);
    unsent_settled(message->type);
}

void actorbench_message_destroy(struct actorbench_message *message) {
    warn_if_unsent(message);
    lifecycle_end_message(message, ACTORBENCH_DESTROY);
}

void actorbench_message_delete(struct actorbench_message *message) {
    warn_if_unsent(message);
    lifecycle_end_message(message, ACTORBENCH_DELETE);
}

void lifecycle_end_actor(struct actorbench_actor *actor, enum actorbench_allocation fate) {
    /* Relaxed: a send that this store races with is the very error that the mark is there to find. */
    if (CHECKED_BUILD)
        atomic_store_relaxed(&actor->ticket, TICKET_TERMINATED);
    if (fate != ACTORBENCH_FINISHED && actor->type->destructor != NULL)
        actor->type->destructor(actor);
    if (fate == ACTORBENCH_DELETE)
        storage_give(actor, actor->type->size);
}

void lifecycle_complain_unreceived(const struct actorbench_actor *receiver, const struct actorbench_message *message) {
    fatal("a message (%p, of type %s) was sent to an actor at %p but never received, since every actor had terminated: "
          "let the message that ends an actor be the last one sent to it",
          (const void *)message, message->type->name, (const void *)receiver);
}
