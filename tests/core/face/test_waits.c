/* Waits: how many other messages a worker runs, after one is sent, before it runs that one; never more than a bound.
 *
 * What one worker sends to itself is counted, without thieves: then the count of what it has run, when a message is sent and
 * when its behaviour starts, is its own, and does not depend on what the kernel does to other workers in between.
 */
#include "platform/random.h"
#include "rows.h"

/* ---- Any traffic ------------------------------------------------------------------------------------------------------ */

enum {
    NODES = 8,
    TOKENS = 16, /* messages in flight, always */
    HOPS = SANITIZED_BUILD ? 20000 : 100000,
    MOST_WORKERS = 4,
};

typedef struct {
    struct actorbench_message message;
    unsigned sent_by; /* a worker, */
    uint32_t sent_at; /* which had run so many */
    bool stays;       /* goes from an actor to the same one, so that this always has one */
    struct random random;
} token;
ACTORBENCH_MESSAGE_TYPE(token)

typedef struct {
    struct actorbench_actor actor;
} node;
#define BEHAVIOURS_node(ON) ON(node, token, node_passes)
ACTORBENCH_ACTOR_TYPE(node)

static node nodes[NODES];
static token tokens[TOKENS];
static ATOMIC(uint32_t) hops, tokens_left;

/* Of each worker: how many messages it has run, and for how many one waited at most. Its own, until actorbench_stop. */
static struct { _Alignas(128) uint32_t ran, longest; } waits[MOST_WORKERS + 1];

static enum actorbench_allocation node_passes(node *self, token *message) {
    unsigned worker = actorbench_worker();
    uint32_t waited = waits[worker].ran - message->sent_at;
    if (message->sent_by == worker && waited > waits[worker].longest)
        waits[worker].longest = waited;
    waits[worker].ran++;
    if (atomic_fetch_add_relaxed(&hops, 1) >= HOPS) {
        (void)atomic_fetch_sub_relaxed(&tokens_left, 1);
        return ACTORBENCH_NODELETE;
    }
    message->sent_by = worker;
    message->sent_at = waits[worker].ran;
    actorbench_send(node, message->stays ? self : &nodes[random_below(&message->random, NODES)], message);
    return ACTORBENCH_NODELETE;
}

static uint32_t longest_wait_under(const struct actorbench_config *config) {
    memset(waits, 0, sizeof waits);
    atomic_initialise(&hops, 0);
    atomic_initialise(&tokens_left, TOKENS);
    start_executor(config);
    for (unsigned i = 0; i < NODES; i++)
        actorbench_actor_init(node, &nodes[i]);
    for (unsigned i = 0; i < TOKENS; i++) {
        actorbench_message_init(token, &tokens[i], ACTORBENCH_NODELETE);
        tokens[i].sent_by = MOST_WORKERS;
        tokens[i].stays = i % 4 == 0;
        tokens[i].random = random_seed(config->seed, i);
        actorbench_send(node, &nodes[i % NODES], &tokens[i]);
    }
    AWAIT(atomic_load_relaxed(&tokens_left) == 0);
    for (unsigned i = 0; i < NODES; i++)
        actorbench_send(node, &nodes[i], &actorbench_finished_message);
    actorbench_stop();
    uint32_t longest = 0;
    for (unsigned i = 0; i < MOST_WORKERS; i++)
        longest = waits[i].longest > longest ? waits[i].longest : longest;
    return longest;
}

static void test_longest_wait(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("waits", line);
    uint32_t longest = longest_wait_under(&config), bound = wait_bound(&config, NODES, TOKENS);
    watchdog_stop();
    if (getenv("ACTORBENCH_TEST_SAYS") != NULL)
        print_message("longest wait under %s: %u messages of %u\n", line->values, longest, bound);
    if (longest > bound)
        fail_msg("a message waited for %u others, more than %u", longest, bound);
}

/* ---- On one worker: a message must get past actors that never rest ---------------------------------------------------- */

enum { PATIENCE = 1000000 };

typedef struct {
    struct actorbench_message message;
} word;
ACTORBENCH_MESSAGE_TYPE(word)

typedef struct talker {
    struct actorbench_actor actor;
    struct talker *partner; /* to whom it answers; itself: it never rests */
} talker;
#define BEHAVIOURS_talker(ON) ON(talker, word, talker_talks)
ACTORBENCH_ACTOR_TYPE(talker)

