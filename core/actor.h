/* The face of the runtime, part one: actors, messages, behaviours, typed sends, poison pills.
 *
 * The model is the thesis' (Parsons, MMath thesis, "CFA Actor" to "Actor Termination"). A program looks like this:
 *
 *     typedef struct { struct message message; int value; } number;      a message type embeds `struct message` first
 *     MESSAGE_TYPE(number)
 *
 *     typedef struct { struct actor actor; long sum; } adder;            an actor type embeds `struct actor` first
 *     #define BEHAVIOURS_adder(ON) ON(adder, number, adder_adds)         its behaviours, each once
 *     ACTOR_TYPE(adder)
 *
 *     static enum allocation adder_adds(adder *self, number *n) { self->sum += n->value; return NODELETE; }
 *
 *     executor_start(NULL);
 *     adder a;   actor_init(adder, &a);
 *     number n;  message_init(number, &n, NODELETE);  n.value = 3;
 *     actor_send(adder, &a, &n, &n, &finished_message);                  a cascade: three messages, in this order
 *     executor_stop();                                                   waits until every actor has terminated
 *
 * Sends are typed statically: _Generic picks the behaviour from the pointer's type, so a message that the actor type
 * has no behaviour for does not compile, and nothing is tested at run time.
 *
 * Order: messages from one sender to one receiver arrive in the order sent. A behaviour runs on one worker at a time
 * for each actor, so an actor's own fields need no lock.
 */
#ifndef ACTORBENCH_ACTOR_H
#define ACTORBENCH_ACTOR_H

#include <stddef.h>
#include <stdint.h>

#include "platform/atomic.h"

/* What becomes of an actor (as its behaviour returns) or of a message (as it says itself) after a behaviour. */
enum allocation {
    NODELETE, /* nothing: the actor goes on, the message may be sent again */
    DELETE,   /* its destructor is called, and its storage, which is malloc(3)'s, is given back */
    DESTROY,  /* its destructor is called; the storage stays */
    FINISHED, /* neither: an actor has terminated; for a message the same as NODELETE */
};

struct actor;
struct message;

/* A behaviour as the executor sees it; user code writes `enum allocation f(my_actor *, my_message *)` instead. */
typedef enum allocation behaviour(struct actor *, struct message *);

/* What the executor must know of a derived type. One constant object a type, made by the macros below. */
struct actor_type {
    const char *name;
    void (*destructor)(struct actor *); /* NULL: none */
    size_t size;                        /* of the derived type */
};
struct message_type {
    const char *name;
    void (*destructor)(struct message *); /* NULL: none */
    size_t size;                          /* of the derived type */
    struct message_tally *tally;          /* NULL: not counted */
};

/* Of a type's messages, in checked builds: so many were made, and so many of them sent, or warned of; see unsent.h. */
struct message_tally {
    ATOMIC(uint64_t) made;
    ATOMIC(uint64_t) settled;
    const struct message_type *type;
    struct message_tally *next;
};

/* The base of every actor. Private to the runtime. */
struct actor {
    const struct actor_type *type;
    ATOMIC(uintptr_t) ticket; /* the address of its mailbox, shared or its own; TICKET_TERMINATED in checked builds */
};

/* The base of every message. Its storage belongs to the program until it is sent with DELETE as its allocation. One
 * message may be in flight to many actors at once, if its allocation stays NODELETE meanwhile. A behaviour may send the
 * message that it runs on: it must be NODELETE then, and need not outlive the behaviour: its next receiver may end it. */
struct message {
    const struct message_type *type;
    enum allocation allocation;
    ATOMIC(uint32_t) sent; /* whether it was ever sent; kept in checked builds */
};

/* ---- Declaring types -------------------------------------------------------------------------------------------- */

/* Declares a message type M, a typedef of a struct whose first member is `struct message message`. */
#define MESSAGE_TYPE(M) ACTORBENCH_MESSAGE_TYPE(M, NULL)

