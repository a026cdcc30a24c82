/* Handlers that policies share. */
#ifndef ACTORBENCH_IO_POLICY_H
#define ACTORBENCH_IO_POLICY_H

#include "io.h"

void policy_nothing(void);
bool policy_no_idle(unsigned worker);
void policy_no_block(unsigned worker);

/* Polls the worker's set; rearms it. */
bool policy_poll(unsigned worker);
void policy_rearm(unsigned worker);

#endif
