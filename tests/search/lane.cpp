/* A lane (lane.h): one producer against the consumers that hold its mailbox, one after the other: each envelope comes once,
 * in order, a block is left only when it has been read, and who counts never counts more than was sent. */
#define ACTORBENCH_SMALL /* two envelopes a block */
#include "search.h"

#include "platform/asymmetric.c"
#include "worker_centric/lane.c"
#include "worker_centric/mailbox.h"

struct worker {
    struct run_queue runs;
    struct block_pool pool;
};

static struct {
    struct mailbox *mailbox;
    struct lane *lane;
    search::plain<unsigned> *received; /* the actor's state */
} rig;

static bool receive(const search::plain<struct envelope> *place) {
    struct envelope envelope = *place;
    ALWAYS(*rig.received == uintptr_t(envelope.message));
    (*rig.received)++;
    return true;
}

template <typename derived, int threads> struct lanes : search::scenario<derived, threads> {
    struct worker *workers;
    unsigned sent;

    void prepare() {
        asymmetric.is_light = true; /* who sleeps is send.cpp's; here a send is a store with release order */
        spinlock_init(&producers.lock);
        producers.first = producers.left = NULL;
        rig.mailbox = search::zeroed<struct mailbox>();
        rig.received = search::zeroed<search::plain<unsigned>>();
        mailbox_init(rig.mailbox, 0);
        rig.lane = lane_make(producer_claim());
        atomic_initialise(&rig.mailbox->lanes, rig.lane);
        workers = search::zeroed<struct worker>(2);
        for (unsigned i = 0; i < 2; i++)
            run_queue_init(&workers[i].runs, &workers[i].pool);
        sent = 0;
    }
    void send(unsigned messages) {
        while (messages-- != 0) {
            struct envelope envelope = {NULL, (struct actorbench_message *)uintptr_t(sent++), NULL};
            lane_send(rig.lane, envelope);
        }
    }
    /* A worker that holds the mailbox for one run, as in hold.c and worker.c. */
    void process(unsigned number) {
        struct worker *worker = &workers[number];
        if (!mailbox_hold(rig.mailbox, worker))
            return;
        uint64_t waiting = mailbox_count_in_lanes(rig.mailbox), taken = 0;
        if (waiting != 0)
            taken = lane_take(rig.lane, waiting, &worker->runs, &worker->pool);
        ALWAYS(run_queue_length(&worker->runs) == taken);
        if (taken != 0)
            ALWAYS(run_queue_run(&worker->runs, &worker->pool, size_t(taken), receive) == taken);
        mailbox_release(rig.mailbox);
    }
    void finish() {
        while (mailbox_count_in_lanes(rig.mailbox) != 0)
            process(0);
        ALWAYS(*rig.received == sent);
        mailbox_destroy(rig.mailbox);
        producers_release();
        for (unsigned i = 0; i < 2; i++) {
            block_free_chain(workers[i].runs.first);
            block_pool_release(&workers[i].pool);
        }
        free(workers);
        free(rig.mailbox);
        free(rig.received);
    }
};

/* The producer begins a second block. */
struct one_consumer : lanes<one_consumer, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            process(0);
            process(0);
        } else {
            send(3);
        }
    }
};

/* A first block is taken whole, while a third and a fourth one begin. */
struct whole : lanes<whole, 2> {
    void prepare() {
        lanes::prepare();
        send(3);
    }
    void thread(unsigned number) {
        if (number == 0)
            process(0);
        else
            send(4);
    }
};

/* A first block has been read in part, and is left; a third one begins. */
struct emptied : lanes<emptied, 2> {
    void prepare() {
        lanes::prepare();
        send(1);
        process(0);
        send(2);
    }
    void thread(unsigned number) {
        if (number == 0) {
            process(0);
            process(0);
        } else {
            send(3);
        }
    }
};

/* Two workers, one after the other by the mailbox's hand-over. */
struct two_consumers : lanes<two_consumers, 3> {
    void prepare() {
        lanes::prepare();
        send(1);
    }
    void thread(unsigned number) {
        if (number < 2)
            process(number);
        else
            send(2);
    }
};

/* A thief that counts: what it finds taken was sent. */
struct counted : lanes<counted, 3> {
    void thread(unsigned number) {
        if (number == 0)
            process(0);
        else if (number == 1)
            send(1);
        else
            ALWAYS(mailbox_count(rig.mailbox) <= 1);
    }
};

SEARCHES(BOUNDED(one_consumer, 5), BOUNDED(whole, 5), BOUNDED(emptied, 4), BOUNDED(two_consumers, 3),
         BOUNDED(counted, 4))
