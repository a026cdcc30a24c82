/* Sends from outside by lanes, through actorbench_post: who gets a lane of a mailbox, and that no message lies in the lane of a
 * mailbox whose owner sleeps for good. */
#include "workers.h"

template <typename derived, int count> struct outsiders : workers<derived, count> {
    void prepare() {
        this->make(0);
    }
    /* A lane to the first mailbox, behind those that there are. */
    void add_lane(struct producer *producer) {
        ATOMIC(struct lane *) *link = &this->mailbox[0]->lanes;
        for (struct lane *lane; (lane = lane_at(link)) != NULL; link = &lane->further)
            continue;
        atomic_initialise(link, lane_make(producer));
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
        send_the_first();
    }
    void send_the_first() {
        actors[0].received[ACTORS + 1] = 1;
        sent_from_outside[1 * ACTORS + 0] = 1;
        senders[1].claim.round = producers.round;
        senders[1].claim.producer = producer_claim();
        add_lane(senders[1].claim.producer);
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

/* The same where another thread has the mailbox's first lane. */
struct first_beside : first_send {
    void prepare() {
        outsiders::prepare();
        add_lane(producer_claim());
    }
};
struct next_beside : next_send {
    void prepare() {
        outsiders::prepare();
        add_lane(producer_claim());
        send_the_first();
    }
};

/* Two threads from outside: each makes a lane, and each one's letters come in order. */
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

/* The same where one lane is there already: one gets the last, the other uses the queue. */
struct crowded : two_outsiders {
    void prepare() {
        outsiders::prepare();
        add_lane(producer_claim());
    }
};

/* A thread from outside sends and ends; another one that begins then goes on in its lane. */
struct successor : two_outsiders {
    void thread(unsigned number) {
        two_outsiders::thread(number);
        if (number == 1)
            producer_leave(senders[number].claim.producer, senders[number].claim.round);
    }
};

/* The lane of one that has ended, and two that begin: one goes on in it. */
struct two_successors : two_outsiders {
    void prepare() {
        outsiders::prepare();
        struct producer *producer = producer_claim();
        add_lane(producer);
        producer_leave(producer, producers.round);
    }
};

/* An actor whose sender remembers where it is ends; who comes to its address is in another mailbox, and is sent to there. */
struct reborn : outsiders<reborn, 2> {
    ATOMIC(uint32_t) *is_reborn;
    void prepare() {
        outsiders::prepare();
        is_reborn = search::zeroed<ATOMIC(uint32_t)>();
        atomic_initialise(is_reborn, 0);
    }
    void thread(unsigned number) {
        if (number == 0) {
            rounds(0, 3);
            atomic_initialise(&actors[0].actor.ticket, (uintptr_t)mailbox[1]); /* as actorbench_actor_construct */
            atomic_store_release(is_reborn, 1);                                /* pairs with the acquire below */
            return;
        }
        send(0);
        send(0);
        send(0, 0, NOBODY, true);
        while (atomic_load_acquire(is_reborn) == 0)
            cpu_relax();
        send(0);
    }
    void finish() {
        ALWAYS(mailbox_count_in_lanes(mailbox[0]) == 0);
        ALWAYS(mailbox_count_in_lanes(mailbox[1]) == 1);
        drain();
        expect(ACTORS + 1, 0, 4);
        end();
        free(is_reborn);
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

/* Two actors of a row whose mailbox is not chosen: two threads choose it at once, for both. */
struct unchosen : outsiders<unchosen, 3> {
    void prepare() {
        outsiders::prepare();
        for (unsigned i = ACTORS - 2; i < ACTORS; i++)
            actorbench_actor_construct(&actors[i].actor, NULL);
    }
    void thread(unsigned number) {
        if (number == 0)
            round(0);
        else
            send(ACTORS - number);
    }
    void finish() {
        drain();
        ALWAYS(deal_mailbox(&actors[ACTORS - 2].actor) == deal_mailbox(&actors[ACTORS - 1].actor));
        expect(ACTORS + 1, ACTORS - 1, 1);
        expect(ACTORS + 2, ACTORS - 2, 1);
        end();
    }
};

SEARCHES(BOUNDED(first_send, 4), BOUNDED(next_send, 4), BOUNDED(first_beside, 4), BOUNDED(next_beside, 4),
         BOUNDED(two_outsiders, 2), BOUNDED(crowded, 2), BOUNDED(successor, 2), BOUNDED(two_successors, 2),
         BOUNDED(reborn, 2), BOUNDED(lane_let_go, 3), BOUNDED(unchosen, 2))
