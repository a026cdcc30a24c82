/* Actors that are referred to: disabled at birth, enabled once, and there until nobody refers to them any more, whoever sends to them
 * after they have quit (React++, 2.4 "Creating an Actor", 2.8 "Actor Termination").
 *
 *     typedef struct { struct actorbench_actor actor; struct actorbench_references references; ... } clerk;
 *     #define BEHAVIOURS_clerk(ON) ON(clerk, bill, clerk_hears)
 *     ACTORBENCH_REFERRED_TYPE(clerk)
 *
 *     clerk *c = actorbench_referred_new(clerk);       disabled: what is sent to it is discarded and counted; it is ours to set up
 *     actorbench_enable(clerk, c);
 *     actorbench_referred_send(clerk, c, b);           by who refers to it
 *     actorbench_refer(clerk, c);                      once more, for somebody else, who then
 *     actorbench_forget(clerk, c);                     no longer does
 *
 * Its maker refers to it, and each message that is on its way to it. It quits by a behaviour that returns anything but
 * ACTORBENCH_NODELETE: from then on what comes is discarded and counted. When nobody refers to it, whether it has quit or not, it is ended,
 * as that behaviour has said, or else by ACTORBENCH_DELETE. Actors that refer to each other in a circle are never ended. What is discarded
 * is ended as its allocation says.
 */
#ifndef ACTORBENCH_MESSAGING_REFERRED_H
#define ACTORBENCH_MESSAGING_REFERRED_H

#include <stdbool.h>

#include "../actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum actorbench_presence { ACTORBENCH_DISABLED, ACTORBENCH_ENABLED, ACTORBENCH_GONE };

/* A part of an actor. Private. */
struct actorbench_references {
    ACTORBENCH_ATOMIC(uint32_t) presence;
    ACTORBENCH_ATOMIC(uint32_t) count;
    ACTORBENCH_ATOMIC(uint64_t) missed; /* messages that came while it was disabled, or gone */
    enum actorbench_allocation fate;    /* what it said when it quit */
    struct actorbench_message end; /* by which it ends, if the last who referred to it was no behaviour of its own */
};

/* Declares an actor type A, as ACTORBENCH_ACTOR_TYPE does, that has a member `struct actorbench_references references`. */
#define ACTORBENCH_REFERRED_TYPE(A) \
    ACTORBENCH_ACTOR_TYPE(A)        \
    BEHAVIOURS_##A(ACTORBENCH_REFERRED_THUNK)

/* The same with a destructor, as ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR. */
#define ACTORBENCH_REFERRED_TYPE_WITH_DESTRUCTOR(A, destructor) \
    ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(A, destructor)        \
    BEHAVIOURS_##A(ACTORBENCH_REFERRED_THUNK)

/* A zeroed actor of type A from the heap, disabled, to which the caller refers. Stops the program if memory is out. */
#define actorbench_referred_new(A) \
    ((A *)actorbench_referred_make(&actorbench_actor_new(A)->actor, offsetof(A, references)))

/* Messages come from here on. Once, by its maker, who does not touch its fields any more. */
#define actorbench_enable(A, self) actorbench_referred_enable(ACTORBENCH_BASE(A, self, references))

/* Sends, by who refers to the actor; whether it was there. The message is sent at most once if it is not ACTORBENCH_NODELETE. */
#define actorbench_referred_send(A, self, m)                                                          \
    actorbench_referred_post(ACTORBENCH_BASE(A, self, actor), offsetof(A, references), &(m)->message, \
                             ACTORBENCH_REFERRED(A, m))

/* One who refers to it more, by who does; and one less. */
#define actorbench_refer(A, self)  actorbench_referred_refer(ACTORBENCH_BASE(A, self, references))
#define actorbench_forget(A, self) actorbench_referred_forget(ACTORBENCH_BASE(A, self, actor), offsetof(A, references))

/* By who refers to it; who sees that it has quit sees what it did. */
#define actorbench_presence(A, self) actorbench_referred_presence(ACTORBENCH_BASE(A, self, references))
#define actorbench_missed(A, self)   actorbench_referred_missed(ACTORBENCH_BASE(A, self, references))

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

/* clang-format off */

#define ACTORBENCH_REFERRED_THUNK(A, M, function)                                                                    \
    static inline enum actorbench_allocation A##_referred_on_##M(struct actorbench_actor *base_actor,                \
                                                                 struct actorbench_message *base_message) {          \
        return actorbench_referred_receive(base_actor, offsetof(A, references), base_message, A##_on_##M);    \
    }                                                                                                                \
    ACTORBENCH_REFERRED_OVERLOAD(A, M)

/* As typed.h picks a behaviour. */
#if defined(__cplusplus)
#define ACTORBENCH_REFERRED_OVERLOAD(A, M)                                                                           \
    __attribute__((unused)) static inline actorbench_behaviour *A##_referred(const M *) {                            \
        return A##_referred_on_##M;                                                                                  \
    }
#define ACTORBENCH_REFERRED(A, pointer) A##_referred(true ? nullptr : (pointer))
#else
#define ACTORBENCH_REFERRED_OVERLOAD(A, M)
#define ACTORBENCH_REFERRED_CASE(A, M, function) M * : A##_referred_on_##M,
#define ACTORBENCH_REFERRED(A, pointer) _Generic((pointer), BEHAVIOURS_##A(ACTORBENCH_REFERRED_CASE) default: (pointer))
#endif

/* clang-format on */

struct actorbench_actor *actorbench_referred_make(struct actorbench_actor *actor, size_t offset);
void actorbench_referred_enable(struct actorbench_references *references);
bool actorbench_referred_post(struct actorbench_actor *actor, size_t offset, struct actorbench_message *message,
                              actorbench_behaviour *reaction);
void actorbench_referred_refer(struct actorbench_references *references);
void actorbench_referred_forget(struct actorbench_actor *actor, size_t offset);
enum actorbench_presence actorbench_referred_presence(struct actorbench_references *references);
uint64_t actorbench_referred_missed(struct actorbench_references *references);
enum actorbench_allocation actorbench_referred_receive(struct actorbench_actor *actor, size_t offset,
                                                       struct actorbench_message *message,
                                                       actorbench_behaviour *behaviour);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
