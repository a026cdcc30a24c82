/* Greeting, commands and messages: what zmtp.h says. */
#include "zmtp.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum stage { GREETING, HEAD, BODY };

enum flag { MORE = 1, LONG = 2, COMMAND = 4 };

enum {
    SHORT_HEAD = 2,
    LONG_HEAD = 9,
    LONGEST_SHORT = 255,
    TTL = 2,
    MOST_CONTEXT = 16,
    AT_VERSION = 10,
    AT_MECHANISM = 12
};

#define MECHANISM "NULL\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" /* and the zero that ends it: 20 bytes */

/* Signature, version 3.1, mechanism; not as server, and zeros. */
static const uint8_t greeting[ZMTP_GREETING] = "\xff\0\0\0\0\0\0\0\1\x7f\3\1" MECHANISM;

#define READY_NAME  "\5READY"
#define SOCKET_TYPE "Socket-Type"
static const uint8_t our_ready[] = "\4\x19" READY_NAME "\xb" SOCKET_TYPE "\0\0\0\3REP";
_Static_assert(sizeof our_ready - 1 == SHORT_HEAD + 0x19, "the size in its head must be right");

/* ---- The bytes that are due ------------------------------------------------------------------------------------------ */

/* Room for so much more; false if there is no memory. Small buffers grow by doubling, for many small requests at once. */
static bool grow(struct zmtp *zmtp, size_t more) {
    size_t needed = zmtp->length + more, doubled = 2 * zmtp->capacity;
    if (needed <= zmtp->capacity)
        return true;
    size_t capacity = needed < doubled && doubled <= ZMTP_KEPT ? doubled : needed;
    uint8_t *bytes = realloc(zmtp->bytes, capacity);
    if (bytes == NULL)
        return false;
    zmtp->bytes = bytes;
    zmtp->capacity = capacity;
    return true;
}

/* Makes something due at once, before the reply that is not whole yet. */
static bool interject(struct zmtp *zmtp, const uint8_t *bytes, size_t length) {
    if (!grow(zmtp, length))
        return false;
    uint8_t *at = zmtp->bytes + zmtp->whole;
    memmove(at + length, at, zmtp->length - zmtp->whole);
    memcpy(at, bytes, length);
    zmtp->whole += length;
    zmtp->length += length;
    return true;
}

/* ---- Commands -------------------------------------------------------------------------------------------------------- */

/* Whether a body begins with this name, length and text. */
static bool is_named(const uint8_t *body, size_t size, const char *name) {
    size_t length = strlen(name);
    return size >= length && memcmp(body, name, length) == 0;
}

/* One property of READY: how long it is; 0: it is wrong. */
static size_t read_property(const uint8_t *at, size_t size, bool *may_ask) {
    size_t name = size > 0 ? at[0] : 0, value_at = 1 + name + 4;
    if (name == 0 || value_at > size)
        return 0;
    const uint8_t *value = at + value_at;
    size_t length = (size_t)value[-4] << 24 | (size_t)value[-3] << 16 | (size_t)value[-2] << 8 | value[-1];
    if (length > size - value_at)
        return 0;
    if (name == strlen(SOCKET_TYPE) && strncasecmp((const char *)at + 1, SOCKET_TYPE, name) == 0)
        *may_ask = (length == 3 && memcmp(value, "REQ", 3) == 0) || (length == 6 && memcmp(value, "DEALER", 6) == 0);
    return value_at + length;
}

/* Whether it is a READY of somebody who may ask. */
static bool is_ready(const uint8_t *body, size_t size) {
    bool may_ask = false;
    if (!is_named(body, size, READY_NAME))
        return false;
    for (size_t at = strlen(READY_NAME); at < size;) {
        size_t length = read_property(body + at, size - at, &may_ask);
        if (length == 0)
            return false;
        at += length;
    }
    return may_ask;
}

static bool answer_ping(struct zmtp *zmtp, const uint8_t *body, size_t size) {
    static const char name[] = "\4PING";
    uint8_t pong[SHORT_HEAD + sizeof name - 1 + MOST_CONTEXT] = "\4\0\4PONG";
    size_t context = size - (sizeof name - 1) - TTL;
    if (size < sizeof name - 1 + TTL || context > MOST_CONTEXT)
        return false;
    pong[1] = (uint8_t)(sizeof name - 1 + context);
    memcpy(pong + SHORT_HEAD + sizeof name - 1, body + sizeof name - 1 + TTL, context);
    return interject(zmtp, pong, SHORT_HEAD + pong[1]);
}

/* Does what the command says that has come, and forgets it. */
static bool obey(struct zmtp *zmtp) {
    size_t size = zmtp->length - zmtp->frame;
    const uint8_t *body = zmtp->bytes + zmtp->frame;
    zmtp->length = zmtp->frame;
    if (size == 0 || body[0] == 0 || body[0] >= size)
        return false;
    if (!zmtp->ready) {
        zmtp->ready = is_ready(body, size);
        return zmtp->ready && interject(zmtp, our_ready, sizeof our_ready - 1);
    }
    if (is_named(body, size, "\4PING"))
        return answer_ping(zmtp, body, size);
    return !is_named(body, size, READY_NAME) && !is_named(body, size, "\5ERROR");
}

/* ---- Frames ---------------------------------------------------------------------------------------------------------- */

