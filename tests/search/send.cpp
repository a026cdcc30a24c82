/* Sends from outside by lanes, through actorbench_post: who gets a mailbox's lane, and that no message lies in the lane of a
 * mailbox whose owner sleeps for good. */
#include "workers.h"

template <typename derived, int count> struct outsiders : workers<derived, count> {
    void prepare() {
        this->make(0);
    }
};

/* A first send, which makes the lane, against a worker that goes to sleep. */
struct first_send : outsiders<first_send, 2> {
    void thread(unsigned number) {
        if (number == 0)
            rounds(0, 1);
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
        actors[0].received[ACTORS + 1] = 1;
        sent_from_outside[1 * ACTORS + 0] = 1;
        lane_selves[1] = 1;
        struct lane *lane = lane_make();
        lane->producer = 1;
        atomic_initialise(&mailbox[0]->lane, lane);
    }
    void thread(unsigned number) {
        if (number == 0)
            rounds(0, 1);
        else
            send(0);
    }
    void finish() {
        expect(ACTORS + 1, 0, 2);
        end();
    }
};

/* Two threads from outside: one has the lane, the other uses the queue, and each one's letters come in order. */
struct two_outsiders : outsiders<two_outsiders, 3> {
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
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

/* A mailbox that is let go of with letters from its lane, which go back to its queue: further ones do not overtake them. */
struct lane_let_go : outsiders<lane_let_go, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            be(worker[0]);
            hold(0);
            (void)hold_leave(worker[0], LEAVE_ALL);
            round(0);
        } else {
            send(0);
            send(0);
            send(0);
        }
    }
    void finish() {
        drain();
        expect(ACTORS + 1, 0, 3);
        end();
    }
};

SEARCHES(BOUNDED(first_send, 4), BOUNDED(next_send, 4), BOUNDED(two_outsiders, 2), BOUNDED(lane_let_go, 3))
