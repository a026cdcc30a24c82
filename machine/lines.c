/* The directory, the caches below it, and memory. */
#include "lines.h"

#include "handovers.h"
#include "own.h"
#include "rate.h"
#include "threads.h"

struct line {
    time_ps busy_since, busy_until;
    struct core_set sharers;
    uint32_t code;  /* that made it its owner's */
    uint16_t owner; /* a core's number and one, or 0 */
    uint16_t l3;    /* the last L3 that it was put into, and one, or 0 */
    uint32_t transfers;
    time_ps lost; /* by those who waited for it */
};

static struct {
    struct line *lines;
    uint8_t *home, *wish;       /* by page: a node and one, or 0 */
    uint64_t pages, most_pages; /* that were touched, now and at most */
    struct cache *l2s, *l3s;
    struct core **of_l3; /* a core of each */
    time_ps l2, l3, fault, atomic, fetch_ahead, port, stays;
    time_ps transfer[DISTANCES], memory[DISTANCES];
    struct rate memory_rate[MOST_NODES], link_rate[MOST_NODES];
    double exposed, exposed_transfer, at_once;
    unsigned buffered;
} directory;

/* ---- Sets of cores ------------------------------------------------------------------------------------------------ */

static inline bool has(const struct core_set *set, unsigned core) {
    return set->words[core / 64] >> (core % 64) & 1;
}

static inline void add(struct core_set *set, unsigned core) {
    set->words[core / 64] |= UINT64_C(1) << (core % 64);
}

static inline void take_out(struct core_set *set, unsigned core) {
    set->words[core / 64] &= ~(UINT64_C(1) << (core % 64));
}

static inline bool meet(const struct core_set *left, const struct core_set *right) {
    uint64_t both = 0;
    for (unsigned i = 0; i < WORDS_OF_CORES; i++)
        both |= left->words[i] & right->words[i];
    return both != 0;
}

static inline bool is_empty(const struct core_set *set) {
    return meet(set, set) == 0;
}

/* ---- A core's own caches ------------------------------------------------------------------------------------------ */

static inline uint32_t *filter_of(struct core *core, uint32_t line) {
    return &core->filter[line % FILTER];
}

static inline void forget(struct core *core, uint32_t line) {
    uint32_t *known = filter_of(core, line);
    if ((*known | 1) == (line << 1 | 1))
        *known = 0;
}

static void put_into_l3(struct core *core, uint32_t line) {
    if (!cache_use(core->l3, line))
        (void)cache_put(core->l3, line);
    directory.lines[line].l3 = (uint16_t)(core->l3 - directory.l3s + 1);
}

/* The L2 of a core has no room for a line any more, and so none of the cores that share it. */
static void drop(struct core *core, uint32_t line) {
    struct line *gone = &directory.lines[line];
    bool was_there = meet(&gone->sharers, &core->with_l2);
    for (unsigned i = 0; i < WORDS_OF_CORES; i++) {
        uint64_t here = gone->sharers.words[i] & core->with_l2.words[i];
        gone->sharers.words[i] &= ~here;
        for (; here != 0; here &= here - 1) {
            unsigned number = i * 64 + (unsigned)__builtin_ctzll(here);
            forget(&cores[number], line);
            if (gone->owner == number + 1)
                gone->owner = 0;
        }
    }
    if (was_there)
        put_into_l3(core, line);
}

static void put_into_l1(struct core *core, uint32_t line) {
    uint32_t gone = cache_put(&core->l1, line);
    if (gone != NO_LINE)
        forget(core, gone);
}

