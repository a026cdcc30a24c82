/* What a layer over the runtime, such as core/io, does at points of an executor's life (React++, table 4.1 "The Runtime Events").
 *
 * A program has one layer at most, executor_round.layer. It is set while no executor runs, by the thread that will start it, so that the
 * workers, which are started later, find it without an order of their own.
 */
#ifndef ACTORBENCH_LAYER_H
#define ACTORBENCH_LAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "design.h"

struct layer {
    /* Before the workers are started, when there are crew.count of them to come. NULL, or one line that says why not. */
    const char *(*launches)(void);
    /* When they run. */
    void (*launched)(void);
    /* On a worker that has found nothing to run, again and again until it sleeps. Whether something was sent. */
    bool (*idles)(unsigned worker);
    /* On a worker that is about to sleep: whoever wakes it from here on will not be missed. */
    void (*blocks)(unsigned worker);
    /* When all actors have terminated, before the workers end. It may send to actors of its own, for whose end the stop waits then. */
    void (*stops)(void);
    /* When the workers have ended, or were not started. The layer is taken away then. */
    void (*stopped)(void);
};

static inline bool layer_idles(unsigned worker) {
    return unlikely(executor_round.layer != NULL) && executor_round.layer->idles(worker);
}

#endif
