/* The face of the runtime, part one: actors, messages, behaviours, typed sends, poison pills.
 *
 * The model is the thesis' (Parsons, MMath thesis, "CFA Actor" to "Actor Termination"). A program looks like this:
 *
 *     typedef struct { struct actorbench_message message; int value; } number;      a message type embeds it first
 *     ACTORBENCH_MESSAGE_TYPE(number)
 *
 *     typedef struct { struct actorbench_actor actor; long sum; } adder;            an actor type embeds it first
 *     #define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)                    its behaviours, each once
 *     ACTORBENCH_ACTOR_TYPE(adder)
 *
 *     static enum actorbench_allocation adder_adds(adder *self, number *n) {
 *         self->sum += n->value;
 *         return ACTORBENCH_NODELETE;
 *     }
 *
 *     actorbench_start(NULL);
 *     adder a;   actorbench_actor_init(adder, &a);
 *     number n;  actorbench_message_init(number, &n, ACTORBENCH_NODELETE);  n.value = 3;
 *     actorbench_send(adder, &a, &n, &n, &actorbench_finished_message);             a cascade: three, in this order
 *     actorbench_stop();                                                            waits until every actor has terminated
 *
 * Sends are typed statically: the behaviour is picked by the pointer's type, so a message that the actor type has no
 * behaviour for does not compile, and nothing is tested at run time.
 *
 * Order: messages from one sender to one receiver arrive in the order sent. A behaviour runs on one worker at a time
 * for each actor, so an actor's own fields need no lock.
 *
 * Names begin with actorbench or ACTORBENCH, but for BEHAVIOURS_A, which the program defines of its actor type A, and for
 * those that the macros make of the program's own: A_type, A_on_M, A_behaviour, A_destructor, and of a message type M
 * M_type, M_tally, M_destructor; all of them static.
 *
 * In C++ (from C++11) the same macros do the same: docs/library.md.
 */
#ifndef ACTORBENCH_ACTOR_H
#define ACTORBENCH_ACTOR_H

#include <stddef.h>
#include <stdint.h>

/* A word that threads share. C++ has no _Atomic; a program there knows no more of it than its size. */
#if defined(ACTORBENCH_CHECKER)
#include ACTORBENCH_CHECKER /* platform/atomic.h says what that is */
#define ACTORBENCH_ATOMIC(type) ATOMIC(type)
#elif defined(__cplusplus)
#define ACTORBENCH_ATOMIC(type) type
#else
#define ACTORBENCH_ATOMIC(type) _Atomic(type)
#endif

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of an actor (as its behaviour returns) or of a message (as it says itself) after a behaviour. */
enum actorbench_allocation {
    ACTORBENCH_NODELETE, /* nothing: the actor goes on, the message may be sent again */
    ACTORBENCH_DELETE,   /* its destructor is called, and its storage, which is malloc(3)'s, is given back */
    ACTORBENCH_DESTROY,  /* its destructor is called; the storage stays */
    ACTORBENCH_FINISHED, /* neither: an actor has terminated; for a message the same as ACTORBENCH_NODELETE */
};

struct actorbench_actor;
struct actorbench_message;

/* A behaviour as the executor sees it; programs write `enum actorbench_allocation f(my_actor *, my_message *)` instead. */
typedef enum actorbench_allocation actorbench_behaviour(struct actorbench_actor *, struct actorbench_message *);

/* What the executor must know of a derived type. One constant object a type, made by the macros below. */
struct actorbench_actor_type {
    const char *name;
    void (*destructor)(struct actorbench_actor *); /* NULL: none */
    size_t size;                                   /* of the derived type */
};
struct actorbench_message_type {
    const char *name;
    void (*destructor)(struct actorbench_message *); /* NULL: none */
    size_t size;                                     /* of the derived type */
    struct actorbench_message_tally *tally;          /* NULL: not counted */
};

/* Of a type's messages, in checked builds: so many were made, and so many of them sent, or warned of; see unsent.h. */
struct actorbench_message_tally {
    ACTORBENCH_ATOMIC(uint64_t) made;
    ACTORBENCH_ATOMIC(uint64_t) settled;
    const struct actorbench_message_type *type;
    struct actorbench_message_tally *next;
};

