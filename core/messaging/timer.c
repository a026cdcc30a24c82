/* Timers: a thread, and a binary heap of those that are set, under a mutex. */
#include "timer.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "lifecycle.h"
#include "platform/clock.h"
#include "platform/memory.h"

struct actorbench_timers {
    pthread_t thread;
    pthread_mutex_t lock; /* of all that follows, and of the timers' fields */
    pthread_cond_t changed;
    struct actorbench_timer **heap; /* from 1; the parent of i is i / 2, and is due no later */
    size_t count, room;
    bool stopping;
};

enum { ROOM = 16 /* of a heap at first */, SECOND = 1000 * 1000 * 1000 };

/* ---- The heap ------------------------------------------------------------------------------------------------------- */

static void put(struct actorbench_timers *timers, size_t place, struct actorbench_timer *timer) {
    timers->heap[place] = timer;
    timer->place = place;
}

/* Puts a timer where it belongs, at `place` or above it. */
static void sift_up(struct actorbench_timers *timers, size_t place, struct actorbench_timer *timer) {
    for (; place > 1 && timers->heap[place / 2]->due_ns > timer->due_ns; place /= 2)
        put(timers, place, timers->heap[place / 2]);
    put(timers, place, timer);
}

/* The same at `place` or below it. */
static void sift_down(struct actorbench_timers *timers, size_t place, struct actorbench_timer *timer) {
    for (size_t child; (child = 2 * place) <= timers->count; place = child) {
        if (child < timers->count && timers->heap[child + 1]->due_ns < timers->heap[child]->due_ns)
            child++;
        if (timers->heap[child]->due_ns >= timer->due_ns)
            break;
        put(timers, place, timers->heap[child]);
    }
    put(timers, place, timer);
}

static void add(struct actorbench_timers *timers, struct actorbench_timer *timer) {
    if (timers->count + 1 >= timers->room) {
        timers->room = timers->room == 0 ? ROOM : 2 * timers->room;
        timers->heap =
            (struct actorbench_timer **)memory_resize(timers->heap, timers->room * sizeof *timers->heap, "timers");
    }
    sift_up(timers, ++timers->count, timer);
}

static void take_out(struct actorbench_timers *timers, struct actorbench_timer *timer) {
    size_t place = timer->place;
    struct actorbench_timer *last = timers->heap[timers->count--];
    timer->place = 0;
    if (last == timer)
        return;
    sift_up(timers, place, last);
    sift_down(timers, last->place, last);
}

/* ---- The thread ----------------------------------------------------------------------------------------------------- */

/* Sends what is due. A timer that sends once is nobody's but the program's from its send on. */
static void send_due(struct actorbench_timers *timers, uint64_t now) {
    while (timers->count != 0 && timers->heap[1]->due_ns <= now) {
        struct actorbench_timer *timer = timers->heap[1];
        timer->sent++;
        if (timer->period_ns == 0) {
            take_out(timers, timer);
        } else {
            timer->due_ns += timer->period_ns;
            sift_down(timers, 1, timer);
        }
        (void)actorbench_post(timer->receiver, timer->message, timer->reaction);
    }
}

static void wait_until(struct actorbench_timers *timers, uint64_t due_ns) {
    const struct timespec due = {.tv_sec = (time_t)(due_ns / SECOND), .tv_nsec = (long)(due_ns % SECOND)};
    (void)pthread_cond_timedwait(&timers->changed, &timers->lock,
                                 &due); /* early, or in time: what is due is looked up */
}

static void *keep_time(void *argument) {
    struct actorbench_timers *timers = (struct actorbench_timers *)argument;
    (void)pthread_mutex_lock(&timers->lock);
    while (!timers->stopping) {
        if (timers->count == 0)
            (void)pthread_cond_wait(&timers->changed, &timers->lock);
        else if (timers->heap[1]->due_ns > clock_monotonic_ns())
            wait_until(timers, timers->heap[1]->due_ns);
        else
            send_due(timers, clock_monotonic_ns());
    }
    (void)pthread_mutex_unlock(&timers->lock);
    return NULL;
}

/* ---- The face ------------------------------------------------------------------------------------------------------- */

struct actorbench_timers *actorbench_timers_start(void) {
    struct actorbench_timers *timers = (struct actorbench_timers *)memory_zeroed(1, sizeof *timers, "timers");
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* these three cannot fail on Linux */
    (void)pthread_cond_init(&timers->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&timers->lock, NULL);
    int refused = pthread_create(&timers->thread, NULL, keep_time, timers);
    if (refused == 0)
        return timers;
    free(timers);
    errno = refused;
    return NULL;
}

void actorbench_timers_stop(struct actorbench_timers *timers) {
    (void)pthread_mutex_lock(&timers->lock);
    timers->stopping = true;
    (void)pthread_cond_signal(&timers->changed);
    (void)pthread_mutex_unlock(&timers->lock);
    (void)pthread_join(timers->thread, NULL);
    for (size_t i = 1; i <= timers->count; i++)
        timers->heap[i]->place = 0;
    (void)pthread_cond_destroy(&timers->changed);
    (void)pthread_mutex_destroy(&timers->lock);
    free(timers->heap);
    free(timers);
}

void actorbench_timer_begin(struct actorbench_timers *timers, struct actorbench_timer *timer,
                            struct actorbench_actor *receiver, struct actorbench_message *message,
                            actorbench_behaviour *reaction, uint64_t after_ns, uint64_t period_ns) {
    (void)pthread_mutex_lock(&timers->lock);
    if (CHECKED_BUILD)
        lifecycle_mark_sent(message); /* who cancels the timer has not forgotten to send it */
    check(timer->place == 0, "a timer is set that is set already: cancel it before, or set another");
    *timer = (struct actorbench_timer){
        .due_ns = clock_monotonic_ns() + after_ns,
        .period_ns = period_ns,
        .receiver = receiver,
        .message = message,
        .reaction = reaction,
    };
    add(timers, timer);
    (void)pthread_cond_signal(&timers->changed);
    (void)pthread_mutex_unlock(&timers->lock);
}

uint64_t actorbench_timer_cancel(struct actorbench_timers *timers, struct actorbench_timer *timer) {
    (void)pthread_mutex_lock(&timers->lock);
    if (timer->place != 0)
        take_out(timers, timer);
    uint64_t sent = timer->sent;
    (void)pthread_mutex_unlock(&timers->lock);
    return sent;
}
