/* Sends from outside by lanes, through actor_post: who gets a mailbox's lane, and that no message lies in the lane of a
 * mailbox whose owner sleeps for good. */
#include "workers.h"

/* Rounds of a worker until so many letters of the sender have come, as worker_main and `idle` in worker.c. */
template <typename derived, int count> struct outsiders : workers<derived, count> {
    void prepare() {
        this->make(true, false);
    }
    void work(unsigned letters) {
        struct worker *owner = this->worker[0];
        while (letters != 0) {
            unsigned before = unsigned(owner->pace.messages);
            if (this->round(owner)) {
                letters -= unsigned(owner->pace.messages) - before;
                continue;
            }
            sleep_worker(owner);
            cpu_relax();
        }
    }
};

/* A first send, which makes the lane, against a worker that goes to sleep. */
struct first_send : outsiders<first_send, 2> {
    void thread(unsigned number) {
        if (number == 0)
            work(1);
        else
            send(0);
    }
    void finish() {
        expect(ACTORS + 1, 0, 1);
        end();
    }
};

/* The same of the next send. */
struct next_send : outsiders<next_send, 2> {
    void prepare() {
        outsiders::prepare();
        executor.workers[0].slot_count = 1; /* the mailbox itself, and no other */
        actors[0].received[ACTORS + 1] = 1;
        sent_from_outside[1 * ACTORS + 0] = 1;
        lane_selves[1] = 1;
        struct lane *lane = lane_make();
        lane->producer = 1;
        atomic_initialise(&mailbox[0]->lane, lane);
    }
    void thread(unsigned number) {
        if (number == 0)
            work(1);
        else
            send(0);
    }
    void finish() {
        executor.workers[0].slot_count = 2;
        expect(ACTORS + 1, 0, 2);
        end();
    }
};

/* Two threads from outside: one has the lane, the other uses the queue, and each one's letters come in order. */
struct two_outsiders : outsiders<two_outsiders, 3> {
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            return;
        }
        send(0);
        send(0);
    }
    void finish() {
        drain();
        expect(ACTORS + 1, 0, 2);
        expect(ACTORS + 2, 0, 2);
        end();
    }
};

/* A thread from outside whose first send finds the lock free, and a queue that takes its letter at once: the next ones, which
 * may not, must not go another way. */
struct copied : outsiders<copied, 2> {
    void prepare() {
        this->make(false, false, QUEUE_COPY);
        post(ACTORS + 2, 0, 0);
        executor.options.lanes = true;
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            return;
        }
        send(0);
        send(0);
    }
    void finish() {
        drain();
        expect(ACTORS + 1, 0, 2);
        expect(ACTORS + 2, 0, 1);
        end();
    }
};

SEARCHES(BOUNDED(first_send, 4), BOUNDED(next_send, 5), BOUNDED(two_outsiders, 2), BOUNDED(copied, 3))
