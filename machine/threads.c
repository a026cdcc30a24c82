/* Clocks and contexts. */
#include "threads.h"

#include <stdlib.h>

#include "blocks.h"
#include "due.h"
#include "lines.h"
#include "locals.h"
#include "own.h"
#include "switch.h"
#include "units.h"

enum {
    QUIET = 8,        /* polls without news before a spinning thread is passed over, and two more for each thread */
    SKIP_SHARE = 25,  /* of the time without news: a jump is no longer */
    JITTER_SHARE = 8, /* of a wake's latency, up or down */
};
static const time_ps SHORTEST_SKIP = 500 * 1000, LONGEST_SKIP = 20 * 1000 * 1000;

time_ps threads_horizon;
struct thread *self;
struct core *cores;

static struct {
    struct thread *all;
    unsigned count, alive;
    struct thread *spinner[MOST_CORES];
    uint64_t chance;
    time_ps pause, yield, latency, start;
} threads;

/* xorshift64* */
static uint64_t draw(void) {
    threads.chance ^= threads.chance >> 12;
    threads.chance ^= threads.chance << 25;
    threads.chance ^= threads.chance >> 27;
    return threads.chance * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

static time_ps with_jitter(time_ps length) {
    time_ps part = length / JITTER_SHARE;
    return part == 0 ? length : length - part + draw() % (2 * part + 1);
}

/* ---- Whose turn it is --------------------------------------------------------------------------------------------- */

static void rouse(struct thread *thread, time_ps at) {
    threads.spinner[thread->core->number] = NULL;
    if (thread->clock < at)
        thread->clock = at;
    thread->state = RUNNING;
    thread->core->running++;
    units_share_core(thread->core);
}

/* Takes the earliest thread that can run out of the heap. */
static struct thread *earliest(void) {
    for (;;) {
        struct thread *next = due_first();
        if (next == NULL)
            own_fail("all threads wait for each other");
        due_remove(next);
        if (next->state == RUNNING)
            return next;
        if (next->state == SPINNING) {
            rouse(next, next->due);
            return next;
        }
        units_make_ready(next, next->due, false); /* a timeout */
    }
}

static void look_ahead(void) {
    const struct thread *first = due_first();
    threads_horizon = first == NULL ? NEVER : first->due + AHEAD;
    if (units_is_wanted(self) && self->slice_end < threads_horizon)
        threads_horizon = self->slice_end;
}

/* The caller, who has said when it goes on, gives way. */
static void give_way(void) {
    struct thread *before = self, *next = earliest();
    if (next != before) {
        before->counts.switches++;
        locals_change(before->locals, next->locals);
        addresses.locals_line = (uint32_t)((LOCALS_AT + next->number * LOCALS_BYTES) >> LINE_SHIFT);
        self = next;
        switch_stacks(&before->stack_pointer, next->stack_pointer);
    }
    look_ahead();
}

/* Lets the next thread of its unit run; if another unit is idle, the caller goes there. */
static void requeue(void) {
    units_requeue();
    give_way();
}

void threads_pass(void) {
    const struct thread *first = due_first();
    if (units_is_wanted(self) && self->clock >= self->slice_end) {
        requeue();
    } else if (first != NULL && first->due < self->clock) {
        due_add(self, self->clock);
        give_way();
    } else {
        look_ahead();
        if (threads_horizon <= self->clock)
            threads_horizon = self->clock + 1;
    }
}

/* ---- Polling ------------------------------------------------------------------------------------------------------ */

unsigned threads_spin_on(unsigned core) {
    return threads.spinner[core] != NULL;
}

void threads_wake_spinner(unsigned core, time_ps at) {
    struct thread *spinner = threads.spinner[core];
    if (spinner == NULL)
        return;
    due_remove(spinner);
    rouse(spinner, at);
    spinner->quiet = 0;
    due_add(spinner, spinner->clock);
}

static void skip(void) {
    struct thread *thread = self;
    time_ps length = (thread->clock - thread->quiet_since) / SKIP_SHARE;
    length = length < SHORTEST_SKIP ? SHORTEST_SKIP : length > LONGEST_SKIP ? LONGEST_SKIP : length;
    thread->counts.spins_skipped++;
    thread->state = SPINNING;
    thread->core->running--;
    threads.spinner[thread->core->number] = thread;
    units_share_core(thread->core);
    due_add(thread, thread->clock + length);
    give_way();
}

void threads_pause(bool yields) {
    struct thread *thread = self;
    thread->clock += yields ? threads.yield : threads.pause;
    bool polled = thread->polls != thread->polls_before, news = thread->news != thread->news_before;
    thread->polls_before = thread->polls;
    thread->news_before = thread->news;
    bool alone = !units_is_wanted(thread);
    if (yields && !alone) {
        requeue();
        return;
    }
    if (news)
        thread->quiet = 0;
    else if (polled && thread->quiet++ == 0)
        thread->quiet_since = thread->clock;
    if (polled && alone && thread->quiet > QUIET + 2 * threads.alive && thread->core->running == 1)
        skip();
    else
        threads_turn();
}

/* ---- Threads ------------------------------------------------------------------------------------------------------ */

/* The caller, whose state says why, waits until it is made ready, or until a deadline. */
static void block(const void *awaited, time_ps deadline) {
    self->awaited = awaited;
    if (deadline != NEVER)
        due_add(self, deadline);
    units_leave();
    give_way();
}

static void unblock(struct thread *thread, time_ps at) {
    if (thread->place != 0)
        due_remove(thread);
    units_make_ready(thread, at, false);
}

_Noreturn static void live(void) {
    look_ahead();
    struct thread *thread = self;
    thread->result = thread->run(thread->argument);
    threads_turn();
    thread->state = ENDED;
    threads.alive--;
    for (unsigned i = 0; i < threads.count; i++)
        if (threads.all[i].state == JOINING && threads.all[i].awaited == thread)
            unblock(&threads.all[i], thread->clock + with_jitter(threads.latency));
    units_leave();
    give_way();
    abort(); /* nobody gives way to an ended thread */
}

/* A place for a thread: that of one which was joined, with its stack, or a fresh one. */
static struct thread *take_place(void) {
    for (unsigned i = 0; i < threads.count; i++)
        if (threads.all[i].state == JOINED)
            return &threads.all[i];
    if (threads.count == MOST_THREADS)
        own_fail("there are more than %u threads", (unsigned)MOST_THREADS);
    struct thread *fresh = &threads.all[threads.count];
    fresh->number = threads.count++;
    fresh->locals = own_room(LOCALS_BYTES);
    fresh->left = fresh->started = self == NULL ? 0 : self->clock;
    return fresh;
}

static void begin_locals(uint64_t *locals) {
    for (unsigned i = 0; i < LOCALS_BYTES / sizeof *locals; i++)
        locals[i] = 0;
    locals_begin(locals);
}

/* What a thread before it has done in its place, and when, goes on being counted there. */
static struct thread *add_thread(void *(*run)(void *), void *argument) {
    struct thread *thread = take_place();
    threads.alive++;
    thread->pinned = -1;
    thread->costs = blocks_alone;
    thread->quiet = 0;
    begin_locals(thread->locals);
    thread->run = run;
    thread->argument = argument;
    uint64_t stack = ARENA + STACKS_AT + (thread->number + 1) * STACK_BYTES;
    thread->stack_pointer = switch_stack((void *)(uintptr_t)stack, live);
    return thread;
}

unsigned threads_start(void *(*run)(void *), void *argument) {
    threads_turn();
    self->clock += threads.start;
    struct thread *thread = add_thread(run, argument);
    thread->unit = self->unit;
    thread->core = self->core;
    units_make_ready(thread, self->clock + with_jitter(threads.latency), true);
    return thread->number;
}

void *threads_join(unsigned number) {
    threads_turn();
    struct thread *thread = &threads.all[number];
    if (thread->state != ENDED) {
        self->state = JOINING;
        block(thread, NEVER);
    }
    void *result = thread->result;
    thread->state = JOINED;
    return result;
}

void threads_park(const void *word, time_ps deadline) {
    self->counts.parks++;
    self->state = PARKED;
    block(word, deadline);
}

void threads_sleep(time_ps length) {
    threads_turn();
    self->state = SLEEPING;
    block(NULL, self->clock + length);
}

unsigned threads_unpark(const void *word) {
    unsigned woken = 0;
    for (unsigned i = 0; i < threads.count; i++)
        if (threads.all[i].state == PARKED && threads.all[i].awaited == word) {
            unblock(&threads.all[i], self->clock + with_jitter(threads.latency));
            woken++;
        }
    self->counts.wakes += woken;
    return woken;
}

bool threads_bind(int number) {
    if (number < 0 || (unsigned)number >= layout.units)
        return false;
    self->pinned = number;
    if (self->unit == number)
        return true;
    units_move((unsigned)number);
    give_way();
    return true;
}

time_ps threads_busy(void) {
    time_ps sum = 0;
    for (unsigned i = 0; i < threads.count; i++) {
        const struct thread *thread = &threads.all[i];
        time_ps end = thread->state == RUNNING || thread->state == SPINNING ? thread->clock : thread->left;
        sum += end - thread->started - thread->idle;
    }
    return sum;
}

struct counts threads_counts(void) {
    struct counts sum = {0};
    for (unsigned i = 0; i < threads.count; i++) {
        const uint64_t *from = (const uint64_t *)&threads.all[i].counts;
        uint64_t *to = (uint64_t *)&sum;
        for (unsigned j = 0; j < sizeof sum / sizeof *to; j++)
            to[j] += from[j];
    }
    return sum;
}

/* ---- Start -------------------------------------------------------------------------------------------------------- */

void threads_begin(const struct description *machine, uint64_t seed, void *(*run)(void *), void *argument) {
    cores = own_room(layout.cores * sizeof *cores);
    lines_make(machine);
    units_begin(machine);
    due_begin();
    threads.all = own_room(MOST_THREADS * sizeof *threads.all);
    threads.chance = seed * UINT64_C(0x9e3779b97f4a7c15) ^ UINT64_C(0xbf58476d1ce4e5b9);
    threads.pause = picoseconds(machine->pause_ns);
    threads.yield = picoseconds(machine->yield_ns);
    threads.latency = picoseconds(machine->wake_latency_ns);
    threads.start = picoseconds(machine->thread_ns);
    struct thread *first = add_thread(run, argument);
    first->core = &cores[layout.core_of[0]];
    units_run_on(0, first, 0);
    due_remove(first);
    addresses.locals_line = (uint32_t)(LOCALS_AT >> LINE_SHIFT);
    self = first;
    void *boot;
    switch_stacks(&boot, first->stack_pointer);
    abort();
}
