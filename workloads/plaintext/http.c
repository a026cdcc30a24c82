/* Requests in, answers out: what http.h says, over llhttp. */
#include "http.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "answers.h"
#include "platform/clock.h"

enum {
    MOST_READS = 16, /* in one http_run */
    MOST_HEAD = 8 << 10,
    MOST_BODY = 64 << 10,
    MOST_THROWN_AWAY = 1 << 20, /* of a connection that lingers */
};

/* Where a connection is: it reads requests; it closes, or lingers, once all is sent; it lingers. */
enum stage { READS, CLOSES, ENDS, LINGERS };

/* Of what it is reading a part. */
enum part { BETWEEN, HEAD, BODY };

/* How much of "/plaintext" the target has been so far, or: */
enum { OTHER_TARGET = UINT8_MAX };
static const char long_target[] = "/plaintext";

static const char other_version[] = "505 HTTP Version Not Supported";

/* What one read leads to; the parser's callbacks find it by their parser. */
struct turn {
    struct http_connection *connection;
    uint64_t now_ns;
    const char
        *counted_from; /* in what was read: where bytes of the head begin that are not counted; NULL: not there yet */
    struct http_batch batch;
};

/* Ends a connection with an error's answer, behind those to what was pipelined before. */
static void refuse(struct turn *turn, const char *status) {
    batch_add_error(&turn->batch, status, turn->now_ns);
    turn->connection->stage = ENDS;
}

/* ---- The parser's callbacks: anything but 0 stops it --------------------------------------------------------------- */

static int begins(llhttp_t *parser) {
    struct turn *turn = parser->data;
    struct http_connection *connection = turn->connection;
    connection->part = HEAD;
    connection->count = 0;
    connection->target = 0;
    connection->since_ns = turn->now_ns;
    turn->counted_from = NULL;
    return 0;
}

static int has_target(llhttp_t *parser, const char *text, size_t length) {
    struct turn *turn = parser->data;
    struct http_connection *connection = turn->connection;
    if (turn->counted_from == NULL)
        turn->counted_from = text;
    if (connection->target + length < sizeof long_target && memcmp(long_target + connection->target, text, length) == 0)
        connection->target += (uint8_t)length;
    else
        connection->target = OTHER_TARGET;
    return 0;
}

/* Why a request is refused by its head; NULL: it is not. */
static const char *fault_of(const struct http_connection *connection) {
    const llhttp_t *parser = &connection->parser;
    if (parser->http_major != 1 || parser->http_minor > 1)
        return other_version;
    if (parser->method != HTTP_GET && parser->method != HTTP_HEAD)
        return "405 Method Not Allowed";
    if (connection->target != 1 && connection->target != sizeof long_target - 1)
        return "404 Not Found";
    return parser->content_length > MOST_BODY ? "413 Content Too Large" : NULL;
}

static int has_head(llhttp_t *parser) {
    struct turn *turn = parser->data;
    const char *fault = fault_of(turn->connection);
    if (fault != NULL) {
        refuse(turn, fault);
        return -1;
    }
    turn->connection->part = BODY;
    turn->connection->count = 0;
    parser->upgrade = 0; /* to another protocol: may be asked for, and is not done */
    return 0;
}

static int has_body(llhttp_t *parser, const char *text, size_t length) {
    (void)text;
    struct turn *turn = parser->data;
    turn->connection->count += (uint32_t)length;
    if (turn->connection->count <= MOST_BODY)
        return 0;
    refuse(turn, "413 Content Too Large");
    return -1;
}

static int is_complete(llhttp_t *parser) {
    struct turn *turn = parser->data;
    struct http_connection *connection = turn->connection;
    bool stays = llhttp_should_keep_alive(parser) != 0;
    batch_add_hello(&turn->batch,
                    !stays                    ? "close"
                    : parser->http_minor == 0 ? "keep-alive"
                                              : NULL,
                    parser->method == HTTP_HEAD, turn->now_ns);
    connection->part = BETWEEN;
    connection->since_ns = turn->now_ns;
    if (stays)
        return 0;
    connection->stage = CLOSES;
    return HPE_PAUSED;
}

static llhttp_settings_t callbacks = {
    .on_message_begin = begins,
    .on_url = has_target,
    .on_headers_complete = has_head,
    .on_body = has_body,
    .on_message_complete = is_complete,
};

/* ---- Reading and sending ------------------------------------------------------------------------------------------ */

/* Gives the parser no more of a head than it may have, so that where reads end makes no difference. */
static void parse(struct turn *turn, const char *text, size_t length) {
    struct http_connection *connection = turn->connection;
    while (length > 0 && connection->stage == READS) {
        bool in_head = connection->part == HEAD;
        size_t most = in_head ? MOST_HEAD - connection->count : length, given = length < most ? length : most;
        turn->counted_from = in_head && connection->count > 0 ? text : NULL;
        enum llhttp_errno error = llhttp_execute(&connection->parser, text, given);
        text += given;
        length -= given;
        if (connection->part == HEAD && turn->counted_from != NULL)
            connection->count += (uint32_t)(text - turn->counted_from);
        if (connection->stage == CLOSES && (length > 0 || llhttp_get_error_pos(&connection->parser) != text))
            connection->stage = ENDS;
        if (connection->stage != READS)
            return;
        if (error != HPE_OK)
            refuse(turn, error == HPE_INVALID_VERSION ? other_version : "400 Bad Request");
        else if (connection->part == HEAD && connection->count == MOST_HEAD)
            refuse(turn, "431 Request Header Fields Too Large");
    }
}