/* The same with a destructor, `static void destructor(M *)`, defined later in the same file. */
#define MESSAGE_TYPE_WITH_DESTRUCTOR(M, destructor)            \
    static void destructor(M *);                               \
    static void M##_destructor(struct message *base_message) { \
        destructor((M *)base_message);                         \
    }                                                          \
    ACTORBENCH_MESSAGE_TYPE(M, M##_destructor)

/* Declares an actor type A, a typedef of a struct whose first member is `struct actor actor`. The macro
 * BEHAVIOURS_A(ON) must list its behaviours as ON(A, M, function), one for each message type M that it accepts;
 * `static enum allocation function(A *, M *)` is declared here, and defined later in the same file. */
#define ACTOR_TYPE(A) ACTORBENCH_ACTOR_TYPE(A, NULL)

/* The same with a destructor, `static void destructor(A *)`, defined later in the same file. */
#define ACTOR_TYPE_WITH_DESTRUCTOR(A, destructor)          \
    static void destructor(A *);                           \
    static void A##_destructor(struct actor *base_actor) { \
        destructor((A *)base_actor);                       \
    }                                                      \
    ACTORBENCH_ACTOR_TYPE(A, A##_destructor)

/* ---- Actors and messages ---------------------------------------------------------------------------------------- */

/* Makes an actor of type A in storage of the caller's (stack, static or heap) and gives it its ticket. The executor
 * must have been started. From any thread. Behaviours of other actors may send to it from here on. */
#define actor_init(A, pointer) actor_construct(ACTORBENCH_BASE(A, pointer, actor), &A##_type)

/* A zeroed actor of type A from the heap, made ready by actor_init; the way out of it is DELETE, or FINISHED and
 * free(3) after executor_stop. Stops the program if memory is out. */
#define actor_new(A) ((A *)actor_allocate(sizeof(A), _Alignof(A), &A##_type))

/* Lets the actor of type A run no more than so many messages at a time before others have their turn; 0: no limit. In
 * the actor-centric design (--dispatch sets it for all); the message-centric one knows no such limit. While nobody sends
 * to the actor, or from its own behaviours. (React++, 3.4 "Priority Assignment".) */
#define actor_set_dispatch(A, pointer, messages) actor_limit_dispatch(ACTORBENCH_BASE(A, pointer, actor), messages)

/* Makes a message of type M in storage of the caller's; `fate` is its allocation. */
#define message_init(M, pointer, fate) message_construct(ACTORBENCH_BASE(M, pointer, message), &M##_type, fate)

/* A zeroed message of type M from the heap, made ready by message_init. Stops the program if memory is out. */
#define message_new(M, fate) ((M *)message_allocate(sizeof(M), _Alignof(M), &M##_type, fate))

/* Changes what becomes of a message. Only while it is not in flight, or from the behaviour that runs it. */
void message_set_allocation(struct message *message, enum allocation fate);

/* Calls a message's destructor; message_delete frees its storage too. For messages that the program keeps (NODELETE).
 * Checked builds warn if the message was never sent; of those that end in other ways without having been sent they tell at
 * the program's end, by their types. */
void message_destroy(struct message *message);
void message_delete(struct message *message);

/* ---- Sends ------------------------------------------------------------------------------------------------------ */

/* Sends one to eight messages, in the order given, to the actor at `receiver`, whose type is A; each message is given
 * by a pointer to its own type. From any thread. Never blocks for long: it takes one spinlock a message at most. What a
 * behaviour sends may wait until it has returned, or some more that run before it. Value: a pointer to the receiver's
 * base. */
#define actor_send(A, receiver, ...)                                        \
    ACTORBENCH_CONCATENATE(ACTORBENCH_SEND_, ACTORBENCH_COUNT(__VA_ARGS__)) \
    (A, ACTORBENCH_BASE(A, receiver, actor), __VA_ARGS__)

/* Poison pills: every actor type has a behaviour for them, which returns DELETE, DESTROY or FINISHED. A type overrides
 * one by listing it, e.g. ON(A, finished_pill, function). */
typedef struct {
    struct message message;
} delete_pill;
typedef struct {
    struct message message;
} destroy_pill;
typedef struct {
    struct message message;
} finished_pill;

extern delete_pill delete_message;
extern destroy_pill destroy_message;
extern finished_pill finished_message;

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Of an actor, from its own behaviour: `return actor_fail(A, self, "what went wrong");`. The type's handler runs at once, in the
 * same thread, and says, as a behaviour does, what becomes of the actor: NODELETE, it goes on with its next message. A type
 * names its handler among its behaviours, ON(A, actor_error, function); the handler of any other prints a warning, and the actor
 * goes on. What becomes of the message that the behaviour runs on is for the behaviour to say, as ever. (scalaz' actors:
 * `onError`.) */
typedef struct {
    struct message message;
    const char *what; /* the caller's; it and the error are there until the handler returns */
} actor_error;

#define actor_fail(A, self, what) \
    actor_report(ACTORBENCH_BASE(A, self, actor), ACTORBENCH_BEHAVIOUR(A, (actor_error *)NULL), what)

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

void actor_construct(struct actor *actor, const struct actor_type *type);
void actor_limit_dispatch(struct actor *actor, unsigned messages);
void *actor_allocate(size_t size, size_t alignment, const struct actor_type *type);
void message_construct(struct message *message, const struct message_type *type, enum allocation fate);
void *message_allocate(size_t size, size_t alignment, const struct message_type *type, enum allocation fate);

/* Queues an envelope; every design defines it. Value: the receiver. */
struct actor *actor_post(struct actor *receiver, struct message *message, behaviour *reaction);

enum allocation actor_report(struct actor *actor, behaviour *handler, const char *what);

enum allocation actor_on_delete(struct actor *, struct message *);
enum allocation actor_on_destroy(struct actor *, struct message *);
enum allocation actor_on_finished(struct actor *, struct message *);
enum allocation actor_on_error(struct actor *, struct message *);

/* The formatter does not know _Generic. */
/* clang-format off */

/* The base of a derived object, if `pointer` is a T *; otherwise the compiler names both types. */
#define ACTORBENCH_BASE(T, pointer, base) (&_Generic((pointer), T *: (pointer))->base)

#define ACTORBENCH_EMBEDS_FIRST(T, base)                                                                             \
    _Static_assert(_Generic(&((T *)0)->base, struct base *: offsetof(T, base) == 0, default: 0),                     \
                   #T " must embed `struct " #base " " #base "` as its first member");

#define ACTORBENCH_MESSAGE_TYPE(M, destructor)                                                                       \
    ACTORBENCH_EMBEDS_FIRST(M, message)                                                                              \
    __attribute__((unused)) static struct message_tally M##_tally;                                                   \
    __attribute__((unused)) static const struct message_type M##_type = {#M, destructor, sizeof(M), &M##_tally};

/* A thunk a behaviour: it has the executor's signature, so that no function is called through a wrong type. */
#define ACTORBENCH_THUNK(A, M, function)                                                                             \
    ACTORBENCH_EMBEDS_FIRST(M, message)                                                                              \
    static enum allocation function(A *, M *);                                                                       \
    static inline enum allocation A##_on_##M(struct actor *base_actor, struct message *base_message) {               \
        return function((A *)base_actor, (M *)base_message);                                                         \
    }

#define ACTORBENCH_ACTOR_TYPE(A, destructor)                                                                         \
    ACTORBENCH_EMBEDS_FIRST(A, actor)                                                                                \
    BEHAVIOURS_##A(ACTORBENCH_THUNK)                                                                                 \
    __attribute__((unused)) static const struct actor_type A##_type = {#A, destructor, sizeof(A)};

/* The thunk for a message, found by its pointer's type: the type's own behaviours first, then the pills. With neither,
 * the static assertion names the actor type, and the mismatched argument of actor_post names the message's. */
#define ACTORBENCH_CASE(A, M, function)  M * : A##_on_##M,
#define ACTORBENCH_KNOWN(A, M, function) M * : 1,
#define ACTORBENCH_BEHAVIOUR(A, pointer)                                                                             \
    _Generic((pointer), BEHAVIOURS_##A(ACTORBENCH_CASE) default: _Generic((pointer),                                 \
             delete_pill *: actor_on_delete,                                                                         \
             destroy_pill *: actor_on_destroy,                                                                       \
             finished_pill *: actor_on_finished,                                                                     \
             actor_error *: actor_on_error,                                                                          \
             default: (pointer)))
