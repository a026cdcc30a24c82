/* One request on a connection of its own, read until the answer is whole. */
#include "learning.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define HELLO  "Hello, World!"
#define DATE   "\r\nDate: "
#define LENGTH "\r\nContent-Length: 13\r\n"

static int connected(uint16_t port, uint64_t timeout_s) {
    struct sockaddr_in server = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = (time_t)timeout_s};
    int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (line >= 0 && setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
        connect(line, (struct sockaddr *)&server, sizeof server) == 0)
        return line;
    if (line >= 0)
        (void)close(line);
    return -1;
}

/* Whether a whole answer begins the text; its last bytes are the body. */
static bool is_whole(const char *text) {
    const char *body = strstr(text, "\r\n\r\n");
    return body != NULL && strlen(body + 4) >= strlen(HELLO);
}

/* Reads an answer to its end, and no more than `size` - 1 bytes; false if it breaks off before. */
static bool read_answer(int line, char *text, size_t size) {
    size_t length = 0;
    *text = '\0';
    while (!is_whole(text)) {
        ssize_t part = recv(line, text + length, size - 1 - length, 0);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        length += (size_t)part;
        text[length] = '\0';
    }
    return true;
}

static bool is_right(const char *text) {
    const char *body = strstr(text, "\r\n\r\n");
    return strncmp(text, "HTTP/1.1 200 ", strlen("HTTP/1.1 200 ")) == 0 && strcmp(body + 4, HELLO) == 0 &&
           strcasestr(text, LENGTH) != NULL;
}

bool dialogue_learn(struct dialogue *learnt, const struct dialogue *asking, uint16_t port, uint64_t timeout_s) {
    static char answer[1024];
    int line = connected(port, timeout_s);
    if (line < 0)
        return false;
    size_t size = strlen(asking->request);
    bool answered = send(line, asking->request, size, MSG_NOSIGNAL) == (ssize_t)size &&
                    read_answer(line, answer, sizeof answer) && is_right(answer);
    (void)close(line);
    char *date = answered ? strcasestr(answer, DATE) : NULL;
    if (date == NULL || strlen(date) < strlen(DATE) + DIALOGUE_DATE_SIZE + strlen(HELLO))
        return false;
    date += strlen(DATE);
    *learnt =
        (struct dialogue){.request = asking->request, .before_date = answer, .after_date = date + DIALOGUE_DATE_SIZE};
    *date = '\0';
    return true;
}
