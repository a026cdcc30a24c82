/* Starts and stops on one CPU, under all options: no round hangs, and what actorbench_wait and actorbench_stop wait for is done
 * when they return. A hang is ended by the child's watchdog. */
#include <sched.h>

#include "stress.h"

#include "family.h"
#include "rows.h"

enum { ROUNDS_A_CHILD = 50, MOST_WORKERS = 8, CHILDREN = 2, MOST_FAMILIES = 4, LONGEST_WAIT_NS = 200 * 1000 };

static void stay_on_one_cpu(void) {
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void pause_sometimes(struct random *random) {
    if (random_below(random, 2) == 0)
        pause_ns(random_below(random, LONGEST_WAIT_NS));
}

/* One family or more. Each is sent for, and the executor is stopped, at once or about when the workers go to sleep. */
static void start_and_stop(const struct actorbench_config *config, struct random *random) {
    start_executor(config);
    for (unsigned left = 1 + random_below(random, MOST_FAMILIES); left > 0; left--) {
        pause_sometimes(random);
        family_begin(CHILDREN);
        if (left == 1 && random_below(random, 2) == 0)
            break;
        actorbench_wait();
        assert_true(family_is_complete());
    }
    pause_sometimes(random);
    actorbench_stop();
    assert_true(family_is_complete());
    assert_int_equal(threads_running(), 0);
}

static void starts_and_stops(void) {
    struct random random = random_seed(stress.seed, 0);
    struct actorbench_config config = stress_configuration(covering, LENGTH(covering));
    stay_on_one_cpu();
    for (unsigned i = 0; i < ROUNDS_A_CHILD; i++) {
        config.workers = 1 + random_below(&random, MOST_WORKERS);
        start_and_stop(&config, &random);
    }
}

static bool rounds_of_a_line(void) {
    stress.done += ROUNDS_A_CHILD;
    return stress_holds(starts_and_stops);
}

int main(int argc, char **argv) {
    stress_read(argc, argv);
    if (stress.rounds != UINT64_MAX)
        stress.rounds = (stress.rounds + ROUNDS_A_CHILD - 1) / ROUNDS_A_CHILD;
    return stress_rounds(argv[0], rounds_of_a_line, "rounds");
}
