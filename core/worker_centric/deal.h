/* Dealing: which mailbox a new actor goes to.
 *
 * Actors that are made one after the other often talk to each other, and then need not cross. They also lie side by side in memory, where
 * workers that have a few of them each in turn slow each other down, even if no two actors share a line. What main makes: each mailbox in
 * turn has the first actor, as in the thesis; then the more there are, the more of them in a row share one, 4, 16, up to LONGEST_ROW, and the
 * rows go to the workers in turn, to an eighth of a worker's mailboxes at a time, and not to more, so that no worker has many more actors than
 * another; first to last, then last to first, so that who ends a lap begins the next. What a behaviour makes goes to its worker's mailboxes
 * in turn; thieves spread it, so not without them.
 *
 * --without near: each mailbox in turn, whoever makes the actor.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_DEAL_H
#define ACTORBENCH_WORKER_CENTRIC_DEAL_H

#include "state.h"

/* The mailbox, by number, for the actor of main's with this number. */
unsigned deal_number(uint64_t number);

/* The worker, by number, whose that mailbox is at first. */
unsigned deal_owner(uint64_t number);

/* For a new worker, before it makes any actor. */
void deal_init(struct worker *worker);

/* The mailbox for an actor that the calling thread, worker or NULL, makes now; counts the actor. */
struct mailbox *deal(struct worker *worker);

#endif
