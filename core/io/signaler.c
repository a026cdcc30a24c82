/* Policies by signalers: actors, one a set, that poll by messages to themselves, so that polling takes turns with all other actors
 * (React++, 4.5 "Extending the I/O Policy").
 *
 * A signaler rests, or it is active: its message is on its way, or runs. Who makes it active sends the message. Before it rests it
 * says so, and only then rearms: what the master finds from here on makes it active again. At the end it is told to end when it
 * rests, or ends by itself when it would rest.
 */
#include <stdlib.h>

#include "census.h"
#include "executor.h"
#include "platform/atomic.h"
#include "platform/cpu.h"
#include "platform/memory.h"
#include "policy.h"

enum state { ABSENT /* not made yet, or told to end */, RESTS, ACTIVE };
enum { EMPTY_POLLS = 4 /* in a row, before it rests */ };

typedef struct {
    struct actorbench_message message;
} signal;
ACTORBENCH_MESSAGE_TYPE(signal)

typedef struct {
    struct actorbench_actor actor;
    signal go_on;
    unsigned set, empty_polls;
    CACHE_ALIGNED ATOMIC(uint32_t) state;
} signaler;
#define BEHAVIOURS_signaler(ON) ON(signaler, signal, signaler_polls)
ACTORBENCH_ACTOR_TYPE(signaler)

static signaler *signalers;

static void activate(unsigned set) {
    uint32_t rests = RESTS;
    signaler *self = &signalers[set];
    /* Pairs with that in rest, with the exchange in end_signalers, and with the store in make_signalers. */
    if (atomic_cas_seq_cst(&self->state, &rests, ACTIVE))
        actorbench_send(signaler, self, &self->go_on);
}

static enum actorbench_allocation rest(signaler *self) {
    uint32_t active = ACTIVE;
    self->empty_polls = 0;
    /* Sequentially consistent: before the rearming, as sets.h says. Pairs with those in activate and end_signalers. */
    if (!atomic_cas_seq_cst(&self->state, &active, RESTS))
        return ACTORBENCH_FINISHED;
    actorbench_io_rearm(self->set, actorbench_worker());
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation signaler_polls(signaler *self, signal *message) {
    /* Relaxed: who sees it later will see it when it would rest. */
    if (atomic_load_relaxed(&self->state) == ABSENT)
        return ACTORBENCH_FINISHED;
    self->empty_polls = actorbench_io_poll(self->set) == 0 ? self->empty_polls + 1 : 0;
    if (self->empty_polls == EMPTY_POLLS)
        return rest(self);
    actorbench_send(signaler, self, message);
    return ACTORBENCH_NODELETE;
}

static void place_signalers(void) {
    unsigned count = actorbench_io_sets();
    signalers = (signaler *)memory_aligned(count * sizeof *signalers, _Alignof(signaler), "the signalers");
    for (unsigned i = 0; i < count; i++)
        atomic_initialise(&signalers[i].state, ABSENT);
}

static void make_signalers(void) {
    unsigned count = actorbench_io_sets();
    for (unsigned i = 0; i < count; i++) {
        actorbench_actor_init(signaler, &signalers[i]);
        actorbench_message_init(signal, &signalers[i].go_on, ACTORBENCH_NODELETE);
        signalers[i].set = i;
        atomic_store_release(&signalers[i].state, RESTS); /* pairs with the compare-and-swap in activate */
    }
    census_hide(count);
}

static void end_signalers(void) {
    unsigned count = actorbench_io_sets();
    census_await(count);
    for (unsigned i = 0; i < count; i++)
        if (atomic_exchange_seq_cst(&signalers[i].state, ABSENT) == RESTS) /* pairs with those in activate and rest */
            actorbench_send(signaler, &signalers[i], &signalers[i].go_on);
}

static void free_signalers(void) {
    free(signalers);
    signalers = NULL;
}

static void on_event(const struct actorbench_io_event *event) {
    if (event->level == ACTORBENCH_IO_MASTER)
        activate(event->set);
    else
        actorbench_io_tell(event->watch);
}

static bool poll_and_activate(unsigned worker) {
    if (!policy_poll(worker))
        return false;
    activate(actorbench_io_set_of(worker));
    return true;
}

const struct actorbench_io_policy actorbench_io_by_signalers = {
    .pre_launch = place_signalers,
    .post_launch = make_signalers,
    .on_event = on_event,
    .on_idle = policy_no_idle,
    .on_block = policy_no_block,
    .pre_stop = end_signalers,
    .post_stop = free_signalers,
};

const struct actorbench_io_policy actorbench_io_by_both = {
    .pre_launch = place_signalers,
    .post_launch = make_signalers,
    .on_event = on_event,
    .on_idle = poll_and_activate,
    .on_block = policy_rearm,
    .pre_stop = end_signalers,
    .post_stop = free_signalers,
};
