/* rewind: a message goes down a chain of actors; the last cannot go on with it, and it goes back, up to the first, which mends it and
 * sends it to the last again (React++, 2.11 "Message Trail"): what does it cost that trails know the way?
 *
 * `message`: each actor knows its neighbours, and sends the message on, or back. `trail`: the way is the trail's, with what was sent at
 * each step. One message at a time.
 */
#include <stdlib.h>

#include "messaging/trail.h"
#include "workload.h"

enum { BY_MESSAGE, BY_TRAIL };

static uint64_t depth = 10, rounds = 100000, by = BY_MESSAGE;
static uint64_t amount; /* of rounds, in this run */

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

typedef struct {
    struct actorbench_message message;
    struct actorbench_trail trail; /* unless it is a plain message */
    uint64_t steps;                /* that it has gone down */
    bool is_mended, goes_back;
} parcel;
ACTORBENCH_TRAIL_TYPE(parcel)

typedef struct {
    struct actorbench_actor actor;
    uint64_t mended; /* by the first; the last: that it went on with */
    uint64_t wrong;  /* that came to the last with another history than its way */
} link;
#define BEHAVIOURS_link(ON) ON(link, begin, link_begins) ON(link, parcel, link_gets)
ACTORBENCH_ACTOR_TYPE(link)

static link *links; /* from 0, the first, to `depth`, the last */
static begin next_round;
static parcel plain;

static void send_down(link *self, parcel *passed) {
    passed->steps++;
    if (by == BY_TRAIL)
        actorbench_trail_link(parcel, passed, link, self, link, self + 1);
    else
        actorbench_send(link, self + 1, passed);
}

static enum actorbench_allocation link_begins(link *self, begin *message) {
    if (self->mended == amount) { /* nothing is on its way */
        for (uint64_t i = 1; i <= depth; i++)
            actorbench_send(link, &links[i], &actorbench_finished_message);
        return ACTORBENCH_FINISHED;
    }
    (void)message;
    parcel *begun = by == BY_TRAIL ? actorbench_trail_begin(parcel) : &plain;
    begun->steps = 0;
    begun->is_mended = begun->goes_back = false;
    send_down(self, begun);
    return ACTORBENCH_NODELETE;
}

/* The last one's. */
static enum actorbench_allocation end_or_raise(link *self, parcel *got) {
    if (got->is_mended) {
        self->mended++;
        self->wrong += got->steps != depth;
        actorbench_send(link, links, &next_round);
        return ACTORBENCH_NODELETE; /* a trail is let go */
    }
    if (by == BY_TRAIL) {
        const parcel *sent = actorbench_trail_history(parcel, got, depth - 1);
        self->wrong += sent == NULL || sent->steps != 1 || actorbench_trail_history(parcel, got, depth) != NULL;
        actorbench_trail_raise(parcel, got, link, self);
    } else {
        got->goes_back = true;
        actorbench_send(link, self - 1, got);
    }
    return ACTORBENCH_NODELETE;
}

/* The first one's. */
static enum actorbench_allocation mend(link *self, parcel *got) {
    self->mended++;
    got->is_mended = true;
    if (by == BY_TRAIL) {
        actorbench_trail_resume(parcel, got);
    } else {
        got->goes_back = false;
        actorbench_send(link, &links[depth], got);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation link_gets(link *self, parcel *got) {
    if (self == &links[depth])
        return end_or_raise(self, got);
    if (self == links)
        return mend(self, got);
    if (by == BY_MESSAGE && got->goes_back)
        actorbench_send(link, self - 1, got);
    else if (by == BY_MESSAGE || !actorbench_trail_is_rewinding(parcel, got))
        send_down(self, got);
    return ACTORBENCH_NODELETE; /* a trail that rewinds is let go, and goes further back */
}

static const struct parameter parameters[] = {
    {"depth", &depth, NULL, 1, "steps down the chain"},
    {"rounds", &rounds, NULL, 1, "times that a message goes down, back, and to the last again; --scale multiplies it"},
    {"by", &by, "message|trail", 0, "what knows the way"},
    {0},
};

static const struct workload workload = {
    .name = "rewind",
    .summary = "a message goes down a chain of actors, back, and to the last again",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(rounds);
    workload_start_executor();
    links = calloc(depth + 1, sizeof *links);
    if (links == NULL)
        workload_refuse("--depth %llu: there is not enough memory for so many", (unsigned long long)depth);
    actorbench_message_init(begin, &next_round, ACTORBENCH_NODELETE);
    if (by == BY_MESSAGE)
        actorbench_message_init(parcel, &plain, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i <= depth; i++)
        actorbench_actor_init(link, &links[i]);
    workload_start_clock();
    actorbench_send(link, links, &next_round);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();
    const link *last = &links[depth];
    if (links->mended != amount || last->mended != amount || last->wrong != 0)
        workload_wrong("%llu were mended, and %llu of them came, in place of %llu; %llu with another history",
                       (unsigned long long)links->mended, (unsigned long long)last->mended, (unsigned long long)amount,
                       (unsigned long long)last->wrong);
    free(links);
    return workload_end(amount * (2 * depth + 1), 0);
}
