/* broadcast: one sends a message to all of a group, again and again: what does it cost that actors are referred to, and found by a tag?
 *
 * `message`: a crier sends to each listener in a loop. `refer`: likewise, and listeners are there as long as somebody refers to them.
 * `tag`: those are bound to a tag, and sent to by it (React++, 2.8, 2.10). Nobody answers: the crier goes on after a message to itself.
 */
#include <stdlib.h>

#include "messaging/tag.h"
#include "workload.h"

enum { BY_MESSAGE, BY_REFER, BY_TAG };

static uint64_t actors = 100, rounds = 50000, by = BY_MESSAGE;
static uint64_t amount;        /* of rounds, in this run */
static struct tally *complete; /* listeners that have heard all */

typedef struct {
    struct actorbench_message message;
} call;
ACTORBENCH_MESSAGE_TYPE(call)

typedef struct {
    struct actorbench_actor actor;
    uint64_t round;
} crier;
#define BEHAVIOURS_crier(ON) ON(crier, call, crier_calls)
ACTORBENCH_ACTOR_TYPE(crier)

typedef struct {
    struct actorbench_actor actor;
    uint64_t heard;
} listener;
#define BEHAVIOURS_listener(ON) ON(listener, call, listener_hears)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(listener, listener_ends)

/* The same that is referred to. */
typedef struct {
    struct actorbench_actor actor;
    struct actorbench_references references;
    uint64_t heard;
} guest;
#define BEHAVIOURS_guest(ON) ON(guest, call, guest_hears)
ACTORBENCH_REFERRED_TYPE_WITH_DESTRUCTOR(guest, guest_ends)

static crier the_crier;
static listener **listeners;
static guest **guests; /* that the crier refers to; to those that are bound to a tag nobody else does */
static struct actorbench_tags *tags;
static call the_call; /* for all: what is sent is its address */

static enum actorbench_allocation listener_hears(listener *self, call *message) {
    (void)message;
    return ++self->heard == amount ? ACTORBENCH_DELETE : ACTORBENCH_NODELETE;
}

static void listener_ends(listener *self) {
    if (self->heard == amount)
        tally_add(complete);
}

static enum actorbench_allocation guest_hears(guest *self, call *message) {
    (void)message;
    self->heard++; /* it ends when nobody refers to it */
    return ACTORBENCH_NODELETE;
}

static void guest_ends(guest *self) {
    if (self->heard == amount)
        tally_add(complete);
}

static bool is_bound(const struct actorbench_actor *actor, const char *tag, void *context) {
    (void)actor, (void)tag, (void)context;
    return true;
}

static void call_all(void) {
    if (by == BY_TAG) {
        (void)actorbench_tag_broadcast(guest, tags, is_bound, NULL, &the_call);
        return;
    }
    for (uint64_t i = 0; i < actors; i++)
        if (by == BY_REFER)
            (void)actorbench_referred_send(guest, guests[i], &the_call);
        else
            actorbench_send(listener, listeners[i], &the_call);
}

static void forget_all(void) {
    if (by == BY_TAG)
        actorbench_tags_free(tags);
    for (uint64_t i = 0; i < actors && by == BY_REFER; i++)
        actorbench_forget(guest, guests[i]);
}

static enum actorbench_allocation crier_calls(crier *self, call *message) {
    call_all();
    if (++self->round == amount) {
        forget_all();
        return ACTORBENCH_FINISHED;
    }
    actorbench_send(crier, self, message);
    return ACTORBENCH_NODELETE;
}

static void make_guest(uint64_t number) {
    guest *made = actorbench_referred_new(guest);
    actorbench_enable(guest, made);
    if (by == BY_REFER) {
        guests[number] = made;
        return;
    }
    actorbench_tag_bind(guest, tags, made, "listeners");
    actorbench_forget(guest, made);
}

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "that are sent to"},
    {"rounds", &rounds, NULL, 1, "messages to each of them; --scale multiplies it"},
    {"by", &by, "message|refer|tag", 0, "how"},
    {0},
};

static const struct workload workload = {
    .name = "broadcast",
    .summary = "one sends to all of a group, one by one or by a tag",
    .unit = "message",
    .parameters = parameters,
};

static void *room(size_t size) {
    void *things = calloc(actors, size);
    if (things == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)actors);
    return things;
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(rounds);
    workload_start_executor();
    complete = tally_new();
    listeners = room(sizeof(listener *));
    guests = room(sizeof(guest *));
    tags = by == BY_TAG ? actorbench_tags_make(guest) : NULL;
    actorbench_message_init(call, &the_call, ACTORBENCH_NODELETE);
    actorbench_actor_init(crier, &the_crier);
    for (uint64_t i = 0; i < actors; i++)
        if (by == BY_MESSAGE)
            listeners[i] = actorbench_actor_new(listener);
        else
            make_guest(i);
    workload_start_clock();
    actorbench_send(crier, &the_crier, &the_call);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();
    if (tally_sum(complete) != actors)
        workload_wrong("%llu of %llu actors received all messages", (unsigned long long)tally_sum(complete),
                       (unsigned long long)actors);
    free(listeners);
    free(guests);
    return workload_end(actors * amount, 0);
}
