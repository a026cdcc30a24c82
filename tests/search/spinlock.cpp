/* The spinlock: one thread at a time, and each sees what those before it wrote. */
#include "search.h"

#include "platform/spinlock.h"

template <typename derived, int threads> struct counted : search::scenario<derived, threads> {
    struct spinlock *lock;
    search::plain<unsigned> *count; /* under the lock */

    void prepare() {
        lock = search::zeroed<struct spinlock>();
        count = search::zeroed<search::plain<unsigned>>();
        spinlock_init(lock);
    }
    void add() {
        spinlock_acquire(lock);
        (*count)++;
        spinlock_release(lock);
    }
    void finish() {
        ALWAYS(*count == unsigned(threads));
        ALWAYS(spinlock_try(lock));
        free(lock);
        free(count);
    }
};

struct two_threads : counted<two_threads, 2> {
    void thread(unsigned) {
        add();
    }
};

struct three_threads : counted<three_threads, 3> {
    void thread(unsigned) {
        add();
    }
};

/* Who only tries may fail, but never succeeds beside another. */
struct one_tries : counted<one_tries, 2> {
    void thread(unsigned number) {
        if (number == 0) {
            add();
        } else if (spinlock_try(lock)) {
            (*count)++;
            spinlock_release(lock);
        } else {
            add();
        }
    }
};

SEARCHES(FULL(two_threads), FULL(three_threads), FULL(one_tries))
