/* zeromq: a server of actors that replies with what it is asked, over ZeroMQ's protocol (React++, 5.3 "Application Performance").
 *
 * house.h says which actors; rep.h what they say. The client, beside it on the machine, is libzmq in a process of its own (load.h).
 */
#include "asking.h"
#include "house.h"
#include "rep.h"

static const struct parameter parameters[] = {
    HOUSE_PARAMETERS, ASKING_PARAMETERS, SERVER_TIMEOUT, SERVER_MOST, {0},
};

static const struct workload workload = {
    .name = "zeromq",
    .summary = "a server of actors, a session each, that replies to ZeroMQ's requests with what they hold",
    .unit = "request",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    asking_begin(workload_workers());
    house_begin(&rep_protocol);
    workload_start_executor();
    house_open();
    server_run();
    return server_end(house_close(), 0);
}
