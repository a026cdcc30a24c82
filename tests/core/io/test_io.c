/* I/O: what is written comes back, all of it and in order, whoever polls, and how; descriptors' numbers are used again; what is ready is
 * found where no worker ever idles. */
#include "echo.h"

#include "platform/random.h"

enum { PAIRS = 8, BYTES = SANITIZED_BUILD ? 4000 : 20000, ROUNDS = SANITIZED_BUILD ? 40 : 200 };

/* ---- What is written comes back ----------------------------------------------------------------------------------- */

static unsigned char byte_at(unsigned pair_number, uint64_t position) {
    return (unsigned char)(position * 31 + position / 251 + pair_number);
}

struct talk {
    int socket;
    uint64_t written, read;
};

static void talk_writes(struct talk *talk, unsigned number, struct random *random) {
    unsigned char bytes[CHUNK];
    size_t length = 1 + random_below(random, CHUNK);
    if (length > BYTES - talk->written)
        length = BYTES - talk->written;
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_at(number, talk->written + i);
    ssize_t written = length == 0 ? 0 : send(talk->socket, bytes, length, MSG_NOSIGNAL);
    talk->written += written < 0 ? 0 : (uint64_t)written;
}

static void talk_reads(struct talk *talk, unsigned number) {
    unsigned char bytes[CHUNK];
    ssize_t came = read(talk->socket, bytes, sizeof bytes);
    for (ssize_t i = 0; i < came; i++)
        assert_int_equal(bytes[i], byte_at(number, talk->read++));
}

static void test_all_comes_back(void **state) {
    static unsigned turn;
    static echo echoes[PAIRS];
    struct talk talks[PAIRS];
    begin((const struct table_line *)*state, io_configuration(turn++), "all comes back");
    fate = ACTORBENCH_FINISHED;
    memset((void *)echoes, 0, sizeof echoes);
    for (unsigned i = 0; i < PAIRS; i++) {
        int ends[2];
        pair(ends);
        actorbench_actor_init(echo, &echoes[i]);
        echo_make(&echoes[i], ends[0]);
        talks[i] = (struct talk){.socket = ends[1]};
        echo_watch(&echoes[i]);
    }
    struct random random = random_seed(test_seed(), 0);
    for (unsigned talking = PAIRS; talking != 0;) {
        unsigned i = random_below(&random, PAIRS);
        if (talks[i].read == BYTES)
            continue;
        talk_writes(&talks[i], i, &random);
        talk_reads(&talks[i], i);
        if (talks[i].read == BYTES) {
            assert_int_equal(close(talks[i].socket), 0);
            talking--;
        }
    }
    end(PAIRS);
    for (unsigned i = 0; i < PAIRS; i++)
        assert_int_equal(echoes[i].echoed, BYTES);
}

/* ---- Numbers are used again --------------------------------------------------------------------------------------- */

static void begin_talk(int *socket, beginning *message) {
    int ends[2];
    pair(ends);
    *socket = ends[1];
    echo *partner = actorbench_actor_new(echo);
    echo_make(partner, ends[0]);
    actorbench_send(echo, partner, message);
}

static void ask_and_close(int socket) {
    unsigned char asked = 42, answered = 0;
    assert_int_equal(write(socket, &asked, 1), 1);
    AWAIT(read(socket, &answered, 1) == 1);
    assert_int_equal(answered, asked);
    assert_int_equal(close(socket), 0);
}

static void test_numbers_are_used_again(void **state) {
    static unsigned turn;
    static beginning message;
    int sockets[PAIRS];
    begin((const struct table_line *)*state, io_configuration(turn++), "numbers are used again");
    fate = ACTORBENCH_DELETE;
    actorbench_message_init(beginning, &message, ACTORBENCH_NODELETE);
    struct random random = random_seed(test_seed(), 0);
    for (unsigned i = 0; i < PAIRS; i++)
        begin_talk(&sockets[i], &message);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned i = random_below(&random, PAIRS);
        if (round % 3 == 0)
            assert_int_equal(close(sockets[i]), 0); /* without a word */
        else
            ask_and_close(sockets[i]);
        begin_talk(&sockets[i], &message);
    }
    for (unsigned i = 0; i < PAIRS; i++)
        ask_and_close(sockets[i]);
    end(ROUNDS + PAIRS);
}

/* ---- A connection that ends while more comes ---------------------------------------------------------------------- */

/* Whoever is at the other end finds that it has ended: the watch does not keep it. */
static void test_an_end_is_an_end(void **state) {
    static unsigned turn;
    static beginning message;
    begin((const struct table_line *)*state, io_configuration(turn++), "an end is an end");
    fate = ACTORBENCH_DELETE;
    actorbench_message_init(beginning, &message, ACTORBENCH_NODELETE);
    for (unsigned round = 0; round < ROUNDS; round++) {
        int ends[2];
        pair(ends);
        echo *partner = actorbench_actor_new(echo);
        echo_make(partner, ends[0]);
        partner->rude = true;
        actorbench_send(echo, partner, &message);
        const unsigned char asked = 1;
        unsigned char answer;
        while (read(ends[1], &answer, 1) != 0 && errno != ECONNRESET)
            (void)send(ends[1], &asked, 1, MSG_NOSIGNAL);
        assert_int_equal(close(ends[1]), 0);
    }
    end(ROUNDS);
}

/* ---- Where no worker idles ---------------------------------------------------------------------------------------- */

typedef struct {
    struct actorbench_actor actor;
    beginning again;
} busybody;
#define BEHAVIOURS_busybody(ON) ON(busybody, beginning, busybody_goes_on)
ACTORBENCH_ACTOR_TYPE(busybody)

static ATOMIC(uint32_t) enough;

static enum actorbench_allocation busybody_goes_on(busybody *self, beginning *message) {
    if (atomic_load_relaxed(&enough))
        return ACTORBENCH_FINISHED;
    actorbench_send(busybody, self, message);
    return ACTORBENCH_NODELETE;
}

static void test_where_no_worker_idles(void **state) {
    static unsigned turn;
    static busybody busybodies[MOST_IN_TABLES];
    struct actorbench_io_config io = io_configuration(turn++);
    if (io.policy == &actorbench_io_by_workers)
        io.policy = &actorbench_io_by_signalers;
    begin((const struct table_line *)*state, io, "where no worker idles");
    fate = ACTORBENCH_DELETE;
    atomic_store_relaxed(&enough, 0);
    unsigned workers = actorbench_workers();
    for (unsigned i = 0; i < workers; i++) {
        actorbench_actor_init(busybody, &busybodies[i]);
        actorbench_actor_set_dispatch(busybody, &busybodies[i], 10); /* where there is no limit it would run alone */
        actorbench_message_init(beginning, &busybodies[i].again, ACTORBENCH_NODELETE);
        actorbench_send(busybody, &busybodies[i], &busybodies[i].again);
    }
    static beginning message;
    actorbench_message_init(beginning, &message, ACTORBENCH_NODELETE);
    int socket;
    begin_talk(&socket, &message);
    ask_and_close(socket);
    AWAIT(atomic_load_acquire(&ended) == 1);
    atomic_store_relaxed(&enough, 1);
    end(1);
}

int main(void) {
    ADD_TABLE(covering, test_all_comes_back);
    ADD_TABLE(covering, test_numbers_are_used_again);
    ADD_TABLE(covering, test_an_end_is_an_end);
    ADD_TABLE(covering, test_where_no_worker_idles);
    return run_tables("io");
}
