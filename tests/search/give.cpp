/* Asking and giving (give.h): worker 0 is asked for work and gives of mailboxes 0 and 1, which have two letters each, while
 * the thief does something else. No letter is lost or comes out of order, no mailbox stays with who no longer has it, and the
 * thief wakes. */
#include "workers.h"

template <typename derived, int count = 2, unsigned worker_count = 2>
struct giving : workers<derived, count, worker_count> {
    void prepare() {
        this->make(MECHANISM_LANES);
        for (unsigned i = 0; i < 4; i++)
            post(ACTORS + MOST_THREADS - 1, i / 2, i % 2);
    }
    /* Worker 0 has taken the letters, and worker 1 has asked. */
    void ask_beforehand() {
        this->hold(0);
        give_ask(this->worker[0], this->worker[1]);
    }
    void expect_all() {
        this->expect(ACTORS + MOST_THREADS - 1, 0, 2);
        this->expect(ACTORS + MOST_THREADS - 1, 1, 2);
    }
};

/* The thief goes to sleep. */
struct asleep : giving<asleep> {
    void prepare() {
        giving::prepare();
        ask_beforehand();
    }
    void thread(unsigned number) {
        if (number == 0)
            round(0);
        else
            rounds(1, 1);
    }
    void finish() {
        drain();
        expect_all();
        end();
    }
};

/* A third thread sends to both of the mailboxes, one of which is given. */
struct beside_a_sender : giving<beside_a_sender, 3> {
    void prepare() {
        giving::prepare();
        ask_beforehand();
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
        } else if (number == 1) {
            round(1);
        } else {
            send(0);
            send(1);
        }
    }
    void finish() {
        drain();
        expect_all();
        expect(ACTORS + 2, 0, 1);
        expect(ACTORS + 2, 1, 1);
        end();
    }
};

/* The thief gets work of its own, in the mailbox that it gives for what it is given. */
struct has_work : giving<has_work> {
    void prepare() {
        giving::prepare();
        ask_beforehand();
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
        } else {
            send(2);
            round(1);
        }
    }
    void finish() {
        drain();
        expect_all();
        expect(ACTORS + 1, 2, 1);
        end();
    }
};

/* The thief asks and takes; it has held a mailbox, which it must not give while it does. */
struct takes : giving<takes> {
    void prepare() {
        giving::prepare();
        executor.options.steal = STEAL_RANDOM;
        atomic_initialise(&worker[0]->waiting, 2);
        take_mailbox(worker[1], mailbox[2]);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
        } else {
            be(worker[1]);
            steal_attempt(worker[1]); /* asks, and suspects */
            steal_attempt(worker[1]); /* takes */
        }
    }
    void finish() {
        drain();
        expect_all();
        end();
    }
};

/* A third worker takes the mailbox that is about to be given, from the victim or from the thief. */
template <typename derived> struct beside_a_thief : giving<derived, 3, 3> {
    void prepare() {
        giving<derived, 3, 3>::prepare();
        this->ask_beforehand();
    }
    void thread(unsigned number) {
        if (number == 2) {
            this->be(this->worker[2]);
            (void)take(this->worker[2], this->worker[0], true);
        } else {
            this->round(number);
        }
    }
    void finish() {
        this->drain();
        this->expect_all();
        this->end();
    }
};

struct third : beside_a_thief<third> {};

/* The same of coarse letters, so that both mailboxes are let go of and one is given. */
struct coarse : beside_a_thief<coarse> {
    void prepare() {
        beside_a_thief::prepare();
        atomic_initialise(&worker[0]->work_ns, COARSE_NS);
    }
};

/* Worker 0 has coarse letters, and holds no mailbox between its runs: the thief takes one of the two, if both have letters yet, and asks, too. */
struct open : giving<open> {
    void prepare() {
        giving::prepare();
        executor.options.steal = STEAL_RANDOM;
        atomic_initialise(&worker[0]->work_ns, COARSE_NS);
        atomic_initialise(&worker[0]->waiting, 2);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(0);
        } else {
            be(worker[1]);
            steal_attempt(worker[1]);
        }
    }
    void finish() {
        drain();
        expect_all();
        end();
    }
};

/* Worker 0 is asked in the midst of a behaviour, of actor 0's, that sends to actor 1. Behind its envelope there are in the same block one for
 * actor 1, and then one for each of both, so that the mailbox that leaves has something in every place, and the one that stays as well. */
struct midway : workers<midway, 2> {
    enum { FLOOD = 6 };
    void prepare() {
        make(MECHANISM_LANES);
        unsigned sender = ACTORS + MOST_THREADS - 1;
        executor.options.steal = STEAL_RANDOM;
        atomic_initialise(&worker[0]->work_ns, 0); /* so that no send looks */
        be(worker[0]);
        take_mailbox(worker[0], mailbox[1]);
        take_mailbox(worker[0], mailbox[0]); /* is looked at first */
        post(sender, 0, 0, FLOOD, 1);
        post(sender, 0, 1);
        post(sender, 1, 0, 1, 1);
        post(sender, 1, 1);
        be(NULL);
    }
    void thread(unsigned number) {
        if (number == 1)
            give_ask(worker[0], worker[1]);
        round(number);
    }
    void finish() {
        drain();
        expect(ACTORS + MOST_THREADS - 1, 0, 2);
        expect(ACTORS + MOST_THREADS - 1, 1, 2);
        expect(0, 1, FLOOD + 1);
        end();
    }
};

/* A behaviour of actor 0's sends two letters to actor 1, and looks each time; in the first one's block there is nothing else. The thief sends one to
 * actor 0, takes a mailbox, and asks. */
struct overdue : workers<overdue, 2> {
    enum { SENDS = 2 };
    void prepare() {
        make(MECHANISM_LANES);
        executor.options.steal = STEAL_RANDOM;
        be(worker[0]);
        take_mailbox(worker[0], mailbox[1]);
        take_mailbox(worker[0], mailbox[0]);
        post(ACTORS + MOST_THREADS - 1, 0, 0, SENDS, 1);
        be(NULL);
    }
    void thread(unsigned number) {
        if (number == 1) {
            send(0, 1, 1);
            be(worker[1]);
            (void)take(worker[1], worker[0], true);
            give_ask(worker[0], worker[1]);
        }
        round(number);
    }
    void finish() {
        drain();
        (void)hold_leave(worker[0], LEAVE_ALL); /* what it has borrowed, too */
        expect(ACTORS + MOST_THREADS - 1, 0, 1);
        expect(ACTORS + 1, 0, 1);
        expect(0, 1, SENDS + 1);
        end();
    }
};

/* Of two that ask one is heard, and so is who tells that mailboxes have moved. */
struct calls : giving<calls, 3, 3> {
    void thread(unsigned number) {
        if (number == 2)
            give_tell(worker[2]);
        else
            give_ask(worker[2], worker[number]);
    }
    void finish() {
        uintptr_t called = atomic_exchange_acq_rel(&worker[2]->call, uncalled(worker[2]));
        ALWAYS(called & CALL_MOVED);
        ALWAYS(called / CALL_ASKED == 1 || called / CALL_ASKED == 2);
        drain();
        end();
    }
};

SEARCHES(BOUNDED(asleep, 3), BOUNDED(beside_a_sender, 1), BOUNDED(has_work, 2), BOUNDED(takes, 2), BOUNDED(third, 2),
         BOUNDED(coarse, 2), BOUNDED(open, 2), BOUNDED(midway, 2), BOUNDED(overdue, 2), FULL(calls))
