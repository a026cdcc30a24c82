/* Ready lists and the sleep of the actor-centric design (ready_list.c, ready.c, sleep.c): every actor that is put on
 * a list is taken once, with what its last worker wrote, and none lies there while all who may take it sleep.
 *
 * A worker's round is transcribed from worker.c (design_work); `ready_wake` is the real one, called by threads that
 * are no workers. */
#include "search.h"

#include "platform/parking.h"

#include "actor_centric/deque.c"
#include "actor_centric/mailboxes.c"
#include "actor_centric/placement.c"
#include "actor_centric/ready.c"
#include "actor_centric/ready_list.c"
#include "actor_centric/sleep.c"

struct executor executor;
struct executor_round executor_round;
struct crew crew;
struct worker *this_worker; /* NULL: no thread here is a worker to ready_wake */

enum { MOST_WORKERS = 2, MOST_ACTORS = 2 };

static unsigned cluster_of[MOST_WORKERS]; /* by worker; zero, but for `migrant` */

template <typename derived, int threads> struct sleepers : search::scenario<derived, threads> {
    struct mailbox *mailboxes;
    search::plain<unsigned> *runs; /* by actor: written by who wakes it, then by its worker */

    void prepare(enum ready_kind kind) {
        executor.workers = search::zeroed<struct worker>(MOST_WORKERS);
        crew.count = 1;
        executor.options.ready = kind;
        executor.options.placement = PLACE_SENDER;
        executor.options.steal = STEAL_NONE; /* no timeouts */
        atomic_initialise(&executor_round.stopping, 0);
        atomic_initialise(&crew.sleepers, 0);
        executor.global = search::zeroed<struct ready_list>(1);
        ready_list_init(executor.global);
        executor.division.count = 1;
        executor.division.cluster_of = cluster_of;
        atomic_initialise(&executor.looks, kind == READY_GLOBAL);
        for (unsigned i = 0; i < MOST_WORKERS; i++) {
            executor.workers[i].index = i;
            atomic_initialise(&executor.workers[i].sleeping, AWAKE);
            ready_list_init(&executor.workers[i].inbox);
            ready_list_init(&executor.workers[i].bound);
            deque_init(&executor.workers[i].deque, 2);
        }
        mailboxes = search::zeroed<struct mailbox>(MOST_ACTORS);
        for (unsigned i = 0; i < MOST_ACTORS; i++)
            atomic_initialise(&mailboxes[i].place, 0);
        runs = search::zeroed<search::plain<unsigned>>(MOST_ACTORS);
    }

    void finish() {
        ALWAYS(executor.global->sleepers == NULL);
        free(executor.global);
        for (unsigned i = 0; i < MOST_WORKERS; i++) {
            ALWAYS(executor.workers[i].inbox.sleepers == NULL);
            ALWAYS(executor.workers[i].bound.sleepers == NULL);
            deque_destroy(&executor.workers[i].deque);
        }
        free(executor.workers);
        free(mailboxes);
        free(runs);
    }

    void wake(unsigned actor) {
        runs[actor] = 1;
        ready_wake(&mailboxes[actor]);
    }

    /* Rounds of a worker until it has run so many actors, or the executor stops. */
    void work(unsigned index, unsigned actors) {
        struct worker *worker = &executor.workers[index];
        while (actors != 0) {
            struct mailbox *mailbox = ready_next(worker);
            if (mailbox != NULL) {
                unsigned actor = unsigned(mailbox - mailboxes);
                ALWAYS(runs[actor] == 1);
                runs[actor] = 2;
                actors--;
                continue;
            }
            if (atomic_load_acquire(&executor_round.stopping))
                return;
            sleep_worker(worker);
            cpu_relax();
        }
    }
};

/* A worker and who wakes an actor for it, with each kind of queue. */
template <typename derived, enum ready_kind kind>
struct one_wake : sleepers<derived, 2>{void prepare(){sleepers<derived, 2>::prepare(kind);
}
void thread(unsigned number) {
    if (number == 0)
        this->work(0, 1);
    else
        this->wake(0);
}
}
;

struct wake_global : one_wake<wake_global, READY_GLOBAL> {};
struct wake_fifo : one_wake<wake_fifo, READY_FIFO> {};
struct wake_deque : one_wake<wake_deque, READY_DEQUE> {};
struct wake_lqoq : one_wake<wake_lqoq, READY_LQOQ> {};

/* The same of an actor that is bound to the worker. */
template <typename derived, enum ready_kind kind>
struct one_bound : one_wake<derived, kind> {
    void prepare(){one_wake<derived, kind>::prepare(); atomic_initialise(&executor.looks, 1);
                   atomic_initialise(&this->mailboxes[0].place, BOUND_TO(0));}
}
;

