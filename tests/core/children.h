/* Children: a part of a test that ends its process, or changes it for good, runs in a child, whose end is looked at. */
#ifndef ACTORBENCH_TESTS_CHILDREN_H
#define ACTORBENCH_TESTS_CHILDREN_H

#include <sys/resource.h>
#include <sys/wait.h>

#include "harness.h"

enum { CHILD_SECONDS = 30 };

struct child {
    int status;      /* of waitpid(2) */
    char said[4096]; /* on standard error */
};

__attribute__((noreturn)) static inline void child_main(void (*body)(void), int error_pipe) {
    const struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    if (dup2(error_pipe, STDERR_FILENO) == -1)
        _exit(100);
    watchdog_start(CHILD_SECONDS, "a child");
    body();
    _exit(0);
}

/* Runs `body` in a child; if it returns, the child exits with 0. No other thread may run meanwhile. */
static inline struct child run_child(void (*body)(void)) {
    struct child child = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0)
        child_main(body, ends[1]);
    (void)close(ends[1]);
    size_t length = 0;
    ssize_t more;
    while (length < sizeof child.said - 1 &&
           (more = read(ends[0], child.said + length, sizeof child.said - 1 - length)) > 0)
        length += (size_t)more;
    (void)close(ends[0]);
    assert_int_equal(waitpid(process, &child.status, 0), process);
    return child;
}

/* Asserts that `words` are in what the child said. */
static inline void assert_said(const struct child *child, const char *words) {
    if (strstr(child->said, words) == NULL)
        fail_msg("the child said \"%s\" in place of \"... %s ...\"", child->said, words);
}

/* Asserts that `body` is stopped by abort(3), and says all these words before, up to a NULL. */
__attribute__((sentinel, unused)) static void assert_stops(void (*body)(void), ...) {
    struct child child = run_child(body);
    va_list all_words;
    va_start(all_words, body);
    for (const char *words = va_arg(all_words, const char *); words != NULL; words = va_arg(all_words, const char *))
        assert_said(&child, words);
    va_end(all_words);
    if (!WIFSIGNALED(child.status) || WTERMSIG(child.status) != SIGABRT)
        fail_msg("the child ended with status %#x in place of SIGABRT, and said \"%s\"", (unsigned)child.status,
                 child.said);
}

/* Asserts that `body` returns, and that it says nothing. */
static inline void assert_passes(void (*body)(void)) {
    struct child child = run_child(body);
    if (child.status != 0 || child.said[0] != '\0')
        fail_msg("the child ended with status %#x, and said \"%s\"", (unsigned)child.status, child.said);
}

/* For a child, which is not of a sanitized build: a sanitizer's shadow memory does not fit into any limit. */
static inline void take_all_memory(void) {
    const struct rlimit room = {64u << 20, 64u << 20};
    if (setrlimit(RLIMIT_AS, &room) != 0)
        _exit(101);
}

#endif
