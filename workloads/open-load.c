/* open-load: messages come when they are due, whether or not the ones before have been served (an open system; Schroeder, Wierman
 * and Harchol-Balter, "Open versus closed: a cautionary tale", NSDI 2006).
 *
 * Main sends --messages requests to actors drawn at random, at the times of a Poisson process that is drawn beforehand: on average
 * as many as --load percent of the workers could serve if all their time went into --work. The latency of a request is the time
 * from when it was *due* to the start of its behaviour: that main, or a worker, was late itself makes no latency shorter
 * (no "coordinated omission": Tene, "How NOT to measure latency"). How late main was is told beside it.
 *
 * The actors are spread over all workers, or with --on one they all belong to the first, and who helps it has to steal. From 100
 * percent of what the loaded workers and who helps them can do, requests pile up, and latencies tell how many there were.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "balance.h"
#include "draw.h"
#include "platform/clock.h"
#include "platform/cpu.h"
#include "platform/topology.h"
#include "work.h"

enum { ON_ALL, ON_ONE };
enum { SENDER_SLEEPS, SENDER_SPINS };
enum { STREAM_OF_TIMES, STREAM_OF_RECEIVERS };

static uint64_t actors = 64, messages = 100000, load = 70, work_ns = 20000, on = ON_ALL, sender = SENDER_SLEEPS;
static uint64_t work; /* in steps */

typedef struct {
    struct actorbench_message message;
    uint64_t due_ns;    /* from the first instant; of the monotonic clock once it is sent */
    uint64_t waited_ns; /* until its behaviour began */
    uint64_t received;  /* so often */
} request;
ACTORBENCH_MESSAGE_TYPE(request)

typedef struct {
    struct actorbench_actor actor;
    const request *last;
    uint64_t disordered; /* requests that came after a later one */
} server;
#define BEHAVIOURS_server(ON) ON(server, request, server_serves)
ACTORBENCH_ACTOR_TYPE(server)

static server *servers;
static request *requests;
static uint64_t request_count, servers_made;

static enum actorbench_allocation server_serves(server *self, request *asked) {
    asked->waited_ns = clock_monotonic_ns() - asked->due_ns;
    asked->received++;
    self->disordered += asked <= self->last;
    self->last = asked;
    work_do(work);
    return ACTORBENCH_NODELETE;
}

/* Draws when all requests are due. */
static void draw_times(void) {
    double mean_ns = (double)work_ns * 100.0 / ((double)load * (double)actorbench_workers()), due_ns = 0.0;
    for (uint64_t i = 0; i < request_count; i++) {
        double share = ((double)(draw(STREAM_OF_TIMES, i) >> 11) + 1.0) * 0x1p-53; /* over 0, at most 1 */
        due_ns -= mean_ns * log(share);
        actorbench_message_init(request, &requests[i], ACTORBENCH_NODELETE);
        requests[i].due_ns = (uint64_t)due_ns;
    }
}

/* Waits for a time; what time it is then. */
static uint64_t wait_until(uint64_t due_ns) {
    uint64_t now;
    while ((now = clock_monotonic_ns()) < due_ns) {
        uint64_t left = due_ns - now;
        struct timespec nap = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
        if (sender == SENDER_SLEEPS)
            (void)nanosleep(&nap, NULL); /* an early end leads back here */
        else
            cpu_relax();
    }
    return now;
}

/* Sends all, each when it is due; lateness[i] becomes how much later request i was sent. */
static void send_all(uint64_t *lateness) {
    uint64_t start = clock_monotonic_ns();
    for (uint64_t i = 0; i < request_count; i++) {
        request *next = &requests[i];
        next->due_ns += start;
        lateness[i] = wait_until(next->due_ns) - next->due_ns;
        actorbench_send(server, &servers[lower_below(draw(STREAM_OF_RECEIVERS, i), actors)], next);
    }
    for (uint64_t i = 0; i < actors; i++)
        actorbench_send(server, &servers[i], &actorbench_finished_message);
}

static void add_server(void) {
    actorbench_actor_init(server, &servers[servers_made]);
    servers_made++;
}

static void verify(void) {
    for (uint64_t i = 0; i < request_count; i++)
        if (requests[i].received != 1) {
            workload_wrong("request %llu was received %llu times in place of once", (unsigned long long)i,
                           (unsigned long long)requests[i].received);
            return;
        }
    for (uint64_t i = 0; i < actors; i++)
        if (servers[i].disordered != 0) {
            workload_wrong("actor %llu received %llu requests after later ones", (unsigned long long)i,
                           (unsigned long long)servers[i].disordered);
            return;
        }
}

/* ---- Numbers -------------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Of sorted times, the one that `percent` of them are no longer than. */
static double percentile(const uint64_t *sorted, double percent) {
    uint64_t rank = (uint64_t)ceil(percent / 100.0 * (double)request_count);
    return (double)sorted[rank == 0 ? 0 : rank - 1];
}

static void measure(uint64_t *times) {
    qsort(times, request_count, sizeof *times, compare);
    workload_measure("lateness_p50_ns", percentile(times, 50.0));
    workload_measure("lateness_p99_ns", percentile(times, 99.0));
    for (uint64_t i = 0; i < request_count; i++)
        times[i] = requests[i].waited_ns;
    qsort(times, request_count, sizeof *times, compare);
    double latency[ACTORBENCH_PERCENTILES];
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++)
        latency[i] = percentile(times, actorbench_percentiles[i]);
    workload_measure_latency(latency);
}

/* ---- The program ---------------------------------------------------------------------------------------------------- */

static const struct parameter parameters[] = {
    {"actors", &actors, NULL, 1, "that are sent to, each as likely as any other"},
    {"messages", &messages, NULL, 1, "sent to them all; --scale multiplies it"},
    {"load", &load, NULL, 1, "percent of what all workers could serve"},
    {"work", &work_ns, NULL, 1, "nanoseconds of computation for each message"},
    {"on", &on, "all|one", 0, "whose the actors are: every worker's in turn, or the first's"},
    {"sender", &sender, "sleep|spin", 0, "what main does until a message is due; spin wants a CPU of its own"},
    {0},
};

static const struct workload workload = {
    .name = "open-load",
    .summary = "messages come at random times, at a share of what all workers could serve",
    .unit = "message",
    .parameters = parameters,
};

static void tell_what_disturbs(void) {
    if (actorbench_workers() >= topology_cpus_at_hand())
        workload_note("main shares a CPU with workers: how late it sends is a part of the latency");
    if (load >= 100)
        workload_note("more is asked for than all workers can do: latency grows with --messages");
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    request_count = workload_scaled(messages);
    servers = calloc(actors, sizeof *servers);
    requests = calloc(request_count, sizeof *requests);
    uint64_t *times = calloc(request_count, sizeof *times);
    if (servers == NULL || requests == NULL || times == NULL)
        workload_refuse("--actors %llu, --messages %llu: there is not enough memory for so many",
                        (unsigned long long)actors, (unsigned long long)messages);
    work = work_calibrate(work_ns);

    workload_start_executor();
    (void)prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul,
                0ul); /* of main alone; where it can't be set, it is later, and that is told */
    tell_what_disturbs();
    draw_times();
    balance_lay_out(on == ON_ALL ? 1 : 0, actors, add_server);
    workload_start_clock();
    send_all(times);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    measure(times);
    free(times);
    free(requests);
    free(servers);
    return workload_end(request_count, 0);
}
