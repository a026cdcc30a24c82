/* Actors that are referred to, and tags: whoever sends, and whenever an actor quits, each message is received or missed, and each actor is
 * ended once, when nobody refers to it. Under all options; ASan sees what is used after its end. */
#include "harness.h"

#include "messaging/tag.h"
#include "platform/random.h"
#include "rows.h"

enum {
    CLERKS = 12,
    SENDERS = 4,
    NOTES = 150 /* of each sender */,
    PATIENCE = 40 /* notes till a clerk quits */,
    MOST_TAGS = 3
};

/* Each is counted when it ends. */
typedef struct {
    struct actorbench_message message;
} note;
static ATOMIC(uint64_t) notes_ended;
static void note_ends(note *self) {
    (void)self, (void)atomic_fetch_add_relaxed(&notes_ended, 1);
}
ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(note, note_ends)

/* To many at a time. */
typedef struct {
    struct actorbench_message message;
} call;
ACTORBENCH_MESSAGE_TYPE(call)

typedef struct {
    struct actorbench_actor actor;
    struct actorbench_references references;
    uint64_t received;
    uint64_t patience;
} clerk;
#define BEHAVIOURS_clerk(ON) ON(clerk, note, clerk_notes) ON(clerk, call, clerk_hears)
ACTORBENCH_REFERRED_TYPE_WITH_DESTRUCTOR(clerk, clerk_ends)

static ATOMIC(uint64_t) clerks_made, clerks_ended, received, missed;

static void clerk_ends(clerk *self) {
    (void)atomic_fetch_add_relaxed(&clerks_ended, 1);
    (void)atomic_fetch_add_relaxed(&received, self->received);
    (void)atomic_fetch_add_relaxed(&missed, actorbench_missed(clerk, self));
}

static enum actorbench_allocation clerk_hears(clerk *self, call *message) {
    (void)message;
    return ++self->received == self->patience ? ACTORBENCH_DELETE : ACTORBENCH_NODELETE;
}

static enum actorbench_allocation clerk_notes(clerk *self, note *message) {
    (void)message;
    return ++self->received == self->patience ? ACTORBENCH_DELETE : ACTORBENCH_NODELETE;
}

static clerk *make_clerk(uint64_t patience) {
    clerk *made = actorbench_referred_new(clerk);
    made->patience = patience;
    (void)atomic_fetch_add_relaxed(&clerks_made, 1);
    return made;
}

static bool send_note(clerk *receiver) {
    note *next = actorbench_message_new(note, ACTORBENCH_DELETE);
    return actorbench_referred_send(clerk, receiver, next);
}

static void begin(void **state) {
    const struct table_line *line = (const struct table_line *)*state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("actors that are referred to", line);
    ATOMIC(uint64_t) *const counts[] = {&notes_ended, &clerks_made, &clerks_ended, &received, &missed};
    for (unsigned i = 0; i < LENGTH(counts); i++)
        atomic_store_relaxed(counts[i], 0);
    start_executor(&config);
}

/* After all have been forgotten. */
static void end(uint64_t sent) {
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&clerks_ended), atomic_load_relaxed(&clerks_made));
    assert_int_equal(atomic_load_relaxed(&received) + atomic_load_relaxed(&missed), sent);
}

static void test_a_life(void **state) {
    begin(state);
    clerk *one = make_clerk(3);
    assert_int_equal(actorbench_presence(clerk, one), ACTORBENCH_DISABLED);
    assert_false(send_note(one));
    assert_int_equal(actorbench_missed(clerk, one), 1);
    actorbench_enable(clerk, one);
    for (unsigned i = 0; i < 3; i++)
        assert_true(send_note(one));
    AWAIT(actorbench_presence(clerk, one) == ACTORBENCH_GONE);
    assert_false(send_note(one));
    assert_int_equal(actorbench_missed(clerk, one), 2);
    assert_int_equal(atomic_load_relaxed(&clerks_ended), 0);
    actorbench_refer(clerk, one);
    actorbench_forget(clerk, one);
    actorbench_forget(clerk, one);
    actorbench_forget(clerk, make_clerk(1)); /* was never enabled */
    end(5);
    assert_int_equal(atomic_load_relaxed(&received), 3);
    assert_int_equal(atomic_load_relaxed(&notes_ended), 5);
}

