/* Trails: a message, and behind it the steps of its way, each with what was sent over it. Forks share them: so they are counted, and
 * never change. */
#include "trail.h"

#include <string.h>

#include "lifecycle.h"
#include "storage.h"

struct actorbench_step {
    ATOMIC(uint32_t) owners; /* trails whose last step it is, and steps that come after it */
    PLAIN(struct actorbench_step *) before;
    PLAIN(struct actorbench_actor *) sender; /* NULL: a thread outside */
    PLAIN(actorbench_behaviour *) back;      /* its behaviour for the trail */
    PLAIN(size_t) size;                      /* of what was sent */
    _Alignas(max_align_t) char sent[];
};

/* The message goes on, whatever its allocation says after this behaviour. */
static void post(struct actorbench_trail *trail, struct actorbench_actor *receiver, actorbench_behaviour *reaction) {
    if (lifecycle_is_delivered(trail->message))
        this_delivery.fate = ACTORBENCH_NODELETE;
    (void)actorbench_post(receiver, trail->message, reaction);
}

void *actorbench_trail_make(struct actorbench_message *message, size_t offset) {
    struct actorbench_trail *trail = (struct actorbench_trail *)((char *)message + offset);
    trail->message = message;
    return message;
}

static struct actorbench_step *share(struct actorbench_step *step) {
    if (step != NULL)
        (void)atomic_fetch_add_relaxed(&step->owners, 1); /* the caller is an owner, or has its trail */
    return step;
}

/* One owner less of a step, and of those before it that have no other. */
static void give_up(struct actorbench_step *step) {
    /* Acquire and release: the last owner frees what the others have read. */
    while (step != NULL && atomic_fetch_add_acq_rel(&step->owners, UINT32_MAX) == 1) {
        struct actorbench_step *before = step->before;
        storage_give(step, sizeof *step + step->size);
        step = before;
    }
}

void *actorbench_trail_clone(const struct actorbench_trail *trail, size_t offset) {
    const struct actorbench_message *message = trail->message;
    check(!trail->rewinding, "a trail of type %s is forked while it rewinds: resume it, or let it go",
          message->type->name);
    const struct actorbench_message_type *type = message->type;
    char *clone = (char *)actorbench_message_allocate(type->size, _Alignof(max_align_t), type, ACTORBENCH_DESTROY);
    size_t base = sizeof(struct actorbench_message);
    memcpy(clone + base, (const char *)message + base, type->size - base);
    struct actorbench_trail *cloned = (struct actorbench_trail *)(clone + offset);
    cloned->message = (struct actorbench_message *)clone;
    (void)share(cloned->last);
    return clone;
}

void actorbench_trail_step(struct actorbench_trail *trail, struct actorbench_actor *sender, actorbench_behaviour *back,
                           struct actorbench_actor *receiver, actorbench_behaviour *reaction) {
    const struct actorbench_message_type *type = trail->message->type;
    check(!trail->rewinding, "a trail of type %s is linked while it rewinds: resume it, raise it, or let it go",
          type->name);
    struct actorbench_step *step = (struct actorbench_step *)storage_take(
        sizeof *step + type->size, _Alignof(struct actorbench_step), "a step of a trail");
    atomic_initialise(&step->owners, 1);
    step->before = trail->last;
    step->sender = sender;
    step->back = back;
    step->size = type->size;
    memcpy(step->sent, (const void *)trail->message, type->size);
    trail->last = step;
    post(trail, receiver, reaction);
}

/* Nobody has the trail any more. */
static void end(struct actorbench_trail *trail) {
    give_up(trail->last);
    storage_give(trail->message, trail->message->type->size);
}

/* Sends a trail that rewinds to who sent it over its next step back; false if there is nobody. */
static bool go_back(struct actorbench_trail *trail) {
    struct actorbench_step *step = trail->back;
    if (step == NULL || step->sender == NULL)
        return false;
    trail->back = step->before;
    post(trail, step->sender, step->back);
    return true;
}

void actorbench_trail_throw(struct actorbench_trail *trail, struct actorbench_actor *raiser,
                            actorbench_behaviour *reaction) {
    if (!trail->rewinding) {
        trail->rewinding = true;
        trail->back = trail->last;
        trail->raiser = raiser;
        trail->reaction = reaction;
    }
    (void)go_back(trail); /* or it is let go when the behaviour ends */
}

void actorbench_trail_return(struct actorbench_trail *trail) {
    check(trail->rewinding, "a trail of type %s is resumed that nobody has raised", trail->message->type->name);
    trail->rewinding = false;
    post(trail, trail->raiser, trail->reaction);
}

const void *actorbench_trail_look_back(const struct actorbench_trail *trail, size_t steps_ago) {
    const struct actorbench_step *step = trail->last;
    for (; step != NULL && steps_ago > 0; steps_ago--)
        step = step->before;
    return step == NULL ? NULL : step->sent;
}

/* After a behaviour that has done nothing with it. */
void actorbench_trail_let_go(struct actorbench_trail *trail) {
    if (!trail->rewinding || !go_back(trail))
        end(trail);
}
