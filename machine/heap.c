/* Size classes, caches of threads, arenas. */
#include "heap.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "own.h"
#include "touch.h"

enum {
    GRAIN = 16,
    HEADER = 8,   /* before each block */
    SMALL = 1040, /* bytes, with the header, of the largest that a thread keeps */
    CLASSES = 512,
    KEPT = 7,            /* of each class */
    STEPS = 8,           /* classes from a power of two to the next */
    SPAN = 1 << 20,      /* what an arena takes at a time */
    PAGES_FROM = 1 << 17 /* bytes that are given pages of their own */
};

#define MOST_BYTES (UINT64_C(3) << 30) /* of a block */

/* The eight bytes before a block. A room of `grains` has its block one grain after its start, and the last eight bytes of
 * the block lie in what follows the room, before the next block's header: as in glibc. */
struct header {
    uint64_t grains : 28, arena : 12, offset : 23, paged : 1; /* offset: of the block in its room, in grains */
};

/* Lies where the block would. */
struct free_block {
    struct free_block *next;
};

static uint64_t room_of(const struct free_block *block) {
    return (uint64_t)(uintptr_t)block - GRAIN;
}

struct arena {
    uint64_t next, end; /* of its span */
    struct free_block *free[CLASSES];
    uint64_t lock; /* its address in the heap */
};

struct kept {
    struct free_block *first[SMALL / GRAIN + 1];
    uint8_t count[SMALL / GRAIN + 1];
};

/* Pages that were given back, by their number. */
struct pages {
    uint64_t address, bytes;
};

static struct {
    uint64_t next;
    struct arena *arenas; /* one a thread */
    struct kept *kept;
    struct pages *pages;
    unsigned page_count;
    uint64_t pages_from;
    time_ps cost;
} heap;

static struct header *header_of(const void *block) {
    return (struct header *)((uintptr_t)block - HEADER);
}

/* Rounds the bytes of a room up to its class. */
static unsigned class_of(uint64_t *bytes) {
    uint64_t room = (*bytes + GRAIN - 1) / GRAIN * GRAIN;
    if (room < 2 * GRAIN)
        room = 2 * GRAIN;
    if (room <= SMALL) {
        *bytes = room;
        return (unsigned)(room / GRAIN);
    }
    unsigned power = 63 - (unsigned)__builtin_clzll(room);
    uint64_t step = (UINT64_C(1) << power) / STEPS;
    room = (room + step - 1) / step * step;
    *bytes = room;
    power = 63 - (unsigned)__builtin_clzll(room);
    return SMALL / GRAIN + 1 + (power - 10) * STEPS + (unsigned)((room - (UINT64_C(1) << power)) * STEPS >> power);
}

static uint64_t take_span(uint64_t bytes, uint64_t alignment) {
    uint64_t at = (heap.next + alignment - 1) / alignment * alignment;
    heap.next = at + bytes;
    if (heap.next > ARENA + ARENA_BYTES)
        own_fail("the program takes more than %llu MiB", (unsigned long long)(ARENA_BYTES >> 20));
    return at;
}

void heap_make(const struct description *machine) {
    own_room_at(ARENA, ARENA_BYTES);
    heap.next = ARENA + HEAP_AT;
    heap.arenas = own_room(MOST_THREADS * sizeof *heap.arenas);
    heap.kept = own_room(MOST_THREADS * sizeof *heap.kept);
    heap.pages = own_room((1 << 16) * sizeof *heap.pages);
    heap.pages_from = PAGES_FROM;
    heap.cost = (time_ps)(machine->malloc_ns * 1000);
}

bool heap_has(const void *block) {
    return (uintptr_t)block - ARENA < ARENA_BYTES;
}

size_t heap_room(const void *block) {
    const struct header *header = header_of(block);
    return (size_t)(header->grains - header->offset) * GRAIN + (header->paged ? 0 : HEADER);
}

/* ---- Pages -------------------------------------------------------------------------------------------------------- */

static uint64_t take_pages(uint64_t bytes, uint64_t alignment) {
    for (unsigned i = heap.page_count; i-- > 0;)
        if (heap.pages[i].bytes == bytes && heap.pages[i].address % alignment == 0) {
            uint64_t found = heap.pages[i].address;
            heap.pages[i] = heap.pages[--heap.page_count];
            return found;
        }
    return take_span(bytes, alignment > PAGE_BYTES ? alignment : PAGE_BYTES);
}

