/* Ready lists and the sleep of the actor-centric design (ready_list.c, ready.c, sleep.c): every actor that is put on
 * a list is taken once, with what its last worker wrote, and none lies there while all who may take it sleep.
 *
 * A worker's round is transcribed from worker.c (design_work); `ready_wake` is the real one, called by threads that
 * are no workers. */
#include "search.h"

#include "platform/parking.h"

#include "actor_centric/deque.c"
#include "actor_centric/mailboxes.c"
#include "actor_centric/ready.c"
#include "actor_centric/ready_list.c"
#include "actor_centric/sleep.c"

struct executor executor;
struct executor_round executor_round;
struct crew crew;
struct worker *this_worker; /* NULL: no thread here is a worker to ready_wake */

enum { MOST_WORKERS = 2, MOST_ACTORS = 2 };

static unsigned clusters[MOST_WORKERS]; /* all are in the first */

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
        executor.division.cluster_of = clusters;
        atomic_initialise(&executor.looks, kind == READY_GLOBAL);
        for (unsigned i = 0; i < MOST_WORKERS; i++) {
            executor.workers[i].index = i;
            atomic_initialise(&executor.workers[i].sleeping, AWAKE);
            ready_list_init(&executor.workers[i].inbox);
            ready_list_init(&executor.workers[i].bound);
            deque_init(&executor.workers[i].deque, 2);
        }
        mailboxes = search::zeroed<struct mailbox>(MOST_ACTORS);
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

SEARCHES(FULL(wake_global), FULL(wake_fifo), FULL(wake_deque), FULL(wake_lqoq), BOUNDED(early, 4),
         BOUNDED(two_wakes, 4), BOUNDED(two_sleepers, 2), FULL(stop))
