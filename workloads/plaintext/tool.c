/* What the two tools are given, and what is looked for in the text that they print. */
#include "tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

static bool is_installed(const char *name) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[4096];
        int folder = (int)strcspn(path, ":");
        if (snprintf(file, sizeof file, "%.*s/%s", folder, path, name) < (int)sizeof file && access(file, X_OK) == 0)
            return true;
        path += folder + (path[folder] == ':');
    }
    return false;
}

void tool_require(const struct client_config *config) {
    bool is_wrk = config->kind == CLIENT_WRK;
    if (!is_installed(is_wrk ? "wrk" : "ab"))
        workload_refuse("--client %s is not installed: it is in Debian's package %s", is_wrk ? "wrk" : "ab",
                        is_wrk ? "wrk" : "apache2-utils");
    if (config->depth != 1)
        workload_refuse("--depth %" PRIu64 ": only our own client (--client own) has more than one request on its way",
                        config->depth);
    if (!is_wrk && config->connections > 20000)
        workload_refuse("--connections %" PRIu64 ": ab takes no more than 20000", config->connections);
}

void tool_run(const struct client_config *config, uint16_t port) {
    char threads[24], connections[24], seconds[24], requests[24], timeout[24], address[64];
    uint64_t cpus = (uint64_t)CPU_COUNT(&config->cpus);
    uint64_t at_once =
        config->kind == CLIENT_AB && config->requests < config->connections ? config->requests : config->connections;
    (void)snprintf(threads, sizeof threads, "%" PRIu64, cpus < at_once ? cpus : at_once);
    (void)snprintf(connections, sizeof connections, "%" PRIu64, at_once);
    (void)snprintf(seconds, sizeof seconds, "%" PRIu64 "s", config->seconds);
    (void)snprintf(requests, sizeof requests, "%" PRIu64, config->requests);
    (void)snprintf(timeout, sizeof timeout, "%" PRIu64, config->timeout_s);
    (void)snprintf(address, sizeof address, "http://127.0.0.1:%u/plaintext", port);
    if (config->kind == CLIENT_WRK)
        (void)execlp("wrk", "wrk", "-t", threads, "-c", connections, "-d", seconds, "--timeout", timeout, "--latency",
                     address, (char *)NULL);
    else
        (void)execlp("ab", "ab", "-q", "-n", requests, "-c", connections, "-s", timeout, address, (char *)NULL);
}

/* The whole number behind the first of these words in the text; 0 if they are not there. */
static uint64_t number_behind(const char *text, const char *words) {
    const char *at = text == NULL ? NULL : strstr(text, words);
    return at == NULL ? 0 : strtoull(at + strlen(words), NULL, 10);
}

/* A time as wrk prints it, such as 91.00us, in ns; NAN if it is none. */
static double time_of(const char *text) {
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
    char *unit;
    double value = strtod(text, &unit);
    for (size_t i = 0; unit != text && i < sizeof units / sizeof *units; i++)
        if (strncmp(unit, units[i].unit, strcspn(unit, " \n")) == 0 && strcspn(unit, " \n") == strlen(units[i].unit))
            return value * units[i].ns;
    return (double)NAN;
}

/* wrk tells three of our percentiles, and the longest time behind mean and deviation. */
static void read_times(const char *report, double latency_ns[ACTORBENCH_PERCENTILES]) {
    static const char *const rows[ACTORBENCH_PERCENTILES] = {"\n     50%", "\n     90%", "\n     99%"};
    const char *spread = strstr(report, "\n    Latency ");
    char longest[16];
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++) {
        const char *row = rows[i] == NULL ? NULL : strstr(report, rows[i]);
        latency_ns[i] = row == NULL ? (double)NAN : time_of(row + strlen(rows[i]));
    }
    if (spread != NULL && sscanf(spread, " Latency %*s %*s %15s", longest) == 1)
        latency_ns[ACTORBENCH_PERCENTILES - 1] = time_of(longest);
}

static bool read_wrk(const char *report, struct client_result *result) {
    const char *line = strstr(report, " requests in ");
    if (line == NULL)
        return false;
    while (line > report && line[-1] != '\n')
        line--;
    const char *errors = strstr(report, "Socket errors:");
    result->errors[CLIENT_UNCONNECTED] = number_behind(errors, "connect ");
    result->errors[CLIENT_LOST] = number_behind(errors, " read ") + number_behind(errors, " write ");
    result->errors[CLIENT_LATE] = number_behind(errors, " timeout ");
    result->errors[CLIENT_WRONG] = number_behind(report, "Non-2xx or 3xx responses:");
    result->requests = strtoull(line, NULL, 10) - result->errors[CLIENT_WRONG];
    read_times(report, result->latency_ns);
    return true;
}

/* Its times are in whole ms, which says nothing. */
static bool read_ab(const char *report, struct client_result *result) {
    if (strstr(report, "Complete requests:") == NULL)
        return false;
    result->errors[CLIENT_UNCONNECTED] = number_behind(report, "(Connect:");
    result->errors[CLIENT_LOST] = number_behind(report, ", Receive:") + number_behind(report, ", Exceptions:");
    result->errors[CLIENT_WRONG] = number_behind(report, ", Length:") + number_behind(report, "Non-2xx responses:");
    result->requests = number_behind(report, "Complete requests:") - number_behind(report, "Failed requests:");
    for (unsigned i = 0; i < ACTORBENCH_PERCENTILES; i++)
        result->latency_ns[i] = (double)NAN;
    return true;
}

bool tool_read(enum client_kind kind, const char *report, struct client_result *result) {
    return kind == CLIENT_WRK ? read_wrk(report, result) : read_ab(report, result);
}
