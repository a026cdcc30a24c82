/* Clocks, contexts and units. */
#include "threads.h"

#include <stdlib.h>

#include "blocks.h"
#include "lines.h"
#include "locals.h"
#include "own.h"
#include "switch.h"

enum {
    UNITS_A_CORE = 8,
    QUIET = 8,        /* polls without news before a spinning thread is passed over, and two more for each thread */
    SKIP_SHARE = 25,  /* of the time without news: a jump is no longer */
    JITTER_SHARE = 8, /* of a wake's latency, up or down */
};
static const time_ps SHORTEST_SKIP = 500 * 1000, LONGEST_SKIP = 20 * 1000 * 1000, AHEAD = 2 * 1000;

struct unit {
    struct thread *running, *first, *last; /* and those that are ready */
};

time_ps threads_horizon;
struct thread *self;
struct core *cores;

static struct {
    struct thread *all;
    unsigned count, alive;
    struct unit units[MOST_UNITS];
    unsigned units_of[MOST_CORES][UNITS_A_CORE], unit_count[MOST_CORES];
    struct thread *spinner[MOST_CORES];
    struct thread **due; /* a heap from 1 on, the earliest first */
    unsigned due_count;
    uint64_t chance;
    time_ps slice, change, pause, yield, latency, start;
} threads;

static struct unit *unit_of(const struct thread *thread) {
    return &threads.units[thread->unit];
}

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

/* ---- Those that are due ------------------------------------------------------------------------------------------- */

static bool is_before(const struct thread *one, const struct thread *other) {
    return one->due != other->due ? one->due < other->due : one->number < other->number;
}

static void put(unsigned place, struct thread *thread) {
    threads.due[place] = thread;
    thread->place = place;
}

static void rise(unsigned place, struct thread *thread) {
    for (; place > 1 && is_before(thread, threads.due[place / 2]); place /= 2)
        put(place, threads.due[place / 2]);
    put(place, thread);
}

static void sink(unsigned place, struct thread *thread) {
    for (unsigned child; (child = 2 * place) <= threads.due_count; place = child) {
        if (child < threads.due_count && is_before(threads.due[child + 1], threads.due[child]))
            child++;
        if (!is_before(threads.due[child], thread))
            break;
        put(place, threads.due[child]);
    }
    put(place, thread);
}

static void add_due(struct thread *thread, time_ps due) {
    thread->due = due;
    rise(++threads.due_count, thread);
    if (due + AHEAD < threads_horizon)
        threads_horizon = due + AHEAD;
}

static void remove_due(struct thread *thread) {
    unsigned place = thread->place;
    thread->place = 0;
    struct thread *last = threads.due[threads.due_count--];
    if (last == thread)
        return;
    sink(place, last);
    if (last->place == place)
        rise(place, last);
}

/* ---- Units -------------------------------------------------------------------------------------------------------- */

/* The threads of a core share its issue slots. */
static void share_core(const struct core *core) {
    for (unsigned i = 0; i < threads.unit_count[core->number]; i++) {
        struct thread *thread = threads.units[threads.units_of[core->number][i]].running;
        if (thread != NULL)
            thread->costs = core->running > 1 ? blocks_shared : blocks_alone;
    }
}

static void begin_to_run(struct thread *thread) {
    thread->state = RUNNING;
    thread->core->running++;
    threads_wake_spinner(thread->core->number,
                         thread->clock); /* it would not see what a thread of its own core writes */
    share_core(thread->core);
    add_due(thread, thread->clock);
}

static void run_on(unsigned unit, struct thread *thread, time_ps at) {
    thread->unit = (int)unit;
    thread->core = &cores[layout.core_of[unit]];
    if (thread->clock < at)
        thread->clock = at;
    thread->idle += thread->clock - thread->left;
    thread->slice_end = thread->clock + threads.slice;
    threads.units[unit].running = thread;
    begin_to_run(thread);
}

static void enqueue(unsigned unit, struct thread *thread, time_ps at) {
    struct unit *here = &threads.units[unit];
    thread->state = READY;
    thread->unit = (int)unit;
    thread->behind = NULL;
    if (thread->clock < at)
        thread->clock = at;
    if (here->first == NULL)
        here->first = thread;
    else
        here->last->behind = thread;
    here->last = thread;
    struct thread *running = here->running;
    if (running->state == SPINNING)
        threads_wake_spinner(running->core->number, at);
    if (running == self && running->slice_end < threads_horizon)
        threads_horizon = running->slice_end;
}

