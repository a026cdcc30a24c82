/* filter-bank: samples flow through channels of two filters each, and what comes of them is added up (Savina, Imam and
 * Sarkar, AGERE 2014, "Filter Bank").
 *
 * A producer lets a source give one sample after another to what channels.h describes. The filters take the time: two
 * actors a channel, each of which multiplies --columns numbers a sample. With Savina's amounts nothing but zeros comes to
 * the sink: so each filter adds up what it gives, too, and that is verified.
 *
 * The time grows with the columns times the samples; --scale changes both, so that samples come to the end with any.
 */
#include <math.h>
#include <stdlib.h>

#include "channels.h"

enum { VALUES = 1000 }; /* of samples: 0, 1, 2, ..., and again */

static uint64_t columns = 16384, samples = 34816;
static uint64_t amount; /* of samples, in this run */

typedef struct {
    struct actorbench_message message;
} turn;
ACTORBENCH_MESSAGE_TYPE(turn)

typedef struct {
    struct actorbench_message message;
} end;
ACTORBENCH_MESSAGE_TYPE(end)

typedef struct {
    struct actorbench_actor actor;
    uint64_t given; /* turns */
} producer;
#define BEHAVIOURS_producer(ON) ON(producer, turn, producer_goes_on)
ACTORBENCH_ACTOR_TYPE(producer)

typedef struct {
    struct actorbench_actor actor;
    uint64_t given; /* samples */
} source;
#define BEHAVIOURS_source(ON) ON(source, turn, source_gives) ON(source, end, source_ends)
ACTORBENCH_ACTOR_TYPE(source)

static producer the_producer;
static source the_source;
static turn next; /* one for all: what is sent is its address */
static end last;

static enum actorbench_allocation producer_goes_on(producer *self, turn *message) {
    if (self->given == amount) {
        actorbench_send(source, &the_source, &last);
        return ACTORBENCH_FINISHED;
    }
    self->given++;
    actorbench_send(source, &the_source, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation source_gives(source *self, turn *message) {
    channels_give((double)(self->given++ % VALUES));
    actorbench_send(producer, &the_producer, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation source_ends(source *self, end *message) {
    (void)self, (void)message;
    channels_end();
    return ACTORBENCH_FINISHED;
}

static const struct parameter parameters[] = {
    {"columns", &columns, NULL, 2, "samples that a filter looks at"},
    {"samples", &samples, NULL, 3, "at least 2 x --columns - 1; --scale multiplies --columns x --samples"},
    {"channels", &channels, NULL, 1, "of two filters each, at most 64"},
    {0},
};

static const struct workload workload = {
    .name = "filter-bank",
    .summary = "samples flow through channels of two filters each, and what comes of them is added up",
    .unit = "sample",
    .parameters = parameters,
};

/* What the source gives, once more. */
static void verify(void) {
    double *values = calloc(amount, sizeof *values);
    if (values == NULL)
        workload_refuse("--samples %llu: there is not enough memory for the check", (unsigned long long)samples);
    for (uint64_t i = 0; i < amount; i++)
        values[i] = (double)(i % VALUES);
    channels_verify(values, amount);
    free(values);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (channels > MOST_CHANNELS)
        workload_refuse("--channels %llu: at most %d", (unsigned long long)channels, MOST_CHANNELS);
    if (columns > UINT32_MAX || samples > UINT32_MAX || samples < 2 * columns - 1)
        workload_refuse(
            "--columns %llu --samples %llu: both must be under 2^32, and the samples at least 2 x the columns "
            "- 1, so that any come to the end",
            (unsigned long long)columns, (unsigned long long)samples);
    double factor = sqrt(workload_scale());
    uint64_t width = (uint64_t)fmax(2.0, round((double)columns * factor));
    amount = (uint64_t)fmax((double)(2 * width - 1), round((double)samples * factor));

    workload_start_executor();
    actorbench_message_init(turn, &next, ACTORBENCH_NODELETE);
    actorbench_message_init(end, &last, ACTORBENCH_NODELETE);
    actorbench_actor_init(producer, &the_producer);
    actorbench_actor_init(source, &the_source);
    channels_make(width, amount);
    workload_start_clock();
    actorbench_send(producer, &the_producer, &next);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    channels_free();
    return workload_end(amount, 0);
}
