/* The chunk mailbox: pushes against the reader and each other, also where a chunk ends, the gap between a push's two steps,
 * and chunks whose address comes back. */
#define ACTORBENCH_SMALL /* two letters a chunk */
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
        free(mailbox->first);
        return 0;
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

/* The first chunk has one place left, or none, so that one of the two letters begins another, or both try to. */
template <typename derived, int before> struct beyond : an_actor<derived, chunk_kind, 2> {
    void prepare() {
        an_actor<derived, chunk_kind, 2>::prepare();
        for (unsigned i = 0; i < before; i++)
            this->send(0, i);
    }
    void thread(unsigned number) {
        this->send(number, number == 0 ? unsigned(before) : 0);
    }
    void finish() {
        this->expect(before + 1, 1);
    }
};

struct next_chunk : beyond<next_chunk, LETTERS_A_CHUNK - 1> {};
struct full_chunk : beyond<full_chunk, LETTERS_A_CHUNK> {};

/* A chunk is freed, and its address comes back as that of the next but one, filled as far, while a sender has the word in hand
 * that says so of the first. */
struct same_address : an_actor<same_address, chunk_kind, 2, true> {
    void prepare() {
        an_actor::prepare();
        send(0, 0);
    }
    void thread(unsigned number) {
        for (unsigned i = 0; number == 0 && i < 2 * LETTERS_A_CHUNK; i++)
            send(0, i + 1);
        if (number == 1)
            send(1, 0);
    }
    void finish() {
        expect(2 * LETTERS_A_CHUNK + 1, 1);
    }
};

SEARCHES(FULL(one_letter_each), BOUNDED(two_senders, 4), BOUNDED(same_address, 3), BOUNDED(three_senders, 3),
         BOUNDED(one_at_a_time, 4), BOUNDED(last_letter, 5), FULL(next_chunk), FULL(full_chunk))
