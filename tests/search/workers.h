/* The worker-centric executor's own sources, whole. A scenario's threads play its workers, or threads from outside; they
 * call the parts of worker.c, steal.c and give.c that design_work calls, and send by actorbench_post.
 *
 * Mailbox i and actor i are in slot i at first, two a worker. What an actor receives is checked: the letters of each sender
 * come to it once and in order, by one worker at a time. A letter may ask its receiver to send others on.
 */
#ifndef ACTORBENCH_SEARCH_WORKERS_H
#define ACTORBENCH_SEARCH_WORKERS_H

#define ACTORBENCH_SMALL /* two envelopes a block, two messages a run, two out-boxes */
#include "search.h"

#include "platform/parking.h"

/* Each thread's own: the name of a thread-local variable is a call here, and its declaration one of the function. */
#pragma GCC diagnostic ignored "-Wparentheses"
#define this_worker   (*this_worker_here())
#define this_delivery (*this_delivery_here())
#define this_sender   (*this_sender_here())
#define this_dealer   (*this_dealer_here())

#include "census.c"
#include "lifecycle.c"
#include "platform/asymmetric.c"
#include "worker_centric/deal.c"
#include "worker_centric/executor.c"
#include "worker_centric/give.c"
#include "worker_centric/hold.c"
#include "worker_centric/lane.c"
#include "worker_centric/outbox.c"
#include "worker_centric/send.c"
#include "worker_centric/sleep.c"
#include "worker_centric/steal.c"
#include "worker_centric/worker.c"

enum { MOST_THREADS = 4, SHARE = 2, ACTORS = 6, SENDERS = ACTORS + MOST_THREADS, NOBODY = ACTORS };

static struct worker *workers_of_threads[MOST_THREADS];
static struct delivery deliveries[MOST_THREADS];
static struct sender senders[MOST_THREADS];
static struct dealer dealers[MOST_THREADS];

struct worker **this_worker_here() {
    return &workers_of_threads[rl::ctx().current_thread()];
}

struct delivery *this_delivery_here() {
    return &deliveries[rl::ctx().current_thread()];
}

static struct sender *this_sender_here() {
    return &senders[rl::ctx().current_thread()];
}

static struct dealer *this_dealer_here() {
    return &dealers[rl::ctx().current_thread()];
}

/* What core/ has for this in sources that are not searched. */
struct crew crew;
struct executor_round executor_round;
struct sharding sharding;

void sharding_release() {
    free(sharding.slots);
}

void recycle_begin(bool) {
}

void recycle_release(struct recycle_store *) {
}

void recycle_end() {
}

void block_depot_release() {
}

void storage_give(void *block, size_t) {
    free(block);
}

struct letter {
    struct actorbench_message message;
    unsigned sender, number; /* of those from this sender to its receiver */
    unsigned further, to;    /* so many letters are sent on, to that actor */
    bool is_last;            /* its receiver ends with it */
};

static const struct actorbench_message_type letter_type = {"letter", NULL, sizeof(struct letter), NULL};

struct receiver {
    struct actorbench_actor actor;
    search::plain<unsigned> received[SENDERS];
    search::plain<unsigned> sent[ACTORS]; /* by its behaviours */
    search::plain<unsigned> runs;         /* of them; no two at a time */
};

static struct receiver *actors;
static unsigned *sent_from_outside; /* by each thread to each actor */
static unsigned runs_here[MOST_THREADS];

static enum actorbench_allocation receive(struct actorbench_actor *actor, struct actorbench_message *content);

static void post(unsigned sender, unsigned number, unsigned receiver, unsigned further = 0, unsigned to = NOBODY,
                 bool is_last = false) {
    struct letter *letter = search::zeroed<struct letter>();
    actorbench_message_construct(&letter->message, &letter_type, ACTORBENCH_DELETE);
    letter->sender = sender;
    letter->number = number;
    letter->further = further;
    letter->to = to;
    letter->is_last = is_last;
    /* The only one that reads this; and it does so before any other thread may run, so that there need be but one. */
    this_run_queue = this_worker != NULL ? &this_worker->runs : &no_runs.queue;
    (void)actorbench_post(&actors[receiver].actor, &letter->message, receive);
}