/* Looks at a byte of the greeting; false if it is wrong. */
static bool greets(unsigned at, uint8_t byte) {
    if (at == 0 || at == AT_VERSION - 1)
        return byte == greeting[at];
    if (at == AT_VERSION)
        return byte >= greeting[at];
    return at < AT_MECHANISM || at >= AT_MECHANISM + sizeof MECHANISM || byte == greeting[at];
}

static bool end_frame(struct zmtp *zmtp) {
    bool goes_on = (zmtp->head[0] & MORE) != 0;
    zmtp->stage = HEAD;
    zmtp->have = 0;
    if ((zmtp->head[0] & COMMAND) != 0)
        return obey(zmtp);
    if (goes_on) {
        zmtp->delimited |= zmtp->length == zmtp->frame;
        return true;
    }
    if (!zmtp->delimited)
        return false;
    zmtp->delimited = false;
    zmtp->whole = zmtp->length;
    zmtp->replies++;
    return true;
}

/* Begins a frame whose head has come: of a message the reply has the same, in the shorter form. */
static bool begin_frame(struct zmtp *zmtp) {
    uint8_t flags = zmtp->head[0], head[LONG_HEAD] = {flags & MORE};
    uint64_t size = 0;
    for (unsigned i = 1; i < zmtp->have; i++)
        size = size << 8 | zmtp->head[i];
    if ((flags & COMMAND) != 0) {
        if (size > ZMTP_MOST_COMMAND || !grow(zmtp, size))
            return false;
    } else {
        size_t head_size = size > LONGEST_SHORT ? LONG_HEAD : SHORT_HEAD;
        size_t most = ZMTP_MOST_REQUEST - (zmtp->length - zmtp->whole);
        if (!zmtp->ready || most < head_size || size > most - head_size || !grow(zmtp, head_size + size))
            return false;
        head[0] |= head_size == LONG_HEAD ? LONG : 0;
        for (size_t i = 1; i < head_size; i++)
            head[i] = (uint8_t)(size >> 8 * (head_size - 1 - i));
        memcpy(zmtp->bytes + zmtp->length, head, head_size);
        zmtp->length += head_size;
    }
    zmtp->stage = BODY;
    zmtp->frame = zmtp->length;
    zmtp->left = size;
    return size > 0 || end_frame(zmtp);
}

static bool take_head(struct zmtp *zmtp, uint8_t byte) {
    zmtp->head[zmtp->have++] = byte;
    uint8_t flags = zmtp->head[0];
    if ((flags & ~(MORE | LONG | COMMAND)) != 0 || (flags & (MORE | COMMAND)) == (MORE | COMMAND))
        return false;
    return zmtp->have < ((flags & LONG) != 0 ? LONG_HEAD : SHORT_HEAD) || begin_frame(zmtp);
}

static bool take_greeting(struct zmtp *zmtp, uint8_t byte) {
    if (!greets(zmtp->have, byte))
        return false;
    if (++zmtp->have == ZMTP_GREETING) {
        zmtp->stage = HEAD;
        zmtp->have = 0;
    }
    return true;
}

/* ---- Its face -------------------------------------------------------------------------------------------------------- */

bool zmtp_open(struct zmtp *zmtp) {
    *zmtp = (struct zmtp){.stage = GREETING};
    return interject(zmtp, greeting, sizeof greeting);
}

bool zmtp_take(struct zmtp *zmtp, const uint8_t *bytes, size_t length) {
    while (length > 0) {
        size_t part = 1;
        bool right;
        if (zmtp->stage == BODY) {
            part = length < zmtp->left ? length : zmtp->left;
            memcpy(zmtp->bytes + zmtp->length, bytes, part);
            right = zmtp_filled(zmtp, part);
        } else {
            right = zmtp->stage == HEAD ? take_head(zmtp, *bytes) : take_greeting(zmtp, *bytes);
        }
        if (!right)
            return false;
        bytes += part;
        length -= part;
    }
    return true;
}

size_t zmtp_room(const struct zmtp *zmtp, uint8_t **where) {
    if (zmtp->stage != BODY)
        return 0;
    *where = zmtp->bytes + zmtp->length;
    return zmtp->left;
}

bool zmtp_filled(struct zmtp *zmtp, size_t length) {
    zmtp->length += length;
    zmtp->left -= length;
    return zmtp->left > 0 || end_frame(zmtp);
}

const uint8_t *zmtp_due(const struct zmtp *zmtp, size_t *length) {
    *length = zmtp->whole - zmtp->sent;
    return *length == 0 ? NULL : zmtp->bytes + zmtp->sent;
}

uint32_t zmtp_sent(struct zmtp *zmtp, size_t length) {
    zmtp->sent += length;
    if (zmtp->sent < zmtp->whole)
        return 0;
    uint32_t replies = zmtp->replies;
    zmtp->replies = 0;
    zmtp->length -= zmtp->whole;
    zmtp->frame -= zmtp->stage == BODY ? zmtp->whole : 0;
    if (zmtp->length > 0)
        memmove(zmtp->bytes, zmtp->bytes + zmtp->whole, zmtp->length);
    zmtp->sent = zmtp->whole = 0;
    if (zmtp->length == 0 && zmtp->stage != BODY && zmtp->capacity > ZMTP_KEPT)
        zmtp_end(zmtp);
    return replies;
}

bool zmtp_rests(const struct zmtp *zmtp) {
    return zmtp->stage == HEAD && zmtp->have == 0 && zmtp->length == 0;
}

void zmtp_end(struct zmtp *zmtp) {
    free(zmtp->bytes);
    zmtp->bytes = NULL;
    zmtp->capacity = 0;
}
