/* Sends against gulps: each message comes exactly once, and each sender's in the order sent; also while the copy queue
 * grows, and while its worker gives a slot back. */
#include "mailbox.h"

template <typename derived, enum queue_kind kind>
struct one_sender : search::scenario<derived, 2>{void prepare(){rig_make(kind);
}
void thread(unsigned number) {
    if (number == 0) {
        process(0);
        process(0);
    } else {
        send(0, 0);
        send(0, 1);
    }
}
void finish() {
    rig_finish(2, 0);
}
}
;

struct one_sender_copy : one_sender<one_sender_copy, QUEUE_COPY> {};
struct one_sender_list : one_sender<one_sender_list, QUEUE_LIST> {};

template <typename derived, enum queue_kind kind>
struct two_senders : search::scenario<derived, 3>{void prepare(){rig_make(kind);
}
void thread(unsigned number) {
    if (number == 2)
        process(0);
    else
        send(number, 0);
}
void finish() {
    rig_finish(1, 1);
}
}
;

struct two_senders_copy : two_senders<two_senders_copy, QUEUE_COPY> {};
struct two_senders_list : two_senders<two_senders_list, QUEUE_LIST> {};

/* The queue is full at the start; a worker gulps it, gives back a slot, and gulps what has come. */
struct growth : search::scenario<growth, 2> {
    void prepare() {
        rig_make(QUEUE_COPY);
        for (unsigned i = 0; i < COPY_QUEUE_SIZE; i++)
            send(0, i);
    }
    void thread(unsigned number) {
        if (number == 0) {
            process(0, RECLAIM_NAIVE);
            process(0, RECLAIM_NAIVE);
        } else {
            send(0, COPY_QUEUE_SIZE);
        }
    }
    void finish() {
        rig_finish(COPY_QUEUE_SIZE + 1, 0);
    }
};

SEARCHES(BOUNDED(one_sender_copy, 6), BOUNDED(one_sender_list, 6), BOUNDED(two_senders_copy, 4),
         BOUNDED(two_senders_list, 4), BOUNDED(growth, 6))
