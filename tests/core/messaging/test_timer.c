/* Timers: never before their time, each once, in the order of their times, again and again, and no more when cancelled. */
#include "harness.h"

#include "messaging/timer.h"
#include "platform/clock.h"
#include "platform/random.h"
#include "rows.h"

enum { TIMERS = 200, MOST_NS = 20 * 1000 * 1000, TICKS = 5, PERIOD_NS = 1000 * 1000, LONG_NS = 1000 * 1000 * 1000 };

typedef struct {
    struct actorbench_message message;
    struct actorbench_timer timer;
    uint64_t due_ns; /* no earlier */
    unsigned received;
} ring;
ACTORBENCH_MESSAGE_TYPE(ring)

typedef struct {
    struct actorbench_actor actor;
    unsigned received, early;
} sleeper;
#define BEHAVIOURS_sleeper(ON) ON(sleeper, ring, sleeper_wakes)
ACTORBENCH_ACTOR_TYPE(sleeper)

static ATOMIC(uint32_t) received;

static enum actorbench_allocation sleeper_wakes(sleeper *self, ring *message) {
    self->received++;
    message->received++;
    self->early += clock_monotonic_ns() < message->due_ns;
    (void)atomic_fetch_add_acq_rel(&received, 1);
    return ACTORBENCH_NODELETE;
}

static sleeper the_sleeper;
static struct actorbench_timers *timers;

static void begin(void **state) {
    const struct table_line *line = (const struct table_line *)*state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("timers", line);
    start_executor(&config);
    timers = actorbench_timers_start();
    assert_non_null(timers);
    memset((void *)&the_sleeper, 0, sizeof the_sleeper);
    atomic_store_relaxed(&received, 0);
    actorbench_actor_init(sleeper, &the_sleeper);
}

static void end(void) {
    actorbench_timers_stop(timers);
    actorbench_send(sleeper, &the_sleeper, &actorbench_finished_message);
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(the_sleeper.early, 0);
}

static void set(ring *message, uint64_t after_ns, uint64_t period_ns) {
    actorbench_message_init(ring, message, ACTORBENCH_NODELETE);
    message->due_ns = clock_monotonic_ns() + after_ns;
    actorbench_timer_set(sleeper, timers, &message->timer, &the_sleeper, message, after_ns, period_ns);
}

/* Some are cancelled: each is sent, or was cancelled in time, and not both. */
static void test_once(void **state) {
    begin(state);
    static ring rings[TIMERS];
    memset((void *)rings, 0, sizeof rings);
    struct random random = random_seed(test_seed(), 0);
    unsigned sent = 0, cancelled = 0;
    for (unsigned i = 0; i < TIMERS; i++)
        set(&rings[i], random_below(&random, MOST_NS), 0);
    for (unsigned i = 0; i < TIMERS; i += 3)
        cancelled += actorbench_timer_cancel(timers, &rings[i].timer) == 0;
    AWAIT(atomic_load_acquire(&received) >= TIMERS - cancelled);
    for (unsigned i = 0; i < TIMERS; i++)
        sent += (unsigned)actorbench_timer_cancel(timers, &rings[i].timer);
    end();
    assert_int_equal(sent, TIMERS - cancelled);
    assert_int_equal(the_sleeper.received, sent);
    for (unsigned i = 0; i < TIMERS; i++)
        assert_int_equal(rings[i].received, rings[i].timer.sent);
}

static void test_again_and_again(void **state) {
    begin(state);
    static ring ticks, never;
    memset((void *)&ticks, 0, sizeof ticks);
    memset((void *)&never, 0, sizeof never);
    set(&never, LONG_NS, LONG_NS);
    set(&ticks, PERIOD_NS, PERIOD_NS);
    uint64_t begun = ticks.due_ns;
    AWAIT(atomic_load_acquire(&received) >= TICKS);
    uint64_t now = clock_monotonic_ns(), sent = actorbench_timer_cancel(timers, &ticks.timer);
    assert_in_range(sent, TICKS, 1 + (clock_monotonic_ns() - begun) / PERIOD_NS);
    assert_true(now - begun >= (TICKS - 1) * (uint64_t)PERIOD_NS);
    AWAIT(atomic_load_acquire(&received) == sent);
    set(&ticks, 0, 0); /* again, and once */
    AWAIT(atomic_load_acquire(&received) == sent + 1);
    assert_int_equal(actorbench_timer_cancel(timers, &ticks.timer), 1);
    end();
    assert_int_equal(the_sleeper.received, sent + 1);
    assert_int_equal(never.received, 0);
}

int main(void) {
    ADD_TABLE(covering, test_once);
    ADD_TABLE(covering, test_again_and_again);
    return run_tables("timers");
}
