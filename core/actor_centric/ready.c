/* The four kinds of ready queues; what they are is in ready.h. */
#include "ready.h"

#include "placement.h"
#include "sleep.h"

static void push(struct ready_list *list, struct mailbox *mailbox) {
    struct worker *sleeper = ready_list_push(list, mailbox);
    if (sleeper != NULL)
        sleep_wake(sleeper);
}

/* Tells a sleeping thief, if there are thieves, that there is more than the worker will run next. */
static void invite(struct worker *worker) {
    if (executor.options.steal != STEAL_NONE)
        sleep_wake_one(worker);
}

/* Puts an actor where a worker finds it. */
static inline void put(struct worker *sender, struct worker *worker, struct mailbox *mailbox) {
    if (executor.options.ready != READY_DEQUE || worker != sender) {
        push(&worker->inbox, mailbox);
        return;
    }
    deque_push(&worker->deque, mailbox);
    if (deque_count(&worker->deque) > 1)
        invite(worker);
}

/* Puts an actor where its worker alone finds it, and no thief; as sleep.h says, the push comes first. */
static void put_bound(struct worker *sender, struct worker *worker, struct mailbox *mailbox) {
    (void)ready_list_push(&worker->bound, mailbox);
    if (worker != sender)
        sleep_wake(worker);
}

/* What ready_wake does where it is not the same for all actors, or not for the worker alone. */
static void look_and_put(struct worker *sender, struct mailbox *mailbox) {
    uint32_t place = atomic_load_relaxed(&mailbox->place); /* as in actorbench_actor_fix */
    mailbox->is_bound = place >= BOUND_TO(0);
    if (mailbox->is_bound)
        put_bound(sender, placement_bind(place - BOUND_TO(0), mailbox), mailbox);
    else if (executor.options.ready == READY_GLOBAL)
        push(&executor.global[place], mailbox);
    else
        put(sender, placement_choose_in(place, sender, mailbox), mailbox);
}

void ready_wake(struct mailbox *mailbox) {
    struct worker *sender = this_worker;
    if (unlikely(atomic_load_relaxed(&executor.looks))) /* as said where it is declared */
        look_and_put(sender, mailbox);
    else
        put(sender, placement_choose(sender, mailbox), mailbox);
}

void ready_yield(struct worker *worker, struct mailbox *mailbox) {
    if (unlikely(mailbox->is_bound))
        put_bound(worker, worker, mailbox);
    else if (executor.options.ready == READY_LQOQ)
        ready_chain_append(&worker->yielded, mailbox);
    else
        push(ready_list_of(worker), mailbox);
}

/* Takes what is bound to the worker into its local queue. */
static void take_bound(struct worker *worker) {
    ready_chain_join(&worker->local, ready_list_take_all(&worker->bound));
}

/* ---- global ----------------------------------------------------------------------------------------------------- */

/* Out of line: inlined in the worker's loop, it would cost every kind a register. */
__attribute__((noinline)) static struct mailbox *next_of_global(struct worker *worker) {
    struct ready_list *shared = ready_list_of(worker);
    bool bound_first = worker->activations % 2 != 0;
    struct mailbox *mailbox = ready_list_take(bound_first ? &worker->bound : shared);
    return mailbox != NULL ? mailbox : ready_list_take(bound_first ? shared : &worker->bound);
}

/* ---- fifo ------------------------------------------------------------------------------------------------------- */

static struct mailbox *next_of_fifo(struct worker *worker) {
    if (worker->local.first == NULL) {
        worker->local = ready_list_take_all(&worker->inbox);
        take_bound(worker);
    }
    return ready_chain_take(&worker->local);
}

/* ---- deque ------------------------------------------------------------------------------------------------------ */

