/* A ready list: ready actors in the order of their arrival, under a lock, and the workers that sleep until one comes.
 *
 * It is the whole of the ready queues `global` and `fifo`, the orchestration queue of `lqoq`, and what others put before
 * the owner of a `deque`. A worker goes to sleep by putting itself on the list under the lock, if there is no actor; a
 * push takes one sleeper off it, under the same lock, and wakes it. So no actor waits for a worker that sleeps.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_READY_LIST_H
#define ACTORBENCH_ACTOR_CENTRIC_READY_LIST_H

#include "mailbox.h"
#include "platform/small.h"

struct worker;

/* Actors linked by mailbox.next_ready; no lock. */
struct ready_chain {
    PLAIN(struct mailbox *) first; /* null: none, and the last is not set */
    PLAIN(struct mailbox *) last;
    PLAIN(unsigned) count;
};

struct ready_list {
    CACHE_ALIGNED struct spinlock lock;
    ATOMIC(uint32_t) count;          /* of the chain; written under the lock, a hint for others, as is the next */
    ATOMIC(uint32_t) turn;           /* how often actors were taken, modulo 2^32 */
    struct ready_chain chain;        /* under the lock */
    PLAIN(struct worker *) sleepers; /* under the lock; linked by worker.next_sleeper */
};

static inline void ready_chain_append(struct ready_chain *chain, struct mailbox *mailbox) {
    mailbox->next_ready = NULL;
    if (chain->first == NULL)
        chain->first = mailbox;
    else
        chain->last->next_ready = mailbox;
    chain->last = mailbox;
    chain->count++;
}

static inline struct mailbox *ready_chain_take(struct ready_chain *chain) {
    struct mailbox *mailbox = chain->first;
    if (mailbox != NULL) {
        chain->first = mailbox->next_ready;
        chain->count--;
    }
    return mailbox;
}

/* Appends the actors of another chain, if it has any. */
static inline void ready_chain_join(struct ready_chain *chain, struct ready_chain other) {
    if (other.first == NULL)
        return;
    if (chain->first == NULL)
        chain->first = other.first;
    else
        chain->last->next_ready = other.first;
    chain->last = other.last;
    chain->count += other.count;
}

/* Cuts off the first `count` actors, of more. */
static inline struct ready_chain ready_chain_split(struct ready_chain *chain, unsigned count) {
    struct ready_chain front = {.first = chain->first, .count = count};
    struct mailbox *last = chain->first;
    for (unsigned i = 1; i < count; i++)
        last = last->next_ready;
    front.last = last;
    chain->first = last->next_ready;
    chain->count -= count;
    last->next_ready = NULL;
    return front;
}

static inline void ready_list_init(struct ready_list *list) {
    spinlock_init(&list->lock);
    atomic_initialise(&list->count, 0);
    atomic_initialise(&list->turn, FIRST_COUNT);
    list->chain = (struct ready_chain){0};
    list->sleepers = NULL;
}

/* How many actors there are: a hint. */
static inline unsigned ready_list_count(const struct ready_list *list) {
    return atomic_load_relaxed(&list->count);
}

/* The lock, for what takes more than one step. Releasing it publishes the count. */
static inline void ready_list_lock(struct ready_list *list) {
    spinlock_acquire(&list->lock);
}

static inline void ready_list_unlock(struct ready_list *list) {
    atomic_store_relaxed(&list->count, list->chain.count);
    spinlock_release(&list->lock);
}

/* Whether there is no actor: exact at a time between call and return. From any thread. */
static inline bool ready_list_is_empty(struct ready_list *list) {
    ready_list_lock(list);
    bool is_empty = list->chain.count == 0;
    ready_list_unlock(list);
    return is_empty;
}

/* Appends an actor; the sleeper that the caller must wake now, or NULL. From any thread. */
struct worker *ready_list_push(struct ready_list *list, struct mailbox *mailbox);

/* For who has taken actors, under the lock. */
static inline void ready_list_count_turn(struct ready_list *list) {
    atomic_store_relaxed(&list->turn, atomic_load_relaxed(&list->turn) + 1);
}

/* Takes the first actor, or NULL. From any thread. */
static inline struct mailbox *ready_list_take(struct ready_list *list) {
    if (ready_list_count(list) == 0)
        return NULL;
    ready_list_lock(list);
    struct mailbox *mailbox = ready_chain_take(&list->chain);
    ready_list_count_turn(list);
    ready_list_unlock(list);
    return mailbox;
}

/* Takes all actors. From any thread. */
static inline struct ready_chain ready_list_take_all(struct ready_list *list) {
    struct ready_chain all = {0};
    if (ready_list_count(list) == 0)
        return all;
    ready_list_lock(list);
    all = list->chain;
    list->chain = (struct ready_chain){0};
    ready_list_count_turn(list);
    ready_list_unlock(list);
    return all;
}

/* Puts a worker among the sleepers, unless there is an actor; false if there is. */
bool ready_list_join_sleepers(struct ready_list *list, struct worker *worker);

/* Takes a worker off the sleepers, if no push has done so. */
void ready_list_leave_sleepers(struct ready_list *list, struct worker *worker);

#endif