struct bound_global : one_bound<bound_global, READY_GLOBAL> {};
struct bound_fifo : one_bound<bound_fifo, READY_FIFO> {};
struct bound_deque : one_bound<bound_deque, READY_DEQUE> {};
struct bound_lqoq : one_bound<bound_lqoq, READY_LQOQ> {};

/* An actor moves to another cluster between two letters: each is received once and in order, where the actor was to be when it was
 * woken. Of each cluster there is one worker. Who receives the last letter ends both. */
struct migrant : sleepers<migrant, 3> {
    search::plain<unsigned> letters,
        woken_for; /* received; the cluster that it was woken for: the receiver's, from its waker */

    void prepare() {
        static const unsigned workers[MOST_WORKERS] = {0, 1};
        static struct cluster clusters[MOST_WORKERS] = {{1, &workers[0]}, {1, &workers[1]}};
        sleepers::prepare(READY_FIFO);
        crew.count = 2;
        executor.division.count = 2;
        executor.division.clusters = clusters;
        cluster_of[1] = 1;
        atomic_initialise(&executor.looks, 1);
        mailbox_init(&mailboxes[0], MAILBOX_SWAP);
        letters = woken_for = 0;
    }
    void finish() {
        ALWAYS(letters == 2);
        cluster_of[1] = 0;
        sleepers::finish();
    }
    void send(unsigned cluster) {
        if (mailbox_push(&mailboxes[0], MAILBOX_SWAP, LINK_RELEASE, {})) {
            woken_for = cluster;
            ready_wake(&mailboxes[0]);
        }
    }
    void receive(unsigned cluster) {
        struct letter letter;
        do {
            while (mailbox_next(&mailboxes[0], MAILBOX_SWAP, &letter)) {
                ALWAYS(woken_for == cluster);
                letters++;
            }
            if (letters == 2) { /* read before the actor is idle, and another's */
                (void)mailbox_destroy(&mailboxes[0], MAILBOX_SWAP);
                atomic_store_seq_cst(&executor_round.stopping, 1);
                sleep_wake(&executor.workers[0]);
                sleep_wake(&executor.workers[1]);
                return;
            }
        } while (!mailbox_rest(&mailboxes[0], MAILBOX_SWAP));
    }
    void thread(unsigned number) {
        if (number == 2) {
            send(0);
            atomic_store_relaxed(&mailboxes[0].place, 1); /* actorbench_actor_migrate */
            send(1);
            return;
        }
        while (!atomic_load_acquire(&executor_round.stopping)) {
            if (ready_next(&executor.workers[number]) != NULL)
                receive(number);
            else
                sleep_worker(&executor.workers[number]);
            cpu_relax();
        }
    }
};

/* Two wakes, one after the other: a worker that sleeps again in between is woken again. */
struct two_wakes : sleepers<two_wakes, 2> {
    void prepare() {
        sleepers::prepare(READY_FIFO);
    }
    void thread(unsigned number) {
        if (number == 0) {
            work(0, 2);
        } else {
            wake(0);
            wake(1);
        }
    }
};

/* A wait that ends for no reason: the worker takes itself off the sleepers. */
struct early : sleepers<early, 2> {
    void prepare() {
        sleepers::prepare(READY_FIFO);
        search::the_world.early_wakes[0] = 1;
    }
    void thread(unsigned number) {
        if (number == 0)
            work(0, 1);
        else
            wake(0);
    }
};

/* Two workers on one list, and an actor for each. */
struct two_sleepers : sleepers<two_sleepers, 3> {
    void prepare() {
        sleepers::prepare(READY_GLOBAL);
    }
    void thread(unsigned number) {
        if (number < 2) {
            work(number, 1);
        } else {
            wake(0);
            wake(1);
        }
    }
};

/* The end: as end_workers in core/executor.c. */
struct stop : sleepers<stop, 2> {
    void prepare() {
        sleepers::prepare(READY_FIFO);
    }
    void thread(unsigned number) {
        if (number == 0) {
            work(0, 1); /* none comes */
        } else {
            atomic_store_seq_cst(&executor_round.stopping, 1);
            sleep_wake(&executor.workers[0]);
        }
    }
};

SEARCHES(FULL(wake_global), FULL(wake_fifo), FULL(wake_deque), FULL(wake_lqoq), BOUNDED(bound_global, 4),
         BOUNDED(bound_fifo, 4), BOUNDED(bound_deque, 4), BOUNDED(bound_lqoq, 4), BOUNDED(migrant, 2),
         BOUNDED(early, 4), BOUNDED(two_wakes, 4), BOUNDED(two_sleepers, 2), FULL(stop))