/* The behaviour. */
static enum actorbench_allocation receive(struct actorbench_actor *actor, struct actorbench_message *content) {
    struct receiver *self = (struct receiver *)actor;
    struct letter *letter = (struct letter *)content;
    ALWAYS(self->received[letter->sender] == letter->number);
    self->received[letter->sender]++;
    self->runs++;
    runs_here[rl::ctx().current_thread()]++;
    for (unsigned i = 0; i < letter->further; i++)
        post(unsigned(self - actors), self->sent[letter->to]++, letter->to);
    return letter->is_last ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

/* A send by the calling thread, on its own account. */
static void send(unsigned receiver, unsigned further = 0, unsigned to = NOBODY, bool is_last = false) {
    unsigned thread = rl::ctx().current_thread();
    post(ACTORS + thread, sent_from_outside[thread * ACTORS + receiver]++, receiver, further, to, is_last);
}

template <typename derived, int count, unsigned worker_count = 2> struct workers : search::scenario<derived, count> {
    struct worker *worker[worker_count];
    struct mailbox *mailbox[worker_count * SHARE];

    void make(unsigned without) {
        executor.options = {};
        executor.options.without = without;
        executor_round.running = true;
        crew.count = worker_count;
        crew.members = search::zeroed<struct crew_member>(worker_count);
        sharding.share = SHARE;
        sharding.mailbox_count = worker_count * SHARE;
        sharding.slots = search::zeroed<mailbox_slot>(worker_count * SHARE);
        atomic_initialise(&crew.sleepers, 0);
        atomic_initialise(&executor_round.stopping, 0);
        spinlock_init(&producers.lock);
        producers.first = producers.left = NULL;
        census_init();
        std::memset(workers_of_threads, 0, sizeof workers_of_threads);
        std::memset(deliveries, 0, sizeof deliveries);
        std::memset(senders, 0, sizeof senders);
        std::memset(dealers, 0, sizeof dealers);
        std::memset(runs_here, 0, sizeof runs_here);
        asymmetric.is_light = false;
        design_make(1);
        for (unsigned i = 0; i < worker_count; i++)
            worker[i] = &executor.workers[i];
        actors = search::zeroed<struct receiver>(ACTORS);
        sent_from_outside = search::zeroed<unsigned>(MOST_THREADS * ACTORS);
        for (unsigned i = 0; i < worker_count * SHARE; i++) {
            actorbench_actor_construct(&actors[i].actor, NULL);
            mailbox[i] = slot_mailbox(&sharding.slots[i]);
        }
        for (unsigned i = 0; i < worker_count * SHARE; i++)
            ALWAYS(deal_mailbox(&actors[i].actor) == mailbox[i]);
    }

    /* The calling thread is a worker from here on, or none. */
    void be(struct worker *played) {
        this_worker = played;
        this_delivery.is_in_place = played != NULL;
    }

    /* One round of a worker, as in design_work. */
    bool round(unsigned number) {
        be(worker[number]);
        return work(worker[number]);
    }

    /* Rounds of a worker until so many letters have run on it, as in design_work. */
    void rounds(unsigned number, unsigned letters) {
        unsigned thread = rl::ctx().current_thread();
        while (runs_here[thread] < letters) {
            if (round(number))
                continue;
            (void)hold_leave(worker[number], LEAVE_ALL);
            sleep_worker(worker[number]);
            cpu_relax();
        }
    }

    /* The worker takes mailboxes, with what is in them, and runs none of it. */
    void hold(unsigned number) {
        (void)hold_collect(worker[number], COLLECT_ALL);
    }

    /* A thief that is idle exchanges what is in slot `mine` for what is in slot `theirs`, as take in steal.c when that one's
     * owner comes to hold the mailbox meanwhile. */
    void rob(unsigned mine, unsigned theirs) {
        mailbox_slot *own = &sharding.slots[mine], *slot = &sharding.slots[theirs];
        ALWAYS(slots_swap(own, slot_mailbox(own), slot, slot_mailbox(slot)));
        give_tell(worker[theirs / SHARE]);
    }

    /* At the end: all workers do what there is to do, holding or not as they were. */
    void drain() {
        for (unsigned idle = 0; idle < 2;) {
            bool busy = false;
            for (unsigned i = 0; i < worker_count; i++)
                busy |= round(i);
            idle = busy ? 0 : idle + 1;
        }
        be(NULL);
    }

    void expect(unsigned sender, unsigned receiver, unsigned letters) {
        ALWAYS(actors[receiver].received[sender] == letters);
    }

    /* Every mailbox is in one slot, nobody holds what is another's, in the end nobody anything, and nothing is left. */
    void end() {
        unsigned seen[worker_count * SHARE] = {0};
        for (unsigned i = 0; i < worker_count * SHARE; i++) {
            struct mailbox *found = slot_mailbox(&sharding.slots[i]);
            struct worker *holder = mailbox_holder(found);
            ALWAYS(holder == NULL || holder == worker[i / SHARE]);
            ALWAYS(seen[found->number]++ == 0);
        }
        for (struct worker *one : worker) {
            (void)hold_leave(one, LEAVE_ALL);
            ALWAYS(run_queue_is_empty(&one->runs) && run_queue_length(&one->runs) == 0);
        }
        for (struct mailbox *one : mailbox) {
            ALWAYS(mailbox_count(one) == 0);
            ALWAYS(mailbox_holder(one) == NULL);
        }
        design_release();
        free(crew.members);
        free(actors);
        free(sent_from_outside);
    }
};

#endif
