/* The locked mailbox: pushes against the reader that takes the stack whole, all under the lock. */
#include "letters.h"

#include "actor_centric/locked_mailbox.h"

struct locked_kind {
    typedef struct locked_mailbox box;
    static void init(box *mailbox) {
        locked_mailbox_init(mailbox);
    }
    static bool push(box *mailbox, struct letter letter) {
        return locked_mailbox_push(mailbox, letter);
    }
    static bool next(box *mailbox, struct letter *letter) {
        return locked_mailbox_next(mailbox, letter);
    }
    static bool rest(box *mailbox) {
        return locked_mailbox_rest(mailbox);
    }
    static size_t destroy(box *mailbox) {
        return locked_mailbox_destroy(mailbox);
    }
    static size_t destroy_idle(box *) {
        return 0; /* it holds no node */
    }
};

struct two_senders : two_by_two<two_senders, locked_kind> {};
struct one_at_a_time : limited<one_at_a_time, locked_kind> {};
struct three_senders : three_by_one<three_senders, locked_kind> {};
struct last_letter : the_end<last_letter, locked_kind> {};

SEARCHES(BOUNDED(two_senders, 5), BOUNDED(three_senders, 3), BOUNDED(one_at_a_time, 5), BOUNDED(last_letter, 8))