/* The line is in the core's caches from now on. */
static void keep(struct core *core, uint32_t line) {
    if (!cache_use(core->l2, line)) {
        uint32_t gone = cache_put(core->l2, line);
        if (gone != NO_LINE)
            drop(core, gone);
    }
    if (!cache_use(&core->l1, line))
        put_into_l1(core, line);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------- */

/* A page is touched first: the kernel makes it, zeroes it, and so it is in the core's L2. No buffer and nothing that looks ahead
 * hides a trap. */
static void fault(struct core *core, uint32_t line) {
    uint32_t page = line >> (PAGE_SHIFT - LINE_SHIFT), lines = 1U << (PAGE_SHIFT - LINE_SHIFT);
    unsigned node = layout.place[core->number].node;
    directory.home[page] = directory.wish[page] != 0 ? directory.wish[page] : (uint8_t)(node + 1);
    if (++directory.pages > directory.most_pages)
        directory.most_pages = directory.pages;
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t each = page * lines + i;
        if (!cache_use(core->l2, each)) {
            uint32_t gone = cache_put(core->l2, each);
            if (gone != NO_LINE)
                drop(core, gone);
        }
        struct line *fresh = &directory.lines[each];
        add(&fresh->sharers, core->number);
        fresh->owner = (uint16_t)(core->number + 1);
    }
    self->clock += directory.fault;
}

static time_ps from_memory(struct core *core, uint32_t line, time_ps now) {
    uint32_t page = line >> (PAGE_SHIFT - LINE_SHIFT);
    if (directory.home[page] == 0) {
        fault(core, line);
        return directory.l2;
    }
    unsigned home = directory.home[page] - 1, node = layout.place[core->number].node;
    self->counts.memory++;
    time_ps start = rate_take(&directory.memory_rate[home], now);
    if (layout.between_nodes[home][node] >= REMOTE)
        start = rate_take(&directory.link_rate[layout.package_of_node[home]], start);
    return start - now + directory.memory[layout.between_nodes[home][node]];
}

void lines_place(uint64_t address, uint64_t bytes, int node) {
    if (address - ARENA >= ARENA_BYTES || node < 0)
        return;
    uint64_t first = (address - ARENA) >> PAGE_SHIFT, last = (address - ARENA + bytes - 1) >> PAGE_SHIFT;
    for (uint64_t page = first; page <= last; page++)
        directory.wish[page] = (uint8_t)(node + 1);
}

void lines_forget(uint64_t address, uint64_t bytes) {
    uint64_t first = (address - ARENA) >> PAGE_SHIFT, last = (address - ARENA + bytes - 1) >> PAGE_SHIFT;
    uint32_t lines = 1U << (PAGE_SHIFT - LINE_SHIFT);
    for (uint64_t page = first; page <= last; page++) {
        if (directory.home[page] == 0)
            continue;
        directory.home[page] = directory.wish[page] = 0;
        directory.pages--;
        for (uint64_t line = page * lines; line < (page + 1) * lines; line++) {
            for (unsigned i = 0; i < layout.cores; i++)
                if (has(&directory.lines[line].sharers, i))
                    forget(&cores[i], (uint32_t)line);
            directory.lines[line] = (struct line){.transfers = directory.lines[line].transfers};
        }
    }
}

uint64_t lines_most_pages(void) {
    return directory.most_pages;
}

/* ---- Getting a line ----------------------------------------------------------------------------------------------- */

/* From when on the line can be had. Between two atomic accesses a thread runs ahead of others: who comes earlier than what the
 * line is busy with does not wait for it. */
static time_ps free_from(const struct line *line, time_ps now) {
    return line->busy_since <= now && now < line->busy_until ? line->busy_until : now;
}

/* Of what lies apart the latest is remembered alone. */
static void keep_busy(struct line *line, time_ps start, time_ps length) {
    if (start < line->busy_since)
        return;
    if (start != line->busy_until)
        line->busy_since = start;
    line->busy_until = start + length;
}

/* From one core to another; the links between packages carry so many lines a second. */
static time_ps across(unsigned from, unsigned to, time_ps now) {
    enum distance distance = layout.between_cores[from][to];
    time_ps waited = 0;
    if (distance >= REMOTE)
        waited = rate_take(&directory.link_rate[layout.place[from].package], now) - now;
    return waited + directory.transfer[distance];
}

