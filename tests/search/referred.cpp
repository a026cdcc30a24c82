/* Actors that are referred to (messaging/referred.h): what comes is run or missed, each once; who sends to one that is enabled, or
 * sees that it has quit, sees what was done to it before; it is ended once, after everybody's last use. */
#include "search.h"

/* Each thread's own; see workers.h. */
#pragma GCC diagnostic ignored "-Wparentheses"
#define this_delivery (*this_delivery_here())

#include "delivery.h"
#include "lifecycle.c"
#include "messaging/referred.c"

enum { WORKER, OTHER, ANOTHER, THREADS };

static struct delivery deliveries[THREADS];

struct delivery *this_delivery_here() {
    return &deliveries[rl::ctx().current_thread()];
}

void storage_give(void *block, size_t) {
    free(block);
}

struct clerk {
    struct actorbench_actor actor;
    struct actorbench_references references;
    search::plain<unsigned> heard; /* its own, or its maker's */
    search::plain<unsigned> patience;
};

static unsigned ended, heard, missed; /* clerks, and what the end of one has found */

static void clerk_ends(struct actorbench_actor *actor) {
    struct clerk *self = (struct clerk *)actor;
    ended++;
    heard = self->heard;
    missed = unsigned(actorbench_referred_missed(&self->references));
}

static const struct actorbench_actor_type clerk_type = {"clerk", clerk_ends, sizeof(struct clerk)};
static const struct actorbench_message_type note_type = {"note", NULL, sizeof(struct actorbench_message), NULL};

/* The clerk's mailbox: a place for what each thread sends, one message after the other. */
struct place {
    ATOMIC(uintptr_t) message;
    search::plain<actorbench_behaviour *> reaction;
};
static struct place *places;

struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *message,
                                         actorbench_behaviour *reaction) {
    struct place *place = &places[rl::ctx().current_thread()];
    while (atomic_load_acquire(&place->message) != 0)
        cpu_yield();
    place->reaction = reaction;
    atomic_store_release(&place->message, uintptr_t(message));
    return receiver;
}

static const size_t references_at = offsetof(struct clerk, references);

static enum actorbench_allocation clerk_hears(struct actorbench_actor *actor, struct actorbench_message *) {
    struct clerk *self = (struct clerk *)actor;
    self->heard++;
    return self->heard == self->patience ? ACTORBENCH_DELETE : ACTORBENCH_NODELETE;
}

/* As the executor runs it. */
static enum actorbench_allocation referred_hears(struct actorbench_actor *actor, struct actorbench_message *message) {
    return actorbench_referred_receive(actor, references_at, message, clerk_hears);
}

/* A clerk with a worker of its own. */
template <typename derived, rl::thread_id_t threads> struct a_clerk : search::scenario<derived, threads> {
    struct clerk *clerk;
    struct actorbench_references *references;

    void make(unsigned referrers, unsigned patience, bool is_enabled) {
        ended = heard = missed = 0;
        places = search::zeroed<struct place>(THREADS);
        for (unsigned i = 0; i < THREADS; i++)
            atomic_initialise(&places[i].message, 0);
        clerk = search::zeroed<struct clerk>();
        clerk->actor.type = &clerk_type;
        references = &clerk->references;
        (void)actorbench_referred_make(&clerk->actor, references_at);
        for (unsigned i = 1; i < referrers; i++)
            actorbench_referred_refer(references);
        clerk->heard = 0;
        clerk->patience = patience;
        if (is_enabled)
            actorbench_referred_enable(references);
    }
    bool send() {
        struct actorbench_message *note = search::zeroed<struct actorbench_message>();
        actorbench_message_construct(note, &note_type, ACTORBENCH_DELETE);
        return actorbench_referred_post(&clerk->actor, references_at, note, referred_hears);
    }
    void forget() {
        actorbench_referred_forget(&clerk->actor, references_at);
    }
    /* Runs what has come to the clerk from one thread; whether that has ended it. */
    bool run(struct place *place) {
        struct actorbench_message *message = (struct actorbench_message *)atomic_load_acquire(&place->message);
        if (message == NULL)
            return false;
        struct envelope envelope = {&clerk->actor, message, place->reaction};
        atomic_store_release(&place->message, 0);
        return deliver(envelope, envelope.message, NULL);
    }
    /* The worker's part. */
    void run_until_it_ends() {
        for (;;) {
            for (unsigned i = 0; i < threads; i++)
                if (run(&places[i]))
                    return;
            cpu_yield();
        }
    }
    void expect(unsigned to_hear, unsigned to_miss) {
        ALWAYS(ended == 1);
        ALWAYS(heard == to_hear && missed == to_miss);
        free(places);
    }
};

/* Its maker sets it up and enables it beside who sends to it already. */
struct enabled : a_clerk<enabled, 2> {
    bool was_there;

    void prepare() {
        make(2, 0, false);
    }
    void thread(unsigned number) {
        if (number == OTHER) {
            clerk->patience = 2;
            actorbench_referred_enable(references);
            forget();
            return;
        }
        was_there = send();
        forget();
        run_until_it_ends();
    }
    void finish() {
        expect(was_there ? 1 : 0, was_there ? 0 : 1);
    }
};

/* It quits; who sends to it may find that, or not. */
struct quits : a_clerk<quits, 2> {
    void prepare() {
        make(1, 1, true);
    }
    void thread(unsigned number) {
        if (number == WORKER) {
            run_until_it_ends();
            return;
        }
        (void)send();
        (void)send();
        forget();
    }
    void finish() {
        expect(1, 1);
    }
};

/* Who sees that it has quit sees what it did. */
struct seen : a_clerk<seen, 2> {
    void prepare() {
        make(1, 1, true);
    }
    void thread(unsigned number) {
        if (number == WORKER) {
            run_until_it_ends();
            return;
        }
        ALWAYS(send());
        while (actorbench_referred_presence(references) != ACTORBENCH_GONE)
            cpu_yield();
        ALWAYS(clerk->heard == 1);
        forget();
    }
    void finish() {
        expect(1, 0);
    }
};

/* Two forget it: the end comes after what both have done. */
struct forgotten : a_clerk<forgotten, 3> {
    void prepare() {
        make(2, 1, true);
    }
    void thread(unsigned number) {
        if (number == WORKER) {
            run_until_it_ends();
            return;
        }
        ALWAYS(actorbench_referred_presence(references) == ACTORBENCH_ENABLED);
        forget();
    }
    void finish() {
        expect(0, 0);
    }
};

/* Two send, and forget it. */
struct two_senders : a_clerk<two_senders, 3> {
    void prepare() {
        make(2, 2, true);
    }
    void thread(unsigned number) {
        if (number == WORKER) {
            run_until_it_ends();
            return;
        }
        ALWAYS(send());
        forget();
    }
    void finish() {
        expect(2, 0);
    }
};

SEARCHES(BOUNDED(enabled, 4), BOUNDED(quits, 4), BOUNDED(seen, 4), BOUNDED(forgotten, 3), BOUNDED(two_senders, 3))
