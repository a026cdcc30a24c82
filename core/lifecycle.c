/* Making and ending actors and messages, and the poison pills (thesis, "Actor Behaviours" to "Actor Termination"). */
#include "lifecycle.h"

#include "storage.h"

_Thread_local struct delivery this_delivery;

static const struct message_type delete_pill_type = {"delete_pill", NULL, sizeof(delete_pill), NULL};
static const struct message_type destroy_pill_type = {"destroy_pill", NULL, sizeof(destroy_pill), NULL};
static const struct message_type finished_pill_type = {"finished_pill", NULL, sizeof(finished_pill), NULL};

delete_pill delete_message = {{.type = &delete_pill_type, .allocation = FINISHED}};
destroy_pill destroy_message = {{.type = &destroy_pill_type, .allocation = FINISHED}};
finished_pill finished_message = {{.type = &finished_pill_type, .allocation = FINISHED}};

enum allocation actor_on_delete(struct actor *actor, struct message *message) {
    (void)actor, (void)message;
    return DELETE;
}

enum allocation actor_on_destroy(struct actor *actor, struct message *message) {
    (void)actor, (void)message;
    return DESTROY;
}

enum allocation actor_on_finished(struct actor *actor, struct message *message) {
    (void)actor, (void)message;
    return FINISHED;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static const struct message_type error_type = {"actor_error", NULL, sizeof(actor_error), NULL};

enum allocation actor_on_error(struct actor *actor, struct message *message) {
    warning("actor %p of type %s failed: %s", (void *)actor, actor->type->name, ((actor_error *)message)->what);
    return NODELETE;
}

enum allocation actor_report(struct actor *actor, behaviour *handler, const char *what) {
    actor_error error = {{.type = &error_type, .allocation = FINISHED}, what};
    return handler(actor, &error.message);
}

/* ---- Actors and messages ----------------------------------------------------------------------------------------- */

void *actor_allocate(size_t size, size_t alignment, const struct actor_type *type) {
    struct actor *actor = (struct actor *)storage_take(size, alignment, type->name);
    actor_construct(actor, type);
    return actor;
}

void message_construct(struct message *message, const struct message_type *type, enum allocation fate) {
    message->type = type;
    message->allocation = fate;
    atomic_initialise(&message->sent, 0);
    if (CHECKED_BUILD)
        unsent_made(type);
}

void *message_allocate(size_t size, size_t alignment, const struct message_type *type, enum allocation fate) {
    struct message *message = (struct message *)storage_take(size, alignment, type->name);
    message_construct(message, type, fate);
    return message;
}

void message_set_allocation(struct message *message, enum allocation fate) {
    message->allocation = fate;
    if (this_delivery.message == message)
        this_delivery.fate = fate;
}

void lifecycle_end_message(struct message *message, enum allocation fate) {
    if (message->type->destructor != NULL)
        message->type->destructor(message);
    if (fate == DELETE)
        storage_give(message, message->type->size);
}

static void warn_if_unsent(const struct message *message) {
    /* Relaxed: the caller owns the message, so every send of it happened before. */
    if (!CHECKED_BUILD || atomic_load_relaxed(&message->sent) != 0)
        return;
    warning("message %p of type %s is given up but was never sent: send it, or do not make it", (const void *)message,
            message->type->name);
    unsent_settled(message->type);
}

void message_destroy(struct message *message) {
    warn_if_unsent(message);
    lifecycle_end_message(message, DESTROY);
}

void message_delete(struct message *message) {
    warn_if_unsent(message);
    lifecycle_end_message(message, DELETE);
}

void lifecycle_end_actor(struct actor *actor, enum allocation fate) {
    /* Relaxed: a send that this store races with is the very error that the mark is there to find. */
    if (CHECKED_BUILD)
        atomic_store_relaxed(&actor->ticket, TICKET_TERMINATED);
    if (fate != FINISHED && actor->type->destructor != NULL)
        actor->type->destructor(actor);
    if (fate == DELETE)
        storage_give(actor, actor->type->size);
}

void lifecycle_complain_unreceived(const struct actor *receiver, const struct message *message) {
    fatal("a message (%p, of type %s) was sent to an actor at %p but never received, since every actor had terminated: "
          "let the message that ends an actor be the last one sent to it",
          (const void *)message, message->type->name, (const void *)receiver);
}
