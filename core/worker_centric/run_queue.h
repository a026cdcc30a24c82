/* The run queue: what a worker has taken from the mailboxes that it holds and all that its behaviours have sent, in the
 * order in which it will run, or be passed on; see hold.h. The worker's own.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_RUN_QUEUE_H
#define ACTORBENCH_WORKER_CENTRIC_RUN_QUEUE_H

#include "check.h"
#include "pool.h"

/* A chain of blocks, never without one. What is in `last` ends at `put`, its count does not say. */
struct run_queue {
    PLAIN(struct envelope) * put;  /* where the next is put, in `last`, */
    PLAIN(struct envelope) * end;  /* and the end of what may be put there */
    PLAIN(struct envelope) * next; /* the next to run, in `first` */
    struct block *first, *last;
    size_t before_last; /* envelopes in all blocks but the last, with those of the first that have run */
};

static inline void run_queue_continue_in(struct run_queue *queue, struct block *last) {
    queue->last = last;
    queue->put = last->envelopes + last->count;
    queue->end = last->envelopes + BLOCK_ENVELOPES;
}

static inline void run_queue_init(struct run_queue *queue, struct block_pool *pool) {
    queue->first = block_take_kept(pool);
    queue->next = queue->first->envelopes;
    queue->before_last = 0;
    run_queue_continue_in(queue, queue->first);
}

static inline size_t run_queue_length(const struct run_queue *queue) {
    return queue->before_last + (size_t)(queue->put - queue->last->envelopes) -
           (size_t)(queue->next - queue->first->envelopes);
}

static inline bool run_queue_is_empty(const struct run_queue *queue) {
    return queue->next == queue->put;
}

static inline bool run_queue_has_room(const struct run_queue *queue) {
    return queue->put != queue->end;
}

/* Appends where there is room. */
static inline void run_queue_put(struct run_queue *queue, struct envelope envelope) {
    *queue->put++ = envelope;
}

/* Leaves no room, so that the next send takes another way; and makes it again. */
static inline void run_queue_shut(struct run_queue *queue) {
    queue->end = queue->put;
}

static inline void run_queue_open(struct run_queue *queue) {
    queue->end = queue->last->envelopes + BLOCK_ENVELOPES;
}

/* How many wait behind the envelope of the first block that ends at `ran`. */
static inline size_t run_queue_length_behind(const struct run_queue *queue, const PLAIN(struct envelope) * ran) {
    return queue->before_last + (size_t)(queue->put - queue->last->envelopes) - (size_t)(ran - queue->first->envelopes);
}

/* Says in `last` how much it holds. */
static inline void run_queue_close(struct run_queue *queue) {
    queue->last->count = (uint32_t)(queue->put - queue->last->envelopes);
}

/* Appends a chain of blocks, which the queue owns from here on. */
static inline void run_queue_append_chain(struct run_queue *queue, struct block_chain chain) {
    run_queue_close(queue);
    queue->last->next = chain.first;
    queue->before_last += queue->last->count + chain.count - chain.last->count;
    run_queue_continue_in(queue, chain.last);
}

/* The same with blocks that another thread has filled: the last one's room is left alone, as its lines are that thread's, and would have to be
 * fetched one by one. */
static inline void run_queue_append_foreign(struct run_queue *queue, struct block_chain chain) {
    run_queue_append_chain(queue, chain);
    queue->end = queue->put;
}

/* Puts a block in front, which the queue owns from here on. */
static inline void run_queue_prepend(struct run_queue *queue, struct block *block) {
    run_queue_close(queue);
    struct block *first = queue->first;
    size_t ran = (size_t)(queue->next - first->envelopes);
    first->count -= (uint32_t)ran;
    for (size_t i = 0; i < first->count; i++)
        first->envelopes[i] = queue->next[i];
    if (first == queue->last)
        queue->put -= ran;
    else
        queue->before_last -= ran;
    queue->before_last += block->count;
    block->next = first;
    queue->first = block;
    queue->next = block->envelopes;
}

/* From within run_queue_run: takes the first block off the queue up to `ran`, the end of the envelope that runs, and leaves what is behind
 * that. To be put back by run_queue_join before the behaviour ends; of what then follows the envelope, `stop`, the run has to leave it. */
