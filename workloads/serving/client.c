/* The child process, and the pipes to and from it. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

enum { REPORT_SIZE = 16 << 10 };

static struct {
    const struct client *kind; /* NULL: there is none */
    pid_t child;
    int order;  /* to it: the ports, then a byte that lets it ask */
    int report; /* from it: a byte when it could, then its result, or a text that says it */
} client;

static void endings(sigset_t *set) {
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGINT);
    (void)sigaddset(set, SIGTERM);
}

/* Reads until there is nothing more, or no more room; returns how much. */
static size_t read_all(int from, char *to, size_t size) {
    size_t length = 0;
    while (length < size) {
        ssize_t part = read(from, to + length, size - length);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            break;
        length += (size_t)part;
    }
    return length;
}

/* The child's life. Without its orders it was not needed. */
_Noreturn static void live(const struct client *kind, const cpu_set_t *cpus, int order, int report) {
    struct client_ports ports;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);         /* it asks nobody when the server is gone */
    (void)sched_setaffinity(0, sizeof *cpus, cpus); /* as it was, if that is not permitted */
    if (read_all(order, (char *)&ports, sizeof ports) != sizeof ports)
        _exit(0);
    _exit(kind->run(&ports, order, report) ? 0 : 1);
}

void client_begin(const struct client *kind, const cpu_set_t *cpus) {
    int order[2], report[2];
    client.kind = kind;
    if (kind == NULL) {
        sigset_t set;
        endings(&set);
        (void)pthread_sigmask(SIG_BLOCK, &set, NULL); /* which cannot fail for a set and a way that there are */
        return;
    }
    if (pipe2(order, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0)
        workload_refuse("there is no pipe for the client: %s", strerror(errno));
    (void)fflush(NULL); /* or the child would write it once more */
    client.child = fork();
    if (client.child < 0)
        workload_refuse("there is no process for the client: %s", strerror(errno));
    if (client.child == 0) {
        (void)close(order[1]);
        (void)close(report[0]);
        live(kind, cpus, order[0], report[1]);
    }
    (void)close(order[0]);
    (void)close(report[1]);
    client.order = order[1];
    client.report = report[0];
}

/* If it has ended, client_wait finds out: a write to nobody must not end the server. */
void client_prepare(const uint16_t *ports, unsigned count) {
    struct client_ports shown = {.count = count};
    char ready;
    if (client.kind == NULL)
        return;
    memcpy(shown.of, ports, count * sizeof *ports);
    (void)signal(SIGPIPE, SIG_IGN);
    if (write(client.order, &shown, sizeof shown) == (ssize_t)sizeof shown)
        (void)read_all(client.report, &ready, 1);
}

void client_go(void) {
    ssize_t written = client.kind == NULL ? 0 : write(client.order, "", 1);
    (void)written;
}

static void wait_for_ending(void) {
    sigset_t set;
    int signal;
    endings(&set);
    while (sigwait(&set, &signal) != 0)
        continue;
}

static bool understood(const char *report, size_t length, struct client_result *result) {
    if (client.kind->read != NULL)
        return client.kind->read(report, result);
    if (length != sizeof *result)
        return false;
    memcpy(result, report, sizeof *result);
    return true;
}

bool client_wait(struct client_result *result) {
    *result = (struct client_result){0};
    if (client.kind == NULL) {
        wait_for_ending();
        return true;
    }
    char report[REPORT_SIZE + 1];
    size_t length = read_all(client.report, report, REPORT_SIZE);
    report[length] = '\0';
    (void)close(client.order);
    (void)close(client.report);
    int status;
    pid_t ended;
    do
        ended = waitpid(client.child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && understood(report, length, result))
        return true;
    workload_wrong("the client failed, with status %d", ended >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return false;
}
