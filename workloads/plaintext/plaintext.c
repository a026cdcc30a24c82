/* plaintext: a web server of actors that says "Hello, World!" (React++, 4.6 "The Plaintext Experiment").
 *
 * house.h says which actors; http.h what they say. The client, beside it on the machine, is a process of its own (client.h).
 */
#include "house.h"
#include "http.h"
#include "web.h"

static void open_connection(void *connection, int socket, uint64_t now_ns) {
    http_open(connection, socket, now_ns);
}

static enum connection_next run_connection(void *connection, uint64_t now_ns) {
    return http_run(connection, now_ns);
}

static enum connection_next look_at_connection(void *connection, uint64_t now_ns, uint64_t timeout_ns) {
    return http_look(connection, now_ns, timeout_ns);
}

static uint64_t end_connection(void *connection) {
    http_end(connection);
    return http_answered(connection);
}

static const struct protocol protocol = {
    .size = sizeof(struct http_connection),
    .open = open_connection,
    .run = run_connection,
    .look = look_at_connection,
    .end = end_connection,
    .refuse = http_refuse,
};

static const struct parameter parameters[] = {
    HOUSE_PARAMETERS,
    WEB_PARAMETERS,
    SERVER_MOST,
    {0},
};

static const struct workload workload = {
    .name = "plaintext",
    .summary = "a web server of actors, a session each, and its client beside it",
    .unit = "request",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    web_begin(workload_workers());
    house_begin(&protocol);
    workload_start_executor();
    house_open();
    server_run();
    return server_end(house_close(), 0);
}
