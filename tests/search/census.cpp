/* Termination (census.h): main goes on when every actor has terminated, not earlier and not never, and sees what all of
 * them did. */
#include "search.h"

#include "platform/parking.h"

#include "census.c"

/* Worker 1 runs the first actor, which makes a second one and sends to it; worker 2 runs that. A send is a flag here,
 * with the order that a mailbox gives: the mailboxes have searches of their own. */
enum { MAIN, FIRST, SECOND, THREADS };

struct chain : search::scenario<chain, THREADS> {
    ATOMIC(uint32_t) sent[THREADS];      /* to whom */
    search::plain<bool> worked[THREADS]; /* what the actors leave behind */

    void prepare() {
        census_init();
        for (unsigned i = 0; i < THREADS; i++) {
            atomic_initialise(&sent[i], 0);
            worked[i] = false;
        }
    }
    void make_and_send(unsigned whom) {
        (void)census_add();
        atomic_store_release(&sent[whom], 1);
    }
    void receive_and_end(unsigned who) {
        while (!atomic_load_acquire(&sent[who]))
            cpu_yield();
        if (who == FIRST)
            make_and_send(SECOND);
        worked[who] = true;
        if (census_remove())
            census_announce();
    }
    void thread(unsigned number) {
        if (number != MAIN) {
            receive_and_end(number);
            return;
        }
        make_and_send(FIRST);
        census_wait();
        ALWAYS(worked[FIRST] && worked[SECOND]);
    }
    void finish() {
        ALWAYS(census_created() == 2);
        ALWAYS(atomic_load_relaxed(&census.terminated) == 2);
        ALWAYS(atomic_load_relaxed(&census.all_terminated) == 0);
    }
};

/* Main waits for a first actor, makes another, and waits again: each wait ends once. */
struct twice : search::scenario<twice, 2> {
    ATOMIC(uint32_t) sent;
    search::plain<unsigned> worked;

    void prepare() {
        census_init();
        atomic_initialise(&sent, 0);
        worked = 0;
    }
    void thread(unsigned number) {
        for (unsigned round = 1; round <= 2; round++)
            if (number == MAIN) {
                (void)census_add();
                atomic_store_release(&sent, round);
                census_wait();
                ALWAYS(worked == round);
            } else {
                while (atomic_load_acquire(&sent) != round)
                    cpu_yield();
                worked = round;
                if (census_remove())
                    census_announce();
            }
    }
    void finish() {
        ALWAYS(census_created() == 2);
        ALWAYS(atomic_load_relaxed(&census.all_terminated) == 0);
    }
};

/* Two actors at once: one of the three who count is the last. */
struct two_actors : search::scenario<two_actors, THREADS> {
    search::plain<bool> worked[THREADS];

    void prepare() {
        census_init();
        for (search::plain<bool> &one : worked)
            one = false;
        (void)census_add();
        (void)census_add();
    }
    void thread(unsigned number) {
        if (number == MAIN) {
            census_wait();
            ALWAYS(worked[FIRST] && worked[SECOND]);
            return;
        }
        worked[number] = true;
        if (census_remove())
            census_announce();
    }
    void finish() {
        ALWAYS(atomic_load_relaxed(&census.terminated) == 2);
    }
};

SEARCHES(FULL(two_actors), BOUNDED(twice, 5), BOUNDED(chain, 4))
