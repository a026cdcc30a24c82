/* Sessions: actors, each with a connection at a time, found by the connection's descriptor (React++, 4.6.1: the garage).
 *
 * A session is made when a descriptor's number comes for the first time, and stays, to be used by the next connection with that
 * number. All are ended together.
 */
#ifndef ACTORBENCH_SERVING_GARAGE_H
#define ACTORBENCH_SERVING_GARAGE_H

#include <stdint.h>

#include "protocol.h"

/* Room for the sessions, which speak this, of as many descriptors as the process may have. Ends the program if there is no memory. Before the executor
 * is started. */
void garage_make(const struct protocol *protocol, uint64_t timeout_ns);

/* Gives a connection to its session. From any behaviour. */
void garage_park(int socket);

/* Has each session that has a connection look whether it has lasted too long. From one behaviour. */
void garage_look(void);

/* Ends all sessions, and their connections; when nobody parks or looks any more. */
void garage_close(void);

/* After actorbench_stop: frees them; how many requests they have answered. */
uint64_t garage_free(void);

#endif
