/* The swap mailbox: pushes against the reader, the gap between a push's two steps, and the hand-over of an idle
 * actor. */
#include "letters.h"

#include "actor_centric/swap_mailbox.h"

template <enum link_order order> struct swap_kind {
    typedef struct swap_mailbox box;
    static void init(box *mailbox) {
        swap_mailbox_init(mailbox);
    }
    static bool push(box *mailbox, struct letter letter) {
        return swap_mailbox_push(mailbox, order, letter);
    }
    static bool next(box *mailbox, struct letter *letter) {
        return swap_mailbox_next(mailbox, letter);
    }
    static bool rest(box *mailbox) {
        return swap_mailbox_rest(mailbox);
    }
    static size_t destroy(box *mailbox) {
        return swap_mailbox_destroy(mailbox);
    }
    static size_t destroy_idle(box *) {
        return 0; /* it holds no node */
    }
};

struct two_senders : two_by_two<two_senders, swap_kind<LINK_RELEASE>> {};
struct two_senders_ordered : two_by_two<two_senders_ordered, swap_kind<LINK_ORDERED>> {};
struct two_senders_reuse : two_by_two<two_senders_reuse, swap_kind<LINK_RELEASE>, true> {};
struct one_at_a_time : limited<one_at_a_time, swap_kind<LINK_RELEASE>> {};
struct three_senders : three_by_one<three_senders, swap_kind<LINK_RELEASE>> {};
struct last_letter : the_end<last_letter, swap_kind<LINK_RELEASE>> {};

SEARCHES(FULL(two_senders), FULL(two_senders_ordered), FULL(two_senders_reuse), FULL(three_senders),
         FULL(one_at_a_time), FULL(last_letter))
