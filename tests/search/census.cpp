/* Termination (census.h): main goes on when every actor has terminated, not earlier and not never, and sees what all of
 * them did. */
#define ACTORBENCH_SMALL /* an account draws two numbers at a time */
#include "search.h"

#include "platform/parking.h"

#include "census.c"
#include "worker_centric/account.h"

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
        (void)census_add(1);
        atomic_store_release(&sent[whom], 1);
    }
    void receive_and_end(unsigned who) {
        while (!atomic_load_acquire(&sent[who]))
            cpu_yield();
        if (who == FIRST)
            make_and_send(SECOND);
        worked[who] = true;
        if (census_remove(1))
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
                (void)census_add(1);
                atomic_store_release(&sent, round);
                census_wait();
                ALWAYS(worked == round);
            } else {
                while (atomic_load_acquire(&sent) != round)
                    cpu_yield();
                worked = round;
                if (census_remove(1))
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
        (void)census_add(1);
        (void)census_add(1);
    }
    void thread(unsigned number) {
        if (number == MAIN) {
            census_wait();
            ALWAYS(worked[FIRST] && worked[SECOND]);
            return;
        }
        worked[number] = true;
        if (census_remove(1))
            census_announce();
    }
    void finish() {
        ALWAYS(atomic_load_relaxed(&census.terminated) == 2);
    }
};

/* The workers' accounts: actors that are made out of numbers that were drawn before, ends that are told later, numbers
 * that are given back. Worker 1 runs the first actor and those that the second one makes. */
struct accounts : search::scenario<accounts, THREADS> {
    ATOMIC(uint32_t) sent[THREADS];        /* to which worker, how often */
    search::plain<unsigned> made[THREADS]; /* by worker */
    struct account account[THREADS];

    void prepare() {
        census_init();
        for (unsigned i = 0; i < THREADS; i++) {
            atomic_initialise(&sent[i], 0);
            made[i] = 0;
            account[i] = {0, 0, 0};
        }
    }
    /* A behaviour that makes so many actors of the other worker. */
    void receive_and_make(unsigned worker, unsigned letters, unsigned actors) {
        while (atomic_load_acquire(&sent[worker]) != letters)
            cpu_yield();
        for (unsigned i = 0; i < actors; i++)
            (void)account_add(&account[worker]);
        made[worker] = actors;
        if (actors != 0)
            atomic_store_release(&sent[FIRST + SECOND - worker], letters + (worker == SECOND));
        account[worker].ended++;
    }
    void idle(unsigned worker) {
        account_settle(&account[worker]);
    }
    void thread(unsigned number) {
        if (number == MAIN) {
            (void)census_add(1);
            atomic_store_release(&sent[FIRST], 1);
            census_wait();
            ALWAYS(made[FIRST] == 0 && made[SECOND] == 2);
            return;
        }
        receive_and_make(number, 1, number == FIRST ? 1 : 2);
        idle(number);
        if (number == FIRST) {
            receive_and_make(FIRST, 2, 0);
            receive_and_make(FIRST, 2, 0);
            idle(FIRST);
        }
    }
    void finish() {
        ALWAYS(census_created() == 4);
        ALWAYS(atomic_load_relaxed(&census.terminated) + 1 == atomic_load_relaxed(&census.created));
        ALWAYS(atomic_load_relaxed(&census.all_terminated) == 0);
    }
};

SEARCHES(FULL(two_actors), BOUNDED(twice, 5), BOUNDED(chain, 4), BOUNDED(accounts, 4))
