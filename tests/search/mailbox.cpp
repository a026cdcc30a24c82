/* Gulp and hand-over: two workers find one mailbox in their slots. One of them processes it at a time, the next sees
 * what the last one's behaviours wrote, and messages stay in order. */
#include "mailbox.h"

/* The first message's behaviour sends the second; whichever worker gulps that. */
template <typename derived, enum queue_kind kind>
struct handed_over : search::scenario<derived, 2>{void prepare(){rig_make(kind);
rig.is_answered = true;
send(0, 0);
}
void thread(unsigned worker) {
    process(worker);
}
void finish() {
    rig_finish(2, 0);
}
}
;

struct two_workers_copy : handed_over<two_workers_copy, QUEUE_COPY> {};
struct two_workers_list : handed_over<two_workers_list, QUEUE_LIST> {};

/* The same, and each worker looks twice. */
struct two_workers_twice : search::scenario<two_workers_twice, 2> {
    void prepare() {
        rig_make(QUEUE_COPY);
        rig.is_answered = true;
        send(0, 0);
    }
    void thread(unsigned worker) {
        process(worker);
        process(worker);
    }
    void finish() {
        rig_finish(2, 0);
    }
};

/* A sender beside the two workers. */
template <typename derived, enum queue_kind kind>
struct sent_beside : search::scenario<derived, 3>{void prepare(){rig_make(kind);
send(0, 0);
}
void thread(unsigned number) {
    if (number < 2)
        process(number);
    else
        send(0, 1);
}
void finish() {
    rig_finish(2, 0);
}
}
;

struct two_workers_one_sender_copy : sent_beside<two_workers_one_sender_copy, QUEUE_COPY> {};
struct two_workers_one_sender_list : sent_beside<two_workers_one_sender_list, QUEUE_LIST> {};

SEARCHES(BOUNDED(two_workers_copy, 6), BOUNDED(two_workers_list, 6), BOUNDED(two_workers_twice, 4),
         BOUNDED(two_workers_one_sender_copy, 3), BOUNDED(two_workers_one_sender_list, 3))