/* Moves the inbox into the deque, the oldest last, to be popped first. */
static void unpack_inbox(struct worker *worker) {
    struct ready_chain chain = ready_list_take_all(&worker->inbox);
    struct mailbox *reversed = NULL, *mailbox;
    while ((mailbox = ready_chain_take(&chain)) != NULL) {
        mailbox->next_ready = reversed;
        reversed = mailbox;
    }
    while (reversed != NULL) {
        mailbox = reversed;
        reversed = mailbox->next_ready; /* before a thief can have it */
        deque_push(&worker->deque, mailbox);
    }
    if (deque_count(&worker->deque) > 1)
        invite(worker);
}

/* By turns the first of the inbox and that of the deque, and of what is bound, if anything is: none may ever be empty. */
static struct mailbox *oldest_of_deque(struct worker *worker) {
    unsigned turn = worker->activations / OLDEST_EACH;
    struct mailbox *mailbox = turn % 3 == 2 ? ready_list_take(&worker->bound) : NULL;
    if (mailbox != NULL)
        return mailbox;
    bool deque_first = turn % 2 != 0;
    if (deque_first && deque_steal(&worker->deque, &mailbox) == DEQUE_STOLEN)
        return mailbox;
    mailbox = ready_list_take(&worker->inbox);
    if (mailbox != NULL || deque_first || deque_steal(&worker->deque, &mailbox) == DEQUE_STOLEN)
        return mailbox;
    return NULL;
}

static struct mailbox *next_of_deque(struct worker *worker) {
    struct mailbox *mailbox = NULL;
    if (worker->activations % OLDEST_EACH == 0)
        mailbox = oldest_of_deque(worker);
    if (mailbox == NULL)
        mailbox = deque_pop(&worker->deque);
    if (mailbox == NULL) {
        if (ready_list_count(&worker->inbox) != 0) {
            unpack_inbox(worker);
            mailbox = deque_pop(&worker->deque);
        }
        if (mailbox == NULL)
            mailbox = ready_list_take(&worker->bound);
    }
    return mailbox;
}

/* ---- lqoq ------------------------------------------------------------------------------------------------------- */

/* Fills an empty local queue; true if half was left to others. */
static bool pull(struct ready_chain *local, struct ready_list *orchestration) {
    bool halved = orchestration->chain.count > 1;
    if (halved) {
        *local = ready_chain_split(&orchestration->chain, (orchestration->chain.count + 1) / 2);
    } else {
        *local = orchestration->chain;
        orchestration->chain = (struct ready_chain){0};
    }
    return halved;
}

/* Ends a cycle by the table in ready.h; the local queue is what has yielded. */
static void change_roles(struct worker *worker) {
    struct ready_list *orchestration = &worker->inbox;
    struct ready_chain *local = &worker->local;
    *local = worker->yielded;
    worker->yielded = (struct ready_chain){0};
    if (ready_list_count(orchestration) == 0 && local->count <= 1)
        return;
    bool halved = false;
    ready_list_lock(orchestration);
    ready_list_count_turn(orchestration);
    if (local->count == 0) {
        halved = pull(local, orchestration);
    } else if (orchestration->chain.count == 0) {
        halved = local->count > 1;
        if (halved)
            orchestration->chain = ready_chain_split(local, local->count / 2);
    } else {
        struct ready_chain swapped = *local;
        *local = orchestration->chain;
        orchestration->chain = swapped;
        count_statistic(&worker->statistics, swaps, 1);
    }
    ready_list_unlock(orchestration);
    if (halved) {
        count_statistic(&worker->statistics, balances, 1);
        invite(worker);
    }
}

static struct mailbox *next_of_lqoq(struct worker *worker) {
    if (worker->local.first == NULL) {
        change_roles(worker);
        take_bound(worker);
    }
    return ready_chain_take(&worker->local);
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

struct mailbox *ready_next(struct worker *worker) {
    switch (executor.options.ready) {
    case READY_GLOBAL:
        return next_of_global(worker);
    case READY_FIFO:
        return next_of_fifo(worker);
    case READY_DEQUE:
        return next_of_deque(worker);
    default:
        return next_of_lqoq(worker);
    }
}
