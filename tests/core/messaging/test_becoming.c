/* Behaviours that change: random messages to an actor that becomes one thing after another, declines, drops, keeps and awaits, beside
 * a model that does the same in a loop; under all options. */
#include "harness.h"

#include "messaging/becoming.h"
#include "platform/random.h"
#include "rows.h"

enum { MESSAGES = 400, ROUNDS = 6, HEARD = MESSAGES /* an answer's number is its question's and this */ };

enum kind { KIND_RED, KIND_BLUE, KIND_QUESTION, KIND_ANSWER, KINDS };
enum set { SET_OPEN, SET_CHOOSY, SET_GREEDY, SETS };

struct content {
    unsigned number;
    unsigned value; /* random: what becomes of the actor, and whether a choosy handler takes it */
};

/* ---- The rules, for actor and model ------------------------------------------------------------------------------- */

/* Whether a set answers a message. */
static bool is_taken(enum set set, enum kind kind, unsigned value) {
    if (kind == KIND_QUESTION || kind == KIND_ANSWER)
        return true;
    if (set == SET_OPEN)
        return kind == KIND_RED;
    if (set == SET_CHOOSY)
        return kind == KIND_BLUE && value % 2 == 0;
    return kind == KIND_RED ? value % 3 != 0 : value % 5 != 0; /* by two handlers: for red ones, and for the rest */
}

/* What the actor becomes by a message that it has taken; SETS: nothing else. */
static unsigned becomes(enum kind kind, unsigned value) {
    return kind == KIND_ANSWER ? SETS : value / 64 % (2 * SETS) < SETS ? value / 64 % (2 * SETS) : SETS;
}

/* ---- The model ---------------------------------------------------------------------------------------------------- */

struct sent {
    enum kind kind;
    struct content content;
};

struct history {
    unsigned handled[2 * MESSAGES];
    unsigned count;
    uint64_t dropped;
};

static bool model_takes(struct history *history, enum set *set, struct sent sent, bool *changed) {
    if (!is_taken(*set, sent.kind, sent.content.value))
        return false;
    history->handled[history->count++] = sent.content.number;
    if (sent.kind == KIND_QUESTION) /* nothing comes between it and its answer, whoever else has sent */
        history->handled[history->count++] = HEARD + sent.content.number;
    unsigned next = becomes(sent.kind, sent.content.value);
    *changed = next != SETS || sent.kind == KIND_QUESTION;
    *set = next != SETS ? (enum set)next : *set;
    return true;
}

static struct history model(const struct sent *sent, enum actorbench_unanswered unanswered) {
    struct history history = {.count = 0};
    enum set set = SET_OPEN;
    struct sent kept[MESSAGES];
    unsigned kept_count = 0;
    for (unsigned i = 0; i < MESSAGES; i++) {
        bool changed = false;
        if (!model_takes(&history, &set, sent[i], &changed)) {
            if (unanswered == ACTORBENCH_KEEP)
                kept[kept_count++] = sent[i];
            else
                history.dropped++;
        }
        for (unsigned next = 0; changed && next < kept_count;) {
            bool again = false;
            if (!model_takes(&history, &set, kept[next], &again)) {
                next++;
                continue;
            }
            memmove(&kept[next], &kept[next + 1], (--kept_count - next) * sizeof *kept);
            next = again ? 0 : next;
        }
    }
    history.dropped += kept_count;
    return history;
}

/* ---- The actor ---------------------------------------------------------------------------------------------------- */

static ATOMIC(uint32_t) ended; /* messages that were destroyed */

#define MESSAGE(M)                                             \
    typedef struct {                                           \
        struct actorbench_message message;                     \
        struct content content;                                \
    } M;                                                       \
    ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(M, M##_ends)       \
    static void M##_ends(M *self) {                            \
        (void)self, (void)atomic_fetch_add_relaxed(&ended, 1); \
    }
MESSAGE(red)
MESSAGE(blue)
MESSAGE(question)

typedef struct {
    struct actorbench_message message;
    struct actorbench_promise promise;
    struct content content;
} inquiry;
ACTORBENCH_PROMISE_TYPE(inquiry)

typedef struct {
    struct actorbench_actor actor;
} oracle;
#define BEHAVIOURS_oracle(ON) ON(oracle, inquiry, oracle_answers)
ACTORBENCH_ACTOR_TYPE(oracle)

static enum actorbench_allocation oracle_answers(oracle *self, inquiry *asked) {
    (void)self;
    if (asked->content.value % 2 == 0) /* or it is dropped, which is an answer too */
        actorbench_promise_keep(inquiry, asked);
    return ACTORBENCH_NODELETE;
}

static oracle asked_oracle;

typedef struct {
    struct actorbench_actor actor;
    struct actorbench_becoming becoming;
    struct history history;
    enum set set;
} changer;
#define BEHAVIOURS_changer(ON)              \
    ON(changer, red, changer_red)           \
    ON(changer, blue, changer_blue)         \
    ON(changer, question, changer_question) \
    ON(changer, inquiry, changer_hears) ON(changer, actorbench_finished_pill, changer_ends)
ACTORBENCH_BECOMING_TYPE(changer)

#define HANDLERS_open(ON)            \
    ON(changer, open, red, open_red) \
    ON(changer, open, question, ask) \
    ON(changer, open, inquiry, hear) ON(changer, open, actorbench_finished_pill, finish)
