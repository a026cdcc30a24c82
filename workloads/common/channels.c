/* Branches, the actors of each channel, the integrator, the combiner and the sink.
 *
 * Last comes an end, which each actor passes on as it ends.
 */
#include "channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"

uint64_t channels = 8;

static uint64_t width; /* of the filters */

typedef struct {
    struct actorbench_message message;
} end;
ACTORBENCH_MESSAGE_TYPE(end)

typedef struct {
    struct actorbench_message message;
    double value;
    uint64_t channel;
} sample;
ACTORBENCH_MESSAGE_TYPE(sample)

/* What came of a sample in each channel, and the sum. */
typedef struct collection collection;
struct collection {
    struct actorbench_message message;
    uint64_t present; /* a bit a channel */
    double values[MOST_CHANNELS];
    double sum;
    collection *next; /* of the sample after that one */
};
ACTORBENCH_MESSAGE_TYPE(collection)

typedef struct {
    struct actorbench_actor actor;
} branches;
#define BEHAVIOURS_branches(ON) ON(branches, sample, branches_give) ON(branches, end, branches_end)
ACTORBENCH_ACTOR_TYPE(branches)

/* A channel is a row of these, in this order. */
enum place { BANK, FIRST_DELAY, FIRST, SAMPLER, SECOND_DELAY, SECOND, TAGGER, CHANNEL };

typedef struct {
    struct actorbench_actor actor;
    enum place place;
    uint64_t channel;
    struct filter ring; /* of delays and filters */
    uint64_t received;  /* samples, by a sampler */
    double total;       /* of what a filter gave */
} stage;
#define BEHAVIOURS_stage(ON) ON(stage, sample, stage_takes) ON(stage, end, stage_ends)
ACTORBENCH_ACTOR_TYPE(stage)

typedef struct {
    struct actorbench_actor actor;
    collection *first; /* of those that lack a channel */
    uint64_t ends;     /* received */
} integrator;
#define BEHAVIOURS_integrator(ON) ON(integrator, sample, integrator_collects) ON(integrator, end, integrator_ends)
ACTORBENCH_ACTOR_TYPE(integrator)

typedef struct {
    struct actorbench_actor actor;
} combiner;
#define BEHAVIOURS_combiner(ON) ON(combiner, collection, combiner_adds) ON(combiner, end, combiner_ends)
ACTORBENCH_ACTOR_TYPE(combiner)

typedef struct {
    struct actorbench_actor actor;
    double *sums;
    uint64_t received;
} sink;
#define BEHAVIOURS_sink(ON) ON(sink, collection, sink_takes) ON(sink, end, sink_ends)
ACTORBENCH_ACTOR_TYPE(sink)

static branches the_branches;
static stage *stages; /* by channel and place */
static integrator the_integrator;
static combiner the_combiner;
static sink the_sink;
static end last; /* one for all: what is sent is its address */

