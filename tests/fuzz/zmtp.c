/* Fuzz target: what comes over a connection of workloads/zeromq (workloads/zeromq/zmtp.h).
 *
 * Input: a seed, a way, and then bytes that come as they are, or behind a right greeting and READY, or of which each stands for a request
 * or a command whose answer is known. Where pieces end makes no difference to what is due, nor to whether it is wrong; all that is known
 * is answered, in its order, and as many replies are counted.
 */
#include "../../workloads/zeromq/zmtp.h"

#include "fuzz.h"

enum { MOST = 128 << 10, MOST_HEARD = 2 * MOST, FILLER = 9000 };

#define NULLS_8       "\0\0\0\0\0\0\0\0"
#define GREETING      "\xff" NULLS_8 "\x7f\3\0NULL" NULLS_8 NULLS_8 NULLS_8 NULLS_8 NULLS_8 NULLS_8
#define READY         "\4\x19\5READY\xbSocket-Type\0\0\0\3REQ"
#define OUR_GREETING  "\xff\0\0\0\0\0\0\0\1\x7f\3\1NULL" NULLS_8 NULLS_8 NULLS_8 NULLS_8 NULLS_8 NULLS_8
#define OUR_READY     "\4\x19\5READY\xbSocket-Type\0\0\0\3REP"
#define BYTES(text)   text, sizeof(text) - 1
#define LONG_OF(size) "\2\0\0\0\0\0\0" size

/* With so many letters behind it, in what is asked and what is answered. */
static const struct known {
    const char *asked;
    size_t asked_size;
    const char *answered;
    size_t answered_size;
    size_t filler;
    unsigned replies;
} known[] = {
    {BYTES("\1\0\0\5hello"), BYTES("\1\0\0\5hello"), 0, 1},
    {BYTES("\1\0\0\0"), BYTES("\1\0\0\0"), 0, 1},
    {BYTES("\1\2id\1\0\1\1a\0\1b"), BYTES("\1\2id\1\0\1\1a\0\1b"), 0, 1},
    {BYTES("\1\0" LONG_OF("\0\3") "abc"), BYTES("\1\0\0\3abc"), 0, 1},
    {BYTES("\1\0\0\xff"), BYTES("\1\0\0\xff"), 255, 1},
    {BYTES("\1\0" LONG_OF("\1\0")), BYTES("\1\0" LONG_OF("\1\0")), 256, 1},
    {BYTES("\1\0" LONG_OF("\x23\x28")), BYTES("\1\0" LONG_OF("\x23\x28")), FILLER, 1},
    {BYTES("\4\x9\4PING\0\1ab"), BYTES("\4\7\4PONGab"), 0, 0},
    {BYTES("\6\0\0\0\0\0\0\0\x9\4PING\0\1ab"), BYTES("\4\7\4PONGab"), 0, 0},
    {BYTES("\1\0\4\7\4PING\0\0\0\1x"), BYTES("\4\5\4PONG\1\0\0\1x"), 0, 1},
    {BYTES("\4\5\4PONG"), BYTES(""), 0, 0},
    {BYTES("\4\4\3ANY"), BYTES(""), 0, 0},
};
enum { KNOWN = sizeof known / sizeof *known };

struct text {
    size_t length;
    uint8_t bytes[MOST_HEARD];
};
static struct text sent, due, heard, heard_before;

/* What a connection came to. */
struct outcome {
    bool right;
    uint64_t replies;
};

static uint64_t drawn; /* the state of the numbers that are drawn */

static size_t draw(size_t below) {
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (drawn >> 33) % below;
}

static void put(struct text *text, const void *bytes, size_t size) {
    MUST(text->length + size <= sizeof text->bytes);
    memcpy(text->bytes + text->length, bytes, size);
    text->length += size;
}

static void put_filler(struct text *text, size_t size) {
    memset(text->bytes + text->length, 'a', size);
    text->length += size;
}

