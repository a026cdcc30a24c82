/* Holding and out-boxes (hold.h, outbox.h): what goes through a run queue comes in order with what goes through a mailbox's
 * queue, whoever takes the mailbox; and nothing stays behind. Worker 0 is the holder, of mailboxes 0 and 1. */
#include "workers.h"

template <typename derived, int count = 2> struct holders : workers<derived, count> {
    void prepare() {
        this->make(false, true);
    }
    /* The holder takes a mailbox of its own, with what is in it. */
    void hold(unsigned number) {
        struct mailbox *taken = slot_mailbox(&executor.slots[number]);
        struct worker *holder = &executor.workers[number / 2];
        hold_mailbox(holder, taken);
        ALWAYS(hold_holder(taken) == holder);
        (void)take_queue(holder, taken);
    }
    /* A thief that has a mailbox in slot `mine` exchanges it for one that is held, as take_half in steal.c. */
    void rob(unsigned mine, unsigned theirs) {
        mailbox_slot *own = &executor.slots[mine], *slot = &executor.slots[theirs];
        ALWAYS(slots_swap(own, slot_mailbox(own), slot, slot_mailbox(slot)));
        tell(&executor.workers[theirs / 2]);
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
            round(worker[0]);
            round(worker[0]);
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

/* Actor 2 sends to actor 0 where worker 1 runs it, and again where worker 0 does, which has stolen its mailbox. */
struct came_here : holders<came_here> {
    void prepare() {
        holders::prepare();
        hold(0);
        send(2, 1, 0);
        hold(2);
        rob(1, 2);
    }
    void thread(unsigned number) {
        round(worker[number]);
        if (number == 0) {
            round(worker[0]);
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

/* The same, and worker 1 lets go of everything in the midst of a round. */
struct out_box_leaves : holders<out_box_leaves> {
    void prepare() {
        holders::prepare();
        executor.options.lanes = true;
        send(2, 1, 0);
        executor.options.lanes = false;
    }
    void thread(unsigned number) {
        be(worker[number]);
        if (number == 0) {
            (void)slots_swap(&executor.slots[1], mailbox[1], &executor.slots[2], mailbox[2]);
            round(worker[0]);
        } else {
            (void)hold_collect(worker[1]);
            (void)run_lanes(worker[1]);
            hold_leave(worker[1], LEAVE_ALL);
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
            round(worker[0]);
            round(worker[0]);
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

/* Actor 0 sends to actor 1, whose mailbox has an out-box in use, while the run queue's last block becomes full. */
struct full_run_queue : holders<full_run_queue> {
    void prepare() {
        holders::prepare();
        send(0, 1, 1); /* a block of two, so that what it sends begins another, which is run in the next round */
        send(0);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            be(NULL);
            send(0, 2, 1);
            round(worker[0]);
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
        round(worker[number]);
        if (number == 0)
            round(worker[0]);
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
            (void)hold_collect(worker[0]);
            hold_leave(worker[0], LEAVE_ALL);
        } else {
            send(0);
            send(0);
            be(worker[1]);
            (void)process(worker[1], mailbox[0]);
        }
    }
    void finish() {
        ALWAYS(actors[0].received[ACTORS + 1] + mailbox_count(mailbox[0]) == 2);
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
        hold(0);
        hold(1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            return;
        }
        be(worker[1]);
        ALWAYS(take_half(worker[1], worker[0]));
        send(1);
        round(worker[1]);
        round(worker[1]);
    }
    void finish() {
        drain();
        expect(0, 1, 3);
        expect(ACTORS + 1, 1, 1);
        end();
    }
};

/* Two thieves, one after the other: the holder lets go of both mailboxes. */
struct stolen_twice : holders<stolen_twice> {
    void prepare() {
        holders::prepare();
        hold(0);
        hold(1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            return;
        }
        rob(2, 0);
        rob(3, 1);
        send(0);
        send(1);
    }
    void finish() {
        drain();
        expect(ACTORS + 1, 0, 1);
        expect(ACTORS + 1, 1, 1);
        end();
    }
};

/* The same of two thieves at a time. */
struct two_thieves : holders<two_thieves, 3> {
    void prepare() {
        holders::prepare();
        hold(0);
        hold(1);
    }
    void thread(unsigned number) {
        if (number == 0)
            round(worker[0]);
        else
            rob(number + 1, number - 1);
    }
    void finish() {
        drain();
        end();
    }
};

/* Once a thief has the mailbox that it awaited, it steals again, also while it holds it itself. */
struct awaited : holders<awaited> {
    void prepare() {
        holders::prepare();
        hold(0);
        hold(1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            return;
        }
        be(worker[1]);
        ALWAYS(take_half(worker[1], worker[0]));
        be(NULL);
        send(1);
    }
    void finish() {
        drain();
        expect(ACTORS + 1, 1, 1);
        ALWAYS(!awaits(worker[1]));
        end();
    }
};

/* A thief takes a mailbox that has messages, and that its owner comes to hold meanwhile. */
struct taken : holders<taken> {
    void prepare() {
        holders::prepare();
        executor.options.steal = STEAL_RANDOM;
        executor.options.loot = LOOT_ANY;
        post(ACTORS + 2, 0, 1);
    }
    void thread(unsigned number) {
        if (number == 0) {
            round(worker[0]);
            return;
        }
        be(worker[1]);
        search_slots(worker[1], worker[0]);
        send(1);
        round(worker[1]);
    }
    void finish() {
        drain();
        expect(ACTORS + 2, 1, 1);
        expect(ACTORS + 1, 1, 1);
        end();
    }
};

SEARCHES(BOUNDED(beside_a_sender, 3), BOUNDED(came_here, 3), BOUNDED(out_box_leaves, 3), BOUNDED(out_box_first, 4),
         BOUNDED(full_run_queue, 4), BOUNDED(shared_out_box, 3), BOUNDED(let_go, 4), BOUNDED(stolen, 3),
         BOUNDED(stolen_twice, 3), BOUNDED(two_thieves, 3), BOUNDED(awaited, 4), BOUNDED(taken, 3))
