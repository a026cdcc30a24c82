/* What the mailboxes need out of line. */
#include "chunk_mailbox.h"
#include "stack_mailbox.h"

struct letter_node stack_mailbox_idle;

_Static_assert((uintptr_t)LETTERS_A_CHUNK <= CHUNK_TAKEN && CHUNK_TAKEN + CHUNK_IDLE < CHUNK_ALIGNMENT,
               "an address leaves room for the number of places and the mark");

static struct chunk *make_chunk(struct letter letter) {
    struct chunk *chunk =
        (struct chunk *)memory_on_node(sizeof *chunk, CHUNK_ALIGNMENT, ANY_NODE, "a mailbox's chunk of letters");
    atomic_initialise(&chunk->next, NULL);
    for (unsigned i = 0; i < LETTERS_A_CHUNK; i++)
        atomic_initialise(&chunk->places[i].message, NULL);
    chunk_fill(&chunk->places[0], letter);
    return chunk;
}

bool chunk_mailbox_push_beyond(struct chunk_mailbox *mailbox, struct letter letter) {
    struct chunk *fresh = make_chunk(letter);
    uintptr_t end = atomic_load_relaxed(&mailbox->end); /* a guess, as in push */
    do {
        if ((end & CHUNK_TAKEN) != LETTERS_A_CHUNK) {
            free(fresh); /* another sender has brought one */
            return chunk_mailbox_push(mailbox, letter);
        }
        /* Release: the chunk is empty for who takes a place of it. Acquire: pairs with rest. */
    } while (!atomic_cas_acq_rel(&mailbox->end, &end, (uintptr_t)fresh | 1));
    struct chunk *full = (struct chunk *)(end & ~(CHUNK_IDLE | CHUNK_TAKEN));
    if (full != NULL)
        atomic_store_release(&full->next, fresh); /* pairs with the acquire in next */
    else
        mailbox->first = fresh; /* nobody reads the mailbox of an idle actor; the ready queue hands it over */
    return (end & CHUNK_IDLE) != 0;
}