static inline struct block *run_queue_part(struct run_queue *queue, struct block_pool *pool,
                                           const PLAIN(struct envelope) * ran, struct envelope stop) {
    run_queue_close(queue);
    struct block *front = queue->first, *rest = block_take_kept(pool);
    uint32_t count = (uint32_t)(ran - front->envelopes);
    (void)block_put_row(rest, front->envelopes + count, front->count - count);
    if (count != front->count)
        front->envelopes[count] = stop;
    front->count = count;
    rest->next = front->next;
    queue->first = rest;
    queue->next = rest->envelopes;
    if (front == queue->last)
        run_queue_continue_in(queue, rest);
    else
        queue->before_last -= count;
    return front;
}

/* Puts a block back in front; `next` is what the queue's was when it was taken off. */
static inline void run_queue_join(struct run_queue *queue, struct block *front, PLAIN(struct envelope) * next) {
    front->next = queue->first;
    queue->first = front;
    queue->next = next;
    queue->before_last += front->count;
}

/* Drops the blocks in front whose envelopes have all run, but not the last. */
static inline void run_queue_drop_empty(struct run_queue *queue, struct block_pool *pool) {
    while (queue->first != queue->last && queue->next == queue->first->envelopes + queue->first->count) {
        struct block *block = queue->first;
        queue->before_last -= block->count;
        queue->first = block->next;
        queue->next = queue->first->envelopes;
        block_give(pool, block);
    }
}

/* Makes room for so many envelopes at most, and one at least; how many. */
static inline size_t run_queue_make_room(struct run_queue *queue, struct block_pool *pool, size_t most) {
    if (unlikely(!run_queue_has_room(queue))) {
        struct block *fresh = block_take_kept(pool);
        run_queue_append_chain(queue, (struct block_chain){fresh, fresh, 0});
    }
    size_t room = (size_t)(queue->end - queue->put);
    return room < most ? room : most;
}

static inline void run_queue_append(struct run_queue *queue, struct block_pool *pool, struct envelope envelope) {
    (void)run_queue_make_room(queue, pool, 1);
    run_queue_put(queue, envelope);
}

static inline void run_queue_append_row(struct run_queue *queue, struct block_pool *pool,
                                        const PLAIN(struct envelope) * envelopes, size_t count) {
    for (size_t room; count != 0; count -= room) {
        room = run_queue_make_room(queue, pool, count);
        for (const PLAIN(struct envelope) *end = envelopes + room; envelopes != end;)
            run_queue_put(queue, *envelopes++);
    }
}

/* Hands envelopes to `run`, which is inlined, oldest first, and those that it appends after them: `most` at most, over 0, until it says of
 * one, by false, that it has left it there. Returns how many it has not left. What is run in the last block may append to it, so there the
 * end is looked up each time (and once another follows it is full, so up to `end`): a loop of its own, so that the other has all that it
 * needs in registers. */
__attribute__((always_inline)) static inline size_t run_queue_run(struct run_queue *queue, struct block_pool *pool,
                                                                  size_t most,
                                                                  bool (*run)(const PLAIN(struct envelope) *)) {
    size_t left = most;
    bool goes_on;
    do {
        run_queue_drop_empty(queue, pool);
        struct block *block = queue->first;
        bool is_last = block == queue->last;
        PLAIN(struct envelope) *next = queue->next;
        if (is_last && next == queue->put) {
            queue->put = queue->next = block->envelopes;
            break;
        }
        const PLAIN(struct envelope) *end = is_last ? queue->end : block->envelopes + block->count;
        if ((size_t)(end - next) > left)
            end = next + left;
        if (is_last)
            do {
                goes_on = run(next);
                next += goes_on;
            } while (likely(goes_on) && next != end && next != queue->put);
        else
            do {
                goes_on = run(next);
                next += goes_on;
            } while (likely(goes_on) && next != end);
        left -= (size_t)(next - queue->next);
        queue->next = next;
    } while (left != 0 && goes_on);
    return most - left;
}

#endif
