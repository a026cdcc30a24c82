/* Our own client: one thread, and as many connections as are asked for. */
#ifndef ACTORBENCH_PLAINTEXT_LOAD_H
#define ACTORBENCH_PLAINTEXT_LOAD_H

#include "web.h"

/* Asks `config->requests` in all. Writes a byte to `report` when it could begin, begins with a byte from `order`, and writes the
 * result in the end. Returns whether that could be written; ends the process if there is no memory or descriptor to begin with. */
bool load_run(const struct client_config *config, uint16_t port, int order, int report);

#endif
