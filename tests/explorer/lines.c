/* Who holds which line: a table by the line's number, with open addressing. Storage that is used again is the same line. */
#include "lines.h"

#include <stdbool.h>

#include "explorer.h"

enum { LINE_LOG2 = 6, MOST_LINES_LOG2 = 20, MOST_LINES = 1 << MOST_LINES_LOG2 };

struct line {
    uint64_t number; /* its address in lines; 0: a free place */
    uint32_t holders;
    bool written;
};

/* No allocation: the program's blocks lie where they would without. */
static struct line lines[MOST_LINES];

static struct line *line_at(uint64_t number) {
    uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MOST_LINES_LOG2);
    for (unsigned i = 0; i < MOST_LINES; i++, at = (at + 1) % MOST_LINES)
        if (lines[at].number == number || lines[at].number == 0) {
            lines[at].number = number;
            return &lines[at];
        }
    explorer_complain("there are more lines of memory than can be counted");
}

void lines_touch(struct line_counts *counts, unsigned thread, enum touch touch, const volatile void *object) {
    struct line *line = line_at((uint64_t)(uintptr_t)object >> LINE_LOG2);
    uint32_t self = UINT32_C(1) << thread;
    bool is_held = (line->holders & self) != 0;
    if (touch == TOUCH_LOAD) {
        counts->loads++;
        counts->transfers += !is_held && line->written;
        line->holders |= self;
        return;
    }
    counts->stores += touch == TOUCH_STORE;
    counts->locked += touch == TOUCH_LOCKED;
    counts->transfers += (line->holders & ~self) != 0;
    line->holders = self;
    line->written = true;
}
