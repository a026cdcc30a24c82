/* Two tables, by hashing: of the hand-overs, and of the lines that each was of. */
#include "handovers.h"

#include <stdio.h>

#include "own.h"

enum { ROOM = 1 << 16, ROOM_OF_LINES = 1 << 24, TRIES = 64 };

struct noted {
    struct handover handover;
    uint32_t lines, first_line;
    uint64_t count;
    time_ps cost;
};

bool handovers_watched;

static struct {
    struct noted *all;
    uint64_t *lines;   /* a hand-over's place in `all`, and a line's number; what has no room is not counted */
    uint64_t left_out; /* for lack of room */
} noted;

void handovers_watch(void) {
    noted.all = own_room(ROOM * sizeof *noted.all);
    noted.lines = own_room(ROOM_OF_LINES * sizeof *noted.lines);
    handovers_watched = true;
}

static bool is_same(const struct handover *one, const struct handover *other) {
    return one->from == other->from && one->to == other->to && one->offset == other->offset &&
           one->writes == other->writes;
}

/* Where a hand-over is noted, or is to be; ROOM if there is no room. */
static uint32_t find(const struct handover *handover) {
    uint32_t hash = handover->from * UINT32_C(2654435769) ^ handover->to * UINT32_C(40503) ^ handover->offset;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t place = (hash + i) % ROOM;
        if (noted.all[place].count == 0 || is_same(&noted.all[place].handover, handover))
            return place;
    }
    return ROOM;
}

/* Whether it is the line's first hand-over of this kind. */
static bool is_new(uint32_t place, uint32_t line) {
    uint64_t both = (uint64_t)place << 32 | line;
    uint64_t hash = both * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (uint32_t i = 0; i < TRIES; i++) {
        uint64_t *known = &noted.lines[(hash + i) % ROOM_OF_LINES];
        if (*known == both)
            return false;
        if (*known == 0) {
            *known = both;
            return true;
        }
    }
    return false;
}

void handovers_note(struct handover handover, uint32_t line, time_ps cost) {
    uint32_t place = find(&handover);
    if (place == ROOM) {
        noted.left_out++;
        return;
    }
    struct noted *one = &noted.all[place];
    if (one->count++ == 0) {
        one->handover = handover;
        one->first_line = line;
    }
    one->cost += cost;
    one->lines += is_new(place, line);
}

static uint64_t address_of(uint32_t line) {
    uint64_t offset = (uint64_t)line << LINE_SHIFT;
    return offset < IMAGE_BYTES ? (uint64_t)(uintptr_t)__executable_start + offset - LINE_BYTES : ARENA + offset;
}

void handovers_tell(const char *path) {
    FILE *file = fopen(path, "we");
    if (file == NULL)
        own_fail("%s cannot be written", path);
    for (const struct noted *one = noted.all; one != noted.all + ROOM; one++)
        if (one->count != 0)
            (void)fprintf(file, "%x %x %u %c %llu %llu %u %llx\n", one->handover.from, one->handover.to,
                          one->handover.offset, one->handover.writes ? 'w' : 'r', (unsigned long long)one->count,
                          (unsigned long long)one->cost, one->lines, (unsigned long long)address_of(one->first_line));
    (void)fprintf(file, "%llu\n", (unsigned long long)noted.left_out);
    if (fclose(file) != 0)
        own_fail("%s cannot be written", path);
}
