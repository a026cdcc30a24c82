/* Making actors, and sends: by a worker to its run queue, by a thread outside by its lane, or else under the mailbox's lock. */
#include "send.h"
#include "check.h"
#include "crew.h"
#include "deal.h"
#include "design.h"
#include "sharded/sleep.h"

static struct run_queue no_run_queue;
_Thread_local struct worker *this_worker;
_Thread_local struct run_queue *this_run_queue = &no_run_queue;

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

/* Makes the mailbox's lane for the calling thread; NULL if another thread was first. */
__attribute__((noinline)) static struct lane *claim_lane(struct mailbox *mailbox) {
    struct lane *lane = lane_make(), *none = NULL;
    /* Release: pairs with the acquire in mailbox_lane. Sequentially consistent: with sleep.c's look at the lanes, which finds
     * this one, or else this send finds the sleeper. */
    if (atomic_cas_seq_cst(&mailbox->lane, &none, lane))
        return lane;
    lane_free(lane);
    return NULL;
}

/* The lane of the calling thread, which is no worker, to a mailbox; NULL if another thread has it. */
static inline struct lane *own_lane(struct mailbox *mailbox) {
    struct lane *lane = mailbox_lane(mailbox);
    if (unlikely(lane == NULL))
        return claim_lane(mailbox);
    return lane->producer == lane_self ? lane : NULL;
}

/* Any send but a worker's to a run queue with room, or by a lane with room. */
__attribute__((noinline)) static struct actorbench_actor *
post_otherwise(struct actorbench_actor *receiver, struct actorbench_message *content,
               actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    struct envelope envelope = {receiver, content, reaction STAMPED(, sent)};
    if (this_worker != NULL) {
        run_queue_append(&this_worker->runs, &this_worker->pool, envelope);
        return receiver;
    }
    /* Relaxed: written before the receiver's address was given to anybody. */
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket);
    struct lane *lane = executor_has(MECHANISM_LANES) ? own_lane(mailbox) : NULL;
    if (lane == NULL) {
        sleep_wake_owner(mailbox_append(mailbox, NULL, envelope));
        return receiver;
    }
    lane_send(lane, envelope);
    return mailbox_has_sleeper(mailbox) ? wake(receiver, mailbox) : receiver;
}

/* A send by the calling thread's lane, if it has one with room. Out of line, and nothing but this, so that it needs no stack frame; the
 * envelope's members come one by one, for the reason in hold.h. */
__attribute__((noinline)) static struct actorbench_actor *
post_outside(struct actorbench_actor *receiver, struct actorbench_message *content,
             actorbench_behaviour *reaction STAMPED(, uint64_t sent)) {
    /* Relaxed: as in post_otherwise. A worker has no lane. */
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&receiver->ticket);
    struct lane *lane = mailbox_lane(mailbox);
    if (unlikely(lane == NULL || lane->producer != lane_self || !lane_has_room(lane)))
        return post_otherwise(receiver, content, reaction STAMPED(, sent));
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
