/* sleeping-barber: customers wait for a barber in a room with too few chairs, and come again if it is full (Savina, Imam
 * and Sarkar, AGERE 2014: "Sleeping Barber").
 *
 * A factory makes a customer at a time and sends it into the waiting room. The room sends away who finds no chair, and
 * gives the barber the next one whenever the last is done; who was sent away tells the factory, which sends it in again,
 * at once. So customers poll in messages, and how often is up to the schedule: haircuts are counted. Customers are made
 * on the heap and freed by the executor.
 *
 * A customer hears from the room and from the barber, which no order binds: that it is to wait may come after that it is
 * done. So its visit says how often it was spoken to, and it ends when it has heard all of it. In the suite work draws up
 * to 1009 random numbers; here each is a multiplication (common/work.h).
 */
#include "draw.h"
#include "ring.h"
#include "work.h"

static uint64_t haircuts = 5000, chairs = 1000, haircut_work = 1000, arrival_work = 1000;
static uint64_t total; /* customers, each of whom has a haircut */

enum { LEAST_WORK = 10 }; /* in steps; a random part is added */

typedef struct customer customer;

/* A customer's, who is on the way with it: from the factory to the room, to the barber, or back to the factory. */
typedef struct {
    struct actorbench_message message;
    customer *who;
    uint64_t spoken; /* how often the customer was spoken to */
} visit;
ACTORBENCH_MESSAGE_TYPE(visit)

/* To a customer. */
enum said { FULL, WAIT, BEGIN, DONE };
typedef struct {
    struct actorbench_message message;
    enum said said;
} word;
ACTORBENCH_MESSAGE_TYPE(word)

/* To the factory: one is served; to the room: the barber wants the next; to the barber: nobody waits. */
typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

/* From main to the factory. */
typedef struct {
    struct actorbench_message message;
} opening;
ACTORBENCH_MESSAGE_TYPE(opening)

struct customer {
    struct actorbench_actor actor;
    visit visit;
    uint64_t number, heard;
    bool begun, done;
};
#define BEHAVIOURS_customer(ON) ON(customer, word, customer_hears)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(customer, customer_ends)

typedef struct {
    struct actorbench_actor actor;
    uint64_t served, returned; /* customers; those that were sent away, every time */
} factory;
#define BEHAVIOURS_factory(ON) \
    ON(factory, visit, factory_sends_again) ON(factory, notice, factory_counts) ON(factory, opening, factory_opens)
ACTORBENCH_ACTOR_TYPE(factory)

typedef struct {
    struct actorbench_actor actor;
    struct ring waiting; /* visits */
    uint64_t sent_away;
    bool barber_sleeps, closes;
} room;
#define BEHAVIOURS_room(ON) \
    ON(room, visit, room_admits) ON(room, notice, room_gives_next) ON(room, actorbench_finished_pill, room_closes)
ACTORBENCH_ACTOR_TYPE(room)

typedef struct {
    struct actorbench_actor actor;
    uint64_t cuts;
    uint32_t *had; /* haircuts, by customer */
} barber;
#define BEHAVIOURS_barber(ON) ON(barber, visit, barber_cuts) ON(barber, notice, barber_sleeps)
ACTORBENCH_ACTOR_TYPE(barber)

static factory the_factory;
static room the_room;
static barber the_barber;
static struct tally *satisfied; /* customers */

/* One for all: what is sent is its address. */
static word words[DONE + 1];
static notice served, next, nobody;

static void say(customer *who, enum said said) {
    actorbench_send(customer, who, &words[said]);
}

