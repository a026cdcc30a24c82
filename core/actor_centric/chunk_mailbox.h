/* The chunk mailbox: letters in a list of small arrays, one allocation for many (ZeroMQ's queue of chunks).
 *
 * Senders append under a lock and publish a count; the reader takes letters up to the count without it. A chunk that has
 * been read is freed by the reader.
 *
 * Who may call what is as in swap_mailbox.h. The end of the actor takes the lock once, so that the sender of the last
 * letter has left it.
 */
#ifndef ACTORBENCH_ACTOR_CENTRIC_CHUNK_MAILBOX_H
#define ACTORBENCH_ACTOR_CENTRIC_CHUNK_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "letter.h"
#include "platform/memory.h"
#include "platform/small.h"
#include "platform/spinlock.h"

enum { LETTERS_A_CHUNK = TESTED(15, 2) }; /* with the link, 248 bytes */

struct chunk {
    PLAIN(struct chunk *) next; /* written under the lock before a letter of the next chunk is published */
    PLAIN(struct letter) letters[LETTERS_A_CHUNK];
};

struct chunk_mailbox {
    struct spinlock lock;
    PLAIN(bool) is_idle;         /* under the lock */
    PLAIN(uint8_t) filled;       /* under the lock: letters in the last chunk */
    PLAIN(uint8_t) taken;        /* the reader's: letters read of the first chunk */
    PLAIN(uint32_t) read;        /* the reader's: letters read in all, modulo 2^32 */
    ATOMIC(uint32_t) written;    /* written under the lock: letters appended in all, modulo 2^32 */
    PLAIN(struct chunk *) last;  /* under the lock; null: there was no letter yet */
    PLAIN(struct chunk *) first; /* the reader's; an idle actor's first one is written by the sender that makes it */
};

static inline void chunk_mailbox_init(struct chunk_mailbox *mailbox) {
    spinlock_init(&mailbox->lock);
    mailbox->is_idle = true;
    mailbox->filled = LETTERS_A_CHUNK;
    mailbox->taken = 0;
    mailbox->read = FIRST_COUNT;
    atomic_initialise(&mailbox->written, FIRST_COUNT);
    mailbox->first = mailbox->last = NULL;
}

/* Adds an empty chunk at the end; under the lock. Out of line: one send in fifteen needs it. */
void chunk_mailbox_extend(struct chunk_mailbox *mailbox);

/* Appends a letter; true if the actor was idle, and the caller must make it ready. */
static inline bool chunk_mailbox_push(struct chunk_mailbox *mailbox, struct letter letter) {
    spinlock_acquire(&mailbox->lock);
    if (unlikely(mailbox->filled == LETTERS_A_CHUNK))
        chunk_mailbox_extend(mailbox);
    mailbox->last->letters[mailbox->filled++] = letter;
    /* Release: pairs with the acquire in next. The load is relaxed: the lock orders it. */
    atomic_store_release(&mailbox->written, atomic_load_relaxed(&mailbox->written) + 1);
    bool was_idle = mailbox->is_idle;
    mailbox->is_idle = false;
    spinlock_release(&mailbox->lock);
    return was_idle;
}

/* Takes the oldest letter; false if there is none. */
static inline bool chunk_mailbox_next(struct chunk_mailbox *mailbox, struct letter *letter) {
    if (atomic_load_acquire(&mailbox->written) == mailbox->read) /* pairs with the release in push */
        return false;
    if (mailbox->taken == LETTERS_A_CHUNK) {
        struct chunk *read = mailbox->first;
        mailbox->first = read->next;
        mailbox->taken = 0;
        free(read);
    }
    *letter = mailbox->first->letters[mailbox->taken++];
    mailbox->read++;
    return true;
}

/* Makes the actor idle; false if there are letters, which next will then find. */
static inline bool chunk_mailbox_rest(struct chunk_mailbox *mailbox) {
    spinlock_acquire(&mailbox->lock);
    bool is_empty = atomic_load_relaxed(&mailbox->written) == mailbox->read; /* relaxed: the lock orders it */
    mailbox->is_idle = is_empty;
    spinlock_release(&mailbox->lock);
    return is_empty;
}

/* Frees what is left, of an actor that has terminated; how many letters were never taken. */
static inline size_t chunk_mailbox_destroy(struct chunk_mailbox *mailbox) {
    spinlock_acquire(&mailbox->lock); /* whose send published the last letter may still hold it */
    spinlock_release(&mailbox->lock);
    struct letter letter;
    size_t dropped = 0;
    while (chunk_mailbox_next(mailbox, &letter))
        dropped++;
    free(mailbox->first);
    return dropped;
}

#endif