/* ---- Many senders ---------------------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    struct random random;
    clerk *known[CLERKS]; /* it refers to each */
    unsigned left;
} sender;
#define BEHAVIOURS_sender(ON) ON(sender, call, sender_sends)
ACTORBENCH_ACTOR_TYPE(sender)

static enum actorbench_allocation sender_sends(sender *self, call *message) {
    for (unsigned i = 0; i < 5 && self->left > 0; i++, self->left--)
        (void)send_note(self->known[random_below(&self->random, CLERKS)]);
    if (self->left > 0) {
        actorbench_send(sender, self, message);
        return ACTORBENCH_NODELETE;
    }
    for (unsigned i = 0; i < CLERKS; i++)
        actorbench_forget(clerk, self->known[i]);
    return ACTORBENCH_FINISHED;
}

static void test_many(void **state) {
    begin(state);
    static call begins;
    actorbench_message_init(call, &begins, ACTORBENCH_NODELETE);
    clerk *clerks[CLERKS];
    sender senders[SENDERS] = {0};
    for (unsigned i = 0; i < CLERKS; i++)
        clerks[i] = make_clerk(PATIENCE);
    for (unsigned i = 0; i < SENDERS; i++) {
        actorbench_actor_init(sender, &senders[i]);
        senders[i].random = random_seed(test_seed(), i);
        senders[i].left = NOTES;
        for (unsigned j = 0; j < CLERKS; j++) {
            senders[i].known[j] = clerks[j];
            actorbench_refer(clerk, clerks[j]);
        }
        actorbench_send(sender, &senders[i], &begins);
    }
    for (unsigned i = 0; i < CLERKS; i++) {
        actorbench_enable(clerk, clerks[i]);
        actorbench_forget(clerk, clerks[i]);
    }
    end(SENDERS * NOTES);
    assert_int_equal(atomic_load_relaxed(&notes_ended), SENDERS * NOTES);
}

/* ---- Tags -------------------------------------------------------------------------------------------------------- */

static const char *const names[MOST_TAGS] = {"red", "green", "blue"};

static bool is_named(const struct actorbench_actor *actor, const char *tag, void *context) {
    (void)actor;
    return strcmp(tag, (const char *)context) == 0;
}

static bool is_any(const struct actorbench_actor *actor, const char *tag, void *context) {
    (void)actor, (void)tag, (void)context;
    return true;
}

static void test_groups(void **state) {
    begin(state);
    static call called;
    actorbench_message_init(call, &called, ACTORBENCH_NODELETE);
    struct actorbench_tags *tags = actorbench_tags_make(clerk);
    clerk *clerks[3], *found[2];
    for (unsigned i = 0; i < LENGTH(clerks); i++) { /* red; red and green; green */
        clerks[i] = make_clerk(UINT64_MAX);
        actorbench_enable(clerk, clerks[i]);
        if (i < 2)
            actorbench_tag_bind(clerk, tags, clerks[i], "red");
        if (i > 0)
            actorbench_tag_bind(clerk, tags, clerks[i], "green");
    }
    actorbench_tag_bind(clerk, tags, clerks[0], "red");
    char red[] = "red", blue[] = "blue";
    assert_int_equal(actorbench_tag_broadcast(clerk, tags, is_named, red, &called), 2);
    assert_int_equal(actorbench_tag_broadcast(clerk, tags, is_named, blue, &called), 0);
    assert_int_equal(actorbench_tag_broadcast(clerk, tags, is_any, NULL, &called), 3);
    assert_int_equal(actorbench_tag_select(clerk, tags, is_any, NULL, found, LENGTH(found)), 3);
    for (unsigned i = 0; i < LENGTH(found); i++)
        actorbench_forget(clerk, found[i]);
    assert_int_equal(actorbench_tag_unbind(clerk, tags, clerks[1], "red"), 1);
    assert_int_equal(actorbench_tag_unbind(clerk, tags, clerks[1], "red"), 0);
    assert_int_equal(actorbench_tag_broadcast(clerk, tags, is_named, red, &called), 1);
    assert_int_equal(actorbench_tag_unbind(clerk, tags, clerks[1], NULL), 1);
    assert_int_equal(actorbench_tag_broadcast(clerk, tags, is_any, NULL, &called), 2);
    for (unsigned i = 0; i < LENGTH(clerks); i++)
        actorbench_forget(clerk, clerks[i]);
    actorbench_tags_free(tags);
    end(2 + 3 + 1 + 2);
    assert_int_equal(atomic_load_relaxed(&missed), 0);
}

