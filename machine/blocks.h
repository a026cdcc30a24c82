/* What the instructions between two accesses cost: by basic block.
 *
 * machine/blocks.awk lists, once a program is linked, each block's instructions, without those that are there for the hooks.
 * A block takes its instructions by what the core does in a cycle, and longer ones (a division) what they take.
 * Branches are predicted from the blocks before: by the last one, or by the last ten. Which block comes after neither
 * expected it costs a misprediction.
 */
#ifndef ACTORBENCH_MACHINE_BLOCKS_H
#define ACTORBENCH_MACHINE_BLOCKS_H

#include <stddef.h>

#include "core.h"

/* By the place in the code that follows the hook; in ps, for a thread that has its core alone, and for one that shares it. */
extern uint32_t *blocks_alone, *blocks_shared;
extern uint16_t *blocks_instructions;
extern uint32_t blocks_first; /* the first place */
extern uint32_t blocks_misprediction;

/* Reads the program's list, PROGRAM.blocks. */
void blocks_read(const struct description *machine);

static inline void blocks_enter(uint32_t code) {
    struct thread *thread = self;
    if (__builtin_expect(thread == NULL, 0))
        return; /* before main */
    struct core *core = thread->core;
    uint32_t block = code - blocks_first;
    thread->clock += thread->costs[block];
    thread->counts.instructions += blocks_instructions[block];
    thread->counts.blocks++;
    uint32_t *one = &core->after_one[thread->before * UINT32_C(2654435769) >> 20];
    uint32_t *many = &core->after_many[thread->history * UINT32_C(2654435769) >> 20];
    if (__builtin_expect(*one != block && *many != block, 0)) {
        thread->clock += blocks_misprediction;
        thread->counts.mispredictions++;
    }
    *one = *many = block;
    thread->before = block;
    thread->history = thread->history << 3 ^ block;
}

#endif
