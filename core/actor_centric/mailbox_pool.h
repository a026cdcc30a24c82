/* Storage for mailboxes, one cache line each. A thread keeps some of those that it released, since a worker that ends an
 * actor often makes the next one. */
#ifndef ACTORBENCH_ACTOR_CENTRIC_MAILBOX_POOL_H
#define ACTORBENCH_ACTOR_CENTRIC_MAILBOX_POOL_H

#include "mailbox.h"

/* A mailbox, not initialised; stops the program if memory is out. From any thread. */
struct mailbox *mailbox_pool_take(void);

/* Gives one back. From any thread. */
void mailbox_pool_give(struct mailbox *mailbox);

/* Frees what the calling thread has kept: before a worker's thread ends, and when the executor has stopped. */
void mailbox_pool_empty(void);

#endif