/* The base of every actor. Private to the runtime. */
struct actorbench_actor {
    const struct actorbench_actor_type *type;
    ACTORBENCH_ATOMIC(uintptr_t) ticket; /* the address of its mailbox, shared or its own; lifecycle.h */
};

/* The base of every message. Its storage belongs to the program until it is sent with ACTORBENCH_DELETE as its
 * allocation. One message may be in flight to many actors at once, if its allocation stays ACTORBENCH_NODELETE meanwhile.
 * A behaviour may send the message that it runs on: it must be ACTORBENCH_NODELETE then, and need not outlive the
 * behaviour: its next receiver may end it. */
struct actorbench_message {
    const struct actorbench_message_type *type;
    enum actorbench_allocation allocation;
    ACTORBENCH_ATOMIC(uint32_t) sent; /* whether it was ever sent; kept in checked builds */
};

/* ---- Declaring types -------------------------------------------------------------------------------------------- */

/* Declares a message type M, a typedef of a struct whose first member is `struct actorbench_message message`. */
#define ACTORBENCH_MESSAGE_TYPE(M) ACTORBENCH_DECLARE_MESSAGE(M, NULL)

/* The same with a destructor, `static void destructor(M *)`, defined later in the same file. */
#define ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(M, destructor)            \
    static void destructor(M *);                                          \
    static void M##_destructor(struct actorbench_message *base_message) { \
        destructor((M *)base_message);                                    \
    }                                                                     \
    ACTORBENCH_DECLARE_MESSAGE(M, M##_destructor)

/* Declares an actor type A, a typedef of a struct whose first member is `struct actorbench_actor actor`. The macro
 * BEHAVIOURS_A(ON) must list its behaviours as ON(A, M, function), one for each message type M that it accepts;
 * `static enum actorbench_allocation function(A *, M *)` is declared here, and defined later in the same file. */
#define ACTORBENCH_ACTOR_TYPE(A) ACTORBENCH_DECLARE_ACTOR(A, NULL)

/* The same with a destructor, `static void destructor(A *)`, defined later in the same file. */
#define ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(A, destructor)          \
    static void destructor(A *);                                      \
    static void A##_destructor(struct actorbench_actor *base_actor) { \
        destructor((A *)base_actor);                                  \
    }                                                                 \
    ACTORBENCH_DECLARE_ACTOR(A, A##_destructor)

/* ---- Actors and messages ---------------------------------------------------------------------------------------- */

/* Makes an actor of type A in storage of the caller's (stack, static or heap) and gives it its ticket. The executor
 * must have been started. From any thread. Behaviours of other actors may send to it from here on. */
#define actorbench_actor_init(A, pointer) actorbench_actor_construct(ACTORBENCH_BASE(A, pointer, actor), &A##_type)

/* A zeroed actor of type A from the heap, made ready by actorbench_actor_init; the way out of it is ACTORBENCH_DELETE,
 * or ACTORBENCH_FINISHED and free(3) after actorbench_stop. Stops the program if memory is out. In C++ no constructor is
 * called, and so A must have none. */
#define actorbench_actor_new(A) ACTORBENCH_ALLOCATED(A, actorbench_actor_allocate, &A##_type)

/* Lets the actor of type A run no more than so many messages at a time before others have their turn; 0: no limit. In
 * the actor-centric design (--dispatch sets it for all); the message-centric one knows no such limit. While nobody sends
 * to the actor, or from its own behaviours. (React++, 3.4 "Priority Assignment".) */
#define actorbench_actor_set_dispatch(A, pointer, messages) \
    actorbench_actor_limit_dispatch(ACTORBENCH_BASE(A, pointer, actor), messages)

/* Makes a message of type M in storage of the caller's; `fate` is its allocation. */
#define actorbench_message_init(M, pointer, fate) \
    actorbench_message_construct(ACTORBENCH_BASE(M, pointer, message), &M##_type, fate)

/* A zeroed message of type M from the heap, made ready by actorbench_message_init. Stops the program if memory is out.
 * Without a constructor, as above. */
#define actorbench_message_new(M, fate) ACTORBENCH_ALLOCATED(M, actorbench_message_allocate, &M##_type, fate)

/* Changes what becomes of a message. Only while it is not in flight, or from the behaviour that runs it. */
void actorbench_message_set_allocation(struct actorbench_message *message, enum actorbench_allocation fate);

/* Calls a message's destructor; actorbench_message_delete frees its storage too. For messages that the program keeps
 * (ACTORBENCH_NODELETE). Checked builds warn if the message was never sent; of those that end in other ways without having
 * been sent they tell at the program's end, by their types. */
void actorbench_message_destroy(struct actorbench_message *message);
void actorbench_message_delete(struct actorbench_message *message);

/* ---- Sends ------------------------------------------------------------------------------------------------------ */

/* Sends one to eight messages, in the order given, to the actor at `receiver`, whose type is A; each message is given
 * by a pointer to its own type. From any thread. Never blocks for long: it takes one spinlock a message at most; and in the
 * worker-centric design a thread that is no worker and is thousands of messages ahead of a receiver may wait for it, 0.2 ms at a time and
 * ever more rarely. What a behaviour sends may wait until it has returned, or some more that run before it. Value: a pointer to the
 * receiver's base. */
#define actorbench_send(A, receiver, ...)                                       \
    ACTORBENCH_CONCATENATE(ACTORBENCH_SEND_, ACTORBENCH_ARGUMENTS(__VA_ARGS__)) \
    (A, ACTORBENCH_BASE(A, receiver, actor), __VA_ARGS__)

/* Poison pills: every actor type has a behaviour for them, which returns ACTORBENCH_DELETE, ACTORBENCH_DESTROY or
 * ACTORBENCH_FINISHED. A type overrides one by listing it, e.g. ON(A, actorbench_finished_pill, function). */
typedef struct {
    struct actorbench_message message;
} actorbench_delete_pill;
typedef struct {
    struct actorbench_message message;
} actorbench_destroy_pill;
typedef struct {
    struct actorbench_message message;
} actorbench_finished_pill;

extern actorbench_delete_pill actorbench_delete_message;
extern actorbench_destroy_pill actorbench_destroy_message;
extern actorbench_finished_pill actorbench_finished_message;

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Of an actor, from its own behaviour: `return actorbench_fail(A, self, "what went wrong");`. The type's handler runs at
 * once, in the same thread, and says, as a behaviour does, what becomes of the actor: ACTORBENCH_NODELETE, it goes on with
 * its next message. A type names its handler among its behaviours, ON(A, actorbench_error, function); the handler of any
 * other prints a warning, and the actor goes on. What becomes of the message that the behaviour runs on is for the
 * behaviour to say, as ever. (scalaz' actors: `onError`.) */
typedef struct {
    struct actorbench_message message;
    const char *what; /* the caller's; it and the error are there until the handler returns */
} actorbench_error;

#define actorbench_fail(A, self, what) \
    actorbench_report(ACTORBENCH_BASE(A, self, actor), ACTORBENCH_BEHAVIOUR(A, (actorbench_error *)NULL), what)

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

void actorbench_actor_construct(struct actorbench_actor *actor, const struct actorbench_actor_type *type);
void actorbench_actor_limit_dispatch(struct actorbench_actor *actor, unsigned messages);
void *actorbench_actor_allocate(size_t size, size_t alignment, const struct actorbench_actor_type *type);
void actorbench_message_construct(struct actorbench_message *message, const struct actorbench_message_type *type,
                                  enum actorbench_allocation fate);
void *actorbench_message_allocate(size_t size, size_t alignment, const struct actorbench_message_type *type,
                                  enum actorbench_allocation fate);

/* Queues an envelope; every design defines it. Value: the receiver. */
struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *message,
                                         actorbench_behaviour *reaction);

enum actorbench_allocation actorbench_report(struct actorbench_actor *actor, actorbench_behaviour *handler,
                                             const char *what);

enum actorbench_allocation actorbench_on_delete(struct actorbench_actor *, struct actorbench_message *);
enum actorbench_allocation actorbench_on_destroy(struct actorbench_actor *, struct actorbench_message *);
enum actorbench_allocation actorbench_on_finished(struct actorbench_actor *, struct actorbench_message *);
enum actorbench_allocation actorbench_on_error(struct actorbench_actor *, struct actorbench_message *);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#include "typed.h"

#endif
