/* plaintext by another web server: starts it, has our clients ask it, and prints the record under its name.
 *
 * usage: serve SYSTEM VERSION RUNTIME WARM PROGRAM [options]
 * RUNTIME is empty if there is none; WARM is for how many seconds it is asked before the timed span; PROGRAM becomes the server, as
 * served.h says.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"
#include "platform/clock.h"
#include "platform/topology.h"
#include "served.h"
#include "web.h"

enum { OWN_ARGUMENTS = 5, PATIENCE_S = 60, WARMING_CONNECTIONS = 64, WARMING_REQUESTS = 2000 };

static uint64_t workers;
static struct foreign foreign = {.cpu_ns = served_cpu_ns};

static uint64_t peak;
static uint64_t kept_peak(void) {
    return peak;
}

/* The port, or of 0 one, that nobody has; who took it before the server does would be asked in its place. */
static uint16_t free_port(uint16_t port) {
    struct sockaddr_in any = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof any;
    int finder = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int yes = 1; /* as servers do: connections that have ended hold no port */
    if (finder < 0 || setsockopt(finder, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(finder, (struct sockaddr *)&any, size) != 0 || getsockname(finder, (struct sockaddr *)&any, &size) != 0)
        workload_refuse("--port %u cannot be listened on: %s", port, strerror(errno));
    (void)close(finder);
    return ntohs(any.sin_port);
}

/* Asks in the way of the timed span by a process of its own; false if that goes wrong. */
static bool ask(uint64_t requests) {
    bool churns = web.client == CLIENT_CHURN || web.client == CLIENT_AB;
    struct client_config config = {.kind = churns ? CLIENT_CHURN : CLIENT_OWN,
                                   .connections = WARMING_CONNECTIONS,
                                   .requests = requests,
                                   .depth = 1,
                                   .timeout_s = server.timeout,
                                   .learns = true};
    int status;
    pid_t client = fork();
    if (client == 0) {
        int order = open("/dev/zero", O_RDONLY | O_CLOEXEC), report = open("/dev/null", O_WRONLY | O_CLOEXEC);
        _exit(order >= 0 && report >= 0 && load_run(&config, server.port, order, report) ? 0 : 1);
    }
    return client > 0 && waitpid(client, &status, 0) == client && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Lets the server run for so many seconds; returns the requests. */
static uint64_t warm_up(uint64_t seconds) {
    uint64_t asked = 0, until_ns = clock_monotonic_ns() + seconds * UINT64_C(1000000000);
    while (clock_monotonic_ns() < until_ns) {
        if (!ask(WARMING_REQUESTS)) {
            served_end();
            workload_refuse("the server does not answer");
        }
        asked += WARMING_REQUESTS;
    }
    return asked;
}

static const struct parameter parameters[] = {
    {"workers", &workers, NULL, 0, "threads or processes that serve; 0: as many as CPUs may be used"},
    WEB_PARAMETERS,
    {0},
};

static struct workload workload = {
    .name = "plaintext",
    .summary = "another web server, and its client beside it",
    .unit = "request",
    .parameters = parameters,
    .bare = true,
    .foreign = &foreign,
};

/* Takes --falsify, which only tests know, out of the arguments. */
static int without_falsify(int argc, char **argv) {
    int kept = 0;
    for (int i = 0; i < argc; i++) {
        if (i > 0 && strcmp(argv[i], "--falsify") == 0)
            server.falsified = 1;
        else
            argv[kept++] = argv[i];
    }
    return kept;
}

static void begin(int argc, char **argv) {
    workload_begin(&workload, without_falsify(argc, argv), argv);
    if (web.client == CLIENT_NONE)
        workload_refuse("--client none is for servers that count what they answer: it is own, churn, wrk or ab");
    if (workers > 1024)
        workload_refuse("--workers cannot be %" PRIu64 ": it is 0 to 1024", workers);
    if (workers == 0)
        workers = topology_cpus_at_hand();
    if (workers > topology_cpus_at_hand())
        workload_note("oversubscribed: more workers than CPUs at hand");
    workload_note("what was answered is counted by the client alone");
    web.foreign = true;
    web_begin((unsigned)workers);
    server.port = free_port(server.port);
}

int main(int argc, char **argv) {
    static char warmed[80];
    if (argc <= OWN_ARGUMENTS) {
        (void)fprintf(stderr, "serve: usage: serve SYSTEM VERSION RUNTIME WARM PROGRAM [options]\n");
        return 2;
    }
    const char *program = argv[OWN_ARGUMENTS];
    uint64_t warm_s = strtoull(argv[4], NULL, 10);
    foreign.system = argv[1];
    foreign.version = argv[2];
    foreign.runtime = *argv[3] == '\0' ? NULL : argv[3];
    foreign.peak_rss_bytes = kept_peak;
    begin(argc - OWN_ARGUMENTS, argv + OWN_ARGUMENTS);

    served_start(program, server.port, (unsigned)workers, server.connections);
    if (!served_answers(&dialogue_of_one, server.port, PATIENCE_S)) {
        served_end();
        workload_refuse("%s does not answer on port %u", foreign.system, server.port);
    }
    if (warm_s > 0) {
        (void)snprintf(warmed, sizeof warmed, "warmed up by %" PRIu64 " requests", warm_up(warm_s));
        workload_note(warmed);
    }
    server_run();
    peak = served_peak_rss_bytes();
    served_end();
    return server_end(SERVER_UNCOUNTED, (unsigned)workers);
}