static enum actorbench_allocation factory_opens(factory *self, opening *message) {
    (void)self;
    (void)message;
    for (uint64_t i = 0; i < total; i++) {
        customer *newborn = actorbench_actor_new(customer);
        actorbench_message_init(visit, &newborn->visit, ACTORBENCH_NODELETE);
        newborn->visit.who = newborn;
        newborn->number = i;
        actorbench_send(room, &the_room, &newborn->visit);
        work_do(LEAST_WORK + upper_below(draw(0, i), arrival_work));
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation factory_sends_again(factory *self, visit *returned) {
    self->returned++;
    actorbench_send(room, &the_room, returned);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation factory_counts(factory *self, notice *message) {
    (void)message;
    if (++self->served < total)
        return ACTORBENCH_NODELETE;
    actorbench_send(room, &the_room, &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation room_admits(room *self, visit *comes) {
    if (self->waiting.count == chairs) {
        self->sent_away++;
        comes->spoken++;
        say(comes->who, FULL);
        return ACTORBENCH_NODELETE;
    }
    ring_put(&self->waiting, comes);
    if (self->barber_sleeps) {
        self->barber_sleeps = false;
        actorbench_send(room, self, &next);
    } else {
        comes->spoken++;
        say(comes->who, WAIT);
    }
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation end_if_closed(const room *self) {
    if (!self->closes || !self->barber_sleeps)
        return ACTORBENCH_NODELETE;
    actorbench_send(barber, &the_barber, &actorbench_finished_message);
    return ACTORBENCH_FINISHED;
}

static enum actorbench_allocation room_gives_next(room *self, notice *message) {
    (void)message;
    if (self->waiting.count != 0) {
        actorbench_send(barber, &the_barber, (visit *)ring_take(&self->waiting));
        return ACTORBENCH_NODELETE;
    }
    actorbench_send(barber, &the_barber, &nobody);
    self->barber_sleeps = true;
    return end_if_closed(self);
}

/* The barber may still be about to ask for the next. */
static enum actorbench_allocation room_closes(room *self, actorbench_finished_pill *pill) {
    (void)pill;
    self->closes = true;
    return end_if_closed(self);
}

static enum actorbench_allocation barber_cuts(barber *self, visit *comes) {
    customer *who = comes->who;
    comes->spoken += 2;
    say(who, BEGIN);
    work_do(LEAST_WORK + upper_below(draw(1, self->cuts++), haircut_work));
    self->had[who->number]++;
    say(who, DONE); /* and is gone, with its visit */
    actorbench_send(room, &the_room, &next);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation barber_sleeps(barber *self, notice *message) {
    (void)self;
    (void)message;
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation customer_hears(customer *self, word *message) {
    self->heard++;
    if (message->said == FULL)
        actorbench_send(factory, &the_factory, &self->visit);
    else if (message->said == BEGIN)
        self->begun = true;
    else if (message->said == DONE) {
        self->done = true;
        actorbench_send(factory, &the_factory, &served);
    }
    return self->done && self->heard == self->visit.spoken ? ACTORBENCH_DELETE : ACTORBENCH_NODELETE;
}

static void customer_ends(customer *self) {
    if (self->begun && self->done)
        tally_add(satisfied);
}

static const struct parameter parameters[] = {
    {"haircuts", &haircuts, NULL, 1, "one a customer; --scale multiplies it"},
    {"chairs", &chairs, NULL, 1, "in the waiting room"},
    {"haircut-work", &haircut_work, NULL, 1, "random part of a haircut's work: under so many multiplications"},
    {"arrival-work", &arrival_work, NULL, 1, "the same between two customers"},
    {0},
};

static const struct workload workload = {
    .name = "sleeping-barber",
    .summary = "customers wait for a barber in a room with too few chairs, and come again if it is full",
    .unit = "haircut",
    .parameters = parameters,
};

static void verify(void) {
    for (uint64_t i = 0; i < total; i++)
        if (the_barber.had[i] != 1) {
            workload_wrong("customer %llu had %u haircuts", (unsigned long long)i, the_barber.had[i]);
            break;
        }
    if (tally_sum(satisfied) != total || the_factory.returned != the_room.sent_away)
        workload_wrong("%llu customers of %llu ended after their haircut; %llu were sent away, and %llu came again",
                       (unsigned long long)tally_sum(satisfied), (unsigned long long)total,
                       (unsigned long long)the_room.sent_away, (unsigned long long)the_factory.returned);
    if (the_room.waiting.most > chairs)
        workload_wrong("%llu waited on %llu chairs", (unsigned long long)the_room.waiting.most,
                       (unsigned long long)chairs);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    total = workload_scaled(haircuts);
    if (total > UINT32_MAX || haircut_work > UINT32_MAX || arrival_work > UINT32_MAX)
        workload_refuse("haircuts, --haircut-work and --arrival-work must each be under 2^32");
    the_room.waiting = ring_new(chairs + 1); /* with room to see that too many wait */
    the_barber.had = calloc(total, sizeof *the_barber.had);
    if (the_barber.had == NULL)
        workload_refuse("--haircuts %llu: there is not enough memory for so many", (unsigned long long)haircuts);

    workload_start_executor();
    satisfied = tally_new();
    for (unsigned i = 0; i <= DONE; i++) {
        actorbench_message_init(word, &words[i], ACTORBENCH_NODELETE);
        words[i].said = (enum said)i;
    }
    actorbench_message_init(notice, &served, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &next, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &nobody, ACTORBENCH_NODELETE);
    static opening start;
    actorbench_message_init(opening, &start, ACTORBENCH_NODELETE);
    actorbench_actor_init(barber, &the_barber);
    actorbench_actor_init(room, &the_room);
    actorbench_actor_init(factory, &the_factory);
    the_room.barber_sleeps = true;
    workload_start_clock();
    actorbench_send(factory, &the_factory, &start);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(the_barber.had);
    free(the_room.waiting.places);
    return workload_end(total, 0);
}
