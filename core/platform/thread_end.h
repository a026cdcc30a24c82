/* A call when a thread ends. Prepared once, by one thread, before others ask for it; the key stays until the process ends. */
#ifndef ACTORBENCH_PLATFORM_THREAD_END_H
#define ACTORBENCH_PLATFORM_THREAD_END_H

#include <pthread.h>
#include <stdbool.h>

struct thread_end {
    pthread_key_t key;
    bool is_prepared;
};

/* Says what is called, with what a thread has asked for; without a key to be had nothing ever is. */
static inline void thread_end_prepare(struct thread_end *end, void (*call)(void *)) {
    if (!end->is_prepared)
        end->is_prepared = pthread_key_create(&end->key, call) == 0;
}

/* Asks for the call with a pointer that is not NULL, in place of one that was asked for before, when the calling thread ends; false: it will
 * not come. For main it does not come either, unless that ends by pthread_exit(3). */
static inline bool thread_end_ask(const struct thread_end *end, void *argument) {
    return end->is_prepared && pthread_setspecific(end->key, argument) == 0;
}

#endif