#define ACTORBENCH_ACCEPTS(A, pointer)                                                                               \
    _Generic((pointer), BEHAVIOURS_##A(ACTORBENCH_KNOWN) default: _Generic((pointer),                                \
             delete_pill *: 1, destroy_pill *: 1, finished_pill *: 1, default: 0))

#define ACTORBENCH_SEND_1(A, base, m)                                                                                \
    ((void)sizeof(struct {                                                                                           \
         _Static_assert(ACTORBENCH_ACCEPTS(A, m), "actor type " #A " has no behaviour for the message " #m           \
                                                  ": list its type in BEHAVIOURS_" #A);                              \
         int unused;                                                                                                 \
     }),                                                                                                             \
     actor_post(base, &(m)->message, ACTORBENCH_BEHAVIOUR(A, m)))
#define ACTORBENCH_SEND_2(A, base, m, ...) ACTORBENCH_SEND_1(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_3(A, base, m, ...) ACTORBENCH_SEND_2(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_4(A, base, m, ...) ACTORBENCH_SEND_3(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_5(A, base, m, ...) ACTORBENCH_SEND_4(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_6(A, base, m, ...) ACTORBENCH_SEND_5(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_7(A, base, m, ...) ACTORBENCH_SEND_6(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_8(A, base, m, ...) ACTORBENCH_SEND_7(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)

#define ACTORBENCH_CONCATENATE(left, right)  ACTORBENCH_CONCATENATE_(left, right)
#define ACTORBENCH_CONCATENATE_(left, right) left##right
#define ACTORBENCH_COUNT(...)                ACTORBENCH_COUNT_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define ACTORBENCH_COUNT_(m1, m2, m3, m4, m5, m6, m7, m8, count, ...) count

/* clang-format on */

#endif
