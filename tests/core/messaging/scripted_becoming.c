/* An actor that changes by a script: LINE drop|keep WORD... A word is a message: a kind, by whom it is taken, and what the actor becomes.
 *
 * Kinds: r red, b blue, q a question to another, which is awaited, d the same of one that drops it. By whom: a hexadecimal digit of bits:
 * 1, 2, 4 for the sets 0 (answers red), 1 (blue) and 2 (red, and the rest), and 8 for the rest's handler, where set 2 declines a red one;
 * all answer questions. What it becomes: 0, 1, 2, or - nothing else.
 *
 * Prints the number of each message that is taken, from 1 on, of an answer with + or -; and how many were dropped, and have ended. */
#include "scripted.h"

#include "messaging/becoming.h"

struct word {
    unsigned number;
    char kind, becomes;
    unsigned taken_by;
};

static ATOMIC(uint32_t) ended;

#define MESSAGE(M)                                             \
    typedef struct {                                           \
        struct actorbench_message message;                     \
        struct word word;                                      \
    } M;                                                       \
    static void M##_ends(M *self) {                            \
        (void)self, (void)atomic_fetch_add_relaxed(&ended, 1); \
    }                                                          \
    ACTORBENCH_MESSAGE_TYPE_WITH_DESTRUCTOR(M, M##_ends)
MESSAGE(red)
MESSAGE(blue)
MESSAGE(question)

typedef struct {
    struct actorbench_message message;
    struct actorbench_promise promise;
    struct word word;
} inquiry;
ACTORBENCH_PROMISE_TYPE(inquiry)

typedef struct {
    struct actorbench_actor actor;
} oracle;
#define BEHAVIOURS_oracle(ON) ON(oracle, inquiry, oracle_answers)
ACTORBENCH_ACTOR_TYPE(oracle)

typedef struct {
    struct actorbench_actor actor;
    struct actorbench_becoming becoming;
    unsigned set;
} changer;
#define BEHAVIOURS_changer(ON)              \
    ON(changer, red, changer_red)           \
    ON(changer, blue, changer_blue)         \
    ON(changer, question, changer_question) \
    ON(changer, inquiry, changer_inquiry) ON(changer, actorbench_finished_pill, changer_finish)
ACTORBENCH_BECOMING_TYPE(changer)

#define FOR_ALL(ON, S) \
    ON(changer, S, question, ask) ON(changer, S, inquiry, hear) ON(changer, S, actorbench_finished_pill, finish)
#define HANDLERS_set0(ON) ON(changer, set0, red, red_comes) FOR_ALL(ON, set0)
ACTORBENCH_BEHAVIOUR_SET(changer, set0)
#define HANDLERS_set1(ON) ON(changer, set1, blue, blue_comes) FOR_ALL(ON, set1)
ACTORBENCH_BEHAVIOUR_SET(changer, set1)
#define HANDLERS_set2(ON) ON(changer, set2, red, red_comes) FOR_ALL(ON, set2)
ACTORBENCH_BEHAVIOUR_SET_AND_REST(changer, set2, rest_comes)

static oracle the_oracle;
static actorbench_barrier finished;

static enum actorbench_allocation oracle_answers(oracle *self, inquiry *asked) {
    (void)self;
    if (asked->word.kind == 'q')
        actorbench_promise_keep(inquiry, asked);
    return ACTORBENCH_NODELETE;
}

static void become(changer *self, char next) {
    if (next == '-')
        return;
    self->set = (unsigned)(next - '0');
    if (next == '0')
        actorbench_become(changer, self, set0);
    else if (next == '1')
        actorbench_become(changer, self, set1);
    else
        actorbench_become(changer, self, set2);
}

/* Takes a message, or declines it. */
static enum actorbench_allocation take(changer *self, const struct word *word, unsigned bit) {
    if ((word->taken_by & bit) == 0)
        return actorbench_decline(changer, self);
    (void)printf("%u ", word->number);
    become(self, word->becomes);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation red_comes(changer *self, red *message) {
    return take(self, &message->word, 1u << self->set);
}

static enum actorbench_allocation blue_comes(changer *self, blue *message) {
    return take(self, &message->word, 1u << self->set);
}

static enum actorbench_allocation rest_comes(changer *self, struct actorbench_message *message) {
    if (message->type == &question_type)
        return actorbench_decline(changer, self);
    if (message->type == &red_type)
        return take(self, &((red *)message)->word, 8);
    return take(self, &((blue *)message)->word, 4);
}

static enum actorbench_allocation ask(changer *self, question *message) {
    if ((message->word.taken_by & 1u << self->set) != 0) {
        inquiry *asked = actorbench_promise_new(inquiry);
        asked->word = message->word;
        actorbench_send(oracle, &the_oracle, asked);
        actorbench_await(inquiry, asked, changer, self);
    }
    return take(self, &message->word, 1u << self->set);
}

static enum actorbench_allocation hear(changer *self, inquiry *asked) {
    (void)self;
    (void)printf("%u%c ", asked->word.number, actorbench_future_state(inquiry, asked) == ACTORBENCH_KEPT ? '+' : '-');
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation finish(changer *self, actorbench_finished_pill *message) {
    (void)self, (void)message;
    actorbench_barrier_acknowledge(&finished);
    return ACTORBENCH_FINISHED;
}

#define SEND(M, given)                                          \
    do {                                                        \
        M *made = actorbench_message_new(M, ACTORBENCH_DELETE); \
        made->word = (given);                                   \
        actorbench_send(changer, &self, made);                  \
    } while (0)

int main(int argc, char **argv) {
    begin_script(argc, argv, 3);
    static changer self;
    actorbench_barrier_init(&finished, 1);
    actorbench_actor_init(oracle, &the_oracle);
    actorbench_actor_init(changer, &self);
    actorbench_becoming_init(changer, &self, set0, strcmp(argv[2], "keep") == 0 ? ACTORBENCH_KEEP : ACTORBENCH_DROP);
    for (int i = 3; i < argc; i++) {
        char digit[] = {argv[i][1], '\0'};
        struct word word = {(unsigned)i - 2, argv[i][0], argv[i][2], (unsigned)strtoul(digit, NULL, 16)};
        if (word.kind == 'r')
            SEND(red, word);
        else if (word.kind == 'b')
            SEND(blue, word);
        else
            SEND(question, word);
    }
    actorbench_send(changer, &self, &actorbench_finished_message);
    (void)actorbench_barrier_wait(&finished, ACTORBENCH_NO_TIMEOUT); /* before the oracle ends */
    actorbench_send(oracle, &the_oracle, &actorbench_finished_message);
    actorbench_stop();
    (void)printf("dropped %llu ended %u\n", (unsigned long long)self.becoming.dropped,
                 (unsigned)atomic_load_relaxed(&ended));
    return 0;
}
