/* One mailbox of the message-centric design, its workers, and one actor whose messages all go there. */
#ifndef ACTORBENCH_SEARCH_MAILBOX_H
#define ACTORBENCH_SEARCH_MAILBOX_H

#include "search.h"

#include "message_centric/copy_queue.c"
#include "message_centric/mailbox.h"

/* The actor: how many messages of each sender it has received. Plain: its behaviours must not race. */
struct receiver {
    search::plain<unsigned> received[2];
    search::plain<unsigned> ended; /* behaviours; written after a behaviour's own sends */
};

static struct {
    struct mailbox *mailbox;
    union queue *locals[2]; /* by worker */
    struct receiver *actor;
    enum queue_kind kind;
    bool is_answered; /* whether the behaviour for the very first message sends the second */
} rig;

static void rig_make(enum queue_kind kind) {
    rig.kind = kind;
    rig.is_answered = false;
    rig.mailbox = search::zeroed<struct mailbox>();
    rig.actor = search::zeroed<struct receiver>();
    mailbox_init(rig.mailbox, kind, ANY_NODE);
    for (union queue *&local : rig.locals) {
        local = search::zeroed<union queue>();
        queue_init(local, kind, ANY_NODE);
    }
}

/* A send as actorbench_post makes it: the message is the `number`th of its sender. */
static void send(unsigned sender, unsigned number) {
    struct envelope envelope = {NULL, (struct actorbench_message *)uintptr_t(2 * number + sender), NULL};
    if (rig.kind != QUEUE_COPY || !mailbox_append_quickly(rig.mailbox, envelope))
        ALWAYS(mailbox_append(rig.mailbox, rig.kind, envelope) == NO_SLEEPER);
}

/* A behaviour: each sender's messages come once each, in the order sent. */
static void receive(struct envelope envelope) {
    unsigned sender = uintptr_t(envelope.message) % 2, number = unsigned(uintptr_t(envelope.message) / 2);
    ALWAYS(rig.actor->received[sender] == number);
    rig.actor->received[sender]++;
    if (rig.is_answered && number == 0)
        send(sender, 1);
    rig.actor->ended++;
}

/* What a worker does with a mailbox in its range (`process` in worker.c); what the gulp said. */
static enum gulp_result process(unsigned worker, enum reclaim_policy policy = RECLAIM_NONE) {
    size_t messages = 0;
    enum gulp_result result = mailbox_gulp(rig.mailbox, rig.kind, rig.locals[worker], &messages);
    if (result == GULPED) {
        queue_drain(rig.locals[worker], rig.kind, messages, receive);
        mailbox_release(rig.mailbox);
        if (rig.kind == QUEUE_COPY)
            copy_queue_reclaim(&rig.locals[worker]->copy, policy, messages);
    }
    return result;
}

/* After all: what is left is there, in order; then all that were sent have come. */
static void rig_finish(unsigned first_senders, unsigned second_senders) {
    while (process(0) == GULPED)
        continue;
    ALWAYS(rig.actor->received[0] == first_senders);
    ALWAYS(rig.actor->received[1] == second_senders);
    ALWAYS(mailbox_count(rig.mailbox) == 0);
    queue_destroy(&rig.mailbox->queue, rig.kind);
    for (union queue *local : rig.locals) {
        queue_destroy(local, rig.kind);
        free(local);
    }
    free(rig.mailbox);
    free(rig.actor);
}

#endif
