/* References: a count of who may still send to an actor, and of what has been sent. */
#include "referred.h"

#include "lifecycle.h"

static const struct actorbench_message_type end_type = {"actorbench_end", NULL, sizeof(struct actorbench_message),
                                                        NULL};

static struct actorbench_references *references_of(struct actorbench_actor *actor, size_t offset) {
    return (struct actorbench_references *)((char *)actor + offset);
}

struct actorbench_actor *actorbench_referred_make(struct actorbench_actor *actor, size_t offset) {
    struct actorbench_references *references = references_of(actor, offset);
    atomic_initialise(&references->presence, ACTORBENCH_DISABLED);
    atomic_initialise(&references->count, 1);
    atomic_initialise(&references->missed, 0);
    references->fate = ACTORBENCH_DELETE;
    actorbench_message_construct(&references->end, &end_type, ACTORBENCH_NODELETE);
    return actor;
}

void actorbench_referred_enable(struct actorbench_references *references) {
    /* Release: shows what its maker has set up to who sends to it. Pairs with the load in actorbench_referred_post. */
    atomic_store_release(&references->presence, ACTORBENCH_ENABLED);
}

enum actorbench_presence actorbench_referred_presence(struct actorbench_references *references) {
    return (enum actorbench_presence)atomic_load_acquire(&references->presence); /* as in actorbench_referred_post */
}

uint64_t actorbench_referred_missed(struct actorbench_references *references) {
    return atomic_load_relaxed(&references->missed);
}

void actorbench_referred_refer(struct actorbench_references *references) {
    (void)atomic_fetch_add_relaxed(&references->count, 1); /* by who refers to it: it is not the last */
}

/* One who refers less; whether it was the last. */
static bool drop(struct actorbench_references *references) {
    /* Acquire and release: the end comes after all that anybody did with the actor. */
    return atomic_fetch_add_acq_rel(&references->count, UINT32_MAX) == 1;
}

static enum actorbench_allocation on_end(struct actorbench_actor *actor, struct actorbench_message *message) {
    (void)actor;
    const char *references = (const char *)message - offsetof(struct actorbench_references, end);
    return ((const struct actorbench_references *)(const void *)references)->fate;
}

void actorbench_referred_forget(struct actorbench_actor *actor, size_t offset) {
    struct actorbench_references *references = references_of(actor, offset);
    if (drop(references))
        (void)actorbench_post(actor, &references->end, on_end);
}

bool actorbench_referred_post(struct actorbench_actor *actor, size_t offset, struct actorbench_message *message,
                              actorbench_behaviour *reaction) {
    struct actorbench_references *references = references_of(actor, offset);
    if (actorbench_referred_presence(references) == ACTORBENCH_ENABLED) {
        actorbench_referred_refer(references); /* till it has come */
        (void)actorbench_post(actor, message, reaction);
        return true;
    }
    (void)atomic_fetch_add_relaxed(&references->missed, 1);
    lifecycle_mark_sent(message);
    lifecycle_discard_message(message);
    return false;
}

/* The fields but the count are the actor's own here; the message is ended by the executor. */
enum actorbench_allocation actorbench_referred_receive(struct actorbench_actor *actor, size_t offset,
                                                       struct actorbench_message *message,
                                                       actorbench_behaviour *behaviour) {
    struct actorbench_references *references = references_of(actor, offset);
    if (atomic_load_relaxed(&references->presence) == ACTORBENCH_GONE) { /* this actor says so */
        (void)atomic_fetch_add_relaxed(&references->missed, 1);
    } else {
        enum actorbench_allocation fate = behaviour(actor, message);
        if (fate != ACTORBENCH_NODELETE) {
            references->fate = fate;
            atomic_store_release(&references->presence,
                                 ACTORBENCH_GONE); /* pairs with the load in actorbench_referred_post */
        }
    }
    return drop(references) ? references->fate : ACTORBENCH_NODELETE;
}