/* Puts what is known into what is sent and what is due; how many replies it has. */
static uint64_t put_known(const uint8_t *data, size_t size) {
    uint64_t replies = 0;
    put(&due, BYTES(OUR_GREETING));
    put(&due, BYTES(OUR_READY));
    for (size_t i = 0; i < size && sent.length + FILLER + 64 < MOST; i++) {
        const struct known *one = &known[data[i] % KNOWN];
        put(&sent, one->asked, one->asked_size);
        put(&due, one->answered, one->answered_size);
        put_filler(&sent, one->filler);
        put_filler(&due, one->filler);
        replies += one->replies;
    }
    return replies;
}

/* Takes what is due, in pieces of at most `most` bytes, and not always all of it. */
static void hear(struct zmtp *zmtp, size_t most, bool all, struct outcome *outcome) {
    const uint8_t *bytes;
    size_t length;
    while ((bytes = zmtp_due(zmtp, &length)) != NULL) {
        size_t piece = 1 + draw(most);
        piece = piece < length ? piece : length;
        put(&heard, bytes, piece);
        outcome->replies += zmtp_sent(zmtp, piece);
        if (!all && draw(2) == 0)
            return;
    }
}

/* Has it take a piece, the one way or the other, if it is right; how much that was. */
static size_t feed(struct zmtp *zmtp, const uint8_t *bytes, size_t length, struct outcome *outcome) {
    uint8_t *body;
    size_t room = zmtp_room(zmtp, &body), piece = length < room ? length : room;
    if (room == 0 || draw(2) == 0) {
        outcome->right = zmtp_take(zmtp, bytes, length);
        return length;
    }
    memcpy(body, bytes, piece);
    outcome->right = zmtp_filled(zmtp, piece);
    return piece;
}

/* A connection from beginning to end. */
static struct outcome converse(size_t most) {
    struct outcome outcome = {.right = true};
    struct zmtp zmtp;
    heard.length = 0;
    MUST(zmtp_open(&zmtp));
    for (size_t at = 0; outcome.right && at < sent.length;) {
        size_t left = sent.length - at, piece = 1 + draw(most);
        at += feed(&zmtp, sent.bytes + at, piece < left ? piece : left, &outcome);
        MUST(zmtp.sent <= zmtp.whole && zmtp.whole <= zmtp.length && zmtp.length <= zmtp.capacity);
        hear(&zmtp, most, false, &outcome);
    }
    hear(&zmtp, MOST, true, &outcome);
    if (outcome.right && zmtp_rests(&zmtp))
        MUST(zmtp.capacity <= ZMTP_KEPT);
    zmtp_end(&zmtp);
    return outcome;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const size_t pieces[] = {1, 9, 150, 9000};
    if (size < 3)
        return NOT_WANTED;
    bool begun = (data[2] & 1) != 0, knows = (data[2] & 3) == 3;
    uint64_t replies = 0;
    drawn = data[0] + 256u * data[1];
    sent.length = due.length = 0;
    if (begun) {
        put(&sent, BYTES(GREETING));
        put(&sent, BYTES(READY));
    }
    if (knows)
        replies = put_known(data + 3, size - 3);
    else
        put(&sent, data + 3, size - 3);
    struct outcome at_once = converse(MOST);
    heard_before.length = heard.length;
    memcpy(heard_before.bytes, heard.bytes, heard.length);
    size_t most = pieces[draw(4)], least = sent.length / 4096 + 1;
    struct outcome in_pieces = converse(most > least ? most : least);
    MUST(at_once.right == in_pieces.right && at_once.replies == in_pieces.replies);
    MUST(heard.length == heard_before.length && memcmp(heard.bytes, heard_before.bytes, heard.length) == 0);
    if (knows) {
        MUST(at_once.right && at_once.replies == replies);
        MUST(heard.length == due.length && memcmp(heard.bytes, due.bytes, due.length) == 0);
    }
    return ACCEPTED;
}