ACTORBENCH_BEHAVIOUR_SET(changer, open)
#define HANDLERS_choosy(ON)                \
    ON(changer, choosy, blue, choosy_blue) \
    ON(changer, choosy, question, ask)     \
    ON(changer, choosy, inquiry, hear) ON(changer, choosy, actorbench_finished_pill, finish)
ACTORBENCH_BEHAVIOUR_SET(changer, choosy)
#define HANDLERS_greedy(ON)              \
    ON(changer, greedy, red, greedy_red) \
    ON(changer, greedy, question, ask)   \
    ON(changer, greedy, inquiry, hear) ON(changer, greedy, actorbench_finished_pill, finish)
ACTORBENCH_BEHAVIOUR_SET_AND_REST(changer, greedy, greedy_rest)

static void note(changer *self, unsigned number, enum kind kind, unsigned value) {
    self->history.handled[self->history.count++] = number;
    unsigned next = becomes(kind, value);
    if (next == SETS)
        return;
    self->set = (enum set)next;
    if (next == SET_OPEN)
        actorbench_become(changer, self, open);
    else if (next == SET_CHOOSY)
        actorbench_become(changer, self, choosy);
    else
        actorbench_become(changer, self, greedy);
}

static enum actorbench_allocation take(changer *self, enum kind kind, struct content content) {
    if (!is_taken(self->set, kind, content.value))
        return actorbench_decline(changer, self);
    note(self, content.number, kind, content.value);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation open_red(changer *self, red *message) {
    return take(self, KIND_RED, message->content);
}

static enum actorbench_allocation choosy_blue(changer *self, blue *message) {
    return take(self, KIND_BLUE, message->content);
}

/* What it declines goes to the rest, which declines it too. */
static enum actorbench_allocation greedy_red(changer *self, red *message) {
    return take(self, KIND_RED, message->content);
}

static enum actorbench_allocation greedy_rest(changer *self, struct actorbench_message *message) {
    if (message->type == &red_type)
        return actorbench_decline(changer, self);
    return take(self, KIND_BLUE, ((blue *)message)->content);
}

static enum actorbench_allocation ask(changer *self, question *message) {
    inquiry *asked = actorbench_promise_new(inquiry);
    asked->content = message->content;
    actorbench_send(oracle, &asked_oracle, asked);
    actorbench_await(inquiry, asked, changer, self);
    note(self, message->content.number, KIND_QUESTION, message->content.value);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation hear(changer *self, inquiry *asked) {
    bool kept = actorbench_future_state(inquiry, asked) == ACTORBENCH_KEPT;
    note(self, HEARD + asked->content.number + (kept == (asked->content.value % 2 == 0) ? 0 : MESSAGES), KIND_ANSWER,
         0);
    return ACTORBENCH_NODELETE;
}

static ATOMIC(uint32_t) finished;

static enum actorbench_allocation finish(changer *self, actorbench_finished_pill *message) {
    (void)self, (void)message;
    atomic_store_relaxed(&finished, 1);
    return ACTORBENCH_FINISHED;
}

/* ---- Both --------------------------------------------------------------------------------------------------------- */

static void draw(struct sent *sent, struct random *random) {
    for (unsigned i = 0; i < MESSAGES; i++) {
        unsigned kind = random_below(random, 16);
        sent[i].kind = kind == 0 ? KIND_QUESTION : kind % 2 == 0 ? KIND_RED : KIND_BLUE;
        sent[i].content = (struct content){i, random_below(random, 1024)};
    }
}

#define SEND(M, given)                                             \
    do {                                                           \
        M *message = actorbench_message_new(M, ACTORBENCH_DELETE); \
        message->content = (given);                                \
        actorbench_send(changer, &self, message);                  \
    } while (0)

static void run_both(const struct actorbench_config *config, enum actorbench_unanswered unanswered, uint64_t round) {
    struct random random = random_seed(config->seed, round);
    struct sent sent[MESSAGES];
    draw(sent, &random);
    struct history expected = model(sent, unanswered);
    static changer self;
    memset((void *)&self, 0, sizeof self);
    atomic_store_relaxed(&ended, 0);
    atomic_store_relaxed(&finished, 0);
    start_executor(config);
    actorbench_actor_init(oracle, &asked_oracle);
    actorbench_actor_init(changer, &self);
    actorbench_becoming_init(changer, &self, open, unanswered);
    for (unsigned i = 0; i < MESSAGES; i++)
        if (sent[i].kind == KIND_RED)
            SEND(red, sent[i].content);
        else if (sent[i].kind == KIND_BLUE)
            SEND(blue, sent[i].content);
        else
            SEND(question, sent[i].content);
    actorbench_send(changer, &self, &actorbench_finished_message);
    AWAIT(atomic_load_relaxed(&finished) == 1); /* before the oracle ends */
    actorbench_send(oracle, &asked_oracle, &actorbench_finished_message);
    actorbench_stop();
    assert_int_equal(self.history.count, expected.count);
    for (unsigned i = 0; i < expected.count; i++)
        assert_int_equal(self.history.handled[i], expected.handled[i]);
    assert_int_equal(self.becoming.dropped, expected.dropped);
    assert_int_equal(atomic_load_relaxed(&ended), MESSAGES);
}

static void test_as_the_model(void **state) {
    const struct table_line *line = (const struct table_line *)*state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("behaviours that change", line);
    for (uint64_t round = 0; round < ROUNDS; round++)
        run_both(&config, round % 2 == 0 ? ACTORBENCH_KEEP : ACTORBENCH_DROP, round);
    watchdog_stop();
}

int main(void) {
    ADD_TABLE(covering, test_as_the_model);
    return run_tables("becoming");
}