static struct thread *dequeue(struct unit *unit, struct thread *before, struct thread *thread) {
    if (before == NULL)
        unit->first = thread->behind;
    else
        before->behind = thread->behind;
    if (unit->last == thread)
        unit->last = before;
    return thread;
}

/* A thread that is not bound, from the first unit on which one waits. */
static struct thread *pull(void) {
    for (unsigned i = 0; i < layout.units; i++) {
        struct thread *before = NULL;
        for (struct thread *each = threads.units[i].first; each != NULL; before = each, each = each->behind)
            if (each->pinned < 0)
                return dequeue(&threads.units[i], before, each);
    }
    return NULL;
}

/* The unit's thread has gone: whoever waits is next. */
static void run_next(unsigned number, time_ps at) {
    struct unit *unit = &threads.units[number];
    unit->running = NULL;
    struct thread *next = unit->first == NULL ? pull() : dequeue(unit, NULL, unit->first);
    if (next != NULL)
        run_on(number, next, (next->clock > at ? next->clock : at) + threads.change);
}

/* Takes the caller off its unit. */
static void leave_unit(void) {
    self->left = self->clock;
    self->core->running--;
    share_core(self->core);
    run_next((unsigned)self->unit, self->clock);
}

static bool is_idle(unsigned unit) {
    return threads.units[unit].running == NULL && threads.units[unit].first == NULL;
}

/* Threads on the units of a core: those that spin, too, since the system does not know that they do. */
static unsigned on_core(unsigned unit) {
    unsigned core = layout.core_of[unit], count = 0;
    for (unsigned i = 0; i < threads.unit_count[core]; i++)
        count += threads.units[threads.units_of[core][i]].running != NULL;
    return count;
}

static unsigned on_node(unsigned unit) {
    unsigned node = layout.place[layout.core_of[unit]].node, count = 0;
    for (unsigned i = 0; i < layout.units; i++)
        count += layout.place[layout.core_of[i]].node == node && threads.units[i].running != NULL;
    return count;
}

/* An idle unit, whose core has the fewest threads; then, of a new thread, whose node has the fewest, or else the nearest to
 * where the thread was. -1 if there is none. */
static int idle_unit(const struct thread *thread, bool is_new) {
    int best = -1;
    unsigned best_core = 0, best_far = 0;
    for (unsigned i = 0; i < layout.units; i++) {
        if (!is_idle(i))
            continue;
        unsigned far = is_new ? on_node(i) : layout.between_cores[thread->core->number][layout.core_of[i]];
        if (best < 0 || on_core(i) < best_core || (on_core(i) == best_core && far < best_far))
            best = (int)i, best_core = on_core(i), best_far = far;
    }
    return best;
}

static void make_ready(struct thread *thread, time_ps at, bool is_new) {
    int unit = thread->pinned;
    if (unit < 0)
        unit = !is_new && is_idle((unsigned)thread->unit) ? thread->unit : idle_unit(thread, is_new);
    if (unit < 0)
        unit = thread->unit;
    if (is_idle((unsigned)unit))
        run_on((unsigned)unit, thread, at);
    else
        enqueue((unsigned)unit, thread, at);
}

/* ---- Whose turn it is --------------------------------------------------------------------------------------------- */

static void rouse(struct thread *thread, time_ps at) {
    threads.spinner[thread->core->number] = NULL;
    if (thread->clock < at)
        thread->clock = at;
    thread->state = RUNNING;
    thread->core->running++;
    share_core(thread->core);
}

/* Takes the earliest thread that can run out of the heap. */
static struct thread *earliest(void) {
    for (;;) {
        if (threads.due_count == 0)
            own_fail("all threads wait for each other");
        struct thread *next = threads.due[1];
        remove_due(next);
        if (next->state == RUNNING)
            return next;
        if (next->state == SPINNING) {
            rouse(next, next->due);
            return next;
        }
        make_ready(next, next->due, false); /* a timeout */
    }
}

static void look_ahead(void) {
    threads_horizon = threads.due_count == 0 ? NEVER : threads.due[1]->due + AHEAD;
    if (unit_of(self)->first != NULL && self->slice_end < threads_horizon)
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
    int refuge = self->pinned < 0 ? idle_unit(self, false) : -1;
    unsigned unit = refuge < 0 ? (unsigned)self->unit : (unsigned)refuge;
    self->state = READY;
    leave_unit();
    if (refuge < 0)
        enqueue(unit, self, self->clock);
    else
        run_on(unit, self, self->clock + threads.change);
    give_way();
}

