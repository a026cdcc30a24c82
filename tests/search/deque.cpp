/* The deque: each actor is taken exactly once, by its owner or by a thief, also while the array grows; and a thief
 * sees what the owner wrote before the push. */
#include "search.h"

#include "actor_centric/deque.c"

/* What is pushed: only its address matters to the deque. */
struct mailbox {
    search::plain<unsigned> note; /* written by the owner before the push */
    search::plain<unsigned> taken;
};

template <typename derived, int threads, int size> struct thefts : search::scenario<derived, threads> {
    enum { MOST = 4 };
    struct deque *deque;
    struct mailbox *mailboxes;
    unsigned pushed;

    void prepare() {
        deque = search::zeroed<struct deque>();
        deque_init(deque, size);
        mailboxes = search::zeroed<struct mailbox>(MOST);
        pushed = 0;
    }
    void push() {
        mailboxes[pushed].note = 1;
        deque_push(deque, &mailboxes[pushed++]);
    }
    void take(struct mailbox *mailbox) {
        ALWAYS(mailbox->note == 1);
        ALWAYS(mailbox->taken == 0);
        mailbox->taken = 1;
    }
    void pop() {
        struct mailbox *mailbox = deque_pop(deque);
        if (mailbox != NULL)
            take(mailbox);
    }
    void steal() {
        struct mailbox *mailbox = NULL;
        if (deque_steal(deque, &mailbox) == DEQUE_STOLEN)
            take(mailbox);
    }
    void finish() {
        while (struct mailbox *mailbox = deque_pop(deque))
            take(mailbox);
        for (unsigned i = 0; i < pushed; i++)
            ALWAYS(mailboxes[i].taken == 1);
        deque_destroy(deque);
        free(deque);
        free(mailboxes);
    }
};

/* The last item, wanted by its owner and by a thief. */
struct last_item : thefts<last_item, 2, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            push();
            pop();
        } else {
            steal();
        }
    }
};

struct two_items : thefts<two_items, 2, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            push();
            push();
            pop();
            pop();
        } else {
            steal();
            steal();
        }
    }
};

struct two_thieves : thefts<two_thieves, 3, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            push();
            push();
            pop();
        } else {
            steal();
        }
    }
};

/* The array doubles, and a slot of the first is used again, as a thief looks. */
struct growth : thefts<growth, 2, 1> {
    void thread(unsigned number) {
        if (number == 0) {
            push();
            push();
            push();
            pop();
        } else {
            steal();
            steal();
        }
    }
};

/* Slots come round while nothing grows. */
struct round_again : thefts<round_again, 2, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            push();
            pop();
            push();
            push();
        } else {
            steal();
            steal();
        }
    }
};

SEARCHES(FULL(last_item), BOUNDED(two_items, 5), BOUNDED(two_thieves, 4), BOUNDED(growth, 4), BOUNDED(round_again, 5))
