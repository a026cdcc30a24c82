/* The swap mailbox: a linked list of which senders know the end and the reader the beginning (scalaz' actor queue).
 *
 * A send exchanges `last` with its node, and links the node it got to its own. Between the two there is a gap in the
 * list: the reader that comes to it finds no next node, although there are more. It tells the gap from the end by `last`: a
 * compare-and-swap of `last` from the node that it stands on to null succeeds only at the true end, and makes the actor idle.
 * Where it fails the reader waits for the link, which is under way.
 *
 * A send needs one exchange and no compare-and-swap, and no message is lost: of the senders that exchange, each gets
 * another node, and so each node is linked by just one. Who gets null finds the actor idle, and makes it ready.
 *
 * The node that the reader has read stays in the list until its successor is there: it holds the link.
 *
 *             may run beside
 *     push    everything (any thread)
 *     next    push (the worker that runs the actor)
 *     rest    push (the worker that runs the actor, when next has found something at least once)
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_SWAP_MAILBOX_H
#define ACTORBENCH_ACTOR_CENTRIC_SWAP_MAILBOX_H

#include <stdbool.h>
#include <stdlib.h>

#include "letter.h"
#include "options.h"
#include "platform/cpu.h"
#include "platform/memory.h"
#include "platform/spinlock.h"

struct swap_mailbox {
    ATOMIC(struct letter_node *) last; /* null: the actor is idle */
    PLAIN(struct letter_node *) first; /* the reader's; an idle actor's is written by the sender that wakes it */
    PLAIN(bool) is_read;               /* whether the first node's letter has been taken; as `first` */
};

static inline void swap_mailbox_init(struct swap_mailbox *mailbox) {
    atomic_initialise(&mailbox->last, NULL);
    mailbox->first = NULL;
    mailbox->is_read = false;
}

/* Appends a letter; true if the actor was idle, and the caller must make it ready. */
static inline bool swap_mailbox_push(struct swap_mailbox *mailbox, enum link_order order, struct letter letter) {
    struct letter_node *node = (struct letter_node *)memory_block(sizeof *node, "a message's envelope");
    node->letter = letter;
    atomic_initialise(&node->next, NULL);
    /* Release: whoever links to this node has seen it empty. Acquire: pairs with rest, whose null hands over what the
     * actor's last worker wrote. */
    struct letter_node *before = atomic_exchange_acq_rel(&mailbox->last, node);
    if (before == NULL) {
        mailbox->first = node; /* nobody reads the mailbox of an idle actor; the ready queue hands it over */
        mailbox->is_read = false;
        return true;
    }
    if (order == LINK_RELEASE)
        atomic_store_release(&before->next, node); /* pairs with the acquire in next */
    else
        atomic_store_seq_cst(&before->next, node); /* the same, and a full fence on most machines */
    return false;
}

/* Takes the oldest letter; false at the end, or at a gap. */
static inline bool swap_mailbox_next(struct swap_mailbox *mailbox, struct letter *letter) {
    struct letter_node *node = mailbox->first;
    if (mailbox->is_read) {
        struct letter_node *next = atomic_load_acquire(&node->next); /* pairs with the link in push */
        if (next == NULL)
            return false;
        free(node);
        mailbox->first = node = next;
    }
    mailbox->is_read = true;
    *letter = node->letter;
    return true;
}

/* Makes the actor idle; false if there are letters, which next will then find. The wait for a link is bounded by the
 * few instructions between the sender's exchange and its link, unless the sender is preempted there. */
static inline bool swap_mailbox_rest(struct swap_mailbox *mailbox) {
    struct letter_node *node = mailbox->first, *expected = node;
    /* Release: pairs with the exchange in push. After it the next sender may write `first`. */
    if (atomic_cas_acq_rel(&mailbox->last, &expected, (struct letter_node *)NULL)) {
        free(node);
        return true;
    }
    for (unsigned spins = 1; atomic_load_relaxed(&node->next) == NULL; spins++)
        spin(spins);
    return false;
}

/* Frees what is left, of an actor that has terminated; how many letters were never taken. */
static inline size_t swap_mailbox_destroy(struct swap_mailbox *mailbox) {
    struct letter letter;
    size_t dropped = 0;
    while (!swap_mailbox_rest(mailbox))
        while (swap_mailbox_next(mailbox, &letter))
            dropped++;
    return dropped;
}

#endif
