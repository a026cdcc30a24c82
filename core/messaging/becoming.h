/* Behaviours that an actor changes: which of its sets of handlers answers is the actor's to say (React++, 2.2 "Behaviors and
 * Contexts", 2.6 "Assuming a Behavior", 2.7, 2.13); and an actor that waits for an answer, and runs nothing else meanwhile, while
 * its worker does (2.12 "User-space Blocking").
 *
 *     typedef struct { struct actorbench_actor actor; struct actorbench_becoming becoming; ... } door;
 *     #define BEHAVIOURS_door(ON) ON(door, push, door_push) ON(door, lock, door_lock)   what may be sent to it, ever
 *     ACTORBENCH_BECOMING_TYPE(door)                                      defines door_push and door_lock: who answers decides
 *
 *     #define HANDLERS_closed(ON) ON(door, closed, push, closed_push) ON(door, closed, lock, closed_lock)
 *     ACTORBENCH_BEHAVIOUR_SET(door, closed)
 *     #define HANDLERS_locked(ON) ON(door, locked, lock, locked_lock)
 *     ACTORBENCH_BEHAVIOUR_SET(door, locked)
 *
 *     door d;  actorbench_actor_init(door, &d);  actorbench_becoming_init(door, &d, closed, ACTORBENCH_KEEP);
 *
 *     static enum actorbench_allocation closed_lock(door *self, lock *message) {
 *         actorbench_become(door, self, locked);
 *         return ACTORBENCH_NODELETE;
 *     }
 *
 * A handler may decline what it is given (`return actorbench_decline(door, self);`): so a predicate is an `if`. What is declined,
 * or has no handler in the set that answers, goes to the set's own handler for all the rest, if it has one; or else it is
 * dropped and counted, or kept, as actorbench_becoming_init said. What is kept is tried again, the oldest first, after a handler
 * that made the actor become something, and before anything that came later.
 *
 * Poison pills and errors that BEHAVIOURS_A does not list come at once, whatever answers or is awaited: who ends an actor by such a
 * pill calls actorbench_becoming_release, in its destructor or when the executor has stopped.
 *
 * All is decided when the program is compiled but which set answers: a message costs a look into the set's table more.
 */
#ifndef ACTORBENCH_MESSAGING_BECOMING_H
#define ACTORBENCH_MESSAGING_BECOMING_H

#include <stdbool.h>

#include "promise.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What happens to a message that nothing answers. */
enum actorbench_unanswered {
    ACTORBENCH_DROP,
    ACTORBENCH_KEEP,
};

/* A set of handlers. Private. */
struct actorbench_behaviour_set {
    actorbench_behaviour *const *handlers; /* by the number of the message's type; NULL: none */
    actorbench_behaviour *rest;            /* NULL: none */
};

struct actorbench_kept; /* messages, in becoming.c */

/* A part of an actor. Its fields are the actor's own, as all of it; a program may read `dropped`. */
struct actorbench_becoming {
    const struct actorbench_behaviour_set *answers;
    struct actorbench_kept *first, *last;     /* kept, the oldest first */
    const struct actorbench_message *awaited; /* all else waits for it; NULL: nothing */
    uint64_t dropped;                         /* messages that nothing answered */
    enum actorbench_unanswered unanswered;
    bool declined; /* by the handler that has just run */
    bool became;   /* something, since kept messages were tried */
};

/* Declares an actor type A, as ACTORBENCH_ACTOR_TYPE does, that has a member `struct actorbench_becoming becoming`. The functions
 * that BEHAVIOURS_A names are defined here. */