static enum actorbench_allocation branches_give(branches *self, sample *given) {
    (void)self;
    for (uint64_t channel = 0; channel < channels; channel++) {
        sample *copy = actorbench_message_new(sample, ACTORBENCH_NODELETE);
        copy->value = given->value;
        actorbench_send(stage, &stages[channel * CHANNEL], copy);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation branches_end(branches *self, end *message) {
    (void)self;
    for (uint64_t channel = 0; channel < channels; channel++)
        actorbench_send(stage, &stages[channel * CHANNEL], message);
    return ACTORBENCH_FINISHED;
}

/* Changes a sample's value; false if nothing is to be passed on. */
static bool change(stage *self, sample *taken) {
    switch (self->place) {
    case FIRST_DELAY:
    case SECOND_DELAY:
        taken->value = filter_delay(&self->ring, taken->value);
        return true;
    case FIRST:
    case SECOND:
        if (!filter_keep(&self->ring, &taken->value))
            return false;
        self->total += taken->value;
        return true;
    case SAMPLER:
        if (self->received++ % width != 0)
            taken->value = 0;
        return true;
    default:
        taken->channel = self->channel;
        return true;
    }
}

static enum actorbench_allocation stage_takes(stage *self, sample *taken) {
    if (!change(self, taken))
        actorbench_message_set_allocation(&taken->message, ACTORBENCH_DELETE);
    else if (self->place == TAGGER)
        actorbench_send(integrator, &the_integrator, taken);
    else
        actorbench_send(stage, self + 1, taken);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation stage_ends(stage *self, end *message) {
    if (self->place == TAGGER)
        actorbench_send(integrator, &the_integrator, message);
    else
        actorbench_send(stage, self + 1, message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation integrator_collects(integrator *self, sample *taken) {
    uint64_t bit = UINT64_C(1) << taken->channel;
    collection **at = &self->first;
    while (*at != NULL && ((*at)->present & bit) != 0)
        at = &(*at)->next;
    if (*at == NULL)
        *at = actorbench_message_new(collection, ACTORBENCH_NODELETE);
    (*at)->present |= bit;
    (*at)->values[taken->channel] = taken->value;
    actorbench_message_set_allocation(&taken->message, ACTORBENCH_DELETE);
    collection *first = self->first;
    if (first->present == UINT64_MAX >> (MOST_CHANNELS - channels)) {
        self->first = first->next;
        actorbench_send(combiner, &the_combiner, first);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation integrator_ends(integrator *self, end *message) {
    if (++self->ends < channels)
        return ACTORBENCH_NODELETE;
    actorbench_send(combiner, &the_combiner, message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation combiner_adds(combiner *self, collection *collected) {
    (void)self;
    for (uint64_t channel = 0; channel < channels; channel++)
        collected->sum += collected->values[channel];
    actorbench_send(sink, &the_sink, collected);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation combiner_ends(combiner *self, end *message) {
    (void)self;
    actorbench_send(sink, &the_sink, message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation sink_takes(sink *self, collection *collected) {
    self->sums[self->received++] = collected->sum;
    actorbench_message_set_allocation(&collected->message, ACTORBENCH_DELETE);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation sink_ends(sink *self, end *message) {
    (void)self, (void)message;
    return ACTORBENCH_FINISHED;
}

void channels_give(double value) {
    sample *given = actorbench_message_new(sample, ACTORBENCH_DELETE);
    given->value = value;
    actorbench_send(branches, &the_branches, given);
}

void channels_end(void) {
    actorbench_send(branches, &the_branches, &last);
}

static void stage_make(stage *made, enum place place, uint64_t channel) {
    actorbench_actor_init(stage, made);
    made->place = place;
    made->channel = channel;
    bool right = true;
    if (place == FIRST_DELAY || place == SECOND_DELAY)
        right = filter_make_delay(&made->ring, width - 1);
    else if (place == FIRST || place == SECOND)
        right = filter_make(&made->ring, width, place == FIRST ? FIRST_FILTER : SECOND_FILTER, channels, channel);
    if (!right)
        workload_refuse("there is not enough memory for %llu channels", (unsigned long long)channels);
}

void channels_make(uint64_t columns, uint64_t samples) {
    width = columns;
    stages = calloc(channels, CHANNEL * sizeof *stages);
    the_sink.sums = calloc(samples, sizeof *the_sink.sums);
    if (stages == NULL || the_sink.sums == NULL)
        workload_refuse("there is not enough memory for %llu channels", (unsigned long long)channels);
    actorbench_message_init(end, &last, ACTORBENCH_NODELETE);
    actorbench_actor_init(branches, &the_branches);
    for (uint64_t i = 0; i < channels * CHANNEL; i++)
        stage_make(&stages[i], (enum place)(i % CHANNEL), i / CHANNEL);
    actorbench_actor_init(integrator, &the_integrator);
    actorbench_actor_init(combiner, &the_combiner);
    actorbench_actor_init(sink, &the_sink);
}

/* As near as rounding permits. */
static bool is_about(double value, double due) {
    return fabs(value - due) <= 1e-9 * fabs(due);
}

/* Changes the values as a channel does, and compares what its filters gave in all. */
static uint64_t flow_again(const stage *channel, double *values, uint64_t count) {
    double totals[2];
    count = filter_channel_again(&channel[FIRST].ring, &channel[SECOND].ring, values, count, totals);
    for (int i = 0; i < 2; i++) {
        double total = channel[i == 0 ? FIRST : SECOND].total;
        if (!is_about(total, totals[i]))
            workload_wrong("filter %d of channel %llu gave %g in all in place of %g", i + 1,
                           (unsigned long long)channel->channel, total, totals[i]);
    }
    return count;
}

void channels_verify(const double *values, uint64_t samples) {
    double *flowing = calloc(samples, sizeof *flowing), *due = calloc(samples, sizeof *due);
    if (flowing == NULL || due == NULL)
        workload_refuse("there is not enough memory for the check");
    uint64_t count = 0;
    for (uint64_t channel = 0; channel < channels; channel++) {
        memcpy(flowing, values, samples * sizeof *values);
        count = flow_again(&stages[channel * CHANNEL], flowing, samples);
        for (uint64_t i = 0; i < count; i++)
            due[i] += flowing[i];
    }
    if (the_sink.received != count)
        workload_wrong("%llu sums came in place of %llu", (unsigned long long)the_sink.received,
                       (unsigned long long)count);
    for (uint64_t i = 0; i < the_sink.received && i < count; i++)
        if (!is_about(the_sink.sums[i], due[i])) {
            workload_wrong("sum %llu is %g in place of %g", (unsigned long long)i, the_sink.sums[i], due[i]);
            break;
        }
    free(due);
    free(flowing);
}

void channels_free(void) {
    for (uint64_t i = 0; i < channels * CHANNEL; i++)
        filter_release(&stages[i].ring);
    free(stages);
    free(the_sink.sums);
}
