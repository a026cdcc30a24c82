/* The chunk mailbox: pushes under the lock against the reader without it, also where a chunk ends, and the lock at the
 * actor's end. */
#include "letters.h"

#include "actor_centric/mailboxes.c"

struct chunk_kind {
    typedef struct chunk_mailbox box;
    static void init(box *mailbox) {
        chunk_mailbox_init(mailbox);
    }
    static bool push(box *mailbox, struct letter letter) {
        return chunk_mailbox_push(mailbox, letter);
    }
    static bool next(box *mailbox, struct letter *letter) {
        return chunk_mailbox_next(mailbox, letter);
    }
    static bool rest(box *mailbox) {
        return chunk_mailbox_rest(mailbox);
    }
    static size_t destroy(box *mailbox) {
        return chunk_mailbox_destroy(mailbox);
    }
    static size_t destroy_idle(box *mailbox) {
        return chunk_mailbox_destroy(mailbox);
    }
};

struct one_letter_each : an_actor<one_letter_each, chunk_kind, 2> {
    void thread(unsigned number) {
        send(number, 0);
    }
    void finish() {
        expect(1, 1);
    }
};

struct two_senders : two_by_two<two_senders, chunk_kind> {};
struct one_at_a_time : limited<one_at_a_time, chunk_kind> {};
struct three_senders : three_by_one<three_senders, chunk_kind> {};
struct last_letter : the_end<last_letter, chunk_kind> {};

/* The first chunk has one place left, so that the second letter of the two begins another. */
struct next_chunk : an_actor<next_chunk, chunk_kind, 2> {
    enum { BEFORE = LETTERS_A_CHUNK - 1 };

    void prepare() {
        an_actor::prepare();
        for (unsigned i = 0; i < BEFORE; i++)
            send(0, i);
    }
    void thread(unsigned number) {
        send(number, number == 0 ? unsigned(BEFORE) : 0);
    }
    void finish() {
        expect(BEFORE + 1, 1);
    }
};

SEARCHES(FULL(one_letter_each), BOUNDED(two_senders, 4), BOUNDED(three_senders, 3), BOUNDED(one_at_a_time, 4),
         BOUNDED(last_letter, 5), FULL(next_chunk))