#define ACTORBENCH_BECOMING_TYPE(A)                          \
    enum { BEHAVIOURS_##A(ACTORBENCH_NUMBER_OF) A##_takes }; \
    ACTORBENCH_ACTOR_TYPE(A)                                 \
    BEHAVIOURS_##A(ACTORBENCH_DISPATCHER)

/* Declares a set S of handlers of A: HANDLERS_S(ON) lists them as ON(A, S, M, function), for message types M in BEHAVIOURS_A;
 * `static enum actorbench_allocation function(A *, M *)` is declared here, and defined later in the same file. */
#define ACTORBENCH_BEHAVIOUR_SET(A, S) ACTORBENCH_DECLARE_SET(A, S, NULL)

/* The same with a handler for all the rest, `static enum actorbench_allocation function(A *, struct actorbench_message *)`. */
#define ACTORBENCH_BEHAVIOUR_SET_AND_REST(A, S, function)                                       \
    static enum actorbench_allocation function(A *, struct actorbench_message *);               \
    static enum actorbench_allocation A##_##S##_rest(struct actorbench_actor *base_actor,       \
                                                     struct actorbench_message *base_message) { \
        return function((A *)base_actor, base_message);                                         \
    }                                                                                           \
    ACTORBENCH_DECLARE_SET(A, S, A##_##S##_rest)

/* After actorbench_actor_init, before anything is sent to the actor: S answers first. */
#define actorbench_becoming_init(A, self, S, what) \
    actorbench_becoming_begin(ACTORBENCH_BASE(A, self, becoming), &A##_becomes_##S, what)

/* From a handler: S answers from the next message on. */
#define actorbench_become(A, self, S) actorbench_becoming_change(ACTORBENCH_BASE(A, self, becoming), &A##_becomes_##S)

/* From a handler, as its value: the message is not for it. It must not have done anything with it. */
#define actorbench_decline(A, self) actorbench_becoming_decline(ACTORBENCH_BASE(A, self, becoming))

/* From a handler: the actor runs nothing until the promise `asked` of type M, which this actor has sent to another, is settled.
 * Then the message comes first of all, to the handler of the set that answers, which asks actorbench_future_state what has become
 * of it; and it is released after that. Meanwhile all others are kept, whatever was said of them, in their order. */
#define actorbench_await(M, asked, A, self)                                           \
    actorbench_becoming_await(ACTORBENCH_BASE(A, self, actor), offsetof(A, becoming), \
                              ACTORBENCH_BASE(M, asked, promise), ACTORBENCH_BEHAVIOUR(A, asked))

/* Ends what is kept, as dropped. An actor that ends by one of its handlers needs no such call. */
#define actorbench_becoming_release(A, self) actorbench_becoming_end(ACTORBENCH_BASE(A, self, becoming))

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

/* clang-format off */

#define ACTORBENCH_NUMBER_OF(A, M, function) A##_takes_##M,
#define ACTORBENCH_DISPATCHER(A, M, function)                                                                        \
    static enum actorbench_allocation function(A *self, M *message) {                                                \
        return actorbench_becoming_receive(&self->actor, &self->becoming, A##_takes_##M, &message->message);         \
    }

#define ACTORBENCH_HANDLER_THUNK(A, S, M, function)                                                                  \
    static enum actorbench_allocation function(A *, M *);                                                            \
    static enum actorbench_allocation A##_##S##_on_##M(struct actorbench_actor *base_actor,                          \
                                                       struct actorbench_message *base_message) {                    \
        return function((A *)base_actor, (M *)base_message);                                                         \
    }
#define ACTORBENCH_DECLARE_SET(A, S, rest)                                                                           \
    HANDLERS_##S(ACTORBENCH_HANDLER_THUNK)                                                                           \
    ACTORBENCH_HANDLER_TABLE(A, S)                                                                                   \
    static const struct actorbench_behaviour_set A##_becomes_##S = {ACTORBENCH_HANDLERS(A, S), rest};

#if defined(__cplusplus) /* which has no designated elements: filled in before main */
#define ACTORBENCH_HANDLER_ENTRY(A, S, M, function) handlers[A##_takes_##M] = A##_##S##_on_##M;
#define ACTORBENCH_HANDLER_TABLE(A, S)                                                                               \
    struct A##_##S##_table {                                                                                         \
        actorbench_behaviour *handlers[A##_takes];                                                                   \
        A##_##S##_table() : handlers() { HANDLERS_##S(ACTORBENCH_HANDLER_ENTRY) }                                    \
    };                                                                                                               \
    static const A##_##S##_table A##_##S##_handlers;
#define ACTORBENCH_HANDLERS(A, S) A##_##S##_handlers.handlers
#else
#define ACTORBENCH_HANDLER_ENTRY(A, S, M, function) [A##_takes_##M] = A##_##S##_on_##M,
#define ACTORBENCH_HANDLER_TABLE(A, S)                                                                               \
    static actorbench_behaviour *const A##_##S##_handlers[A##_takes] = {HANDLERS_##S(ACTORBENCH_HANDLER_ENTRY)};
#define ACTORBENCH_HANDLERS(A, S) A##_##S##_handlers
#endif

/* clang-format on */

void actorbench_becoming_begin(struct actorbench_becoming *becoming, const struct actorbench_behaviour_set *answers,
                               enum actorbench_unanswered unanswered);
void actorbench_becoming_change(struct actorbench_becoming *becoming, const struct actorbench_behaviour_set *answers);
enum actorbench_allocation actorbench_becoming_decline(struct actorbench_becoming *becoming);
void actorbench_becoming_await(struct actorbench_actor *actor, size_t offset, struct actorbench_promise *asked,
                               actorbench_behaviour *reaction);
void actorbench_becoming_end(struct actorbench_becoming *becoming);
enum actorbench_allocation actorbench_becoming_receive(struct actorbench_actor *actor,
                                                       struct actorbench_becoming *becoming, unsigned number,
                                                       struct actorbench_message *message);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
