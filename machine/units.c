/* What the system does with units. */
#include "units.h"

#include "blocks.h"
#include "due.h"
#include "own.h"
#include "threads.h"

enum { UNITS_A_CORE = 8 };

struct unit units[MOST_UNITS];

static struct { unsigned units[MOST_CORES][UNITS_A_CORE], count[MOST_CORES]; } of_core;

static struct {
    time_ps slice, change; /* how long a thread may run while others wait, and until the next one runs */
} system_takes;

void units_begin(const struct description *machine) {
    for (unsigned i = 0; i < layout.units; i++) {
        unsigned core = layout.core_of[i];
        if (of_core.count[core] == UNITS_A_CORE)
            own_fail("a core has more than %d processing units", UNITS_A_CORE);
        of_core.units[core][of_core.count[core]++] = i;
    }
    system_takes.slice = picoseconds(machine->slice_ns);
    system_takes.change = picoseconds(machine->switch_ns);
}

void units_share_core(const struct core *core) {
    for (unsigned i = 0; i < of_core.count[core->number]; i++) {
        struct thread *thread = units[of_core.units[core->number][i]].running;
        if (thread != NULL)
            thread->costs = core->running > 1 ? blocks_shared : blocks_alone;
    }
}

static void begin_to_run(struct thread *thread) {
    thread->state = RUNNING;
    thread->core->running++;
    threads_wake_spinner(thread->core->number,
                         thread->clock); /* it would not see what a thread of its own core writes */
    units_share_core(thread->core);
    due_add(thread, thread->clock);
}

void units_run_on(unsigned unit, struct thread *thread, time_ps at) {
    thread->unit = (int)unit;
    thread->core = &cores[layout.core_of[unit]];
    if (thread->clock < at)
        thread->clock = at;
    thread->idle += thread->clock - thread->left;
    thread->slice_end = thread->clock + system_takes.slice;
    units[unit].running = thread;
    begin_to_run(thread);
}

static void enqueue(unsigned unit, struct thread *thread, time_ps at) {
    struct unit *here = &units[unit];
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
        for (struct thread *each = units[i].first; each != NULL; before = each, each = each->behind)
            if (each->pinned < 0)
                return dequeue(&units[i], before, each);
    }
    return NULL;
}

/* The unit's thread has gone: whoever waits is next. */
static void run_next(unsigned number, time_ps at) {
    struct unit *unit = &units[number];
    unit->running = NULL;
    struct thread *next = unit->first == NULL ? pull() : dequeue(unit, NULL, unit->first);
    if (next != NULL)
        units_run_on(number, next, (next->clock > at ? next->clock : at) + system_takes.change);
}

void units_leave(void) {
    self->left = self->clock;
    self->core->running--;
    units_share_core(self->core);
    run_next((unsigned)self->unit, self->clock);
}

static bool is_idle(unsigned unit) {
    return units[unit].running == NULL && units[unit].first == NULL;
}

/* Threads on the units of a core: those that spin, too, since the system does not know that they do. */
static unsigned on_core(unsigned unit) {
    unsigned core = layout.core_of[unit], count = 0;
    for (unsigned i = 0; i < of_core.count[core]; i++)
        count += units[of_core.units[core][i]].running != NULL;
    return count;
}

static unsigned on_node(unsigned unit) {
    unsigned node = layout.place[layout.core_of[unit]].node, count = 0;
    for (unsigned i = 0; i < layout.units; i++)
        count += layout.place[layout.core_of[i]].node == node && units[i].running != NULL;
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

void units_make_ready(struct thread *thread, time_ps at, bool is_new) {
    int unit = thread->pinned;
    if (unit < 0)
        unit = !is_new && is_idle((unsigned)thread->unit) ? thread->unit : idle_unit(thread, is_new);
    if (unit < 0)
        unit = thread->unit;
    if (is_idle((unsigned)unit))
        units_run_on((unsigned)unit, thread, at);
    else
        enqueue((unsigned)unit, thread, at);
}

void units_requeue(void) {
    int refuge = self->pinned < 0 ? idle_unit(self, false) : -1;
    unsigned unit = refuge < 0 ? (unsigned)self->unit : (unsigned)refuge;
    self->state = READY;
    units_leave();
    if (refuge < 0)
        enqueue(unit, self, self->clock);
    else
        units_run_on(unit, self, self->clock + system_takes.change);
}

/* Who runs on a unit without being bound to it makes room, if another unit is idle. */
static void clear_unit(unsigned number) {
    struct thread *other = units[number].running;
    if (other == NULL || other->pinned >= 0 || other->state != RUNNING || units[number].first != NULL)
        return;
    int refuge = idle_unit(other, false);
    if (refuge < 0)
        return;
    due_remove(other);
    other->core->running--;
    units_share_core(other->core);
    other->left = other->clock;
    units[number].running = NULL;
    units_run_on((unsigned)refuge, other, other->clock + system_takes.change);
}

void units_move(unsigned number) {
    units_leave();
    clear_unit(number);
    units_make_ready(self, self->clock + system_takes.change, false);
}
