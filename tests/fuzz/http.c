/* Fuzz target: what comes over a connection of the plaintext servers (workloads/plaintext/http.h).
 *
 * Input: a seed, a way, and then bytes that are sent as they are or, the other way, of which each stands for a request whose answer is
 * known. They are sent in pieces, read and answered by turns at random, and the client stops sending or is too slow in the end. Where
 * pieces end makes no difference; the server counts as many answers of 200 as the client finds; to known requests the due ones come.
 */
#include "fuzz.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../workloads/plaintext/http.h"

enum {
    MOST_SENT = 160 << 10,
    MOST_HEARD = 1 << 20,
    MOST_KNOWN = 512,
    MOST_STEPS = 100000,
    SMALLEST_BUFFER = 1, /* the kernel makes of it what it has as the smallest */
};
static const uint64_t now_ns = 1, timeout_ns = 1000;

/* A tilde stands for as many letters as `filler` says. */
static const struct known {
    const char *text;
    unsigned filler;
    unsigned status;
    bool ends;
} known[] = {
    {"GET / HTTP/1.1\r\n\r\n", 0, 200, false},
    {"GET / HTTP/1.1\n\n", 0, 200, false},
    {"GET /plaintext HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 0, 200, false},
    {"HEAD /plaintext HTTP/1.1\r\nAccept: */*\r\n\r\n", 0, 200, false},
    {"\r\n\r\nGET / HTTP/1.1\r\n\r\n", 0, 200, false},
    {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 0, 200, false},
    {"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 0, 200, false},
    {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nTrailer: c\r\n\r\n", 0, 200, false},
    {"GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 0, 200, false},
    {"GET / HTTP/1.1\r\nContent-Length: 65536\r\n\r\n~", 65536, 200, false},
    {"GET / HTTP/1.1\r\nA: ~\r\n\r\n", 8192 - 19, 200, false},
    {"GET / HTTP/1.1\r\nA: ~\r\n\r\n", 8192 - 18, 431, true},
    {"GET / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n", 0, 413, true},
    {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n~\r\n0\r\n\r\n", 65537, 413, true},
    {"GET / HTTP/1.0\r\n\r\n", 0, 200, true},
    {"HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n", 0, 200, true},
    {"GET /plaintex HTTP/1.1\r\n\r\n", 0, 404, true},
    {"GET /plaintextt HTTP/1.1\r\n\r\n", 0, 404, true},
    {"GET /~ HTTP/1.1\r\n\r\n", 400, 404, true},
    {"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 0, 405, true},
    {"CONNECT localhost:1 HTTP/1.1\r\n\r\n", 0, 405, true},
    {"GET / HTTP/2.0\r\n\r\n", 0, 505, true},
    {"GET /\r\n\r\n", 0, 505, true},
    {"no request\r\n\r\n", 0, 400, true},
    {"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 0, 400, true},
};
enum { KNOWN = sizeof known / sizeof *known };

struct text {
    size_t length;
    char bytes[MOST_HEARD + 1];
};
static struct text sent, heard, heard_before;

/* What is due to known requests; `knows`: whether it is known. */
static struct {
    bool knows;
    unsigned count;
    unsigned status[MOST_KNOWN];
} due;

static uint64_t drawn; /* the state of the numbers that are drawn */

static unsigned draw(unsigned below) {
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((drawn >> 33) % below);
}

/* ---- What is sent -------------------------------------------------------------------------------------------------- */

static void put(const struct known *request) {
    const char *tilde = strchr(request->text, '~');
    size_t before = tilde == NULL ? strlen(request->text) : (size_t)(tilde - request->text);
    memcpy(sent.bytes + sent.length, request->text, before);
    sent.length += before;
    if (tilde != NULL) {
        memset(sent.bytes + sent.length, 'a', request->filler);
        sent.length += request->filler;
        memcpy(sent.bytes + sent.length, tilde + 1, strlen(tilde + 1));
        sent.length += strlen(tilde + 1);
    }
}

static void prepare(const uint8_t *data, size_t size, bool as_known) {
    sent.length = 0;
    due.knows = as_known;
    due.count = 0;
    if (!as_known) {
        sent.length = size;
        memcpy(sent.bytes, data, size);
        return;
    }
    bool ended = false;
    for (size_t i = 0; i < size && i < MOST_KNOWN; i++) {
        const struct known *request = &known[data[i] % KNOWN];
        if (sent.length + strlen(request->text) + request->filler > MOST_SENT)
            break;
        put(request);
        if (!ended)
            due.status[due.count++] = request->status;
        ended |= request->ends;
    }
}

/* ---- A connection -------------------------------------------------------------------------------------------------- */

/* Reads what has come to the client; false if that was the end. */
static bool hear(int client, size_t most) {
    while (most > 0) {
        size_t room = MOST_HEARD - heard.length;
        MUST(room > 0);
        ssize_t length = recv(client, heard.bytes + heard.length, most < room ? most : room, 0);
        if (length < 0)
            MUST(errno == EAGAIN || errno == ECONNRESET);
        if (length <= 0)
            return length < 0 && errno == EAGAIN;
        heard.length += (size_t)length;
        most -= (size_t)length;
    }
    return true;
}

/* Sends all in pieces of at most `most` bytes, and lets the server answer in between; false if it closed the connection. */
static bool converse(struct http_connection *connection, int client, size_t most) {
    size_t at = 0;
    for (int steps = 0; at < sent.length; steps++) {
        MUST(steps < MOST_STEPS);
        size_t left = sent.length - at, piece = 1 + draw((unsigned)most);
        ssize_t length = send(client, sent.bytes + at, piece < left ? piece : left, MSG_NOSIGNAL);
        if (length > 0)
            at += (size_t)length;
        else
            MUST(errno == EAGAIN);
        if (draw(4) != 0 && http_run(connection, now_ns) == CONNECTION_CLOSE)
            return false;
        MUST(http_look(connection, now_ns, timeout_ns) == CONNECTION_WAIT);
        if (draw(4) == 0 || length <= 0)
            (void)hear(client, draw(2) == 0 ? MOST_HEARD : draw(100));
    }
    return true;
}

/* The client stops sending, and reads to the end. */
static void finish(struct http_connection *connection, int client) {
    MUST(shutdown(client, SHUT_WR) == 0);
    for (int steps = 0; http_run(connection, now_ns) != CONNECTION_CLOSE; steps++) {
        MUST(steps < MOST_STEPS);
        (void)hear(client, MOST_HEARD);
    }
}

/* The client does nothing more: it is told so at most once, and has to go after that. */
static void time_out(struct http_connection *connection) {
    uint64_t later_ns = now_ns + timeout_ns;
    while (http_run(connection, now_ns) == CONNECTION_AGAIN)
        continue;
    if (http_look(connection, later_ns, timeout_ns) == CONNECTION_WAIT) {
        MUST(http_look(connection, later_ns, timeout_ns) == CONNECTION_WAIT);
        MUST(http_look(connection, later_ns + timeout_ns, timeout_ns) == CONNECTION_CLOSE);
    }
}

/* A connection from beginning to end; returns how many answers of 200 the server counted. */
static uint64_t connect_and_talk(size_t most, bool with_small_buffer, bool with_timeout) {
    int ends[2], small = SMALLEST_BUFFER;
    struct http_connection connection;
    MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    if (with_small_buffer)
        MUST(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small) == 0);
    heard.length = 0;
    http_open(&connection, ends[0], now_ns);
    if (converse(&connection, ends[1], most)) {
        if (with_timeout)
            time_out(&connection);
        else
            finish(&connection, ends[1]);
    }
    http_end(&connection);
    MUST(close(ends[0]) == 0);
    while (hear(ends[1], MOST_HEARD))
        continue;
    MUST(close(ends[1]) == 0);
    heard.bytes[heard.length] = '\0';
    return http_answered(&connection);
}

/* ---- What was heard ------------------------------------------------------------------------------------------------ */

/* Looks at each answer, and blanks its date. */
static void look(uint64_t answered, bool whole) {
    static const char first[] = "HTTP/1.1 ", date[] = "\r\nDate: ";
    uint64_t hellos = 0;
    unsigned count = 0;
    for (char *at = heard.bytes; (at = strstr(at, first)) != NULL; count++) {
        at += strlen(first);
        unsigned status = (unsigned)strtoul(at, NULL, 10);
        hellos += status == 200;
        if (due.knows && whole)
            MUST(count < due.count && status == due.status[count]);
        at = strstr(at, date);
        if (at == NULL)
            break; /* a client that was too slow may have been cut off here */
        memset(at + strlen(date), '.', strnlen(at + strlen(date), 29));
    }
    if (due.knows && whole)
        MUST(count == due.count);
    MUST(whole ? hellos == answered : hellos >= answered);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned pieces[] = {1, 9, 150, 3000};
    if (size < 3)
        return NOT_WANTED;
    drawn = data[0] + 256u * data[1];
    prepare(data + 3, size - 3, (data[2] & 1) != 0);
    look(connect_and_talk(MOST_SENT, false, false), true);
    memcpy(&heard_before, &heard, sizeof heard.length + heard.length);
    size_t most = pieces[draw(4)], least = sent.length / 256;
    look(connect_and_talk(most > least ? most : least, (data[2] & 2) != 0, false), true);
    MUST(heard.length == heard_before.length && memcmp(heard.bytes, heard_before.bytes, heard.length) == 0);
    if ((data[2] & 4) != 0)
        look(connect_and_talk(most > least ? most : least, (data[2] & 2) != 0, true), false);
    return ACCEPTED;
}
