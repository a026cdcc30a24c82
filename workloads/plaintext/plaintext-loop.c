/* plaintext-loop: the plaintext server without actors: threads with a listener and an epoll set each, and no more.
 *
 * What comes in by a thread's listener stays with that thread. This is what the system permits, as React++'s actorless prototype
 * shows it: any actors come on top.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "entrance.h"
#include "http.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/topology.h"
#include "web.h"

enum { EVENTS_AT_ONCE = 256, ADMITTED_AT_ONCE = 64, LOOK_MS = 100 };

static uint64_t threads = 1, pin = PIN_NONE;
static int ending; /* an eventfd, readable when the threads have to end */

/* A connection, in the list of its loop's. */
struct session {
    struct http_connection http;
    struct session *next, **link; /* what points to it */
    int socket;
};

struct loop {
    pthread_t thread;
    struct entrance entrance;
    int cpu; /* that it is bound to; -1: none */
    int set; /* of epoll: of the entrance's listener, of `ending` (null), and of sessions' sockets */
    struct session *sessions;
    uint64_t answered;
};

/* Watches a socket or, with EPOLL_CTL_MOD, asks anew whether it is ready; false if that fails. */
static bool watch(int set, int how, int socket, uint32_t events, void *what) {
    struct epoll_event wanted = {.events = events, .data.ptr = what};
    return epoll_ctl(set, how, socket, &wanted) == 0;
}

static bool watch_session(struct loop *loop, int how, struct session *session) {
    return watch(loop->set, how, session->socket, EPOLLIN | EPOLLOUT | EPOLLET, session);
}

static void end_session(struct loop *loop, struct session *session) {
    loop->answered += http_answered(&session->http);
    http_end(&session->http);
    entrance_leave(session->socket);
    *session->link = session->next;
    if (session->next != NULL)
        session->next->link = session->link;
    free(session);
}

static void admit(struct loop *loop, uint64_t now_ns) {
    for (int admitted = 0; admitted < ADMITTED_AT_ONCE; admitted++) {
        int socket = entrance_admit(&loop->entrance);
        if (socket < 0)
            return;
        struct session *session = memory_block(sizeof *session, "a connection");
        *session = (struct session){.next = loop->sessions, .link = &loop->sessions, .socket = socket};
        if (session->next != NULL)
            session->next->link = &session->next;
        loop->sessions = session;
        http_open(&session->http, socket, now_ns);
        if (!watch_session(loop, EPOLL_CTL_ADD, session))
            end_session(loop, session);
    }
}

static void serve(struct loop *loop, struct session *session, uint64_t now_ns) {
    enum connection_next next = http_run(&session->http, now_ns);
    if (next == CONNECTION_CLOSE || (next == CONNECTION_AGAIN && !watch_session(loop, EPOLL_CTL_MOD, session)))
        end_session(loop, session);
}

static void look_at_all(struct loop *loop, uint64_t now_ns) {
    struct session *next;
    for (struct session *session = loop->sessions; session != NULL; session = next) {
        next = session->next;
        if (http_look(&session->http, now_ns, server.timeout * UINT64_C(1000000000)) == CONNECTION_CLOSE)
            end_session(loop, session);
    }
}

static void *run(void *own) {
    struct loop *loop = own;
    uint64_t look_ns = 0;
    if (loop->cpu >= 0)
        (void)topology_bind_thread(loop->cpu); /* it serves as well elsewhere */
    for (;;) {
        struct epoll_event events[EVENTS_AT_ONCE];
        int count = epoll_wait(loop->set, events, EVENTS_AT_ONCE, LOOK_MS);
        uint64_t now_ns = clock_monotonic_ns();
        for (int i = 0; i < count; i++) {
            if (events[i].data.ptr == NULL)
                return NULL;
            if (events[i].data.ptr == loop)
                admit(loop, now_ns);
            else
                serve(loop, events[i].data.ptr, now_ns);
        }
        if (now_ns >= look_ns) {
            look_at_all(loop, now_ns);
            look_ns = now_ns + LOOK_MS * UINT64_C(1000000);
        }
    }
}

static void begin(struct loop *loop, int cpu) {
    loop->cpu = cpu;
    entrance_open(&loop->entrance, &server.port, server.most, http_refuse);
    loop->set = epoll_create1(EPOLL_CLOEXEC);
    if (loop->set < 0 || !watch(loop->set, EPOLL_CTL_ADD, ending, EPOLLIN, NULL) ||
        !watch(loop->set, EPOLL_CTL_ADD, loop->entrance.listener, EPOLLIN, loop))
        workload_refuse("a thread cannot watch its sockets: %s", strerror(errno));
}

static void end(struct loop *loop) {
    while (loop->sessions != NULL)
        end_session(loop, loop->sessions);
    entrance_close(&loop->entrance);
    (void)close(loop->set);
}

/* The plan of `--pin`, whose CPUs the server has by now; its caller frees what it holds. */
static struct cpu_plan planned(void) {
    struct cpu_plan plan = {0};
    const char *why = topology_plan(NULL, (enum pin_plan)pin, &plan);
    if (why != NULL)
        workload_refuse("%s", why);
    return plan;
}

/* Called as the runtime's options are, so that figures have both over workers. */
static const struct parameter parameters[] = {
    {"workers", &threads, NULL, 1, "threads that serve"},
    {"pin", &pin, PIN_CHOICES, 0, "the order in which they are bound to CPUs"},
    WEB_PARAMETERS,
    SERVER_MOST,
    {0},
};

static const struct workload workload = {
    .name = "plaintext-loop",
    .summary = "what plaintext does, by threads that each poll sockets of their own, without a runtime",
    .unit = "request",
    .parameters = parameters,
    .bare = true,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (threads > 1024)
        workload_refuse("--workers cannot be %llu: it is 1 to 1024", (unsigned long long)threads);
    web_begin((unsigned)threads);
    struct loop *loops = memory_zeroed(threads, sizeof *loops, "the threads");
    ending = eventfd(0, EFD_CLOEXEC);
    if (ending < 0)
        workload_refuse("there is no eventfd: %s", strerror(errno));
    struct cpu_plan plan = planned();
    for (uint64_t i = 0; i < threads; i++)
        begin(&loops[i], pin == PIN_NONE ? -1 : plan.places[i % plan.count].cpu);
    free(plan.places);
    for (uint64_t i = 0; i < threads; i++) {
        int error = pthread_create(&loops[i].thread, NULL, run, &loops[i]);
        if (error != 0)
            workload_refuse("thread %llu cannot be started: %s", (unsigned long long)i, strerror(error));
    }
    server_run();
    if (eventfd_write(ending, 1) != 0)
        workload_refuse("the threads cannot be ended: %s", strerror(errno));
    uint64_t answered = 0;
    for (uint64_t i = 0; i < threads; i++) {
        int error = pthread_join(loops[i].thread, NULL);
        if (error != 0)
            workload_refuse("thread %llu cannot be joined: %s", (unsigned long long)i, strerror(error));
        end(&loops[i]);
        answered += loops[i].answered;
    }
    (void)close(ending);
    free(loops);
    return server_end(answered, (unsigned)threads);
}
