/* The message-centric design's sleep (sleep.h, sleep.c): no message lies in a mailbox whose owner sleeps for good. An
 * owner that nobody wakes is a deadlock here.
 *
 * A worker's round is transcribed from worker.c (scan and worker_main), a send's end from executor.c (post_otherwise),
 * and the end of a theft from steal.c (take). */
#include "search.h"

#include "platform/parking.h"

#include "message_centric/copy_queue.c"
#include "message_centric/sleep.c"
#include "platform/asymmetric.c"

struct executor executor;

/* Two workers with a slot each; V is about to sleep, W may be a thief. Mailbox i is in slot i at first. */
enum { V, W, WORKERS };

template <typename derived, int threads> struct sleepers : search::scenario<derived, threads> {
    struct mailbox *mailboxes;

    void prepare() {
        executor.workers = search::zeroed<struct worker>(WORKERS);
        executor.slots = search::zeroed<mailbox_slot>(WORKERS);
        mailboxes = search::zeroed<struct mailbox>(WORKERS);
        executor.worker_count = executor.mailbox_count = WORKERS;
        executor.options.steal = STEAL_NONE; /* no timeouts */
        atomic_initialise(&executor.stopping, 0);
        atomic_initialise(&executor.sleepers, 0);
        for (unsigned i = 0; i < WORKERS; i++) {
            executor.workers[i].index = executor.workers[i].first_slot = i;
            executor.workers[i].slot_count = 1;
            queue_init(&executor.workers[i].local, QUEUE_COPY, ANY_NODE);
            atomic_initialise(&executor.workers[i].sleeping, AWAKE);
            mailbox_init(&mailboxes[i], i, QUEUE_COPY, ANY_NODE);
            atomic_initialise(&executor.slots[i], &mailboxes[i]);
        }
    }

    void finish() {
        for (unsigned i = 0; i < WORKERS; i++) {
            ALWAYS(mailbox_count(&mailboxes[i]) == 0);
            queue_destroy(&mailboxes[i].queue, QUEUE_COPY);
            queue_destroy(&executor.workers[i].local, QUEUE_COPY);
        }
        free(executor.workers);
        free(executor.slots);
        free(mailboxes);
    }

    void send(unsigned mailbox) {
        struct envelope envelope = {NULL, NULL, NULL};
        if (mailbox_append_quickly(&mailboxes[mailbox], envelope))
            return;
        uint32_t sleeper = mailbox_append(&mailboxes[mailbox], QUEUE_COPY, NULL, envelope);
        if (sleeper != NO_SLEEPER)
            sleep_wake(&executor.workers[sleeper]);
    }

    /* Rounds of a worker until it has received so many messages, or the executor stops. */
    void work(unsigned index, size_t messages) {
        struct worker *worker = &executor.workers[index];
        while (messages != 0) {
            size_t gulped = 0;
            struct mailbox *mailbox = slot_mailbox(&executor.slots[index]);
            if (mailbox_count(mailbox) != 0 && mailbox_gulp(mailbox, QUEUE_COPY, &worker->local, &gulped) == GULPED)
                mailbox_release(mailbox);
            messages -= gulped;
            if (gulped != 0)
                continue;
            if (atomic_load_acquire(&executor.stopping))
                return;
            sleep_worker(worker);
            cpu_relax();
        }
    }

    /* W takes the mailbox of V for its own. */
    void rob() {
        if (slots_swap(&executor.slots[W], &mailboxes[W], &executor.slots[V], &mailboxes[V]))
            sleep_wake_robbed(&executor.workers[V]);
    }
};

struct one_send : sleepers<one_send, 2> {
    void thread(unsigned number) {
        if (number == V)
            work(V, 1);
        else
            send(V);
    }
};

struct two_sends : sleepers<two_sends, 2> {
    void thread(unsigned number) {
        if (number == V) {
            work(V, 2);
        } else {
            send(V);
            send(V);
        }
    }
};

struct two_senders : sleepers<two_senders, 3> {
    void thread(unsigned number) {
        if (number == V)
            work(V, 2);
        else
            send(V);
    }
};

/* A message lies in W's mailbox, or comes to it, as it is swapped into V's range. */
struct swap_then_send : sleepers<swap_then_send, 2> {
    void thread(unsigned number) {
        if (number == V) {
            work(V, 1);
        } else {
            rob();
            send(W);
        }
    }
};

struct send_then_swap : sleepers<send_then_swap, 2> {
    void thread(unsigned number) {
        if (number == V) {
            work(V, 1);
        } else {
            send(W);
            rob();
        }
    }
};

struct send_beside_swap : sleepers<send_beside_swap, 3> {
    void thread(unsigned number) {
        if (number == V)
            work(V, 1);
        else if (number == W)
            rob();
        else
            send(W);
    }
};

/* W, which took V's mailbox, sleeps on it; V, which was visiting it, must not take W's place there. */
struct stale_visit : sleepers<stale_visit, 2> {
    void prepare() {
        sleepers::prepare();
        search::the_world.early_wakes[V] = 1;
    }
    void thread(unsigned number) {
        if (number == V) {
            sleep_worker(&executor.workers[V]);
            send(V);
        } else {
            rob();
            work(W, 1);
        }
    }
};

/* The end: as end_workers in executor.c. */
struct stop : sleepers<stop, 2> {
    void thread(unsigned number) {
        if (number == V) {
            work(V, 1); /* none comes */
        } else {
            atomic_store_seq_cst(&executor.stopping, 1);
            sleep_wake(&executor.workers[V]);
        }
    }
};

SEARCHES(FULL(one_send), BOUNDED(two_sends, 4), BOUNDED(two_senders, 3), BOUNDED(swap_then_send, 5),
         BOUNDED(send_then_swap, 5), BOUNDED(send_beside_swap, 3), BOUNDED(stale_visit, 4), FULL(stop))