/* Broadcasts beside births and deaths. */
typedef struct {
    struct actorbench_actor actor;
    struct random random;
    unsigned left;
} crier;
#define BEHAVIOURS_crier(ON) ON(crier, call, crier_calls)
ACTORBENCH_ACTOR_TYPE(crier)

static struct actorbench_tags *all;
static ATOMIC(uint64_t) called_for;
static ATOMIC(uint32_t) criers_ended;

static void bear(struct random *random) {
    clerk *born = make_clerk(1 + random_below(random, PATIENCE));
    for (unsigned i = 0; i < MOST_TAGS; i++)
        if (random_below(random, 2) == 0)
            actorbench_tag_bind(clerk, all, born, names[i]);
    actorbench_enable(clerk, born);
    actorbench_forget(clerk, born); /* it is there as long as it has a tag */
}

static enum actorbench_allocation crier_calls(crier *self, call *message) {
    char name[8];
    (void)snprintf(name, sizeof name, "%s", names[random_below(&self->random, MOST_TAGS)]);
    (void)atomic_fetch_add_relaxed(&called_for, actorbench_tag_broadcast(clerk, all, is_named, name, message));
    if (random_below(&self->random, 3) == 0)
        bear(&self->random);
    if (--self->left > 0) {
        actorbench_send(crier, self, message);
        return ACTORBENCH_NODELETE;
    }
    (void)atomic_fetch_add_acq_rel(&criers_ended, 1);
    return ACTORBENCH_FINISHED;
}

static void test_births_and_deaths(void **state) {
    begin(state);
    static call called;
    actorbench_message_init(call, &called, ACTORBENCH_NODELETE);
    atomic_store_relaxed(&called_for, 0);
    atomic_store_relaxed(&criers_ended, 0);
    all = actorbench_tags_make(clerk);
    struct random random = random_seed(test_seed(), 1000);
    for (unsigned i = 0; i < CLERKS; i++)
        bear(&random);
    crier criers[SENDERS] = {0};
    for (unsigned i = 0; i < SENDERS; i++) {
        actorbench_actor_init(crier, &criers[i]);
        criers[i].random = random_seed(test_seed(), i);
        criers[i].left = NOTES / 3;
        actorbench_send(crier, &criers[i], &called);
    }
    AWAIT(atomic_load_acquire(&criers_ended) == SENDERS);
    actorbench_tags_free(all);
    uint64_t sent = atomic_load_relaxed(&called_for);
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&clerks_ended), atomic_load_relaxed(&clerks_made));
    assert_in_range(sent, 1, UINT64_MAX);
    /* What found a disabled or a gone one was missed too, and not sent. */
    assert_true(atomic_load_relaxed(&received) <= sent);
    assert_true(atomic_load_relaxed(&received) + atomic_load_relaxed(&missed) >= sent);
}

int main(void) {
    ADD_TABLE(covering, test_a_life);
    ADD_TABLE(covering, test_many);
    ADD_TABLE(covering, test_groups);
    ADD_TABLE(covering, test_births_and_deaths);
    return run_tables("actors that are referred to");
}
