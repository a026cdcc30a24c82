/* executor: floods the executor with messages among groups of actors (thesis, "Executor"). */
#include "traffic.h"

static const struct parameter parameters[] = {
    TRAFFIC_PARAMETERS,
    {0},
};

static const struct workload workload = {
    .name = "executor",
    .summary = "groups of actors whose members send to each other in turn",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    traffic_prepare(traffic_actors);
    workload_start_executor();
    for (uint64_t i = 0; i < traffic_actors; i++)
        traffic_add();
    workload_start_clock();
    traffic_run();
    actorbench_stop();
    return workload_end(traffic_verify(), 0);
}