/* Where a line that nobody owns comes from, at which latency. */
static time_ps fetch_shared(struct core *core, const struct line *wanted, uint32_t line, time_ps now) {
    if (meet(&wanted->sharers, &core->with_l2))
        return directory.transfer[SAME_L2];
    if (meet(&wanted->sharers, &core->with_l3) || cache_use(core->l3, line))
        return directory.l3;
    if (!is_empty(&wanted->sharers)) {
        if (meet(&wanted->sharers, &core->with_package))
            return directory.transfer[SAME_PACKAGE];
        for (unsigned i = 0; i < WORDS_OF_CORES; i++)
            if (wanted->sharers.words[i] != 0)
                return across(i * 64 + (unsigned)__builtin_ctzll(wanted->sharers.words[i]), core->number, now);
    }
    if (wanted->l3 != 0 && &directory.l3s[wanted->l3 - 1] != core->l3 &&
        cache_use(&directory.l3s[wanted->l3 - 1], line))
        return across(directory.of_l3[wanted->l3 - 1]->number, core->number, now);
    return from_memory(core, line, now);
}

/* Takes the line from all other cores; how long until the farthest has answered. */
static time_ps take_from_others(struct core *core, struct line *wanted, uint32_t line, time_ps now, uint32_t *woken) {
    time_ps longest = 0;
    take_out(&wanted->sharers, core->number);
    for (unsigned i = 0; i < WORDS_OF_CORES; i++)
        for (uint64_t there = wanted->sharers.words[i]; there != 0; there &= there - 1) {
            unsigned other = i * 64 + (unsigned)__builtin_ctzll(there);
            time_ps latency = across(other, core->number, now);
            longest = latency > longest ? latency : longest;
            forget(&cores[other], line);
            *woken += threads_spin_on(other);
        }
    return longest;
}

static void wake_spinners(const struct core_set *taken, time_ps at) {
    for (unsigned i = 0; i < WORDS_OF_CORES; i++)
        for (uint64_t there = taken->words[i]; there != 0; there &= there - 1)
            threads_wake_spinner(i * 64 + (unsigned)__builtin_ctzll(there), at);
}

static void count_transfer(struct line *wanted, unsigned from, time_ps cost) {
    self->counts.transfers[layout.between_cores[from][self->core->number]]++;
    wanted->transfers++;
    wanted->lost += cost;
}

/* Makes the core the owner of a line. */
static time_ps own(struct core *core, struct line *wanted, uint32_t line, time_ps now, uint32_t code) {
    time_ps start = free_from(wanted, now);
    bool had = has(&wanted->sharers, core->number);
    time_ps latency = 0;
    unsigned from = core->number;
    if (wanted->owner != 0)
        from = wanted->owner - 1U;
    else if (!had)
        latency = fetch_shared(core, wanted, line, start);
    struct core_set others = wanted->sharers;
    take_out(&others, core->number);
    uint32_t spinners = 0;
    if (!is_empty(&others)) {
        time_ps answered = take_from_others(core, wanted, line, start, &spinners);
        latency = answered > latency ? answered : latency;
        if (from == core->number)
            for (unsigned i = 0; i < WORDS_OF_CORES && from == core->number; i++)
                if (others.words[i] != 0)
                    from = i * 64 + (unsigned)__builtin_ctzll(others.words[i]);
        count_transfer(wanted, from, start - now + latency);
    }
    wanted->sharers = (struct core_set){{0}};
    add(&wanted->sharers, core->number);
    wanted->owner = (uint16_t)(core->number + 1);
    wanted->code = code;
    keep_busy(wanted, start, latency);
    if (spinners != 0)
        wake_spinners(&others, start + latency);
    return start - now + latency;
}

/* Gives the core a copy of a line that it has not. */
static time_ps share(struct core *core, struct line *wanted, uint32_t line, time_ps now) {
    time_ps start = free_from(wanted, now), latency;
    if (wanted->owner != 0) {
        unsigned from = wanted->owner - 1U;
        latency = across(from, core->number, start);
        uint32_t *known = filter_of(&cores[from], line);
        if (*known == (line << 1 | 1))
            *known = line << 1;
        wanted->owner = 0;
        put_into_l3(core, line);
        keep_busy(wanted, start, latency);
        count_transfer(wanted, from, start - now + latency);
    } else {
        bool alone = is_empty(&wanted->sharers);
        latency = fetch_shared(core, wanted, line, start);
        keep_busy(wanted, start, alone ? latency : directory.port);
        if (alone)
            wanted->owner = (uint16_t)(core->number + 1);
    }
    add(&wanted->sharers, core->number);
    return start - now + latency;
}

