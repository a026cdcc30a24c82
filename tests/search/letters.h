/* An actor of the actor-centric design and its mailbox, of a kind: struct with box, init, push, next, rest, destroy.
 *
 * Whose push finds the actor idle runs it at once (`run` in worker.c): between the two, the ready queue only adds
 * order. */
#ifndef ACTORBENCH_SEARCH_LETTERS_H
#define ACTORBENCH_SEARCH_LETTERS_H

#include "search.h"

#include "actor_centric/letter.h"

enum { MOST_SENDERS = 3 };

template <typename derived, typename kind, int threads, bool reuses_blocks = false>
struct an_actor : search::scenario<derived, threads, reuses_blocks> {
    typename kind::box *mailbox;
    search::plain<unsigned> *received; /* by sender; the actor's state: its behaviours must not race */
    unsigned last;                     /* the letter of sender 1 that ends the actor; 0: none does */
    bool is_limited;                   /* to one letter at a time (--dispatch 1) */
    bool is_terminated;

    void prepare() {
        mailbox = search::zeroed<typename kind::box>();
        kind::init(mailbox);
        received = search::zeroed<search::plain<unsigned>>(MOST_SENDERS);
        last = 0;
        is_limited = is_terminated = false;
    }

    bool push(unsigned sender, unsigned number) {
        struct letter letter = {(struct actorbench_message *)uintptr_t(MOST_SENDERS * (number + 1) + sender), NULL};
        return kind::push(mailbox, letter);
    }

    /* A behaviour: each sender's letters come once each, in the order sent. */
    void receive(struct letter letter) {
        unsigned sender = uintptr_t(letter.message) % MOST_SENDERS;
        ALWAYS(received[sender] == uintptr_t(letter.message) / MOST_SENDERS - 1);
        received[sender]++;
    }

    void run() {
        struct letter letter;
        for (;;) {
            if (!kind::next(mailbox, &letter)) {
                if (kind::rest(mailbox))
                    return;
                continue;
            }
            receive(letter);
            if (last != 0 && received[1] == last) {
                retire();
                return;
            }
            if (is_limited && kind::rest(mailbox))
                return;
        }
    }

    /* After its last letter, nobody may touch the mailbox. */
    void retire() {
        ALWAYS(kind::destroy(mailbox) == 0);
        free(mailbox);
        is_terminated = true;
    }

    void send(unsigned sender, unsigned number) {
        if (push(sender, number))
            run();
    }

    /* After all: what was sent has come, and the actor is idle. */
    void expect(unsigned first, unsigned second, unsigned third = 0) {
        ALWAYS(received[0] == first && received[1] == second && received[2] == third);
        free(received);
        if (!is_terminated) {
            ALWAYS(push(0, first));
            struct letter letter;
            ALWAYS(kind::next(mailbox, &letter));
            ALWAYS(!kind::next(mailbox, &letter));
            ALWAYS(kind::rest(mailbox));
            (void)kind::destroy_idle(mailbox);
            free(mailbox);
        }
    }
};

/* Two senders, two letters each. */
template <typename derived, typename kind, bool reuses_blocks = false>
struct two_by_two : an_actor<derived, kind, 2, reuses_blocks> {
    void thread(unsigned number) {
        this->send(number, 0);
        this->send(number, 1);
    }
    void finish() {
        this->expect(2, 2);
    }
};

/* The same, and the worker asks after each letter whether the actor is idle. */
template <typename derived, typename kind> struct limited : two_by_two<derived, kind> {
    void prepare() {
        two_by_two<derived, kind>::prepare();
        this->is_limited = true;
    }
};

/* Three senders, a letter each. */
template <typename derived, typename kind> struct three_by_one : an_actor<derived, kind, 3> {
    void thread(unsigned number) {
        this->send(number, 0);
    }
    void finish() {
        this->expect(1, 1, 1);
    }
};

/* A worker that runs the actor, and a sender whose last letter ends it. */
template <typename derived, typename kind> struct the_end : an_actor<derived, kind, 2> {
    void prepare() {
        an_actor<derived, kind, 2>::prepare();
        ALWAYS(this->push(0, 0));
        this->last = 2;
    }
    void thread(unsigned number) {
        if (number == 0) {
            this->run();
        } else {
            this->send(1, 0);
            this->send(1, 1);
        }
    }
    void finish() {
        ALWAYS(this->is_terminated);
        this->expect(1, 2);
    }
};

#endif
