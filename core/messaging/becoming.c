/* Which set of an actor's handlers answers; what nothing answers is dropped or kept. All of it is the actor's own: one worker at a
 * time runs it. */
#include "becoming.h"

#include "lifecycle.h"
#include "storage.h"

/* A message that waits for a set that answers it. It is ended as its allocation says when it has run, as by the executor. */
struct actorbench_kept {
    struct actorbench_kept *next;
    struct actorbench_message *message;
    unsigned number; /* of its type */
};

void actorbench_becoming_begin(struct actorbench_becoming *becoming, const struct actorbench_behaviour_set *answers,
                               enum actorbench_unanswered unanswered) {
    *becoming = (struct actorbench_becoming){.answers = answers, .unanswered = unanswered};
}

void actorbench_becoming_change(struct actorbench_becoming *becoming, const struct actorbench_behaviour_set *answers) {
    becoming->answers = answers;
    becoming->became = true;
}

enum actorbench_allocation actorbench_becoming_decline(struct actorbench_becoming *becoming) {
    becoming->declined = true;
    return ACTORBENCH_NODELETE;
}

void actorbench_becoming_await(struct actorbench_actor *actor, size_t offset, struct actorbench_promise *asked,
                               actorbench_behaviour *reaction) {
    struct actorbench_becoming *becoming = (struct actorbench_becoming *)((char *)actor + offset);
    check(becoming->awaited == NULL, "an actor awaits a second promise before the first is settled: one at a time");
    becoming->awaited = asked->message;
    actorbench_future_continue(asked, actor, reaction);
}

/* Keeps the message that runs: it does not end with this behaviour. */
static void keep(struct actorbench_becoming *becoming, struct actorbench_message *message, unsigned number) {
    struct actorbench_kept *kept = (struct actorbench_kept *)storage_take(
        sizeof *kept, _Alignof(struct actorbench_kept), "a message that is kept");
    *kept = (struct actorbench_kept){NULL, message, number};
    if (becoming->first == NULL)
        becoming->first = kept;
    else
        becoming->last->next = kept;
    becoming->last = kept;
    this_delivery.fate = ACTORBENCH_NODELETE;
}

/* Takes one out of the list; `before` is the one before it, NULL if it is the first. */
static void take_out(struct actorbench_becoming *becoming, struct actorbench_kept *before,
                     struct actorbench_kept *kept) {
    if (before == NULL)
        becoming->first = kept->next;
    else
        before->next = kept->next;
    if (becoming->last == kept)
        becoming->last = before;
    storage_give(kept, sizeof *kept);
}

/* Runs what answers, the handler for the type and then that for all the rest; *answered: whether one took the message. */
static enum actorbench_allocation answer(struct actorbench_actor *actor, struct actorbench_becoming *becoming,
                                         unsigned number, struct actorbench_message *message, bool *answered) {
    const struct actorbench_behaviour_set *set = becoming->answers;
    actorbench_behaviour *const handlers[] = {set->handlers[number], set->rest};
    *answered = true;
    for (unsigned i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        if (handlers[i] == NULL)
            continue;
        enum actorbench_allocation fate = handlers[i](actor, message);
        if (!becoming->declined)
            return fate;
        becoming->declined = false;
    }
    *answered = false;
    return ACTORBENCH_NODELETE;
}

/* Gives kept messages to what answers now, from the oldest on, and from there again whenever the actor becomes something. */
static enum actorbench_allocation try_kept(struct actorbench_actor *actor, struct actorbench_becoming *becoming) {
    const struct delivery outer = this_delivery;
    enum actorbench_allocation fate = ACTORBENCH_NODELETE;
    struct actorbench_kept *before = NULL;
    while (fate == ACTORBENCH_NODELETE && becoming->awaited == NULL) {
        if (becoming->became)
            before = NULL;
        becoming->became = false;
        struct actorbench_kept *kept = before == NULL ? becoming->first : before->next;
        if (kept == NULL)
            break;
        struct actorbench_message *message = kept->message;
        bool answered;
        this_delivery = (struct delivery){message, message->allocation, false, &outer};
        fate = answer(actor, becoming, kept->number, message, &answered);
        if (!answered && becoming->unanswered == ACTORBENCH_KEEP) {
            before = kept;
            continue;
        }
        becoming->dropped += !answered; /* it was kept for what was awaited */
        take_out(becoming, before, kept);
        lifecycle_settle_message(message);
    }
    this_delivery = outer;
    return fate;
}

void actorbench_becoming_end(struct actorbench_becoming *becoming) {
    while (becoming->first != NULL) {
        struct actorbench_message *message = becoming->first->message;
        take_out(becoming, NULL, becoming->first);
        becoming->dropped++;
        lifecycle_discard_message(message);
    }
}

enum actorbench_allocation actorbench_becoming_receive(struct actorbench_actor *actor,
                                                       struct actorbench_becoming *becoming, unsigned number,
                                                       struct actorbench_message *message) {
    if (becoming->awaited != NULL && becoming->awaited != message) {
        keep(becoming, message, number);
        return ACTORBENCH_NODELETE;
    }
    if (becoming->awaited != NULL)
        becoming->became = true; /* what was kept meanwhile comes next */
    becoming->awaited = NULL;
    bool answered;
    enum actorbench_allocation fate = answer(actor, becoming, number, message, &answered);
    if (!answered && becoming->unanswered == ACTORBENCH_KEEP)
        keep(becoming, message, number);
    else if (!answered)
        becoming->dropped++;
    if (fate == ACTORBENCH_NODELETE && becoming->became)
        fate = try_kept(actor, becoming);
    if (fate != ACTORBENCH_NODELETE)
        actorbench_becoming_end(becoming);
    return fate;
}
