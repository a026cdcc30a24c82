/* Groups of actors that send to each other in turn. */
#include "traffic.h"

#include <stdlib.h>

#include "platform/cpu.h"
#include "work.h"

uint64_t traffic_actors = 40000, traffic_group = 100, traffic_tokens = 1, traffic_rounds = 400, traffic_work_ns = 0;

typedef struct {
    struct actorbench_message message;
} token;
ACTORBENCH_MESSAGE_TYPE(token)

typedef struct {
    struct actorbench_message message;
    token *token; /* which goes round */
} start;
ACTORBENCH_MESSAGE_TYPE(start)

typedef struct member {
    struct actorbench_actor actor;
    struct member *next; /* whom of its group it sends to next */
    uint64_t received;   /* messages */
    struct member *group_end;
} member;
#define BEHAVIOURS_member(ON) ON(member, start, member_starts) ON(member, token, member_passes)
ACTORBENCH_ACTOR_TYPE(member)

static member *members;
static uint64_t member_count, made;
static uint64_t last;      /* messages that an actor receives */
static uint64_t last_sent; /* the one that it receives when it has sent all of its own: the others are on their way */
static uint64_t group_size;
static uint64_t work;

static inline void send_on(member *self, token *message) {
    member *receiver = self->next++;
    if (unlikely(self->next == self->group_end))
        self->next -= group_size;
    actorbench_send(member, receiver, message); /* last, so that nothing need be kept meanwhile */
}

static enum actorbench_allocation ended(member *self) {
    return self->received == last ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

/* Others may have started before, and their tokens have come first: if so many that it has sent one in this one's place
 * already, it sends one less. */
static enum actorbench_allocation member_starts(member *self, start *message) {
    uint64_t sends = ++self->received < last_sent ? traffic_tokens : traffic_tokens - 1;
    for (uint64_t i = 0; i < sends; i++)
        send_on(self, message->token);
    return ended(self);
}

static inline enum actorbench_allocation pass(member *self, token *message) {
    if (likely(++self->received < last_sent)) {
        send_on(self, message);
        return ACTORBENCH_NODELETE;
    }
    return ended(self);
}

/* Out of line, so that without work no stack frame is needed. */
__attribute__((noinline)) static enum actorbench_allocation work_and_pass(member *self, token *message) {
    work_do(work);
    return pass(self, message);
}

/* As short as can be: what it takes counts for every design. */
static enum actorbench_allocation member_passes(member *self, token *message) {
    return unlikely(work != 0) ? work_and_pass(self, message) : pass(self, message);
}

void traffic_prepare(uint64_t actors) {
    if (traffic_actors % traffic_group != 0)
        workload_refuse("--actors %llu --group %llu: the group must divide the actors",
                        (unsigned long long)traffic_actors, (unsigned long long)traffic_group);
    group_size = traffic_group;
    member_count = actors;
    last = workload_scaled(traffic_rounds) * traffic_group + 1;
    if (traffic_tokens >= last)
        workload_refuse("--tokens %llu: an actor sends no more than %llu messages in all",
                        (unsigned long long)traffic_tokens, (unsigned long long)(last - 1));
    last_sent = last - traffic_tokens + 1;
    work = work_calibrate(traffic_work_ns);
    members = calloc(actors, sizeof *members);
    if (members == NULL)
        workload_refuse("--actors %llu: there is not enough memory for so many", (unsigned long long)traffic_actors);
}

void traffic_add(void) {
    member *self = &members[made];
    self->next = &members[made - made % group_size];
    self->group_end = self->next + group_size;
    actorbench_actor_init(member, self);
    made++;
}

void traffic_run(void) {
    static token token_of_all;
    static start first = {.token = &token_of_all};
    actorbench_message_init(token, &token_of_all, ACTORBENCH_NODELETE);
    actorbench_message_init(start, &first, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < member_count; i++)
        actorbench_send(member, &members[i], &first);
    actorbench_wait();
    workload_stop_clock();
}

uint64_t traffic_verify(void) {
    for (uint64_t i = 0; i < member_count; i++)
        if (members[i].received != last) {
            workload_wrong("actor %llu received %llu messages in place of %llu", (unsigned long long)i,
                           (unsigned long long)members[i].received, (unsigned long long)last);
            break;
        }
    free(members);
    return member_count * last;
}
