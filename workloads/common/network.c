/* What each part of a sorting network does with a number, and with the end. */
#include "network.h"

#include <stdlib.h>

#include "sorted.h"

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

typedef struct number number;
struct number {
    struct actorbench_message message;
    uint64_t value;
    uint64_t way; /* by which it comes to a joiner */
    number *next; /* that came that way, and waits */
};
ACTORBENCH_MESSAGE_TYPE(number)

struct way {
    part *to;              /* from a splitter */
    number *first, **last; /* to a joiner: those that wait for their turn, and where the last of them is linked */
};

enum kind { RELAY, COMPARER_UP, COMPARER_DOWN, SPLITTER, JOINER, COLLECTOR };

struct part {
    struct actorbench_actor actor;
    enum kind kind;
    struct link next;
    number *held;          /* a comparer's first */
    struct way *ways;      /* a splitter's or joiner's, */
    uint64_t count, run;   /* so many, and so many numbers of each in turn */
    uint64_t turn, passed; /* whose turn it is, and how many numbers it has had of it */
    uint64_t ends;         /* received */
    part *made_before;
};
#define BEHAVIOURS_part(ON) ON(part, number, part_takes) ON(part, notice, part_ends)
ACTORBENCH_ACTOR_TYPE(part)

typedef struct {
    struct actorbench_actor actor;
    part *first;
    uint64_t numbers;
} source;
#define BEHAVIOURS_source(ON) ON(source, notice, source_sends)
ACTORBENCH_ACTOR_TYPE(source)

static part *made_last;

static part *part_of(enum kind kind, struct link next) {
    part *made = actorbench_actor_new(part);
    made->kind = kind;
    made->next = next;
    made->made_before = made_last;
    made_last = made;
    return made;
}

static part *part_with_ways(enum kind kind, uint64_t count, uint64_t run, struct link next) {
    part *made = part_of(kind, next);
    made->ways = calloc(count, sizeof *made->ways);
    if (made->ways == NULL)
        workload_refuse("there is not enough memory for the network");
    made->count = count;
    made->run = run;
    for (uint64_t i = 0; i < count; i++)
        made->ways[i].last = &made->ways[i].first;
    return made;
}

part *network_relay(struct link next) {
    return part_of(RELAY, next);
}

part *network_comparer(bool up, struct link next) {
    return part_of(up ? COMPARER_UP : COMPARER_DOWN, next);
}

part *network_splitter(uint64_t count, uint64_t run) {
    return part_with_ways(SPLITTER, count, run, (struct link){0});
}

void network_set_way(part *splitter, uint64_t way, part *to) {
    splitter->ways[way].to = to;
}

part *network_joiner(uint64_t count, uint64_t run, struct link next) {
    return part_with_ways(JOINER, count, run, next);
}

part *network_collector(void) {
    return part_of(COLLECTOR, (struct link){0});
}

static void pass_on(const part *self, number *passed) {
    passed->way = self->next.way;
    actorbench_send(part, self->next.to, passed);
}

static void compare(part *self, number *second) {
    number *first = self->held;
    self->held = first == NULL ? second : NULL;
    if (first == NULL)
        return;
    bool swaps = self->kind == COMPARER_UP ? first->value > second->value : first->value < second->value;
    pass_on(self, swaps ? second : first);
    pass_on(self, swaps ? first : second);
}

static void count_turn(part *self) {
    if (++self->passed < self->run)
        return;
    self->passed = 0;
    self->turn = (self->turn + 1) % self->count;
}

static void split(part *self, number *dealt) {
    actorbench_send(part, self->ways[self->turn].to, dealt);
    count_turn(self);
}

static void join(part *self, number *joined) {
    struct way *way = &self->ways[joined->way];
    joined->next = NULL;
    *way->last = joined;
    way->last = &joined->next;
    for (; (way = &self->ways[self->turn])->first != NULL; count_turn(self)) {
        number *passed = way->first;
        way->first = passed->next; /* which is the next joiner's once it is passed on */
        if (way->first == NULL)
            way->last = &way->first;
        pass_on(self, passed);
    }
}

static void collect(number *collected) {
    (void)sorted_take(collected->value);
    actorbench_message_set_allocation(&collected->message, ACTORBENCH_DELETE);
}

static enum actorbench_allocation part_takes(part *self, number *taken) {
    switch (self->kind) {
    case RELAY:
        pass_on(self, taken);
        break;
    case COMPARER_UP:
    case COMPARER_DOWN:
        compare(self, taken);
        break;
    case SPLITTER:
        split(self, taken);
        break;
    case JOINER:
        join(self, taken);
        break;
    case COLLECTOR:
        collect(taken);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation part_ends(part *self, notice *end) {
    if (self->kind == JOINER && ++self->ends < self->count)
        return ACTORBENCH_NODELETE;
    for (uint64_t i = 0; self->kind == SPLITTER && i < self->count; i++)
        actorbench_send(part, self->ways[i].to, end);
    if (self->next.to != NULL)
        actorbench_send(part, self->next.to, end);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation source_sends(source *self, notice *message) {
    for (uint64_t i = 0; i < self->numbers; i++) {
        number *made = actorbench_message_new(number, ACTORBENCH_NODELETE);
        made->value = sorted_number(i);
        actorbench_send(part, self->first, made);
    }
    actorbench_send(part, self->first, message);
    return ACTORBENCH_FINISHED;
}

void network_run(part *first, uint64_t numbers) {
    static source the_source;
    static notice message; /* the beginning, and the end */
    actorbench_message_init(notice, &message, ACTORBENCH_NODELETE);
    actorbench_actor_init(source, &the_source);
    the_source.first = first;
    the_source.numbers = numbers;
    workload_start_clock();
    actorbench_send(source, &the_source, &message);
    actorbench_wait();
    workload_stop_clock();
}

void network_free(void) {
    for (part *before; made_last != NULL; made_last = before) {
        before = made_last->made_before;
        free(made_last->ways);
        free(made_last);
    }
}
