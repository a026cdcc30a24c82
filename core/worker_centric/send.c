/* Making actors, and sends: by a worker to its run queue, by a thread outside by its lane, or else under the mailbox's lock. */
#include "send.h"
#include "check.h"
#include "crew.h"
#include "deal.h"
#include "design.h"
#include "give.h"
#include "sharded/sleep.h"

/* A thread's that is no worker: it has no room, so that what is sent goes another way. On a line of its own, as all such threads read it. */
static struct { CACHE_ALIGNED struct run_queue queue; } no_runs;
_Thread_local struct worker *this_worker;
_Thread_local struct run_queue *this_run_queue = &no_runs.queue;

void actorbench_actor_construct(struct actorbench_actor *actor, const struct actorbench_actor_type *type) {
    check(executor_round.running, "actor %p of type %s is made while no executor runs: call actorbench_start first",
          (void *)actor, type->name);
    actor->type = type;
    atomic_initialise(&actor->ticket, (uintptr_t)deal(this_worker));
}

void actorbench_actor_limit_dispatch(struct actorbench_actor *actor, unsigned messages) {
    (void)actor, (void)messages; /* the run queue is served in its order, whoever its messages are for */
}

/* Wakes the mailbox's owner, should it still sleep. Out of line, as the usual send needs none. */
__attribute__((noinline)) static struct actorbench_actor *wake(struct actorbench_actor *receiver,
                                                               struct mailbox *mailbox) {
    spinlock_acquire(&mailbox->lock);
    uint32_t sleeper = mailbox_take_sleeper(mailbox);
    spinlock_release(&mailbox->lock);
    sleep_wake_owner(sleeper);
    return receiver;
}

/* The calling thread, which is no worker, as a sender, and the actor that it sends to again and again. To look up where an actor's
 * messages go takes its line from the worker that runs its behaviours, which write there: half of what a send costs. So that is
 * remembered, until an actor ends in that mailbox: from then on another one may be at the same address (note_end in worker.c). */
struct sender {
    struct claim claim;                  /* what follows is of its round; without a producer it has sent nothing yet */
    const struct actorbench_actor *last; /* receiver that was looked up */
    const struct actorbench_actor *receiver; /* that is remembered, or NULL */
    struct mailbox *mailbox;                 /* of that one, */
    struct lane *lane;                       /* this sender's there, */
    uint64_t ends;                           /* and the mailbox's when it was looked up */
};

static _Thread_local struct sender this_sender;

/* Whether the receiver is remembered. Relaxed: who has made another actor at this address had it from who ended the one before, and the
 * caller has it from him. */
static inline bool sends_again(const struct sender *sender, const struct actorbench_actor *receiver) {
    return sender->receiver == receiver && atomic_load_relaxed(&sender->mailbox->ends) == sender->ends;
}

/* Remembers a receiver that is looked up for the second time: for who sends to each actor once no end need be counted. Relaxed: its message
 * is yet to be sent, so that it has not ended. */
static inline void remember(struct sender *sender, const struct actorbench_actor *receiver, struct mailbox *mailbox,
                            struct lane *lane) {
    if (sender->last == receiver) {
        if (!atomic_load_relaxed(&executor.remembers))
            atomic_store_relaxed(&executor.remembers, true);
        sender->receiver = receiver;
        sender->mailbox = mailbox;
        sender->lane = lane;
        sender->ends = atomic_load_relaxed(&mailbox->ends);
    }
    sender->last = receiver;
}

/* The sender's lane to a mailbox, made if it has none; NULL if the mailbox has as many as it may. The producer is claimed before anything is
 * sent: it may have lanes, where later messages would overtake those that went by the lock. */
