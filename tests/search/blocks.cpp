/* The block queue: envelopes and whole blocks appended under the mailbox's lock, against gulps. */
#define ACTORBENCH_SMALL /* two envelopes a block */
#include "mailbox.h"

#include "platform/asymmetric.c"

/* A block of the sender's first messages, and another one by itself, which goes behind them. */
static void send_block(unsigned sender, unsigned messages) {
    struct block *block = block_take(NULL);
    for (unsigned i = 0; i < messages; i++) {
        struct envelope envelope = {NULL, (struct message *)uintptr_t(2 * i + sender), NULL};
        block_put(block, envelope);
    }
    ALWAYS(mailbox_append_block(rig.mailbox, block) == NO_SLEEPER);
}

struct one_sender : search::scenario<one_sender, 2> {
    void prepare() {
        rig_make(QUEUE_BLOCK);
    }
    void thread(unsigned number) {
        if (number == 0) {
            process(0);
            process(0);
        } else {
            send_block(0, 1);
            send(0, 1); /* into the same block */
            send(0, 2); /* into a new one */
        }
    }
    void finish() {
        rig_finish(3, 0);
    }
};

struct two_senders : search::scenario<two_senders, 3> {
    void prepare() {
        rig_make(QUEUE_BLOCK);
    }
    void thread(unsigned number) {
        if (number == 2)
            process(0);
        else if (number == 1)
            send(1, 0);
        else
            send_block(0, 2);
    }
    void finish() {
        rig_finish(2, 1);
    }
};

SEARCHES(BOUNDED(one_sender, 5), BOUNDED(two_senders, 4))
