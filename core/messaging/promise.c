/* Promises: a word that says what has become of one and who waits for it, and a count of its two owners. */
#include "promise.h"

#include "check.h"
#include "executor.h"
#include "platform/clock.h"
#include "platform/parking.h"
#include "storage.h"

enum {
    /* States of a promise that is open: a thread sleeps; an actor is to be sent it. */
    AWAITED = ACTORBENCH_DROPPED + 1,
    CONTINUED,
    OWNERS = 2,
};

void *actorbench_promise_make(struct actorbench_message *message, size_t offset) {
    struct actorbench_promise *promise = (struct actorbench_promise *)((char *)message + offset);
    promise->message = message;
    atomic_initialise(&promise->state, ACTORBENCH_OPEN);
    atomic_initialise(&promise->owners, OWNERS);
    return message;
}

static inline bool is_settled(uint32_t state) {
    return state == ACTORBENCH_KEPT || state == ACTORBENCH_DROPPED;
}

/* With the end of the behaviour there it is the asker's no longer, whatever its receiver has set its allocation to. */
static void send_to_asker(struct actorbench_promise *promise) {
    promise->message->allocation = ACTORBENCH_DESTROY;
    (void)actorbench_post(promise->asker, promise->message, promise->reaction);
}

/* By who receives it, who is its owner until its message ends: so it is still there when a thread that was woken has done with
 * it. */
void actorbench_promise_settle(struct actorbench_promise *promise, enum actorbench_promise_state state) {
    /* Release: shows the answer to the loads of who asked. Acquire: pairs with the exchange in actorbench_future_continue. */
    uint32_t before = atomic_exchange_acq_rel(&promise->state, state);
    check(!is_settled(before), "a promise of type %s is kept a second time: keep it once",
          promise->message->type->name);
    if (before == AWAITED)
        parking_wake(&promise->state);
    else if (before == CONTINUED)
        send_to_asker(promise);
}

void actorbench_promise_release(struct actorbench_promise *promise) {
    /* Acquire and release: the last owner frees what the other has used. */
    if (atomic_fetch_add_acq_rel(&promise->owners, UINT32_MAX) == 1)
        storage_give(promise->message, promise->message->type->size);
}

/* The end of the message: once at the receiver's, and, if it went to the asker as well, once there. */
void actorbench_promise_give_up(struct actorbench_promise *promise) {
    if (!is_settled(atomic_load_relaxed(&promise->state))) /* only its receiver settles it: this thread */
        actorbench_promise_settle(promise, ACTORBENCH_DROPPED);
    actorbench_promise_release(promise);
}

enum actorbench_promise_state actorbench_future_look(struct actorbench_promise *promise) {
    uint32_t state = atomic_load_acquire(&promise->state); /* pairs with the exchange in actorbench_promise_settle */
    return is_settled(state) ? (enum actorbench_promise_state)state : ACTORBENCH_OPEN;
}

/* Sleeps until a word is no longer what it was, or time is over; whether there is time left. */
static bool sleep_on(ATOMIC(uint32_t) *word, uint32_t seen, uint64_t timeout_ns, uint64_t begun) {
    uint64_t waited = timeout_ns == ACTORBENCH_NO_TIMEOUT ? 0 : clock_monotonic_ns() - begun;
    if (timeout_ns != ACTORBENCH_NO_TIMEOUT && waited >= timeout_ns)
        return false;
    parking_wait(word, seen, timeout_ns == ACTORBENCH_NO_TIMEOUT ? PARKING_NO_TIMEOUT : timeout_ns - waited);
    return true;
}

static void check_outside(void) {
    check(actorbench_worker() == actorbench_workers(), "a worker waits, and runs nobody meanwhile: go on by a message "
                                                       "(actorbench_future_then), and wait on threads outside");
}

enum actorbench_promise_state actorbench_future_await(struct actorbench_promise *promise, uint64_t timeout_ns) {
    check_outside();
    uint64_t begun = clock_monotonic_ns();
    for (;;) {
        enum actorbench_promise_state state = actorbench_future_look(promise);
        uint32_t open = ACTORBENCH_OPEN;
        if (state != ACTORBENCH_OPEN)
            return state;
        (void)atomic_cas_acq_rel(&promise->state, &open, (uint32_t)AWAITED); /* or it is awaited or settled already */
        if (!sleep_on(&promise->state, AWAITED, timeout_ns, begun))
            return actorbench_future_look(promise);
    }
}

void actorbench_future_continue(struct actorbench_promise *promise, struct actorbench_actor *asker,
                                actorbench_behaviour *reaction) {
    promise->asker = asker;
    promise->reaction = reaction;
    for (;;) {
        uint32_t state =
            atomic_load_acquire(&promise->state); /* pairs with the exchange in actorbench_promise_settle */
        if (is_settled(state))
            break;
        /* Open, or awaited in vain before. Release: shows asker and reaction to that exchange. */
        if (atomic_cas_acq_rel(&promise->state, &state, (uint32_t)CONTINUED))
            return;
    }
    send_to_asker(promise);
}

/* ---- Barriers ---------------------------------------------------------------------------------------------------- */

static const struct actorbench_message_type barrier_type = {"actorbench_barrier", NULL, sizeof(actorbench_barrier),
                                                            NULL};

void actorbench_barrier_init(actorbench_barrier *barrier, uint32_t actors) {
    actorbench_message_construct(&barrier->message, &barrier_type, ACTORBENCH_NODELETE);
    atomic_initialise(&barrier->left, actors);
}

void actorbench_barrier_acknowledge(actorbench_barrier *barrier) {
    /* Acquire and release: who waits sees what all have done. From here on the last one does not look at the barrier, which may
     * be gone; the kernel takes the wake-up of an address where nobody sleeps for none. */
    if (atomic_fetch_add_acq_rel(&barrier->left, UINT32_MAX) == 1)
        parking_wake(&barrier->left);
}

bool actorbench_barrier_wait(actorbench_barrier *barrier, uint64_t timeout_ns) {
    check_outside();
    uint64_t begun = clock_monotonic_ns();
    for (;;) {
        uint32_t left =
            atomic_load_acquire(&barrier->left); /* pairs with the release in actorbench_barrier_acknowledge */
        if (left == 0)
            return true;
        if (!sleep_on(&barrier->left, left, timeout_ns, begun))
            return atomic_load_acquire(&barrier->left) == 0; /* as above */
    }
}