static struct lane *own_lane(struct sender *sender, struct mailbox *mailbox) {
    if (sender->claim.producer == NULL) {
        sender->claim.producer = producer_claim();
        claim_ends_with_thread(&sender->claim);
    }
    struct lane *own = NULL;
    ATOMIC(struct lane *) *link = &mailbox->lanes;
    for (unsigned lanes = 0; lanes < MOST_LANES; lanes++) {
        struct lane *lane = lane_at(link);
        if (lane == NULL) {
            if (own == NULL)
                own = lane_make(sender->claim.producer);
            /* Release: pairs with the acquire in lane_at. Sequentially consistent: with sleep.c's look at the lanes, which finds
             * this one, or else this send finds the sleeper. */
            if (atomic_cas_seq_cst(link, &lane, own))
                return own;
            lane = lane_at(link);
        }
        if (lane->producer == sender->claim.producer)
            return lane;
        link = &lane->further;
    }
    lane_free(own);
    return NULL;
}

/* A send by a lane, whether it has room or not. */
__attribute__((noinline)) static struct actorbench_actor *
post_in_lane(struct mailbox *mailbox, struct lane *lane, struct actorbench_actor *receiver,
             struct actorbench_message *content, actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    lane_send(lane, (struct envelope){receiver, content, reaction STAMPED(, sent)});
    return mailbox_has_sleeper(mailbox) ? wake(receiver, mailbox) : receiver;
}

/* Any send but a worker's to a run queue with room, or one more to a receiver that is remembered. */
__attribute__((noinline)) static struct actorbench_actor *
post_otherwise(struct actorbench_actor *receiver, struct actorbench_message *content,
               actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    struct envelope envelope = {receiver, content, reaction STAMPED(, sent)};
    if (this_worker != NULL) {
        if (this_worker->heed.left != 0) {
            give_send(this_worker, envelope);
            return receiver;
        }
        run_queue_append(&this_worker->runs, &this_worker->pool, envelope);
        give_midway(this_worker);
        return receiver;
    }
    struct sender *sender = &this_sender;
    if (sender->claim.round != producers.round)
        *sender = (struct sender){.claim = {.round = producers.round}};
    struct mailbox *mailbox = deal_mailbox(receiver);
    struct lane *lane = executor_has(MECHANISM_LANES) ? own_lane(sender, mailbox) : NULL;
    if (lane == NULL) {
        sleep_wake_owner(mailbox_append(mailbox, NULL, envelope));
        return receiver;
    }
    remember(sender, receiver, mailbox, lane);
    return post_in_lane(mailbox, lane, receiver, content, reaction STAMPED(, sent));
}

/* A send by a lane of the calling thread's: to a receiver that is remembered, or by a mailbox's first lane. Out of line, and nothing but
 * this, so that it needs no stack frame; the envelope's members come one by one, for the reason in hold.h. */
__attribute__((noinline)) static struct actorbench_actor *
post_outside(struct actorbench_actor *receiver, struct actorbench_message *content,
             actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    struct sender *sender = &this_sender;
    struct mailbox *mailbox = sender->mailbox;
    struct lane *lane = sender->lane;
    if (unlikely(sender->claim.round != producers.round))
        return post_otherwise(receiver, content, reaction STAMPED(, sent)); /* so does a worker */
    if (!sends_again(sender, receiver)) {
        mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket); /* or a face, which has no lane */
        lane = lane_at(&mailbox->lanes);
        if (unlikely(lane == NULL || lane->producer != sender->claim.producer))
            return post_otherwise(receiver, content, reaction STAMPED(, sent));
        remember(sender, receiver, mailbox, lane);
    }
    if (unlikely(!lane_has_room(lane)))
        return post_in_lane(mailbox, lane, receiver, content, reaction STAMPED(, sent));
    lane_put(lane, (struct envelope){receiver, content, reaction STAMPED(, sent)});
    return unlikely(mailbox_has_sleeper(mailbox)) ? wake(receiver, mailbox) : receiver;
}

struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *content,
                                         actorbench_behaviour *reaction) {
    send_begin(receiver, content, this_worker != NULL ? &this_worker->statistics : NULL, SEND_DELAY(executor.options));
    struct envelope envelope = {receiver, content, reaction STAMPED(, clock_cycles())};
    if (likely(run_queue_has_room(this_run_queue))) {
        run_queue_put(this_run_queue, envelope);
        return receiver;
    }
    return post_outside(receiver, content, reaction STAMPED(, envelope.sent));
}