typedef struct {
    struct actorbench_actor actor;
} quiet;
#define BEHAVIOURS_quiet(ON) ON(quiet, word, quiet_listens)
ACTORBENCH_ACTOR_TYPE(quiet)

typedef struct {
    struct actorbench_actor actor;
    bool pair;
} opener;
#define BEHAVIOURS_opener(ON) ON(opener, word, opener_opens)
ACTORBENCH_ACTOR_TYPE(opener)

/* All on one worker, so they need no atomics but where main looks. */
static talker talkers[3];
static quiet listener;
static word a_word;
static uint32_t talks; /* since the quiet one was sent its message */
static bool is_heard;
static ATOMIC(uint32_t) talking;

static enum actorbench_allocation talker_talks(talker *self, word *message) {
    if (is_heard || talks >= PATIENCE) {
        (void)atomic_fetch_sub_relaxed(&talking, 1);
        return ACTORBENCH_NODELETE;
    }
    talks++;
    actorbench_send(talker, self->partner, message);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation quiet_listens(quiet *self, word *message) {
    (void)self, (void)message;
    is_heard = true;
    return ACTORBENCH_FINISHED;
}

/* The quiet one is sent its message first. */
static enum actorbench_allocation opener_opens(opener *self, word *message) {
    actorbench_send(quiet, &listener, message);
    if (self->pair)
        actorbench_send(talker, &talkers[0], message);
    actorbench_send(talker, &talkers[2], message);
    return ACTORBENCH_FINISHED;
}

/* How many messages were run before the quiet one's: beside an actor that sends to itself, and with `pair` two more that
 * send to each other. */
static uint32_t talks_before_heard(const struct actorbench_config *config, bool pair) {
    static opener first;
    talks = 0;
    is_heard = false;
    atomic_initialise(&talking, pair ? 2 : 1);
    actorbench_message_init(word, &a_word, ACTORBENCH_NODELETE);
    start_executor(config);
    for (unsigned i = 0; i < LENGTH(talkers); i++)
        actorbench_actor_init(talker, &talkers[i]);
    talkers[0].partner = &talkers[1];
    talkers[1].partner = &talkers[0];
    talkers[2].partner = &talkers[2];
    actorbench_actor_init(quiet, &listener);
    first.pair = pair;
    actorbench_actor_init(opener, &first);
    actorbench_send(opener, &first, &a_word);
    AWAIT(atomic_load_relaxed(&talking) == 0);
    for (unsigned i = 0; i < LENGTH(talkers); i++)
        actorbench_send(talker, &talkers[i], &actorbench_finished_message);
    actorbench_stop();
    return talks;
}

static void expect_heard(struct actorbench_config *config, const char *under) {
    config->workers = 1;
    for (unsigned pair = 0; pair < 2; pair++) {
        watchdog_start(60, "a message beside actors that never rest, under %s", under);
        uint32_t others = talks_before_heard(config, pair != 0), bound = wait_bound(config, 5, 4);
        watchdog_stop();
        if (getenv("ACTORBENCH_TEST_SAYS") != NULL)
            print_message("heard under %s, %s: after %u messages of %u\n", under, pair ? "three" : "one", others,
                          bound);
        if (others > bound)
            fail_msg("under %s a message waited for %u others, more than %u", under, others, bound);
    }
}

static void test_heard(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    expect_heard(&config, line->values);
}

/* What nobody has chosen must not starve anybody, either; nor what a preset has, unless that is what it is a preset of. */
static void test_heard_under_defaults(void **state) {
    (void)state;
    struct actorbench_config config = actorbench_defaults();
    expect_heard(&config, "the defaults");
    for (const struct actorbench_preset *preset = actorbench_presets; preset->name != NULL; preset++) {
        assert_null(actorbench_set_preset(&config, preset->name));
        expect_heard(&config, preset->name);
    }
}

int main(void) {
    static const char *const defaults[] = {"", "the defaults and the presets"};
    ADD_TABLE(waits_bounded, test_longest_wait);
    ADD_TABLE(waits_bounded, test_heard);
    ADD_TABLE(defaults, test_heard_under_defaults);
    return run_tables("waits");
}
