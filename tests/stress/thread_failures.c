/* Threads that cannot be had: whichever worker's creation fails, actorbench_start says one line, leaves neither a thread nor a
 * block behind, and the next start works. */
#include "stress.h"

#include "family.h"
#include "rows.h"

enum { CHILDREN = 2, MOST_TRIED = 12 };

static void start_without(const struct actorbench_config *config, unsigned worker) {
    char words[64];
    long before = allocator_live_blocks();
    threads_fail_at(worker);
    (void)snprintf(words, sizeof words, "worker %u of %u cannot be started: ", worker, config->workers);
    assert_not_started(config, words);
    threads_fail_at(0);
    assert_int_equal(threads_running(), 0);
    assert_int_equal(allocator_live_blocks(), before);

    start_executor(config);
    family_begin(CHILDREN);
    actorbench_stop();
    assert_true(family_is_complete());
    assert_int_equal(allocator_live_blocks(), before);
}

static void start_without_each(void) {
    struct actorbench_config config = stress_configuration(covering, LENGTH(covering));
    struct random random = random_seed(stress.seed, 0);
    config.workers = 1 + random_below(&random, MOST_TRIED);
    for (unsigned worker = 1; worker <= config.workers; worker++)
        start_without(&config, worker);
}

static bool failures_of_a_line(void) {
    stress.done++;
    return stress_holds(start_without_each);
}

int main(int argc, char **argv) {
    stress_read(argc, argv);
    return stress_rounds(argv[0], failures_of_a_line, "rounds");
}
