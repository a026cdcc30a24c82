/* Sleep (core/sharded/sleep.h), as the message-centric design has it: no message lies in a mailbox whose owner sleeps for good. An
 * owner that nobody wakes is a deadlock here.
 *
 * A worker's round is transcribed from worker.c (worker_scan and design_work), a send's end from executor.c (post_slowly),
 * and the end of a theft from steal.c (take). */
#include "search.h"

#include "platform/parking.h"

#include "message_centric/copy_queue.c"
#include "message_centric/sleep.c"

struct executor executor;
struct executor_round executor_round;
struct sharding sharding;
struct crew crew;

/* Two workers with a slot each; V is about to sleep, W may be a thief. Mailbox i is in slot i at first. */
enum { V, W, WORKERS };

template <typename derived, int threads> struct sleepers : search::scenario<derived, threads> {
    struct mailbox *mailboxes;

    void prepare() {
        executor.workers = search::zeroed<struct worker>(WORKERS);
        sharding.slots = search::zeroed<mailbox_slot>(WORKERS);
        mailboxes = search::zeroed<struct mailbox>(WORKERS);
        crew.count = sharding.mailbox_count = WORKERS;
        sharding.share = 1;
        executor.options.steal = STEAL_NONE; /* no timeouts */
        atomic_initialise(&executor_round.stopping, 0);
        atomic_initialise(&crew.sleepers, 0);
        for (unsigned i = 0; i < WORKERS; i++) {
            executor.workers[i].index = i;
            queue_init(&executor.workers[i].local, QUEUE_COPY, ANY_NODE);
            atomic_initialise(&executor.workers[i].sleeping, AWAKE);
            mailbox_init(&mailboxes[i], QUEUE_COPY, ANY_NODE);
            atomic_initialise(&sharding.slots[i], &mailboxes[i]);
        }
    }

    void finish() {
        for (unsigned i = 0; i < WORKERS; i++) {
            ALWAYS(mailbox_count(&mailboxes[i]) == 0);
            queue_destroy(&mailboxes[i].queue, QUEUE_COPY);
            queue_destroy(&executor.workers[i].local, QUEUE_COPY);
        }
        free(executor.workers);
        free(sharding.slots);
        free(mailboxes);
    }

    void send(unsigned mailbox) {
        struct envelope envelope = {NULL, NULL, NULL};
        if (mailbox_append_quickly(&mailboxes[mailbox], envelope))
            return;
        sleep_wake_owner(mailbox_append(&mailboxes[mailbox], QUEUE_COPY, envelope));
    }

    /* Rounds of a worker until it has received so many messages, or the executor stops. */
    void work(unsigned index, size_t messages) {
        struct worker *worker = &executor.workers[index];
        while (messages != 0) {
            size_t gulped = 0;
            struct mailbox *mailbox = slot_mailbox(&sharding.slots[index]);
            if (mailbox_count(mailbox) != 0 && mailbox_gulp(mailbox, QUEUE_COPY, &worker->local, &gulped) == GULPED)
                mailbox_release(mailbox);
            messages -= gulped;
            if (gulped != 0)
                continue;
            if (atomic_load_acquire(&executor_round.stopping))
                return;
            sleep_worker(worker);
            cpu_relax();
        }
    }

    /* W takes the mailbox of V for its own. */
    void rob() {
        if (slots_swap(&sharding.slots[W], &mailboxes[W], &sharding.slots[V], &mailboxes[V]))
            sleep_wake_swapped(&executor.workers[V]);
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

/* The end: as end_workers in core/executor.c. */
struct stop : sleepers<stop, 2> {
    void thread(unsigned number) {
        if (number == V) {
            work(V, 1); /* none comes */
        } else {
            atomic_store_seq_cst(&executor_round.stopping, 1);
            sleep_wake(&executor.workers[V]);
        }
    }
};

SEARCHES(FULL(one_send), BOUNDED(two_sends, 4), BOUNDED(two_senders, 3), BOUNDED(swap_then_send, 5),
         BOUNDED(send_then_swap, 5), BOUNDED(send_beside_swap, 3), BOUNDED(stale_visit, 4), FULL(stop))
