/* Trails: messages that know the way that they have come, and go back on it when an actor cannot go on with them (React++, 2.11
 * "Message Trail").
 *
 * A trail is a message that goes from actor to actor. With each step what it holds is kept as it was sent, so that whoever has it can
 * read its history. An actor that cannot deal with what it has got raises it: then it comes to the actor that sent it, and, as long as
 * nobody resumes it, to the one before, back to its origin. Who resumes it sends it back to the actor that raised it, with what was
 * changed in it.
 *
 *     typedef struct { struct actorbench_message message; struct actorbench_trail trail; int amount; } bill;
 *     ACTORBENCH_TRAIL_TYPE(bill)
 *
 *     bill *b = actorbench_trail_begin(bill);                                               anywhere
 *     actorbench_trail_link(bill, b, clerk, self, boss, &the_boss);                         to the_boss, a boss, from self, a clerk
 *
 *     static enum actorbench_allocation clerk_hears(clerk *self, bill *b) {
 *         if (actorbench_trail_is_rewinding(bill, b)) {
 *             b->amount = 100;
 *             actorbench_trail_resume(bill, b);                                             to who raised it
 *         }
 *         ...
 *     static enum actorbench_allocation boss_hears(boss *self, bill *b) {
 *         if (b->amount > 100)
 *             actorbench_trail_raise(bill, b, boss, self);                                  to the clerk
 *
 * A behaviour that does none of link, raise and resume lets a trail go: one that rewinds is raised again, any other ends. What does one
 * of them does not touch the trail afterwards. Every actor on the way must be there as long as the trail may come back to it.
 */
#ifndef ACTORBENCH_MESSAGING_TRAIL_H
#define ACTORBENCH_MESSAGING_TRAIL_H

#include <stdbool.h>

#include "../actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct actorbench_step; /* from an actor to the next, in trail.c: shared by all trails that have come over it */

/* A part of every trail's message. Private. */
struct actorbench_trail {
    struct actorbench_message *message; /* that it is a part of */
    struct actorbench_step *last;       /* of the way; NULL: it has just begun */
    struct actorbench_step *back;       /* while it rewinds: the step that it goes back over next */
    struct actorbench_actor *raiser;    /* who raised it, and whom it is resumed to */
    actorbench_behaviour *reaction;     /* the raiser's */
    bool rewinding;
};

/* Declares a trail's type M: a typedef of a struct that begins with `struct actorbench_message message` and has a member
 * `struct actorbench_trail trail`. What else it holds is copied with each step, byte by byte. */
#define ACTORBENCH_TRAIL_TYPE(M)                                \
    __attribute__((unused)) static void M##_let_go(M *passed) { \
        actorbench_trail_let_go(&passed->trail);                \
    }                                                           \
    ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(M, M##_let_go)

/* A zeroed trail. From any thread. Stops the program if memory is out. */
#define actorbench_trail_begin(M) \
    ((M *)actorbench_trail_make(&actorbench_message_new(M, ACTORBENCH_DESTROY)->message, offsetof(M, trail)))

/* LINK: sends the trail on from `self`, whose type is A, to `receiver`, whose type is B. If it rewinds, it comes back to A's behaviour
 * for M. From a behaviour of `self`, or by who has begun it. A trail that rewinds is not sent on: resume it. */
#define actorbench_trail_link(M, passed, A, self, B, receiver)                                  \
    actorbench_trail_step(ACTORBENCH_BASE(M, passed, trail), ACTORBENCH_BASE(A, self, actor),   \
                          ACTORBENCH_BEHAVIOUR(A, passed), ACTORBENCH_BASE(B, receiver, actor), \
                          ACTORBENCH_BEHAVIOUR(B, passed))

/* The same from a thread outside, which it does not come back to. */
#define actorbench_trail_link_from_outside(M, passed, B, receiver)                                            \
    actorbench_trail_step(ACTORBENCH_BASE(M, passed, trail), NULL, NULL, ACTORBENCH_BASE(B, receiver, actor), \
                          ACTORBENCH_BEHAVIOUR(B, passed))

/* FORK: a trail with what this one holds, and the same history, which both share. It is the caller's, to be changed and linked. */
#define actorbench_trail_fork(M, passed) \
    ((M *)actorbench_trail_clone(ACTORBENCH_BASE(M, passed, trail), offsetof(M, trail)))

/* RAISE and RERAISE: from a behaviour of `self`, whose type is A. Who raises a trail that rewinds already stays out of it: it is resumed
 * to who raised it first. A trail whose way back is over ends. */
#define actorbench_trail_raise(M, passed, A, self)                                             \
    actorbench_trail_throw(ACTORBENCH_BASE(M, passed, trail), ACTORBENCH_BASE(A, self, actor), \
                           ACTORBENCH_BEHAVIOUR(A, passed))

/* RESUME: from a behaviour that has got it rewinding. */
#define actorbench_trail_resume(M, passed) actorbench_trail_return(ACTORBENCH_BASE(M, passed, trail))

#define actorbench_trail_is_rewinding(M, passed) ((passed)->trail.rewinding)

/* What it held when it was sent over the last step (0), the one before (1) ...; NULL before its first. As long as the caller has it. */
#define actorbench_trail_history(M, passed, steps_ago) \
    ((const M *)actorbench_trail_look_back(ACTORBENCH_BASE(M, passed, trail), steps_ago))

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

void *actorbench_trail_make(struct actorbench_message *message, size_t offset);
void *actorbench_trail_clone(const struct actorbench_trail *trail, size_t offset);
void actorbench_trail_step(struct actorbench_trail *trail, struct actorbench_actor *sender, actorbench_behaviour *back,
                           struct actorbench_actor *receiver, actorbench_behaviour *reaction);
void actorbench_trail_throw(struct actorbench_trail *trail, struct actorbench_actor *raiser,
                            actorbench_behaviour *reaction);
void actorbench_trail_return(struct actorbench_trail *trail);
const void *actorbench_trail_look_back(const struct actorbench_trail *trail, size_t steps_ago);
void actorbench_trail_let_go(struct actorbench_trail *trail);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
