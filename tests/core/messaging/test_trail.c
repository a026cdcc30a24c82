/* Trails: random walks that link, fork, raise, raise again, resume and let go, on many workers, beside a model that walks them one after
 * the other; under all options. All storage is given back: ASan sees. */
#include "harness.h"

#include "messaging/trail.h"
#include "platform/random.h"
#include "rows.h"

enum { ACTORS = 8, TRAILS = 60, MOST_EVENTS = 24, MOST_FORKS = 3, OUTSIDE = ACTORS };

/* ---- The rules, for actors and model ------------------------------------------------------------------------------- */

/* What a trail holds. */
struct content {
    uint64_t id;     /* of the trail */
    uint64_t value;  /* changed by each who sends it on, and by each who resumes it */
    unsigned events; /* behaviours that it has run */
    unsigned forks;  /* that it descends from */
};

enum event { LINK, FORK, RAISE, RESUME, LET_GO };

static uint64_t mix(uint64_t left, uint64_t right) {
    struct random random = random_seed(left, right);
    return random_next(&random);
}

static enum event choose(const struct content *held, bool rewinding) {
    unsigned draw = (unsigned)(mix(held->id, held->events) % 16);
    if (rewinding)
        return draw < 4 ? RESUME : draw < 8 ? RAISE : LET_GO;
    if (held->events >= MOST_EVENTS)
        return LET_GO;
    return draw < 9 ? LINK : draw < 11 && held->forks < MOST_FORKS ? FORK : draw < 15 ? RAISE : LET_GO;
}

static unsigned choose_receiver(const struct content *held) {
    return (unsigned)(mix(held->id, ~(uint64_t)held->events) % ACTORS);
}

/* What a fork of it holds. */
static struct content fork_of(const struct content *held) {
    return (struct content){mix(held->id, 1000 + held->events), held->value + 7, held->events, held->forks + 1};
}

/* A number for a behaviour that has run: what it saw, of its history too. */
static uint64_t witness(const struct content *held, unsigned actor, bool rewinding, uint64_t history) {
    return mix(mix(held->id, held->events), mix(held->value + history, 2 * actor + rewinding));
}

/* ---- The model ----------------------------------------------------------------------------------------------------- */

struct step {
    unsigned sender;
    uint64_t value; /* that was sent */
};

static uint64_t model_seen, model_sum; /* behaviours, and their witnesses */

static void walk(struct content held, unsigned actor, struct step *way, unsigned steps) {
    struct step own[MOST_EVENTS + 2];
    memcpy(own, way, steps * sizeof *own);
    bool rewinding = false;
    unsigned back = 0, raiser = 0;
    for (;;) {
        uint64_t history = 0;
        for (unsigned i = 0; i < steps; i++)
            history = mix(history, own[i].value);
        model_sum += witness(&held, actor, rewinding, history);
        model_seen++;
        enum event event = choose(&held, rewinding);
        held.events++;
        if (event == LET_GO && !rewinding)
            return;
        if (event == FORK) {
            struct content forked = fork_of(&held);
            unsigned receiver = choose_receiver(&forked);
            own[steps] = (struct step){actor, forked.value};
            walk(forked, receiver, own, steps + 1);
        }
        if (event == LINK || event == FORK) {
            held.value++;
            own[steps++] = (struct step){actor, held.value};
            actor = choose_receiver(&held);
        } else if (event == RESUME) {
            held.value += 100;
            rewinding = false;
            actor = raiser;
        } else {
            if (!rewinding) {
                rewinding = true;
                back = steps;
                raiser = actor;
            }
            if (back == 0 || own[back - 1].sender == OUTSIDE)
                return;
            actor = own[--back].sender;
        }
    }
}

/* ---- The actors ---------------------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_message message;
    struct actorbench_trail trail;
    struct content held;
} parcel;
ACTORBENCH_TRAIL_TYPE(parcel)

typedef struct {
    struct actorbench_actor actor;
} walker;
#define BEHAVIOURS_walker(ON) ON(walker, parcel, walker_gets)
ACTORBENCH_ACTOR_TYPE(walker)

static walker walkers[ACTORS];
static ATOMIC(uint64_t) seen, sum;

/* Of a trail with so many steps. */
static uint64_t history_of(parcel *got) {
    uint64_t values[MOST_EVENTS + 2], history = 0;
    unsigned steps = 0;
    for (const parcel *sent; (sent = actorbench_trail_history(parcel, got, steps)) != NULL; steps++)
        values[steps] = sent->held.value;
    while (steps > 0)
        history = mix(history, values[--steps]);
    return history;
}

static void send_on(walker *self, parcel *passed) {
    walker *receiver = &walkers[choose_receiver(&passed->held)];
    actorbench_trail_link(parcel, passed, walker, self, walker, receiver);
}

static enum actorbench_allocation walker_gets(walker *self, parcel *got) {
    bool rewinding = actorbench_trail_is_rewinding(parcel, got);
    (void)atomic_fetch_add_relaxed(&sum, witness(&got->held, (unsigned)(self - walkers), rewinding, history_of(got)));
    (void)atomic_fetch_add_relaxed(&seen, 1);
    enum event event = choose(&got->held, rewinding);
    got->held.events++;
    if (event == FORK) {
        parcel *forked = actorbench_trail_fork(parcel, got);
        forked->held = fork_of(&got->held);
        send_on(self, forked);
    }
    if (event == LINK || event == FORK) {
        got->held.value++;
        send_on(self, got);
    } else if (event == RESUME) {
        got->held.value += 100;
        actorbench_trail_resume(parcel, got);
    } else if (event == RAISE) {
        actorbench_trail_raise(parcel, got, walker, self);
    }
    return ACTORBENCH_NODELETE;
}

static void test_as_the_model(void **state) {
    const struct table_line *line = (const struct table_line *)*state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("trails", line);
    model_seen = model_sum = 0;
    atomic_store_relaxed(&seen, 0);
    atomic_store_relaxed(&sum, 0);
    start_executor(&config);
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_actor_init(walker, &walkers[i]);
    for (unsigned i = 0; i < TRAILS; i++) {
        parcel *begun = actorbench_trail_begin(parcel);
        begun->held.id = mix(config.seed, i);
        struct content held = begun->held;
        struct step outside = {OUTSIDE, 0};
        walk(held, choose_receiver(&held), &outside, 1);
        actorbench_trail_link_from_outside(parcel, begun, walker, &walkers[choose_receiver(&held)]);
    }
    AWAIT(atomic_load_relaxed(&seen) >= model_seen);
    pause_ns(1000000); /* for one too many */
    for (unsigned i = 0; i < ACTORS; i++)
        actorbench_send(walker, &walkers[i], &actorbench_finished_message);
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&seen), model_seen);
    assert_int_equal(atomic_load_relaxed(&sum), model_sum);
    assert_true(model_seen > 4 * TRAILS);
}

int main(void) {
    ADD_TABLE(covering, test_as_the_model);
    return run_tables("trails");
}
