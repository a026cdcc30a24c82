/* wrk(1) and ab(1) as clients: how they are called, and what their reports say. */
#ifndef ACTORBENCH_PLAINTEXT_TOOL_H
#define ACTORBENCH_PLAINTEXT_TOOL_H

#include "web.h"

/* Ends the program by workload_refuse if the tool is not installed, or cannot do what is asked for. */
void tool_require(const struct client_config *config);

/* Becomes the tool; returns only if that fails. */
void tool_run(const struct client_config *config, uint16_t port);

/* Reads what the tool printed; false if that is no report. */
bool tool_read(enum client_kind kind, const char *report, struct client_result *result);

#endif
