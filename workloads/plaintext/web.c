/* The clients of plaintext's servers, as the parameters choose them. */
#include "web.h"

#include <inttypes.h>
#include <unistd.h>

#include "load.h"
#include "tool.h"

enum { MOST_DEPTH = 1000 };

/* The amounts of React++'s churning clients, and the time of its lasting ones. */
struct web web = {.connections = 5000, .requests = 5000000, .seconds = 60, .depth = 1};

static struct client_config config;

static bool run_load(const struct client_ports *ports, int order, int report) {
    return load_run(&config, ports->of[0], order, report);
}

static bool run_tool(const struct client_ports *ports, int order, int report) {
    char go;
    (void)sched_getaffinity(0, sizeof config.cpus, &config.cpus); /* without, it has a thread */
    if (write(report, "", 1) == 1 && read(order, &go, 1) == 1 && dup2(report, STDOUT_FILENO) >= 0)
        tool_run(&config, ports->of[0]);
    return false;
}

static bool read_tool(const char *text, struct client_result *result) {
    return tool_read(config.kind, text, result);
}

static const struct client load = {.run = run_load, .descriptors = 1},
                           tool = {.run = run_tool, .read = read_tool, .descriptors = 1};

void web_begin(unsigned threads) {
    if (web.depth > MOST_DEPTH)
        workload_refuse("--depth cannot be %" PRIu64 ": it is 1 to %d", web.depth, MOST_DEPTH);
    config = (struct client_config){
        .kind = (enum client_kind)web.client,
        .connections = web.connections,
        .requests = workload_scaled(web.requests),
        .seconds = workload_scaled(web.seconds),
        .depth = web.depth,
        .timeout_s = server.timeout,
        .learns = web.foreign,
    };
    bool is_tool = config.kind == CLIENT_WRK || config.kind == CLIENT_AB;
    if (is_tool)
        tool_require(&config);
    server.connections = web.connections;
    server.scheme = "http://";
    server.path = "/plaintext";
    /* wrk leaves when its time is up: some answers it does not wait for, one a connection. */
    server.due = config.kind == CLIENT_WRK ? 0 : config.requests;
    server.unheard = config.kind == CLIENT_WRK ? config.connections : 0;
    server_begin(config.kind == CLIENT_NONE ? NULL : is_tool ? &tool : &load, threads);
}
