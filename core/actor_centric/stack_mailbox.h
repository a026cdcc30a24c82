/* The stack mailbox: senders push onto a stack, the reader takes it whole and reverses it (CAF's mailbox).
 *
 * The reader's letters, in the order sent, are its cache; only when that is empty it looks at the stack. Pushes alone
 * and a take of everything need no counters against reuse: a compare-and-swap that succeeds on a node that was freed and
 * came back has still linked to the top of the stack.
 *
 * An idle actor's stack holds a mark in place of a node: the sender that replaces it makes the actor ready.
 *
 * Who may call what is as in swap_mailbox.h.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_STACK_MAILBOX_H
#define ACTORBENCH_ACTOR_CENTRIC_STACK_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "letter.h"
#include "platform/memory.h"

struct stack_mailbox {
    ATOMIC(struct letter_node *) top;  /* null: empty; stack_mailbox_idle: and the actor is idle */
    PLAIN(struct letter_node *) cache; /* the reader's */
};

/* The mark. */
extern struct letter_node stack_mailbox_idle;

static inline void stack_mailbox_init(struct stack_mailbox *mailbox) {
    atomic_initialise(&mailbox->top, &stack_mailbox_idle);
    mailbox->cache = NULL;
}

/* Appends a letter; true if the actor was idle, and the caller must make it ready. */
static inline bool stack_mailbox_push(struct stack_mailbox *mailbox, struct letter letter) {
    struct letter_node *node = (struct letter_node *)memory_block(sizeof *node, "a message's envelope");
    node->letter = letter;
    struct letter_node *top = atomic_load_relaxed(&mailbox->top); /* a guess, which the compare-and-swap checks */
    do
        atomic_initialise(&node->next, top == &stack_mailbox_idle ? NULL : top);
    while (!atomic_cas_acq_rel(&mailbox->top, &top, node)); /* pairs with the exchange in next, and with rest */
    return top == &stack_mailbox_idle;
}

/* Takes the oldest letter; false if there is none. */
static inline bool stack_mailbox_next(struct stack_mailbox *mailbox, struct letter *letter) {
    if (mailbox->cache == NULL) {
        if (atomic_load_relaxed(&mailbox->top) == NULL) /* a hint: rest looks again */
            return false;
        /* Acquire: pairs with the pushes. */
        struct letter_node *node = atomic_exchange_acquire(&mailbox->top, (struct letter_node *)NULL);
        while (node != NULL) {
            struct letter_node *next = atomic_load_relaxed(&node->next);
            atomic_store_relaxed(&node->next, mailbox->cache); /* the reader's own by now */
            mailbox->cache = node;
            node = next;
        }
    }
    struct letter_node *node = mailbox->cache;
    mailbox->cache = atomic_load_relaxed(&node->next);
    *letter = node->letter;
    free(node);
    return true;
}

/* Makes the actor idle; false if there are letters, which next will then find: in the cache, where a limit of messages
 * has left some, or on the stack. */
static inline bool stack_mailbox_rest(struct stack_mailbox *mailbox) {
    if (mailbox->cache != NULL)
        return false;
    struct letter_node *expected = NULL;
    /* Release: hands what the actor's worker wrote to who wakes it. */
    return atomic_cas_acq_rel(&mailbox->top, &expected, &stack_mailbox_idle);
}

/* Frees what is left, of an actor that has terminated; how many letters were never taken. */
static inline size_t stack_mailbox_destroy(struct stack_mailbox *mailbox) {
    struct letter letter;
    size_t dropped = 0;
    while (stack_mailbox_next(mailbox, &letter))
        dropped++;
    return dropped;
}

#endif
