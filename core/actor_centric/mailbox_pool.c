/* A free list a thread. */
#include "mailbox_pool.h"

#include "platform/small.h"

enum { MOST_KEPT = TESTED(256, 1), LINE = 64 };

_Static_assert(sizeof(struct mailbox) <= LINE, "a mailbox fits into one cache line");

static _Thread_local struct {
    struct mailbox *first; /* linked by next_ready */
    unsigned count;
} kept;

struct mailbox *mailbox_pool_take(void) {
    struct mailbox *mailbox = kept.first;
    if (mailbox == NULL)
        return memory_on_node(sizeof *mailbox, LINE, ANY_NODE, "a mailbox");
    kept.first = mailbox->next_ready;
    kept.count--;
    return mailbox;
}

void mailbox_pool_give(struct mailbox *mailbox) {
    if (kept.count == MOST_KEPT) {
        free(mailbox);
        return;
    }
    mailbox->next_ready = kept.first;
    kept.first = mailbox;
    kept.count++;
}

void mailbox_pool_empty(void) {
    while (kept.first != NULL)
        free(mailbox_pool_take());
}
