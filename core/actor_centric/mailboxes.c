/* What the mailboxes need out of line. */
#include "chunk_mailbox.h"
#include "stack_mailbox.h"

struct letter_node stack_mailbox_idle;

void chunk_mailbox_extend(struct chunk_mailbox *mailbox) {
    struct chunk *chunk = memory_block(sizeof *chunk, "a mailbox's chunk of letters");
    chunk->next = NULL;
    if (mailbox->last == NULL)
        mailbox->first = chunk; /* the first of all: nobody reads before it is published */
    else
        mailbox->last->next = chunk;
    mailbox->last = chunk;
    mailbox->filled = 0;
}