/* The kernel takes them back, and whoever gets them next finds zeros, which it touches first. */
static void give_pages(uint64_t address, uint64_t bytes) {
    lines_forget(address, bytes);
    if (madvise((void *)(uintptr_t)address, bytes, MADV_DONTNEED) != 0)
        own_fail("pages cannot be given back");
    if (heap.page_count < 1 << 16)
        heap.pages[heap.page_count++] = (struct pages){address, bytes};
    if (bytes > heap.pages_from && bytes <= 32 << 20)
        heap.pages_from = bytes; /* glibc, too, takes such blocks from the heap after the first */
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------- */

static struct arena *arena_of(unsigned number) {
    struct arena *arena = &heap.arenas[number];
    if (arena->lock == 0) {
        arena->next = take_span(SPAN, PAGE_BYTES);
        arena->end = arena->next + SPAN;
        arena->lock = arena->next;
        arena->next += 2 * LINE_BYTES;
    }
    return arena;
}

static uint64_t fresh(struct arena *arena, uint64_t bytes) {
    if (bytes > SPAN / 4)
        return take_span(bytes + GRAIN, PAGE_BYTES);
    if (arena->next + bytes + GRAIN > arena->end) {
        arena->next = take_span(SPAN, PAGE_BYTES);
        arena->end = arena->next + SPAN;
    }
    uint64_t at = arena->next;
    arena->next += bytes;
    return at;
}

/* A room of a class, and whether somebody had it before. */
static uint64_t take_room(unsigned class, uint64_t bytes, bool *used, uint32_t code) {
    struct kept *kept = &heap.kept[self->number];
    *used = true;
    self->clock += heap.cost;
    if (bytes <= SMALL && kept->first[class] != NULL) {
        struct free_block *block = kept->first[class];
        touch((uintptr_t)block, LOAD, code);
        kept->first[class] = block->next;
        kept->count[class]--;
        return room_of(block);
    }
    struct arena *arena = arena_of(self->number);
    self->clock += heap.cost;
    touch_atomic_change(arena->lock, code);
    struct free_block *block = arena->free[class];
    if (block == NULL) {
        *used = false;
        return fresh(arena, bytes);
    }
    arena->free[class] = block->next;
    while (bytes <= SMALL && arena->free[class] != NULL && kept->count[class] < KEPT) {
        struct free_block *more = arena->free[class];
        touch((uintptr_t)more, LOAD, code);
        arena->free[class] = more->next;
        more->next = kept->first[class];
        kept->first[class] = more;
        kept->count[class]++;
    }
    return room_of(block);
}

static void clear(uint64_t *word, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes / sizeof *word; i++)
        word[i] = 0;
}

void *heap_take(size_t bytes, size_t alignment, bool zeroed, uint32_t code) {
    if (bytes > MOST_BYTES)
        return NULL;
    bool aligned = alignment > GRAIN, paged = bytes >= heap.pages_from, used = false;
    uint64_t room = bytes + HEADER + (aligned ? alignment : 0), at;
    if (paged) {
        room = (room + HEADER + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        at = take_pages(room, PAGE_BYTES);
        self->clock += 8 * heap.cost; /* mmap(2) */
    } else {
        unsigned class = class_of(&room);
        at = take_room(class, room, &used, code);
    }
    uint64_t block = at + GRAIN;
    if (aligned)
        block = (block + alignment - 1) / alignment * alignment;
    struct header *header = header_of((void *)(uintptr_t)block);
    touch((uintptr_t)header, STORE, code);
    *header = (struct header){.grains = room / GRAIN & 0xfffffff,
                              .arena = self->number & 0xfff,
                              .offset = (block - at) / GRAIN & 0x7fffff,
                              .paged = paged};
    if (zeroed && used) {
        touch_range(block, bytes, STORE, code);
        clear((uint64_t *)(uintptr_t)block, (bytes + HEADER - 1) / HEADER * HEADER);
    }
    return (void *)(uintptr_t)block;
}

void heap_give(void *block, uint32_t code) {
    struct header header = *header_of(block);
    touch((uintptr_t)header_of(block), LOAD, code);
    uint64_t at = (uint64_t)(uintptr_t)block - header.offset * GRAIN, bytes = header.grains * (uint64_t)GRAIN;
    self->clock += heap.cost;
    if (header.paged) {
        give_pages(at, bytes);
        self->clock += 8 * heap.cost; /* munmap(2) */
        return;
    }
    unsigned class = class_of(&bytes);
    struct free_block *given = (struct free_block *)(uintptr_t)(at + GRAIN);
    touch((uintptr_t)given, STORE, code);
    struct kept *kept = &heap.kept[self->number];
    if (bytes <= SMALL && kept->count[class] < KEPT) {
        given->next = kept->first[class];
        kept->first[class] = given;
        kept->count[class]++;
        return;
    }
    struct arena *arena = arena_of(header.arena);
    self->clock += heap.cost;
    touch_atomic_change(arena->lock, code);
    given->next = arena->free[class];
    arena->free[class] = given;
}
