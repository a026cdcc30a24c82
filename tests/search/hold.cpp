/* Holding and out-boxes (hold.h, outbox.h): what goes through a run queue comes in order with what goes through a mailbox's
 * queue, whoever takes the mailbox; and nothing stays behind. Worker 0 is the holder, of mailboxes 0 and 1. */
#include "workers.h"

template <typename derived, int count = 2> struct holders : workers<derived, count> {
    void prepare() {
        this->make(MECHANISM_LANES);
    }
    /* A worker takes one mailbox of its own, with what is in it. */
    void hold_one(unsigned number) {
        struct worker *holder = this->worker[number / SHARE];
        take_mailbox(holder, this->mailbox[number]);
        ALWAYS(mailbox_holder(this->mailbox[number]) == holder);
        (void)take_queue(holder, this->mailbox[number]);
    }
};

/* Actor 1 sends to actor 0, by the run queue, and another thread by the mailbox's. */
struct beside_a_sender : holders<beside_a_sender> {
    void prepare() {
        holders::prepare();
        send(1, 2, 0);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
            round(0);
        } else {
            send(0);
            send(0);
        }
    }
    void finish() {
        drain();
        expect(1, 0, 2);
        expect(ACTORS + 1, 0, 2);
        end();
    }
};

/* Actor 2 sends to actor 0 where worker 1 runs it, which is then told that the mailbox has gone; and again where worker 0
 * does, which has it. */
struct came_here : holders<came_here> {
    void prepare() {
        holders::prepare();
        hold_one(0);
        send(2, 1, 0);
        hold_one(2);
        rob(1, 2);
    }
    void thread(unsigned number) {
        round(number);
        if (number == 0) {
            round(0);
        } else {
            be(NULL);
            send(2, 1, 0);
        }
    }
    void finish() {
        drain();
        expect(2, 0, 2);
        end();
    }
};

/* Actor 0 sends to actor 1, whose mailbox is not held: one letter is passed on, the others stay in the run queue. Then it
 * is held, for that letter or another thread's. */
struct out_box_first : holders<out_box_first> {
    void prepare() {
        holders::prepare();
        send(0, 3, 1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
            round(0);
        } else {
            send(1);
        }
    }
    void finish() {
        drain();
        expect(0, 1, 3);
        expect(ACTORS + 1, 1, 1);
        end();
    }
};

/* Actor 0 sends to mailboxes that share an out-box, and another thread to one of them. */
struct shared_out_box : holders<shared_out_box> {
    void prepare() {
        holders::prepare();
        send(0, 1, 3);
        send(0, 2, 1);
    }
    void thread(unsigned number) {
        if (number == 1)
            send(3);
        round(number);
        if (number == 0)
            round(0);
    }
    void finish() {
        drain();
        expect(0, 1, 2);
        expect(0, 3, 1);
        expect(ACTORS + 1, 3, 1);
        end();
    }
};

/* What waits goes back in front of what has come. */
struct let_go : holders<let_go> {
    void thread(unsigned number) {
        if (number == 0) {
            be(worker[0]);
            hold(0);
            (void)hold_leave(worker[0], LEAVE_ALL);
        } else {
            send(0);
            send(0);
            be(worker[1]);
            rob(2, 0);
            round(1);
        }
    }
    void finish() {
        drain();
        expect(ACTORS + 1, 0, 2);
        end();
    }
};

/* A thief takes a mailbox from under its holder, whose actor 0 is sending to it, and sends to it too. */
struct stolen : holders<stolen> {
    void prepare() {
        holders::prepare();
        send(0, 3, 1);
        hold_one(0);
        hold_one(1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
            return;
        }
        be(worker[1]);
        rob(2, 1);
        be(NULL);
        send(1);
        round(1);
        round(1);
    }
    void finish() {
        drain();
        expect(0, 1, 3);
        expect(ACTORS + 1, 1, 1);
        end();
    }
};

/* Two thieves at a time: the holder lets go of both mailboxes. */
struct two_thieves : holders<two_thieves, 3> {
    void prepare() {
        holders::prepare();
        hold_one(0);
        hold_one(1);
    }
    void thread(unsigned number) {
        if (number == 0)
            round(0);
        else
            rob(number + 1, number - 1);
    }
    void finish() {
        drain();
        end();
    }
};

/* A thief takes a mailbox that has messages, and that its owner comes to hold meanwhile. */
struct taken : holders<taken> {
    void prepare() {
        holders::prepare();
        post(ACTORS + 2, 0, 1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
            return;
        }
        be(worker[1]);
        (void)take(worker[1], worker[0], true);
        be(NULL);
        send(1);
        round(1);
    }
    void finish() {
        drain();
        expect(ACTORS + 2, 1, 1);
        expect(ACTORS + 1, 1, 1);
        end();
    }
};

/* Worker 0 sends three letters to actor 2, whose mailbox is worker 1's, in two behaviours, more than a run has: it borrows the mailbox at
 * the end of a run, unless worker 1 holds it for another thread's letter, or has let go of it with some in the queue. */
struct borrowed : holders<borrowed> {
    void prepare() {
        holders::prepare();
        executor.options.steal = STEAL_RANDOM;
        atomic_initialise(&worker[0]->work_ns, 0);
        send(0, 1, 2);
        send(0, 2, 2);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
            round(0);
        } else {
            send(2);
            round(1);
            (void)hold_leave(worker[1], LEAVE_ALL);
        }
    }
    void finish() {
        drain();
        expect(0, 2, 3);
        expect(ACTORS + 1, 2, 1);
        (void)hold_leave(worker[0], LEAVE_MOVED);
        end();
    }
};

/* Worker 1 sleeps on a mailbox that worker 0 borrows, and lets go of with a letter in it; another thread sends one, too. */
struct borrowed_from_a_sleeper : holders<borrowed_from_a_sleeper, 3> {
    void prepare() {
        holders::prepare();
        executor.options.steal = STEAL_RANDOM;
        atomic_initialise(&worker[0]->work_ns, 0);
        send(0, 1, 2);
        hold(0);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
            (void)hold_leave(worker[0], LEAVE_ALL);
        } else if (number == 1) {
            rounds(1, 2);
        } else {
            send(2);
        }
    }
    void finish() {
        drain();
        expect(0, 2, 1);
        expect(ACTORS + 2, 2, 1);
        end();
    }
};

SEARCHES(BOUNDED(beside_a_sender, 3), BOUNDED(came_here, 3), BOUNDED(out_box_first, 3), BOUNDED(shared_out_box, 3),
         BOUNDED(let_go, 3), BOUNDED(stolen, 2), BOUNDED(two_thieves, 3), BOUNDED(taken, 3), BOUNDED(borrowed, 3),
         BOUNDED(borrowed_from_a_sleeper, 2))
