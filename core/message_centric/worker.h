/* A worker's scan of its mailboxes (thesis, "Executor" and "Stealing Mechanism"). */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_WORKER_H
#define ACTORBENCH_MESSAGE_CENTRIC_WORKER_H

#include "state.h"

/* One round over the worker's range, by the worker itself: each mailbox in it is gulped once, in the order of the slots, from
 * scan_start on and around. How many mailboxes had messages. */
unsigned worker_scan(struct worker *worker);

#endif
