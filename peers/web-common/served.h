/* A server of another system: a process group that is started, looked at and ended. One at a time, from the first thread. */
#ifndef ACTORBENCH_WEB_SERVED_H
#define ACTORBENCH_WEB_SERVED_H

#include <stdbool.h>
#include <stdint.h>

#include "dialogue.h"

/* Starts `program` with the arguments PORT, WORKERS, CONNECTIONS and FOLDER: a new folder of its own. It gets SIGTERM if this process
 * dies. Ends this one by workload_refuse if there is no process or folder. */
void served_start(const char *program, uint16_t port, unsigned workers, uint64_t connections);

/* Waits until it answers rightly; false if it has ended, or did not within `patience_s`. */
bool served_answers(const struct dialogue *asking, uint16_t port, uint64_t patience_s);

/* CPU time of its processes that live, and the sum of their peaks of resident memory; 0 if the kernel does not tell. */
uint64_t served_cpu_ns(void);
uint64_t served_peak_rss_bytes(void);

/* Ends its processes, and removes the folder. */
void served_end(void);

#endif
