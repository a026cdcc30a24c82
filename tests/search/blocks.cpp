/* A worker-centric mailbox: envelopes and whole blocks appended under its lock, against workers that hold it, by turns, and
 * take all that is in its queue. An append that needs a block allocates it with the lock released.
 *
 * What a worker does is transcribed from hold.c (take_mailbox, take_queue, release). */
#define ACTORBENCH_SMALL /* two envelopes a block */
#include "search.h"

#include "platform/asymmetric.c"
#include "worker_centric/lane.c"
#include "worker_centric/mailbox.h"

struct worker {
    char address;
};

static struct {
    struct mailbox *mailbox;
    struct worker *workers;
    search::plain<unsigned> *received; /* by sender; the actor's state: its behaviours must not race */
    search::plain<unsigned> *ended;    /* behaviours; written after a behaviour's own sends */
    bool is_answered;                  /* whether the behaviour for the very first message sends the second */
} rig;

static struct envelope envelope_of(unsigned sender, unsigned number) {
    return {NULL, (struct actorbench_message *)uintptr_t(2 * number + sender), NULL};
}

static void send(unsigned sender, unsigned number) {
    ALWAYS(mailbox_append(rig.mailbox, NULL, envelope_of(sender, number)) == NO_SLEEPER);
}

/* A block of the sender's first messages. */
static void send_block(unsigned sender, unsigned messages) {
    struct block *block = block_take(NULL);
    for (unsigned i = 0; i < messages; i++)
        block_put(block, envelope_of(sender, i));
    ALWAYS(mailbox_append_block(rig.mailbox, block) == NO_SLEEPER);
}

/* A behaviour: each sender's messages come once each, in the order sent. */
static void receive(struct envelope envelope) {
    unsigned sender = uintptr_t(envelope.message) % 2, number = unsigned(uintptr_t(envelope.message) / 2);
    ALWAYS(rig.received[sender] == number);
    rig.received[sender]++;
    if (rig.is_answered && number == 0)
        send(sender, 1);
    (*rig.ended)++;
}

/* A worker that finds the mailbox in a slot: holds it, runs what is in its queue, lets it go. */
static void process(unsigned worker) {
    if (mailbox_count(rig.mailbox) == 0 || !mailbox_hold(rig.mailbox, &rig.workers[worker]))
        return;
    if (mailbox_count(rig.mailbox) != 0) {
        struct block *empty = block_take(NULL);
        spinlock_acquire(&rig.mailbox->lock);
        struct block_chain chain = block_queue_take(&rig.mailbox->queue, empty);
        spinlock_release(&rig.mailbox->lock);
        size_t count = 0;
        for (struct block *block = chain.first; block != NULL; block = block->next)
            for (unsigned i = 0; i < block->count; i++, count++)
                receive(block->envelopes[i]);
        ALWAYS(count == chain.count);
        block_free_chain(chain.first);
    }
    mailbox_release(rig.mailbox);
}

template <typename derived, int threads> struct senders : search::scenario<derived, threads> {
    void prepare() {
        rig.mailbox = search::zeroed<struct mailbox>();
        rig.workers = search::zeroed<struct worker>(2);
        rig.received = search::zeroed<search::plain<unsigned>>(2);
        rig.ended = search::zeroed<search::plain<unsigned>>();
        rig.is_answered = false;
        mailbox_init(rig.mailbox, 0);
    }
    void expect(unsigned first, unsigned second) {
        for (unsigned i = 0; i < 3; i++)
            process(0);
        ALWAYS(rig.received[0] == first && rig.received[1] == second);
        ALWAYS(mailbox_holder(rig.mailbox) == NULL);
        mailbox_destroy(rig.mailbox);
        free(rig.mailbox);
        free(rig.workers);
        free(rig.received);
        free(rig.ended);
    }
};

struct one_sender : senders<one_sender, 2> {
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
        expect(3, 0);
    }
};

struct two_senders : senders<two_senders, 3> {
    void thread(unsigned number) {
        if (number == 2)
            process(0);
        else if (number == 1)
            send(1, 0);
        else
            send_block(0, 2);
    }
    void finish() {
        expect(2, 1);
    }
};

/* Both find no room, and allocate; the second to come back may find the first one's block. */
struct two_allocate : senders<two_allocate, 3> {
    void prepare() {
        senders::prepare();
        send_block(0, 2);
    }
    void thread(unsigned number) {
        if (number == 2)
            process(0);
        else
            send(number, number == 0 ? 2 : 0);
    }
    void finish() {
        expect(3, 1);
    }
};

/* Two workers, one after the other; the first message's behaviour sends the second. */
struct two_workers : senders<two_workers, 2> {
    void prepare() {
        senders::prepare();
        rig.is_answered = true;
        send(0, 0);
    }
    void thread(unsigned worker) {
        process(worker);
    }
    void finish() {
        expect(2, 0);
    }
};

SEARCHES(BOUNDED(one_sender, 4), BOUNDED(two_senders, 4), BOUNDED(two_allocate, 3), BOUNDED(two_workers, 6))