/* ---- What the thread waits ---------------------------------------------------------------------------------------- */

/* Whether the core asks for the lines of a page one after the other, whatever code it is that does. */
static bool streams(struct core *core, uint32_t line) {
    uint32_t page = line >> (PAGE_SHIFT - LINE_SHIFT);
    struct stream *stream = &core->streams[(page * UINT32_C(2654435769)) >> 25];
    int32_t step = (int32_t)(line - stream->line);
    bool follows = stream->page == page && (step == 1 || step == -1) && (stream->length == 0 || step == stream->step);
    *stream = (struct stream){page, line, step, follows ? stream->length + 1 : 0};
    return stream->length > 1;
}

/* Whether a place in the code goes from line to line by equal steps. */
static bool strides(struct core *core, uint32_t line, uint32_t code) {
    struct site *site = &core->sites[(code * UINT32_C(2654435769)) >> 24];
    int32_t stride = (int32_t)(line - site->line);
    bool regular = site->code == code && stride == site->stride && stride != 0;
    *site = (struct site){.code = code, .line = line, .stride = stride};
    return regular;
}

/* What is left of a latency: lines that are asked for one after the other are fetched ahead; those at equal distances are
 * known early, so that several are on their way at once. */
static time_ps foreseen(struct core *core, uint32_t line, uint32_t code, time_ps latency, double otherwise) {
    bool strided = strides(core, line, code);
    if (streams(core, line))
        return latency < directory.fetch_ahead ? latency : directory.fetch_ahead;
    double part = strided && 1 / directory.at_once < otherwise ? 1 / directory.at_once : otherwise;
    return (time_ps)((double)latency * part);
}

static void buffer_store(time_ps latency) {
    time_ps done = self->clock + latency;
    if (done < self->drained)
        done = self->drained;
    self->drained = done;
    time_ps oldest = self->stores[self->next_store];
    if (oldest > self->clock)
        self->clock = oldest;
    self->stores[self->next_store] = done;
    self->next_store = (self->next_store + 1) % directory.buffered;
}

static void wait(struct core *core, uint32_t line, enum access access, uint32_t code, time_ps latency,
                 bool changed_hands) {
    if (latency == 0)
        return;
    switch (access) {
    case LOAD:
        self->clock +=
            foreseen(core, line, code, latency, changed_hands ? directory.exposed_transfer : directory.exposed);
        break;
    case STORE:
        buffer_store(foreseen(core, line, code, latency, 1));
        break;
    case ATOMIC_LOAD: /* what others write decides what comes next; what they do not is as any load */
        self->clock += changed_hands ? latency : foreseen(core, line, code, latency, directory.exposed);
        break;
    case ATOMIC_CHANGE:
        self->clock += latency;
        break;
    }
}

void lines_access(uint32_t line, unsigned offset, enum access access, uint32_t code) {
    struct core *core = self->core;
    struct line *wanted = &directory.lines[line];
    bool writes = access == STORE || access == ATOMIC_CHANGE;
    uint32_t transfers = wanted->transfers, maker = wanted->code;
    time_ps lost = wanted->lost, latency = 0;
    if (stays(line, access))
        return;
    if (has(&wanted->sharers, core->number)) {
        if (!cache_use(&core->l1, line)) {
            (void)cache_use(core->l2, line);
            put_into_l1(core, line);
            latency = directory.l2;
        }
        if (writes && wanted->owner != core->number + 1) {
            latency += own(core, wanted, line, self->clock, code);
            self->news++;
        } else if (!writes) {
            latency += free_from(wanted, self->clock) - self->clock; /* it may be on its way */
        }
    } else {
        self->counts.misses++;
        self->news++;
        latency = writes ? own(core, wanted, line, self->clock, code) : share(core, wanted, line, self->clock);
        keep(core, line);
    }
    *filter_of(core, line) = line << 1 | (wanted->owner == core->number + 1);
    bool changed_hands = wanted->transfers != transfers;
    if (changed_hands && handovers_watched)
        handovers_note((struct handover){maker, code, (uint8_t)offset, writes}, line, wanted->lost - lost);
    wait(core, line, access, code, latency, changed_hands);
    if (access == STORE)
        return;
    self->arrived = line;
    self->arrived_to_write = writes;
    self->stays_until = self->clock + directory.stays;
    if (access != LOAD)
        threads_turn(); /* what it reads is what there is when the line comes */
}

