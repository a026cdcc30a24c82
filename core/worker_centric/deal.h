/* Dealing: which mailbox a new actor goes to.
 *
 * Actors that are made one after the other often talk to each other, and then need not cross. They also lie side by side in memory, where
 * workers that have a few of them each in turn slow each other down, even if no two actors share a line. What main makes: each mailbox in
 * turn has the first actor, as in the thesis; then the more there are, the more of them in a row share one, twice 4, twice 16, up to LONGEST_ROW, and the
 * rows go to the workers in turn, to an eighth of a worker's mailboxes at a time, and not to more, so that no worker has many more actors than
 * another; first to last, then last to first, so that who ends a lap begins the next. What a behaviour makes goes to its worker's mailboxes
 * in turn: one each, then two in a row, four, up to LONGEST_STRETCH, so that a thief that is given mailboxes is given stretches of memory.
 * Thieves spread it, so not without them.
 *
 * Many at once. Who knows how many actors there will be can do better: each worker gets one stretch of them all. So a row's mailbox is not
 * chosen before main sends to any of those that it has made; until then their tickets point to the row's *face*, a mailbox that nobody ever
 * holds and that has no lane, so that no usual path need ask whether it is one. If more rows wait than there are mailboxes, they are shared
 * out as stretches, or else in turn, as above. Who comes to a face otherwise, since main has given the actor's address away without a send,
 * chooses for that row, in turn; one compare-and-swap decides. Who finds a face replaces the ticket.
 *
 * Who asks where actors go (actorbench_place) has been told the turn: from then on that it is.
 *
 * --without near: each mailbox in turn, whoever makes the actor.
 */
#ifndef ACTORBENCH_WORKER_CENTRIC_DEAL_H
#define ACTORBENCH_WORKER_CENTRIC_DEAL_H

#include "state.h"

/* The mailbox, by number, that is the turn of the actor of main's with this number. */
unsigned deal_number(uint64_t number);

/* For a new worker, before it makes any actor. */
void deal_init(struct worker *worker);

/* The mailbox for an actor that the calling thread, worker or NULL, makes now, or the face of one yet to be chosen; counts the actor. */
struct mailbox *deal(struct worker *worker);

/* The mailbox in place of an actor's face, which is its ticket no longer. For who may send to the actor. */
struct mailbox *deal_settle(struct actorbench_actor *actor, struct mailbox *face);

static inline bool deal_is_face(const struct mailbox *mailbox) {
    return mailbox->number == NO_MAILBOX;
}

/* An actor's mailbox, chosen now if it was not. For who may send to the actor. Relaxed: written before the actor's address was given to anybody,
 * and what replaces that has been there for longer. */
static inline struct mailbox *deal_mailbox(struct actorbench_actor *actor) {
    struct mailbox *mailbox = (struct mailbox *)atomic_load_relaxed(&actor->ticket);
    return unlikely(deal_is_face(mailbox)) ? deal_settle(actor, mailbox) : mailbox;
}

/* Gives back what dealing has taken. While nobody sends. */
void deal_release(void);

#endif
