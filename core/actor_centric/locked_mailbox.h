/* The locked mailbox: the stack mailbox, but under a spinlock where that has compare-and-swaps: what a mailbox without locks gains.
 *
 * Who may call what is as in swap_mailbox.h.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_LOCKED_MAILBOX_H
#define ACTORBENCH_ACTOR_CENTRIC_LOCKED_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "letter.h"
#include "platform/memory.h"
#include "platform/spinlock.h"

struct locked_mailbox {
    struct spinlock lock;
    PLAIN(bool) is_idle;               /* under the lock: the actor is */
    PLAIN(struct letter_node *) top;   /* under the lock: the newest */
    PLAIN(struct letter_node *) cache; /* the reader's: the oldest first */
};

static inline void locked_mailbox_init(struct locked_mailbox *mailbox) {
    spinlock_init(&mailbox->lock);
    mailbox->is_idle = true;
    mailbox->top = mailbox->cache = NULL;
}

/* Appends a letter; true if the actor was idle, and the caller must make it ready. */
static inline bool locked_mailbox_push(struct locked_mailbox *mailbox, struct letter letter) {
    struct letter_node *node = (struct letter_node *)memory_block(sizeof *node, "a message's envelope");
    node->letter = letter;
    spinlock_acquire(&mailbox->lock);
    struct letter_node *before = mailbox->top;
    atomic_initialise(&node->next, before);
    mailbox->top = node;
    bool was_idle = mailbox->is_idle;
    mailbox->is_idle = false;
    spinlock_release(&mailbox->lock);
    return was_idle;
}

/* Takes the oldest letter; false if there is none. */
static inline bool locked_mailbox_next(struct locked_mailbox *mailbox, struct letter *letter) {
    if (mailbox->cache == NULL) {
        spinlock_acquire(&mailbox->lock);
        struct letter_node *node = mailbox->top;
        mailbox->top = NULL;
        spinlock_release(&mailbox->lock);
        while (node != NULL) {
            struct letter_node *next =
                atomic_load_relaxed(&node->next); /* the reader's own, as the lock has handed it over */
            atomic_store_relaxed(&node->next, mailbox->cache);
            mailbox->cache = node;
            node = next;
        }
        if (mailbox->cache == NULL)
            return false;
    }
    struct letter_node *node = mailbox->cache;
    mailbox->cache = atomic_load_relaxed(&node->next);
    *letter = node->letter;
    free(node);
    return true;
}

/* Makes the actor idle; false if there are letters, which next will then find. What the actor's worker wrote is handed by the lock
 * to who wakes it. */
static inline bool locked_mailbox_rest(struct locked_mailbox *mailbox) {
    if (mailbox->cache != NULL)
        return false;
    spinlock_acquire(&mailbox->lock);
    bool is_idle = mailbox->top == NULL;
    mailbox->is_idle = is_idle;
    spinlock_release(&mailbox->lock);
    return is_idle;
}

/* Frees what is left, of an actor that has terminated; how many letters were never taken. */
static inline size_t locked_mailbox_destroy(struct locked_mailbox *mailbox) {
    struct letter letter;
    size_t dropped = 0;
    while (locked_mailbox_next(mailbox, &letter))
        dropped++;
    return dropped;
}

#endif
