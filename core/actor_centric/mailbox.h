/* A mailbox: an actor's letters, and what the scheduler knows of the actor. An actor's ticket is its mailbox's address.
 *
 * An actor is idle (no letters, in no ready queue), ready (in one ready queue) or running (in the hands of a worker).
 *
 *     idle -> ready       by the sender whose push finds it idle; no other push does, until it is idle again
 *     ready -> running    by the worker that takes it out of its ready queue
 *     running -> idle     by that worker, when mailbox_rest finds no letter
 *     running -> ready    by that worker, when the actor has run as many messages as it may at a time
 *
 * So an actor is in one ready queue at most, and on one worker. What its worker wrote is handed on: to the sender that
 * finds it idle by the push, and from there, as from a worker that yields, to the next worker by the ready queue.
 *
 * The kind of mailbox is the executor's, the same for all, so that the branch on it is always predicted.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_MAILBOX_H
#define ACTORBENCH_ACTOR_CENTRIC_MAILBOX_H

#include "chunk_mailbox.h"
#include "locked_mailbox.h"
#include "stack_mailbox.h"
#include "swap_mailbox.h"

#define NO_HOME          UINT16_MAX
#define BOUND_TO(worker) (UINT32_C(0x10000) + (worker))

/* Fits into one cache line. */
struct mailbox {
    union {
        struct swap_mailbox swap;
        struct stack_mailbox stack;
        struct chunk_mailbox chunk;
        struct locked_mailbox locked;
    } letters;
    struct actorbench_actor *actor;
    PLAIN(struct mailbox *) next_ready; /* whose ready queue it is in; see ready_list.h */
    uint32_t dispatch;                  /* messages it runs before it yields; 0: no limit */
    uint16_t initial;       /* the worker that it was dealt to at its creation, or as it came to its cluster */
    uint16_t home;          /* see placement.h; written by the worker that first runs the actor there */
    PLAIN(bool) is_bound;   /* ready or running as one that its worker alone may run; written by who wakes it */
    ATOMIC(uint32_t) place; /* where it is to be when it is woken: a cluster, or BOUND_TO a worker; from any thread */
};

static inline void mailbox_init(struct mailbox *mailbox, enum mailbox_kind kind) {
    if (kind == MAILBOX_SWAP)
        swap_mailbox_init(&mailbox->letters.swap);
    else if (kind == MAILBOX_STACK)
        stack_mailbox_init(&mailbox->letters.stack);
    else if (kind == MAILBOX_CHUNK)
        chunk_mailbox_init(&mailbox->letters.chunk);
    else
        locked_mailbox_init(&mailbox->letters.locked);
}

/* Appends a letter; true if the actor was idle, and the caller must make it ready. From any thread. */
static inline bool mailbox_push(struct mailbox *mailbox, enum mailbox_kind kind, enum link_order order,
                                struct letter letter) {
    if (kind == MAILBOX_SWAP)
        return swap_mailbox_push(&mailbox->letters.swap, order, letter);
    if (kind == MAILBOX_STACK)
        return stack_mailbox_push(&mailbox->letters.stack, letter);
    if (kind == MAILBOX_CHUNK)
        return chunk_mailbox_push(&mailbox->letters.chunk, letter);
    return locked_mailbox_push(&mailbox->letters.locked, letter);
}

/* Takes the oldest letter; false if none is to be seen: then mailbox_rest tells whether there is none. For the worker
 * that runs the actor, as are the two below. */
static inline bool mailbox_next(struct mailbox *mailbox, enum mailbox_kind kind, struct letter *letter) {
    if (kind == MAILBOX_SWAP)
        return swap_mailbox_next(&mailbox->letters.swap, letter);
    if (kind == MAILBOX_STACK)
        return stack_mailbox_next(&mailbox->letters.stack, letter);
    if (kind == MAILBOX_CHUNK)
        return chunk_mailbox_next(&mailbox->letters.chunk, letter);
    return locked_mailbox_next(&mailbox->letters.locked, letter);
}

/* Makes the actor idle, and the caller no longer touches the mailbox; or false, and mailbox_next will find a letter. */
static inline bool mailbox_rest(struct mailbox *mailbox, enum mailbox_kind kind) {
    if (kind == MAILBOX_SWAP)
        return swap_mailbox_rest(&mailbox->letters.swap);
    if (kind == MAILBOX_STACK)
        return stack_mailbox_rest(&mailbox->letters.stack);
    if (kind == MAILBOX_CHUNK)
        return chunk_mailbox_rest(&mailbox->letters.chunk);
    return locked_mailbox_rest(&mailbox->letters.locked);
}

/* For an actor that has terminated: frees what the mailbox holds; how many letters were never taken. */
static inline size_t mailbox_destroy(struct mailbox *mailbox, enum mailbox_kind kind) {
    if (kind == MAILBOX_SWAP)
        return swap_mailbox_destroy(&mailbox->letters.swap);
    if (kind == MAILBOX_STACK)
        return stack_mailbox_destroy(&mailbox->letters.stack);
    if (kind == MAILBOX_CHUNK)
        return chunk_mailbox_destroy(&mailbox->letters.chunk);
    return locked_mailbox_destroy(&mailbox->letters.locked);
}

#endif
