/* The keeper, its entities, and the replay of what they asked. */
#include "keeper.h"

#include <stdlib.h>

#include "draw.h"

uint64_t keeper_entities = 20, keeper_messages = 8000, keeper_writes = 10, keeper_sizes = 0, keeper_keys = 65536;

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

enum kind { READ, WRITE, SIZE };

/* From an entity to the keeper and, with the answer, back. */
typedef struct entity entity;
typedef struct {
    struct actorbench_message message;
    entity *from;
    enum kind kind;
    uint64_t key, value, answer;
} request;
ACTORBENCH_MESSAGE_TYPE(request)

struct entity {
    struct actorbench_actor actor;
    request question;
    uint64_t asked;
    uint64_t checksum; /* of its answers, in order */
};
#define BEHAVIOURS_entity(ON) ON(entity, begin, entity_begins) ON(entity, request, entity_hears)
ACTORBENCH_ACTOR_TYPE(entity)

typedef struct {
    struct actorbench_actor actor;
    const struct structure *structure;
    uint32_t *served; /* by request: which entity's */
    uint64_t count;   /* of requests served */
} keeper;
#define BEHAVIOURS_keeper(ON) ON(keeper, request, keeper_serves)
ACTORBENCH_ACTOR_TYPE(keeper)

static uint64_t each, all; /* requests */
static entity *entities;
static keeper the_keeper;

/* An entity's request of a number. */
static void formulate(request *question, uint64_t asker, uint64_t number) {
    uint64_t drawn = draw(asker, number), percent = lower_below(drawn, 100);
    question->kind = percent < keeper_sizes ? SIZE : percent < keeper_sizes + keeper_writes ? WRITE : READ;
    question->key = upper_below(drawn, keeper_keys);
    question->value = drawn;
}

static uint64_t respond(const struct structure *structure, const request *question) {
    switch (question->kind) {
    case READ:
        return structure->read(question->key);
    case WRITE:
        return structure->write(question->key, question->value);
    default:
        return structure->size();
    }
}

static uint64_t add_to_checksum(uint64_t checksum, uint64_t answer) {
    return checksum * UINT64_C(0x9e3779b97f4a7c15) + answer + 1;
}

static void ask(entity *self) {
    formulate(&self->question, (uint64_t)(self - entities), self->asked++);
    actorbench_send(keeper, &the_keeper, &self->question);
}

static enum actorbench_allocation entity_begins(entity *self, begin *start) {
    (void)start;
    ask(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation entity_hears(entity *self, request *answered) {
    self->checksum = add_to_checksum(self->checksum, answered->answer);
    if (self->asked == each)
        return ACTORBENCH_FINISHED;
    ask(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation keeper_serves(keeper *self, request *question) {
    self->served[self->count++] = (uint32_t)(question->from - entities);
    question->answer = respond(self->structure, question);
    actorbench_send(entity, question->from, question);
    return self->count == all ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

uint64_t keeper_prepare(void) {
    each = workload_scaled(keeper_messages);
    if (keeper_writes + keeper_sizes > 100)
        workload_refuse("--writes %llu: writes, and requests for the size, are at most 100 percent together",
                        (unsigned long long)keeper_writes);
    if (keeper_entities > UINT32_MAX || each > UINT32_MAX || keeper_keys > UINT32_MAX)
        workload_refuse("--entities, --keys and the messages must each be under 2^32");
    entities = calloc(keeper_entities, sizeof *entities);
    the_keeper.served = calloc(keeper_entities, each * sizeof *the_keeper.served);
    if (entities == NULL || the_keeper.served == NULL)
        workload_refuse("--entities %llu: there is not enough memory for so many, and their requests",
                        (unsigned long long)keeper_entities);
    all = keeper_entities * each;
    return all;
}

void keeper_run(const struct structure *structure) {
    static begin start;
    actorbench_message_init(begin, &start, ACTORBENCH_NODELETE);
    actorbench_actor_init(keeper, &the_keeper);
    the_keeper.structure = structure;
    for (uint64_t i = 0; i < keeper_entities; i++) {
        actorbench_actor_init(entity, &entities[i]);
        actorbench_message_init(request, &entities[i].question, ACTORBENCH_NODELETE);
        entities[i].question.from = &entities[i];
    }
    workload_start_clock();
    for (uint64_t i = 0; i < keeper_entities; i++)
        actorbench_send(entity, &entities[i], &start);
    actorbench_wait();
    workload_stop_clock();
}

void keeper_verify(const struct structure *model) {
    struct {
        uint64_t asked, checksum;
    } *due = calloc(keeper_entities, sizeof *due);
    if (due == NULL)
        workload_refuse("--entities %llu: there is not enough memory for the check",
                        (unsigned long long)keeper_entities);
    for (uint64_t i = 0; i < all; i++) {
        uint32_t asker = the_keeper.served[i];
        request question;
        formulate(&question, asker, due[asker].asked++);
        due[asker].checksum = add_to_checksum(due[asker].checksum, respond(model, &question));
    }
    for (uint64_t i = 0; i < keeper_entities; i++)
        if (due[i].asked != each || due[i].checksum != entities[i].checksum) {
            workload_wrong("entity %llu was served %llu times of %llu, %s", (unsigned long long)i,
                           (unsigned long long)due[i].asked, (unsigned long long)each,
                           due[i].checksum == entities[i].checksum ? "rightly" : "with a wrong answer");
            break;
        }
    free(due);
    free(the_keeper.served);
    free(entities);
}