/* ---- Start -------------------------------------------------------------------------------------------------------- */

/* The time of a line at so many GB/s. */
static time_ps line_at_rate(double gb_per_s) {
    return picoseconds(LINE_BYTES / gb_per_s);
}

static void make_costs(const struct description *machine) {
    directory.l2 = picoseconds(machine->l2_ns);
    directory.l3 = picoseconds(machine->l3_ns);
    directory.fault = picoseconds(machine->fault_ns);
    directory.port = 1000;
    directory.transfer[SAME_L2] = picoseconds(machine->transfer_l2_ns);
    directory.transfer[SAME_L3] = picoseconds(machine->transfer_l3_ns);
    directory.stays = directory.transfer[SAME_L3] / 2;
    directory.transfer[SAME_PACKAGE] = picoseconds(machine->transfer_package_ns);
    directory.transfer[REMOTE] = picoseconds(machine->transfer_remote_ns);
    directory.transfer[FAR] = picoseconds(machine->transfer_far_ns);
    directory.memory[SAME_L3] = picoseconds(machine->dram_local_ns);
    directory.memory[SAME_PACKAGE] = picoseconds(machine->dram_package_ns);
    directory.memory[REMOTE] = picoseconds(machine->dram_remote_ns);
    directory.memory[FAR] = picoseconds(machine->dram_far_ns);
    for (unsigned i = 0; i < MOST_NODES; i++) {
        rate_make(&directory.memory_rate[i], line_at_rate(machine->dram_gb_per_s));
        rate_make(&directory.link_rate[i], line_at_rate(machine->link_gb_per_s));
    }
    directory.fetch_ahead = line_at_rate(machine->stream_gb_per_s);
    directory.exposed = machine->load_exposed;
    directory.exposed_transfer = machine->transfer_exposed;
    directory.at_once = machine->misses_at_once;
    directory.buffered = machine->store_buffer > MOST_BUFFERED ? MOST_BUFFERED : (unsigned)machine->store_buffer;
}

static void make_caches(const struct description *machine) {
    directory.l2s = own_room(layout.l2s * sizeof *directory.l2s);
    directory.l3s = own_room(layout.l3s * sizeof *directory.l3s);
    directory.of_l3 = own_room(layout.l3s * sizeof(struct core *));
    for (unsigned i = 0; i < layout.l2s; i++)
        cache_make(&directory.l2s[i], machine->l2_bytes, machine->l2_ways, false);
    for (unsigned i = 0; i < layout.l3s; i++)
        cache_make(&directory.l3s[i], machine->l3_bytes, machine->l3_ways, true);
    for (unsigned i = 0; i < layout.cores; i++) {
        const struct core_place *place = &layout.place[i];
        struct core *core = &cores[i];
        core->number = i;
        core->l2 = &directory.l2s[place->l2];
        core->l3 = &directory.l3s[place->l3];
        directory.of_l3[place->l3] = core;
        cache_make(&core->l1, machine->l1_bytes, machine->l1_ways, false);
        for (unsigned j = 0; j < layout.cores; j++) {
            if (layout.place[j].l2 == place->l2)
                add(&core->with_l2, j);
            if (layout.place[j].l3 == place->l3)
                add(&core->with_l3, j);
            if (layout.place[j].package == place->package)
                add(&core->with_package, j);
        }
    }
}

void lines_make(const struct description *machine) {
    directory.lines = own_room((uint64_t)ARENA_LINES * sizeof *directory.lines);
    directory.home = own_room(ARENA_BYTES >> PAGE_SHIFT);
    directory.wish = own_room(ARENA_BYTES >> PAGE_SHIFT);
    make_costs(machine);
    make_caches(machine);
}
