/* The chunk mailbox: letters in a list of small arrays, one allocation for many, as in ZeroMQ's queues; filled by any number of
 * senders without a lock (React++, 2.4: its mailboxes are lock-free queues, one of them after ZeroMQ's; 5.1.3: its senders
 * repeat a compare-and-swap until it succeeds).
 *
 * One word, `end`, says where the list ends: the address of the last chunk and, in the bits below that, how many of its places
 * are taken, and whether the actor is idle. A send takes the next place by a compare-and-swap of the word, and fills it. If the
 * last chunk is full the send brings a new one with its letter in the first place, swaps the word for that chunk's, and
 * links the full one to it.
 *
 * Between the two steps of a send there is a gap: a place without a letter, or a chunk without a next one, although the word
 * says that more is there. The reader that comes to it tells it from the end by the word, and waits for the sender. No sender
 * waits for another.
 *
 * A chunk is freed by the reader that has read all its places and found the link: each was the last that its sender did there. A
 * sender reads the word alone before its compare-and-swap, so a chunk may have been freed meanwhile, and its address be another
 * one's: where the swap succeeds, the place is free in the chunk that is the last now.
 *
 * Who may call what is as in swap_mailbox.h.
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

/* The bits of `end` below the address: places taken, 0 .. LETTERS_A_CHUNK, and a mark. */
#define CHUNK_ALIGNMENT 64
#define CHUNK_TAKEN     ((uintptr_t)31)
#define CHUNK_IDLE      ((uintptr_t)32)

struct chunk_place {
    ATOMIC(struct actorbench_message *) message; /* null: not filled yet */
    PLAIN(actorbench_behaviour *) reaction;
    STAMPED(PLAIN(uint64_t) sent;)
};

struct chunk {
    ATOMIC(struct chunk *) next; /* null: not linked yet */
    struct chunk_place places[LETTERS_A_CHUNK];
};

struct chunk_mailbox {
    ATOMIC(uintptr_t) end;
    PLAIN(struct chunk *) first; /* the reader's; the very first one is written by its sender, which wakes the actor */
    PLAIN(uint8_t) read;         /* letters of the first chunk; as `first` */
};

/* No chunk, which counts as a full one. */
static inline void chunk_mailbox_init(struct chunk_mailbox *mailbox) {
    atomic_initialise(&mailbox->end, LETTERS_A_CHUNK | CHUNK_IDLE);
    mailbox->first = NULL;
    mailbox->read = 0;
}

static inline void chunk_fill(struct chunk_place *place, struct letter letter) {
    place->reaction = letter.reaction;
    STAMPED(place->sent = letter.sent;)
    atomic_store_release(&place->message, letter.message); /* pairs with the acquire in next */
}

/* The push for which the last chunk has no place. Out of line: one send in fifteen needs it. */
bool chunk_mailbox_push_beyond(struct chunk_mailbox *mailbox, struct letter letter);

/* Appends a letter; true if the actor was idle, and the caller must make it ready. */
static inline bool chunk_mailbox_push(struct chunk_mailbox *mailbox, struct letter letter) {
    uintptr_t end = atomic_load_relaxed(&mailbox->end); /* a guess, which the compare-and-swap checks */
    while (likely((end & CHUNK_TAKEN) != LETTERS_A_CHUNK)) {
        /* Acquire: pairs with the swap that brought the chunk, which is empty for us then, and with rest, which hands over what
         * the actor's last worker wrote. Release: keeps both, through this word, for the next who swaps it. */
        if (atomic_cas_acq_rel(&mailbox->end, &end, (end & ~CHUNK_IDLE) + 1)) {
            struct chunk *last = (struct chunk *)(end & ~(CHUNK_IDLE | CHUNK_TAKEN));
            chunk_fill(&last->places[end & CHUNK_TAKEN], letter);
            return (end & CHUNK_IDLE) != 0;
        }
    }
    return chunk_mailbox_push_beyond(mailbox, letter);
}

/* Takes the oldest letter; false at the end, or at a gap. */
static inline bool chunk_mailbox_next(struct chunk_mailbox *mailbox, struct letter *letter) {
    struct chunk *chunk = mailbox->first;
    if (mailbox->read == LETTERS_A_CHUNK) {
        struct chunk *next = atomic_load_acquire(&chunk->next); /* pairs with the link in push_beyond */
        if (next == NULL)
            return false;
        free(chunk);
        mailbox->first = chunk = next;
        mailbox->read = 0;
    }
    struct chunk_place *place = &chunk->places[mailbox->read];
    letter->message = atomic_load_acquire(&place->message); /* pairs with the release in fill */
    if (letter->message == NULL)
        return false;
    STAMPED(letter->sent = place->sent;)
    letter->reaction = place->reaction;
    mailbox->read++;
    return true;
}

/* Whether next will find a letter, at the end or at a gap. Relaxed: next looks again. */
static inline bool chunk_mailbox_gap_is_closed(struct chunk_mailbox *mailbox) {
    struct chunk *chunk = mailbox->first;
    if (mailbox->read == LETTERS_A_CHUNK)
        return atomic_load_relaxed(&chunk->next) != NULL;
    return atomic_load_relaxed(&chunk->places[mailbox->read].message) != NULL;
}

/* Makes the actor idle; false if there are letters, which next will then find. The wait for one is bounded by the few
 * instructions between a sender's swap and its letter or link, unless the sender is preempted there. */
static inline bool chunk_mailbox_rest(struct chunk_mailbox *mailbox) {
    struct chunk *chunk = mailbox->first;
    uintptr_t read = (uintptr_t)chunk | mailbox->read, expected = read;
    /* Release: pairs with the swap in push, or in push_beyond, that finds the actor idle. */
    if (atomic_cas_acq_rel(&mailbox->end, &expected, read | CHUNK_IDLE))
        return true;
    for (unsigned spins = 1; !chunk_mailbox_gap_is_closed(mailbox); spins++)
        spin(spins);
    return false;
}

/* Frees what is left, of an actor that has terminated; how many letters were never taken. */
static inline size_t chunk_mailbox_destroy(struct chunk_mailbox *mailbox) {
    struct letter letter;
    size_t dropped = 0;
    while (!chunk_mailbox_rest(mailbox))
        while (chunk_mailbox_next(mailbox, &letter))
            dropped++;
    free(mailbox->first);
    return dropped;
}

#endif