/* Sends what the kernel takes of a batch; false if the connection is lost. */
static bool send_batch(struct http_connection *connection, struct http_batch *batch, uint64_t now_ns) {
    while (batch->sent < batch->length) {
        ssize_t sent = send(connection->socket, batch->text + batch->sent, batch->length - batch->sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        connection->answered += batch_pass(batch, (size_t)sent);
        connection->since_ns = now_ns;
    }
    return true;
}

/* Sends the answers to a read, and keeps what is left of them; false if the connection is lost. */
static bool deliver(struct turn *turn) {
    struct http_batch *batch = &turn->batch;
    if (!send_batch(turn->connection, batch, turn->now_ns))
        return false;
    if (batch->sent == batch->length)
        return true;
    size_t size = offsetof(struct http_batch, text) + batch->length;
    turn->connection->unsent = malloc(size);
    if (turn->connection->unsent == NULL)
        return false;
    memcpy(turn->connection->unsent, batch, size);
    return true;
}

/* Sends what was left; false if the connection is lost. */
static bool send_unsent(struct http_connection *connection, uint64_t now_ns) {
    if (!send_batch(connection, connection->unsent, now_ns))
        return false;
    if (connection->unsent->sent == connection->unsent->length) {
        free(connection->unsent);
        connection->unsent = NULL;
    }
    return true;
}

/* Goes on to linger, if that is next and nothing is left to be sent; false if there is nothing more to do. */
static bool goes_on(struct http_connection *connection, uint64_t now_ns) {
    if (connection->unsent != NULL || connection->stage == READS || connection->stage == LINGERS)
        return true;
    if (connection->stage == CLOSES || shutdown(connection->socket, SHUT_WR) != 0)
        return false;
    connection->stage = LINGERS;
    connection->count = 0;
    connection->since_ns = now_ns;
    return true;
}

static struct turn *turn_begins(struct turn *turn, struct http_connection *connection, uint64_t now_ns) {
    turn->connection = connection;
    turn->now_ns = now_ns;
    batch_clear(&turn->batch);
    connection->parser.data = turn;
    return turn;
}

/* Does what a read is for; false if the connection is lost, or has come to its end. */
static bool take(struct http_connection *connection, const char *text, size_t length, uint64_t now_ns) {
    if (connection->stage == LINGERS) {
        connection->count += (uint32_t)length;
        return connection->count <= MOST_THROWN_AWAY;
    }
    struct turn turn;
    parse(turn_begins(&turn, connection, now_ns), text, length);
    if (connection->stage == CLOSES && length == READ_SIZE)
        connection->stage = ENDS; /* there may be more, and to close with something unread can destroy what was sent */
    return deliver(&turn) && goes_on(connection, now_ns);
}

/* ---- Its face ----------------------------------------------------------------------------------------------------- */

void http_open(struct http_connection *connection, int socket, uint64_t now_ns) {
    *connection = (struct http_connection){.socket = socket, .since_ns = now_ns, .stage = READS, .part = BETWEEN};
    llhttp_init(&connection->parser, HTTP_REQUEST, &callbacks);
}

enum connection_next http_run(struct http_connection *connection, uint64_t now_ns) {
    for (int reads = 0; reads < MOST_READS; reads++) {
        if (connection->unsent != NULL) {
            if (!send_unsent(connection, now_ns) || !goes_on(connection, now_ns))
                return CONNECTION_CLOSE;
            if (connection->unsent != NULL)
                return CONNECTION_WAIT;
        }
        char text[READ_SIZE];
        ssize_t length = recv(connection->socket, text, sizeof text, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return CONNECTION_WAIT;
        if (length <= 0 || !take(connection, text, (size_t)length, now_ns))
            return CONNECTION_CLOSE;
    }
    return CONNECTION_AGAIN;
}

enum connection_next http_look(struct http_connection *connection, uint64_t now_ns, uint64_t timeout_ns) {
    if (now_ns < connection->since_ns + timeout_ns)
        return CONNECTION_WAIT;
    if (connection->unsent != NULL || connection->stage != READS || connection->part == BETWEEN)
        return CONNECTION_CLOSE;
    struct turn turn;
    refuse(turn_begins(&turn, connection, now_ns), "408 Request Timeout");
    return deliver(&turn) && goes_on(connection, now_ns) ? CONNECTION_WAIT : CONNECTION_CLOSE;
}

void http_end(struct http_connection *connection) {
    free(connection->unsent);
    connection->unsent = NULL;
}

void http_refuse(int socket) {
    char text[READ_SIZE];
    size_t length = write_error(text, "503 Service Unavailable", clock_monotonic_ns());
    if (send(socket, text, length, MSG_NOSIGNAL) == (ssize_t)length && shutdown(socket, SHUT_WR) == 0)
        (void)recv(socket, text, sizeof text,
                   MSG_DONTWAIT); /* to close with something unread can destroy what was sent */
}
