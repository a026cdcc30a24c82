/* chameneos: creatures meet in pairs at a mall, and change their colours (Savina, Imam and Sarkar, AGERE 2014:
 * "Chameneos"; Kaiser and Pradat-Peyre, 2003).
 *
 * A chameneo asks the mall for a meeting. The mall lets the first of two wait, and hands it the request of the second;
 * the first tells the second its new colour, and both ask again. When all meetings are used up, the mall sends away who
 * asks, and each tells how often it has met another.
 *
 * Who meets whom is up to the scheduler, so the mall notes the pairs. Afterwards they meet in that order once more, in
 * main, and must have had the same colours.
 */
#include <stdlib.h>

#include "workload.h"

static uint64_t chameneos = 100, meetings = 200000;

/* What comes of a chameneo's meetings. */
struct life {
    unsigned colour;
    uint64_t met;
    uint64_t checksum; /* of its colours, in order */
};

typedef struct chameneo chameneo;

typedef struct {
    struct actorbench_message message;
    chameneo *from;
    unsigned colour;
} meeting;
ACTORBENCH_MESSAGE_TYPE(meeting)

typedef struct {
    struct actorbench_message message;
    unsigned colour;
} change;
ACTORBENCH_MESSAGE_TYPE(change)

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct {
    struct actorbench_message message;
    uint64_t met;
} count;
ACTORBENCH_MESSAGE_TYPE(count)

struct chameneo {
    struct actorbench_actor actor;
    struct life life;
    meeting request;
    change answer; /* to the request, of whom it has met */
    count last;
};
#define BEHAVIOURS_chameneo(ON) \
    ON(chameneo, meeting, chameneo_meets) ON(chameneo, change, chameneo_changes) ON(chameneo, notice, chameneo_leaves)
ACTORBENCH_ACTOR_TYPE(chameneo)

struct pair {
    uint32_t first, second;
};

typedef struct {
    struct actorbench_actor actor;
    chameneo *waiting; /* for another one, or NULL */
    struct pair *met;
    uint64_t count;      /* of pairs that have met */
    uint64_t told, gone; /* meetings that chameneos have told of; chameneos */
} mall;
#define BEHAVIOURS_mall(ON) ON(mall, meeting, mall_matches) ON(mall, count, mall_counts)
ACTORBENCH_ACTOR_TYPE(mall)

static uint64_t total; /* meetings */
static chameneo *all;
static mall the_mall;
static notice closed; /* one for all: what is sent is its address */

/* What two colours, of 0, 1 and 2, become when they meet: the same if they are the same, else the third one. */
static unsigned mixed(unsigned one, unsigned other) {
    return (6 - one - other) % 3;
}

static void become(struct life *life, unsigned colour) {
    life->colour = colour;
    life->met++;
    life->checksum = life->checksum * UINT64_C(0x9e3779b97f4a7c15) + colour + 1;
}

static void ask(chameneo *self) {
    self->request.colour = self->life.colour;
    actorbench_send(mall, &the_mall, &self->request);
}

static enum actorbench_allocation mall_matches(mall *self, meeting *request) {
    if (self->count == total) {
        actorbench_send(chameneo, request->from, &closed);
    } else if (self->waiting == NULL) {
        self->waiting = request->from;
    } else {
        self->met[self->count++] = (struct pair){(uint32_t)(self->waiting - all), (uint32_t)(request->from - all)};
        actorbench_send(chameneo, self->waiting, request);
        self->waiting = NULL;
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation chameneo_meets(chameneo *self, meeting *other) {
    become(&self->life, mixed(self->life.colour, other->colour));
    change *answer = &other->from->answer;
    answer->colour = self->life.colour;
    actorbench_send(chameneo, other->from, answer);
    ask(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation chameneo_changes(chameneo *self, change *answer) {
    become(&self->life, answer->colour);
    ask(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation chameneo_leaves(chameneo *self, notice *message) {
    (void)message;
    self->last.met = self->life.met;
    actorbench_send(mall, &the_mall, &self->last);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation mall_counts(mall *self, count *last) {
    self->told += last->met;
    return ++self->gone == chameneos ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"chameneos", &chameneos, NULL, 2, "that meet each other"},
    {"meetings", &meetings, NULL, 1, "of two, in all; --scale multiplies it"},
    {0},
};

static const struct workload workload = {
    .name = "chameneos",
    .summary = "creatures meet in pairs at a mall, and change their colours",
    .unit = "meeting",
    .parameters = parameters,
};

static unsigned first_colour(uint64_t number) {
    return (unsigned)(number % 3);
}

static void verify(void) {
    struct life *due = calloc(chameneos, sizeof *due);
    if (due == NULL)
        workload_refuse("--chameneos %llu: there is not enough memory for the check", (unsigned long long)chameneos);
    for (uint64_t i = 0; i < chameneos; i++)
        due[i].colour = first_colour(i);
    for (uint64_t i = 0; i < total; i++) {
        struct life *first = &due[the_mall.met[i].first], *second = &due[the_mall.met[i].second];
        become(first, mixed(first->colour, second->colour));
        become(second, first->colour);
    }
    for (uint64_t i = 0; i < chameneos; i++)
        if (all[i].life.met != due[i].met || all[i].life.checksum != due[i].checksum) {
            workload_wrong("chameneo %llu has met %llu in place of %llu, %s", (unsigned long long)i,
                           (unsigned long long)all[i].life.met, (unsigned long long)due[i].met,
                           all[i].life.checksum == due[i].checksum ? "in its colours" : "in other colours");
            break;
        }
    if (the_mall.told != 2 * total)
        workload_wrong("the mall was told of %llu meetings in place of %llu", (unsigned long long)the_mall.told,
                       (unsigned long long)(2 * total));
    free(due);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    total = workload_scaled(meetings);
    if (chameneos > UINT32_MAX)
        workload_refuse("--chameneos must be under 2^32");
    all = calloc(chameneos, sizeof *all);
    the_mall.met = calloc(total, sizeof *the_mall.met);
    if (all == NULL || the_mall.met == NULL)
        workload_refuse("--chameneos %llu: there is not enough memory for so many, and their meetings",
                        (unsigned long long)chameneos);

    workload_start_executor();
    actorbench_message_init(notice, &closed, ACTORBENCH_NODELETE);
    actorbench_actor_init(mall, &the_mall);
    for (uint64_t i = 0; i < chameneos; i++) {
        actorbench_actor_init(chameneo, &all[i]);
        actorbench_message_init(meeting, &all[i].request, ACTORBENCH_NODELETE);
        actorbench_message_init(change, &all[i].answer, ACTORBENCH_NODELETE);
        actorbench_message_init(count, &all[i].last, ACTORBENCH_NODELETE);
        all[i].request.from = &all[i];
        all[i].life.colour = all[i].request.colour = first_colour(i);
    }
    workload_start_clock();
    for (uint64_t i = 0; i < chameneos; i++)
        actorbench_send(mall, &the_mall, &all[i].request);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(the_mall.met);
    free(all);
    return workload_end(total, 0);
}
