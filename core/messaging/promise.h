/* Promises, futures and barriers: an answer that comes once. A thread outside waits for it; an actor is sent it when it is there
 * (React++, 2.9 "Promise, Future and Barrier").
 *
 * A promise is a message with room for its answer, and has two owners: who asks, to whom it is the future, and who receives it.
 *
 *     typedef struct { struct actorbench_message message; struct actorbench_promise promise; double a, b, quotient; } division;
 *     ACTORBENCH_PROMISE_TYPE(division)
 *
 *     division *asked = actorbench_promise_new(division);
 *     asked->a = 10, asked->b = 4, asked->quotient = -1;                       what is read if the promise is dropped
 *     actorbench_send(calculator, &c, asked);
 *     actorbench_future_wait(division, asked, ACTORBENCH_NO_TIMEOUT);          or, from a behaviour: actorbench_future_then
 *     double quotient = asked->quotient;
 *     actorbench_future_release(division, asked);
 *
 *     static enum actorbench_allocation calculator_divides(calculator *self, division *asked) {
 *         if (asked->b != 0) {
 *             asked->quotient = asked->a / asked->b;
 *             actorbench_promise_keep(division, asked);                        from here on it is not the receiver's to touch
 *         }
 *         return ACTORBENCH_NODELETE;
 *     }
 *
 * A promise that is not kept when its message ends (when the behaviour returns, unless that has set its allocation to
 * ACTORBENCH_NODELETE, to send it on or to end it later by actorbench_message_destroy) is dropped. Its storage is given back
 * when both owners are done with it.
 */
#ifndef ACTORBENCH_MESSAGING_PROMISE_H
#define ACTORBENCH_MESSAGING_PROMISE_H

#include <stdbool.h>

#include "../actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

#define ACTORBENCH_NO_TIMEOUT 0

enum actorbench_promise_state {
    ACTORBENCH_OPEN,    /* neither, so far */
    ACTORBENCH_KEPT,    /* the answer is there */
    ACTORBENCH_DROPPED, /* it will not come */
};

/* A part of every promise's message. Private. */
struct actorbench_promise {
    ACTORBENCH_ATOMIC(uint32_t) state;  /* one of the above, or those in promise.c; a parking word */
    ACTORBENCH_ATOMIC(uint32_t) owners; /* that are not done with it */
    struct actorbench_message *message; /* that it is a part of */
    struct actorbench_actor *asker;     /* to whom the message goes when the promise is settled */
    actorbench_behaviour *reaction;
};

/* Declares a promise's type M: a typedef of a struct that begins with `struct actorbench_message message` and has a member
 * `struct actorbench_promise promise`. */
#define ACTORBENCH_PROMISE_TYPE(M)                               \
    __attribute__((unused)) static void M##_given_up(M *asked) { \
        actorbench_promise_give_up(&asked->promise);             \
    }                                                            \
    ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(M, M##_given_up)

/* A zeroed promise from the heap, to be sent once. From any thread. Stops the program if memory is out. */
#define actorbench_promise_new(M) \
    ((M *)actorbench_promise_make(&actorbench_message_new(M, ACTORBENCH_DESTROY)->message, offsetof(M, promise)))

/* For who receives: the answer has been written. Once. */
#define actorbench_promise_keep(M, asked) actorbench_promise_settle(ACTORBENCH_BASE(M, asked, promise), ACTORBENCH_KEPT)

/* What has become of it. For who asked, at any time; what the receiver has written is there unless it says ACTORBENCH_OPEN. */
#define actorbench_future_state(M, asked) actorbench_future_look(ACTORBENCH_BASE(M, asked, promise))

/* Waits until the promise is settled, so many nanoseconds at most; what has become of it. For who asked, on a thread that is no
 * worker: a worker that waits runs nobody. */
#define actorbench_future_wait(M, asked, timeout_ns) \
    actorbench_future_await(ACTORBENCH_BASE(M, asked, promise), timeout_ns)

/* For who asked, in place of waiting: sends the message to `asker`, whose type is A, when the promise is settled, or at once if
 * it is. With it goes what is the asker's: it is released after A's behaviour for M, which asks actorbench_future_state what has
 * become of it. The actor must not end before. */
#define actorbench_future_then(M, asked, A, asker)                                                   \
    actorbench_future_continue(ACTORBENCH_BASE(M, asked, promise), ACTORBENCH_BASE(A, asker, actor), \
                               ACTORBENCH_BEHAVIOUR(A, asked))

/* Who asked is done with it, whatever has become of it, and does not touch it again. */
#define actorbench_future_release(M, asked) actorbench_promise_release(ACTORBENCH_BASE(M, asked, promise))

/* ---- Barriers ---------------------------------------------------------------------------------------------------- */

/* A message by which actors tell a thread outside that they have received all that it sent them before. An actor type lists
 * ON(A, actorbench_barrier, function); the function calls actorbench_barrier_acknowledge.
 *
 *     actorbench_barrier barrier;  actorbench_barrier_init(&barrier, 2);
 *     actorbench_send(A, &a, &barrier);  actorbench_send(A, &b, &barrier);
 *     actorbench_barrier_wait(&barrier, ACTORBENCH_NO_TIMEOUT);
 *
 * Its storage is the program's, and stays until all have acknowledged it. */
typedef struct {
    struct actorbench_message message;
    ACTORBENCH_ATOMIC(uint32_t) left; /* so many have not; a parking word */
} actorbench_barrier;

/* For so many actors. */
void actorbench_barrier_init(actorbench_barrier *barrier, uint32_t actors);

/* From the behaviour that receives it. */
void actorbench_barrier_acknowledge(actorbench_barrier *barrier);

/* Waits until all have, so many nanoseconds at most; whether all have. On a thread that is no worker. */
bool actorbench_barrier_wait(actorbench_barrier *barrier, uint64_t timeout_ns);

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

void *actorbench_promise_make(struct actorbench_message *message, size_t offset);
void actorbench_promise_settle(struct actorbench_promise *promise, enum actorbench_promise_state state);
void actorbench_promise_give_up(struct actorbench_promise *promise);
void actorbench_promise_release(struct actorbench_promise *promise);
enum actorbench_promise_state actorbench_future_look(struct actorbench_promise *promise);
enum actorbench_promise_state actorbench_future_await(struct actorbench_promise *promise, uint64_t timeout_ns);
void actorbench_future_continue(struct actorbench_promise *promise, struct actorbench_actor *asker,
                                actorbench_behaviour *reaction);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
