/* The envelope: what a send leaves behind until its behaviour has run (thesis, "Actor Envelopes").
 *
 * Envelopes are queued, not messages, so that one message may be in flight to many actors.
 */
#ifndef ACTORBENCH_ENVELOPE_H
#define ACTORBENCH_ENVELOPE_H

#include "actor.h"
#include "latency.h"

struct envelope {
    struct actorbench_actor *actor;
    struct actorbench_message *message;
    actorbench_behaviour *reaction;
    STAMPED(uint64_t sent;) /* cycles */
};

#endif
