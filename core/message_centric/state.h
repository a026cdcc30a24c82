/* What the parts of the message-centric executor share. One executor a program. */
#ifndef ACTORBENCH_MESSAGE_CENTRIC_STATE_H
#define ACTORBENCH_MESSAGE_CENTRIC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "executor.h"
#include "mailbox.h"
#include "options.h"
#include "platform/random.h"
#include "sharded/chase.h"
#include "sharded/sharding.h"

struct worker;

/* A mailbox that a thief has seen waiting; see steal.h. */
struct suspect {
    struct mailbox *mailbox; /* NULL: none */
    mailbox_slot *slot;      /* where it was */
    struct worker *victim;   /* whose slot that is */
    uint32_t turn;           /* the mailbox's then */
    uint64_t since;          /* nanoseconds of the monotonic clock */
};

/* How long messages take that come in gulps too small to be timed: so many since a time (nanoseconds of the monotonic clock);
 * 0: since none. */
struct pace {
    uint64_t since;
    uint64_t messages;
};

struct worker {
    /* The worker's own. */
    unsigned index;
    struct mailbox *mailboxes; /* in its slots until they are stolen; on its NUMA node */
    unsigned give_slot;        /* which of its slots is looked at first for a mailbox to give for a stolen one */
    union queue local;         /* the messages that it gulped */
    struct suspect suspect;    /* the loot that it has an eye on */
    struct pace pace;          /* of small gulps; see worker.c */
    struct random random;
    struct prowl prowl; /* as a thief that looks near by first */
    struct chase chase; /* as one that looks for who has not tried to steal for long */
    struct executor_statistics statistics;

    /* Read and written by others, each on its own line. */
    CACHE_ALIGNED ATOMIC(uint32_t) sleeping; /* enum sleep_state; see sleep.h */
    CACHE_ALIGNED ATOMIC(uint64_t) stamp;    /* cycles, at its last attempt to steal; see victim.h */
    ATOMIC(uint32_t) message_ns; /* the work of a message in its last large gulp, or UNKNOWN_NS; see steal.h */
};

/* Set by design_prepare and design_make, and constant while workers run. */
struct executor {
    struct options options;
    bool measures;          /* whether thieves ask what the work of messages is */
    struct worker *workers; /* crew.count of them */
};

extern struct executor executor;

/* The worker that the calling thread is, or NULL. */
extern _Thread_local struct worker *this_worker;

#endif
