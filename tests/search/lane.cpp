/* A lane (lane.h): one producer against the consumers that have its mailbox's turn, one after the other: each envelope
 * comes once, in order, and a block comes back to the producer only when it has been read. */
#define ACTORBENCH_SMALL /* two envelopes a block */
#include "search.h"

/* Each thread's own; see workers.h. */
#define lane_self *lane_self_here()

#include "message_centric/copy_queue.c"
#include "message_centric/lane.c"
#include "message_centric/mailbox.h"
#include "platform/asymmetric.c"

static uint64_t producer;

uint64_t *lane_self_here() {
    return &producer;
}

static struct {
    struct mailbox *mailbox;
    struct lane *lane;
    search::plain<unsigned> *received; /* the actor's state */
} rig;

static void deliver(struct envelope envelope) {
    ALWAYS(*rig.received == uintptr_t(envelope.message));
    (*rig.received)++;
}

template <typename derived, int threads> struct lanes : search::scenario<derived, threads> {
    union queue *locals[2];
    unsigned sent;

    void prepare() {
        asymmetric_is_light = true; /* who sleeps is send.cpp's; here a send is a store with release order */
        producer = 0;
        atomic_initialise(&producers, 0);
        rig.mailbox = search::zeroed<struct mailbox>();
        rig.received = search::zeroed<search::plain<unsigned>>();
        mailbox_init(rig.mailbox, 0, QUEUE_BLOCK, ANY_NODE);
        rig.lane = lane_make();
        atomic_initialise(&rig.mailbox->lane, rig.lane);
        for (union queue *&local : locals) {
            local = search::zeroed<union queue>();
            queue_init(local, QUEUE_BLOCK, ANY_NODE);
        }
        sent = 0;
    }
    void send(unsigned messages) {
        while (messages-- != 0) {
            struct envelope envelope = {NULL, (struct message *)uintptr_t(sent++), NULL};
            lane_send(rig.lane, envelope);
        }
    }
    /* As `process` in worker.c. */
    void process(unsigned worker) {
        size_t queued = 0;
        if (mailbox_gulp(rig.mailbox, QUEUE_BLOCK, locals[worker], &queued) != GULPED)
            return;
        lane_run(rig.lane, lane_count(rig.lane), 0, deliver);
        mailbox_release(rig.mailbox);
    }
    void finish() {
        process(0);
        ALWAYS(*rig.received == sent);
        ALWAYS(mailbox_count(rig.mailbox) == 0);
        mailbox_destroy(rig.mailbox, QUEUE_BLOCK);
        for (union queue *local : locals)
            free(local);
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

/* A first block is full, and a third one begins: that is the first again, if it has been emptied. */
struct spare : lanes<spare, 2> {
    void prepare() {
        lanes::prepare();
        send(3);
    }
    void thread(unsigned number) {
        if (number == 0)
            process(0);
        else
            send(3);
    }
};

/* Two workers, one after the other by the turn's hand-over. */
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

SEARCHES(BOUNDED(one_consumer, 5), BOUNDED(spare, 5), BOUNDED(two_consumers, 3))
