/* The message-centric executor's own sources, whole. A scenario's threads play its workers, or threads from outside; they
 * call the parts of worker.c and steal.c that `worker_main` calls, and send by actor_post.
 *
 * Mailbox i and actor i are in slot i at first. What an actor receives is checked: the letters of each sender come to it
 * once and in order, by one worker at a time. A letter may ask its receiver to send others on.
 */
#ifndef ACTORBENCH_SEARCH_WORKERS_H
#define ACTORBENCH_SEARCH_WORKERS_H

#define ACTORBENCH_SMALL /* two envelopes a block, two out-boxes */
#include "search.h"

#include "platform/parking.h"

/* Each thread's own: the name of a thread-local variable is a call here, and its declaration one of the function. */
#pragma GCC diagnostic ignored "-Wparentheses"
#define this_worker (*this_worker_here())
#define lane_self   (*lane_self_here())

#include "census.c"
#include "message_centric/copy_queue.c"
#include "message_centric/executor.c"
#include "message_centric/hold.c"
#include "message_centric/lane.c"
#include "message_centric/outbox.c"
#include "message_centric/sleep.c"
#include "message_centric/worker.c"
#include "platform/asymmetric.c"
#define search search_slots /* the name of our namespace */
#include "message_centric/steal.c"
#undef search

enum { MOST_THREADS = 4, ACTORS = 4, SENDERS = ACTORS + MOST_THREADS, NOBODY = ACTORS };

static struct worker *workers_of_threads[MOST_THREADS];
static uint64_t lane_selves[MOST_THREADS];

struct worker **this_worker_here() {
    return &workers_of_threads[rl::ctx().current_thread()];
}

uint64_t *lane_self_here() {
    return &lane_selves[rl::ctx().current_thread()];
}

/* What core/ has for this in sources that are not searched. */
struct crew crew;

void neighbours_release(struct neighbours *) {
}

void recycle_release(struct recycle_store *) {
}

void stats_collect(const struct executor_statistics *) {
}

void lifecycle_end_message(struct message *content, enum allocation) {
    free(content);
}

void lifecycle_end_actor(struct actor *, enum allocation) {
}

struct letter {
    struct message message;
    unsigned sender, number; /* of those from this sender to its receiver */
    unsigned further, to;    /* so many letters are sent on, to that actor */
};

struct receiver {
    struct actor actor;
    search::plain<unsigned> received[SENDERS];
    search::plain<unsigned> sent[ACTORS]; /* by its behaviours */
    search::plain<unsigned> runs;         /* of them; no two at a time */
};

static struct receiver *actors;
static unsigned *sent_from_outside; /* by each thread to each actor */

static enum allocation receive(struct actor *actor, struct message *content);

static void post(unsigned sender, unsigned number, unsigned receiver, unsigned further = 0, unsigned to = NOBODY) {
    struct letter *letter = search::zeroed<struct letter>();
    letter->message.allocation = DELETE;
    letter->sender = sender;
    letter->number = number;
    letter->further = further;
    letter->to = to;
    /* The only one that reads this; and it does so before any other thread may run, so that there need be but one. */
    this_run_queue = this_worker != NULL ? &this_worker->runs : &no_run_queue;
    (void)actor_post(&actors[receiver].actor, &letter->message, receive);
}

/* The behaviour. */
static enum allocation receive(struct actor *actor, struct message *content) {
    struct receiver *self = (struct receiver *)actor;
    struct letter *letter = (struct letter *)content;
    ALWAYS(self->received[letter->sender] == letter->number);
    self->received[letter->sender]++;
    self->runs++;
    for (unsigned i = 0; i < letter->further; i++)
        post(unsigned(self - actors), self->sent[letter->to]++, letter->to);
    return NODELETE;
}

/* A send by the calling thread, on its own account. */
static void send(unsigned receiver, unsigned further = 0, unsigned to = NOBODY) {
    unsigned thread = rl::ctx().current_thread();
    post(ACTORS + thread, sent_from_outside[thread * ACTORS + receiver]++, receiver, further, to);
}

template <typename derived, int count> struct workers : search::scenario<derived, count> {
    struct worker *worker[2];
    struct mailbox *mailbox[ACTORS];

    /* Two workers with two slots each. */
    void make(bool lanes, bool fine, enum queue_kind queue = QUEUE_BLOCK) {
        executor.options = {};
        executor.options.queue = queue;
        executor.options.mailboxes_per_worker = ACTORS / 2;
        executor.options.local = executor.options.outboxes = fine;
        executor.options.lanes = lanes;
        executor.worker_count = 2;
        executor.mailbox_count = ACTORS;
        executor.workers = search::zeroed<struct worker>(2);
        executor.slots = search::zeroed<mailbox_slot>(ACTORS);
        crew.members = search::zeroed<struct crew_member>(2);
        asymmetric_is_light = false;
        census_init();
        atomic_initialise(&producers, 0);
        atomic_initialise(&executor.stopping, 0);
        atomic_initialise(&executor.sleepers, 0);
        for (unsigned i = 0; i < 2; i++) {
            make_worker(i, 1);
            worker[i] = &executor.workers[i];
            if (fine)
                work_finely(worker[i]);
        }
        actors = search::zeroed<struct receiver>(ACTORS);
        sent_from_outside = search::zeroed<unsigned>(MOST_THREADS * ACTORS);
        for (unsigned i = 0; i < ACTORS; i++) {
            actor_construct(&actors[i].actor, NULL);
            mailbox[i] = slot_mailbox(&executor.slots[i]);
        }
        std::memset(workers_of_threads, 0, sizeof workers_of_threads);
        std::memset(lane_selves, 0, sizeof lane_selves);
    }

    /* The calling thread is a worker from here on, or none. */
    void be(struct worker *played) {
        this_worker = played;
    }

    /* One round of a worker, as in worker_main. */
    bool round(struct worker *played) {
        be(played);
        return played->fine ? run_held(played) : scan(played) != 0;
    }

    /* At the end: both workers do what there is to do, holding or not as they were. */
    void drain() {
        for (unsigned idle = 0; idle < 2;)
            idle = round(worker[0]) + round(worker[1]) != 0 ? 0 : idle + 1;
        be(NULL);
    }

    void expect(unsigned sender, unsigned receiver, unsigned letters) {
        ALWAYS(actors[receiver].received[sender] == letters);
    }

    /* Nobody holds what is another's, in the end nobody anything, and nothing is left. */
    void end() {
        for (unsigned i = 0; i < ACTORS; i++) {
            struct worker *holder = hold_holder(slot_mailbox(&executor.slots[i]));
            ALWAYS(holder == NO_HOLDER || holder == worker[i / 2]);
        }
        for (struct worker *one : worker)
            work_openly(one);
        for (struct mailbox *one : mailbox) {
            ALWAYS(mailbox_count(one) == 0);
            ALWAYS(!turn_is_processed(mailbox_turn(one)));
            ALWAYS(hold_holder(one) == NO_HOLDER);
        }
        release_everything();
        free(crew.members);
        free(actors);
        free(sent_from_outside);
    }
};

#endif
