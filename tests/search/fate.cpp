/* The fate of a message that its behaviour sends on: another worker may end it at once, and so who ran it first does not look
 * at it again. In the message-centric design, whose sends go to the mailbox at once. */
#include "search.h"

#include "platform/parking.h"

/* Each thread's own; see workers.h. */
#pragma GCC diagnostic ignored "-Wparentheses"
#define this_delivery (*this_delivery_here())

#include "census.c"
#include "lifecycle.c"
#include "message_centric/copy_queue.c"
#include "message_centric/mailbox.h"

static struct delivery deliveries[2];

struct delivery *this_delivery_here() {
    return &deliveries[rl::ctx().current_thread()];
}

void storage_give(void *block, size_t) {
    free(block);
}

static const struct actorbench_message_type letter_type = {"letter", NULL, sizeof(struct actorbench_message), NULL};

/* Actor 0 is in mailbox 0, which worker 0 has, and actor 1 in mailbox 1. */
static struct mailbox *mailboxes;
static struct actorbench_actor actors[2];
static unsigned received[2];

static void send(unsigned receiver, struct actorbench_message *message, actorbench_behaviour *reaction) {
    struct envelope envelope = {&actors[receiver], message, reaction};
    if (!mailbox_append_quickly(&mailboxes[receiver], envelope))
        ALWAYS(mailbox_append(&mailboxes[receiver], QUEUE_COPY, envelope) == NO_SLEEPER);
}

static enum actorbench_allocation delete_it(struct actorbench_actor *, struct actorbench_message *message) {
    received[1]++;
    actorbench_message_set_allocation(message, ACTORBENCH_DELETE);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation send_it_on(struct actorbench_actor *, struct actorbench_message *message) {
    received[0]++;
    send(1, message, delete_it);
    rl::ctx()
        .sched(); /* the next receiver may have it before this behaviour ends: to look at the message is no atomic */
    return ACTORBENCH_NODELETE;
}

/* As in worker.c; no actor ends. */
static void run(struct envelope envelope) {
    ALWAYS(!deliver(envelope, envelope.message, NULL));
}

struct sent_on : search::scenario<sent_on, 2> {
    union queue *locals;

    void prepare() {
        mailboxes = search::zeroed<struct mailbox>(2);
        locals = search::zeroed<union queue>(2);
        for (unsigned i = 0; i < 2; i++) {
            mailbox_init(&mailboxes[i], QUEUE_COPY, ANY_NODE);
            queue_init(&locals[i], QUEUE_COPY, ANY_NODE);
            received[i] = 0;
        }
        struct actorbench_message *letter = search::zeroed<struct actorbench_message>();
        actorbench_message_construct(letter, &letter_type, ACTORBENCH_NODELETE);
        send(0, letter, send_it_on);
    }
    /* As `process` in worker.c. */
    void process(unsigned worker) {
        size_t messages = 0;
        if (mailbox_gulp(&mailboxes[worker], QUEUE_COPY, &locals[worker], &messages) != GULPED)
            return;
        queue_drain(&locals[worker], QUEUE_COPY, messages, run);
        mailbox_release(&mailboxes[worker]);
    }
    void thread(unsigned worker) {
        process(worker);
    }
    void finish() {
        process(1);
        ALWAYS(received[0] == 1 && received[1] == 1);
        for (unsigned i = 0; i < 2; i++) {
            queue_destroy(&mailboxes[i].queue, QUEUE_COPY);
            queue_destroy(&locals[i], QUEUE_COPY);
        }
        free(mailboxes);
        free(locals);
    }
};

SEARCHES(FULL(sent_on))
