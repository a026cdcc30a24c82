/* The heap of those that are due. */
#include "due.h"

#include "own.h"
#include "threads.h"

struct due due;

void due_begin(void) {
    due.heap = own_room((MOST_THREADS + 2) * sizeof(struct thread *));
}

static bool is_before(const struct thread *one, const struct thread *other) {
    return one->due != other->due ? one->due < other->due : one->number < other->number;
}

static void put(unsigned place, struct thread *thread) {
    due.heap[place] = thread;
    thread->place = place;
}

static void rise(unsigned place, struct thread *thread) {
    for (; place > 1 && is_before(thread, due.heap[place / 2]); place /= 2)
        put(place, due.heap[place / 2]);
    put(place, thread);
}

static void sink(unsigned place, struct thread *thread) {
    for (unsigned child; (child = 2 * place) <= due.count; place = child) {
        if (child < due.count && is_before(due.heap[child + 1], due.heap[child]))
            child++;
        if (!is_before(due.heap[child], thread))
            break;
        put(place, due.heap[child]);
    }
    put(place, thread);
}

void due_add(struct thread *thread, time_ps when) {
    thread->due = when;
    rise(++due.count, thread);
    if (when + AHEAD < threads_horizon)
        threads_horizon = when + AHEAD;
}

void due_remove(struct thread *thread) {
    unsigned place = thread->place;
    thread->place = 0;
    struct thread *last = due.heap[due.count--];
    if (last == thread)
        return;
    sink(place, last);
    if (last->place == place)
        rise(place, last);
}