void threads_pass(void) {
    if (unit_of(self)->first != NULL && self->clock >= self->slice_end) {
        requeue();
    } else if (threads.due_count != 0 && threads.due[1]->due < self->clock) {
        add_due(self, self->clock);
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
    remove_due(spinner);
    rouse(spinner, at);
    spinner->quiet = 0;
    add_due(spinner, spinner->clock);
}

static void skip(void) {
    struct thread *thread = self;
    time_ps length = (thread->clock - thread->quiet_since) / SKIP_SHARE;
    length = length < SHORTEST_SKIP ? SHORTEST_SKIP : length > LONGEST_SKIP ? LONGEST_SKIP : length;
    thread->counts.spins_skipped++;
    thread->state = SPINNING;
    thread->core->running--;
    threads.spinner[thread->core->number] = thread;
    share_core(thread->core);
    add_due(thread, thread->clock + length);
    give_way();
}

void threads_pause(bool yields) {
    struct thread *thread = self;
    thread->clock += yields ? threads.yield : threads.pause;
    bool polled = thread->polls != thread->polls_before, news = thread->news != thread->news_before;
    thread->polls_before = thread->polls;
    thread->news_before = thread->news;
    bool alone = unit_of(thread)->first == NULL;
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
        add_due(self, deadline);
    leave_unit();
    give_way();
}

static void unblock(struct thread *thread, time_ps at) {
    if (thread->place != 0)
        remove_due(thread);
    make_ready(thread, at, false);
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
    leave_unit();
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
    make_ready(thread, self->clock + with_jitter(threads.latency), true);
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

/* Who runs on a unit without being bound to it makes room, if another unit is idle. */
static void clear_unit(unsigned number) {
    struct thread *other = threads.units[number].running;
    if (other == NULL || other->pinned >= 0 || other->state != RUNNING || threads.units[number].first != NULL)
        return;
    int refuge = idle_unit(other, false);
    if (refuge < 0)
        return;
    remove_due(other);
    other->core->running--;
    share_core(other->core);
    other->left = other->clock;
    threads.units[number].running = NULL;
    run_on((unsigned)refuge, other, other->clock + threads.change);
}

bool threads_bind(int number) {
    if (number < 0 || (unsigned)number >= layout.units)
        return false;
    self->pinned = number;
    if (self->unit == number)
        return true;
    leave_unit();
    clear_unit((unsigned)number);
    make_ready(self, self->clock + threads.change, false);
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

static time_ps picoseconds(double ns) {
    return (time_ps)(ns * 1000 + 0.5);
}

static void make_units(void) {
    for (unsigned i = 0; i < layout.units; i++) {
        unsigned core = layout.core_of[i];
        if (threads.unit_count[core] == UNITS_A_CORE)
            own_fail("a core has more than %d processing units", UNITS_A_CORE);
        threads.units_of[core][threads.unit_count[core]++] = i;
    }
}

void threads_begin(const struct description *machine, uint64_t seed, void *(*run)(void *), void *argument) {
    cores = own_room(layout.cores * sizeof *cores);
    lines_make(machine);
    make_units();
    threads.all = own_room(MOST_THREADS * sizeof *threads.all);
    threads.due = own_room((MOST_THREADS + 2) * sizeof(struct thread *));
    threads.chance = seed * UINT64_C(0x9e3779b97f4a7c15) ^ UINT64_C(0xbf58476d1ce4e5b9);
    threads.slice = picoseconds(machine->slice_ns);
    threads.change = picoseconds(machine->switch_ns);
    threads.pause = picoseconds(machine->pause_ns);
    threads.yield = picoseconds(machine->yield_ns);
    threads.latency = picoseconds(machine->wake_latency_ns);
    threads.start = picoseconds(machine->thread_ns);
    struct thread *first = add_thread(run, argument);
    first->core = &cores[layout.core_of[0]];
    run_on(0, first, 0);
    remove_due(first);
    addresses.locals_line = (uint32_t)(LOCALS_AT >> LINE_SHIFT);
    self = first;
    void *boot;
    switch_stacks(&boot, first->stack_pointer);
    abort();
}
