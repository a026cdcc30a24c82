/* Sleepers: workers that have parked, or are just about to, are woken by a send; none is lost. */
#include "platform/cpu.h"
#include "platform/random.h"
#include "rows.h"

enum { RECEIVERS = 8, PINGS = 500 };

typedef struct {
    struct actorbench_message message;
} ping;
ACTORBENCH_MESSAGE_TYPE(ping)

typedef struct {
    struct actorbench_actor actor;
} receiver;
#define BEHAVIOURS_receiver(ON) ON(receiver, ping, receiver_acknowledges)
ACTORBENCH_ACTOR_TYPE(receiver)

static ATOMIC(unsigned) acknowledged;

static enum actorbench_allocation receiver_acknowledges(receiver *self, ping *message) {
    (void)self, (void)message;
    (void)atomic_fetch_add_relaxed(&acknowledged, 1);
    return ACTORBENCH_NODELETE;
}

/* Up to twice the time after which idle workers park: many sends come just as a worker goes to sleep. */
static void pause_about_patience(struct random *random) {
    pause_ns(random_below(random, 2 * 50 * 1000));
}

/* One send after another, each when the last was received and the workers have had time to park, or nearly. */
static void test_line(void **state) {
    const struct table_line *line = *state;
    receiver receivers[RECEIVERS];
    ping message;
    struct actorbench_config config = configuration(line->names, line->values);
    struct random random = random_seed(test_seed(), config.workers);
    watch_line("sleepers", line);
    atomic_initialise(&acknowledged, 0);
    actorbench_message_init(ping, &message, ACTORBENCH_NODELETE);
    start_executor(&config);
    for (unsigned i = 0; i < RECEIVERS; i++)
        actorbench_actor_init(receiver, &receivers[i]);
    for (unsigned i = 1; i <= PINGS; i++) {
        pause_about_patience(&random);
        actorbench_send(receiver, &receivers[random_below(&random, RECEIVERS)], &message);
        while (atomic_load_relaxed(&acknowledged) != i)
            cpu_yield();
    }
    for (unsigned i = 0; i < RECEIVERS; i++)
        actorbench_send(receiver, &receivers[i], &actorbench_finished_message);
    actorbench_stop();
    watchdog_stop();
    assert_int_equal(atomic_load_relaxed(&acknowledged), PINGS);
}

int main(void) {
    ADD_TABLE(sleeping, test_line);
    return run_tables("sleepers");
}
