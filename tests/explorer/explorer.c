/* Contexts for threads, the hand-over from one to the next, and what is said of a schedule that can't go on. */
#include "explorer.h"

#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "lines.h"
#include "machine/locals.h"
#include "platform/memory.h"
#include "platform/small.h"

enum {
    STACK_BYTES = 256 * 1024,
    ACCESS_NS = 10, /* some constants of core/ are times, which small.h shrinks to a few accesses */
    MOST_ACCESSES = TESTED(1000000000, 1000000), /* worker-centric with 5 threads takes up to some 100,000 */
};

struct thread {
    enum thread_state state;
    const void *awaited;  /* what it is parked on, or whose end it waits for */
    uint64_t deadline_ns; /* of a wait; 0: none */
    struct {
        const char *operation, *file;
        int line;
    } last;
    ucontext_t context;
    void *locals; /* its thread-local variables, while another thread runs */
    void *(*run)(void *);
    void *argument, *result;
};

static struct {
    struct thread threads[MOST_THREADS];
    unsigned count;
    unsigned current;
    uint64_t now_ns;
    struct tracks *tracks;
    bool traced, counted;
} explorer;

static _Alignas(16) char stacks[MOST_THREADS][STACK_BYTES];

static struct thread *self(void) {
    return &explorer.threads[explorer.current];
}

void explorer_complain(const char *what) {
    static const char *const states[] = {"can run", "is parked", "waits for another's end", "has ended"};
    (void)fprintf(stderr, "explorer: %s, after %llu accesses\n", what, (unsigned long long)explorer.tracks->accesses);
    for (unsigned i = 0; i < explorer.count; i++) {
        const struct thread *thread = &explorer.threads[i];
        (void)fprintf(stderr, "  thread %u %s%s; last: %s at %s:%d\n", i, states[thread->state],
                      thread->state == PARKED && thread->deadline_ns != 0 ? ", with a timeout" : "",
                      thread->last.operation, thread->last.file, thread->last.line);
    }
    _exit(EXPLORER_COMPLAINS);
}

/* ---- Which thread is next ---------------------------------------------------------------------------------------- */

static uint32_t who_can_run(void) {
    uint32_t runnable = 0;
    for (unsigned i = 0; i < explorer.count; i++) {
        struct thread *thread = &explorer.threads[i];
        if (thread->state == PARKED && thread->deadline_ns != 0 && thread->deadline_ns <= explorer.now_ns)
            thread->state = RUNNABLE;
        runnable |= (uint32_t)(thread->state == RUNNABLE) << i;
    }
    return runnable;
}

static void switch_to(unsigned next) {
    if (next == explorer.current)
        return;
    struct thread *before = self(), *after = &explorer.threads[next];
    locals_change(before->locals, after->locals);
    explorer.current = next;
    if (swapcontext(&before->context, &after->context) != 0)
        explorer_complain("swapcontext failed");
}

/* Lets the policy choose who goes on; returns when it is the caller's turn again. */
static void pass(bool spins) {
    struct tracks *tracks = explorer.tracks;
    if (++tracks->accesses > MOST_ACCESSES)
        explorer_complain("there is no end: threads wait for each other");
    explorer.now_ns += ACCESS_NS;
    uint32_t runnable = who_can_run();
    if (runnable == 0)
        explorer_complain("all threads are parked: a wake-up was lost");
    unsigned next = policy_choose(runnable, explorer.current, spins);
    tracks->hash = (tracks->hash ^ next) * UINT64_C(0x100000001b3); /* FNV-1a */
    switch_to(next);
}

static void come_to(const char *operation, const char *file, int line, bool spins) {
    struct thread *thread = self();
    thread->last.operation = operation;
    thread->last.file = file;
    thread->last.line = line;
    pass(spins);
    if (explorer.traced)
        (void)fprintf(stderr, "%6llu  thread %u  %-16s %s:%d\n", (unsigned long long)explorer.tracks->accesses,
                      explorer.current, operation, file, line);
}

void explorer_access(const char *operation, const char *file, int line) {
    come_to(operation, file, line, false);
}

void explorer_spin(const char *operation, const char *file, int line) {
    come_to(operation, file, line, true);
}

void explorer_touch(enum touch touch, const volatile void *object) {
    if (explorer.counted)
        lines_touch(&explorer.tracks->counts, explorer.current, touch, object);
}

void explorer_written(void) {
    pass(false);
}

uint64_t explorer_time_ns(void) {
    return explorer.now_ns;
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

static void live(void) {
    struct thread *thread = self();
    thread->result = thread->run(thread->argument);
    thread->state = ENDED;
    explorer_unblock(JOINING, thread);
    pass(false);
}

static unsigned add_thread(void) {
    if (explorer.count == MOST_THREADS)
        explorer_complain("there are more threads than the explorer has room for");
    void *locals = memory_zeroed(1, locals_bytes() + 1, "a thread's variables");
    locals_begin(locals);
    explorer.threads[explorer.count].locals = locals;
    policy_add();
    return explorer.count++;
}

void explorer_begin(const struct policy *policy, struct tracks *tracks, bool traced, bool counted) {
    tracks->accesses = 0;
    tracks->hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a's start */
    explorer.tracks = tracks;
    explorer.traced = traced;
    explorer.counted = counted;
    policy_begin(policy);
    (void)add_thread();
    self()->last.operation = "start";
    self()->last.file = __FILE__;
    self()->last.line = __LINE__;
}

unsigned explorer_start(void *(*run)(void *), void *argument) {
    unsigned number = add_thread();
    struct thread *thread = &explorer.threads[number];
    thread->run = run;
    thread->argument = argument;
    thread->last = explorer.threads[0].last;
    if (getcontext(&thread->context) != 0)
        explorer_complain("getcontext failed");
    thread->context.uc_stack.ss_sp = stacks[number];
    thread->context.uc_stack.ss_size = sizeof stacks[number];
    makecontext(&thread->context, live, 0);
    return number;
}

enum thread_state explorer_state(unsigned thread) {
    return explorer.threads[thread].state;
}

void *explorer_result(unsigned thread) {
    return explorer.threads[thread].result;
}

const void *explorer_end_of(unsigned thread) {
    return &explorer.threads[thread];
}

void explorer_block(enum thread_state state, const void *awaited, uint64_t timeout_ns) {
    struct thread *thread = self();
    thread->state = state;
    thread->awaited = awaited;
    thread->deadline_ns = timeout_ns == 0 ? 0 : explorer.now_ns + timeout_ns;
    pass(false);
}

void explorer_unblock(enum thread_state state, const void *awaited) {
    for (unsigned i = 0; i < explorer.count; i++)
        if (explorer.threads[i].state == state && explorer.threads[i].awaited == awaited)
            explorer.threads[i].state = RUNNABLE;
}
