/* Conservation under stress: the traffic of tests/core/traffic.h, whose every message is received once, in order, by one
 * worker at a time, under all options, on 1 to 64 workers, with delays at every atomic operation. */
#include "stress.h"

#include <string.h>

#include "rows.h"
#include "traffic.h"

enum { MOST_WORKERS = 64 };

/* More mailboxes, where the line gives a number, if there are too few for so many workers. */
static void take_workers(struct actorbench_config *config, unsigned workers) {
    config->workers = workers;
    for (size_t i = 0; actorbench_options[i].name != NULL; i++)
        if (strcmp(actorbench_options[i].name, "mailboxes") == 0 && config->options[i] != 0 &&
            config->options[i] <= workers)
            config->options[i] = workers + 1;
}

/* The table's workers, or many more than there are CPUs. */
static void flow(void) {
    struct actorbench_config config = stress_configuration(covering, LENGTH(covering));
    struct random random = random_seed(stress.seed, 0);
    if (random_below(&random, 3) == 0)
        take_workers(&config, 1 + random_below(&random, MOST_WORKERS));
    run_traffic(&config);
}

static bool round_of_traffic(void) {
    stress.done++;
    return stress_holds(flow);
}

int main(int argc, char **argv) {
    stress_read(argc, argv);
    traffic_budget = SANITIZED_BUILD ? 100 : 200;
    return stress_rounds(argv[0], round_of_traffic, "rounds");
}
