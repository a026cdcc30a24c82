/* The stack mailbox: pushes against the reader that takes the stack whole, also where freed nodes come back at once. */
#include "letters.h"

#include "actor_centric/mailboxes.c"

struct stack_kind {
    typedef struct stack_mailbox box;
    static void init(box *mailbox) {
        stack_mailbox_init(mailbox);
    }
    static bool push(box *mailbox, struct letter letter) {
        return stack_mailbox_push(mailbox, letter);
    }
    static bool next(box *mailbox, struct letter *letter) {
        return stack_mailbox_next(mailbox, letter);
    }
    static bool rest(box *mailbox) {
        return stack_mailbox_rest(mailbox);
    }
    static size_t destroy(box *mailbox) {
        return stack_mailbox_destroy(mailbox);
    }
    static size_t destroy_idle(box *) {
        return 0; /* it holds no node */
    }
};

struct two_senders : two_by_two<two_senders, stack_kind> {};
struct two_senders_reuse : two_by_two<two_senders_reuse, stack_kind, true> {};
struct one_at_a_time : limited<one_at_a_time, stack_kind> {};
struct three_senders : three_by_one<three_senders, stack_kind> {};
struct last_letter : the_end<last_letter, stack_kind> {};

SEARCHES(BOUNDED(two_senders, 5), BOUNDED(two_senders_reuse, 5), BOUNDED(three_senders, 4), BOUNDED(one_at_a_time, 5),
         FULL(last_letter))
