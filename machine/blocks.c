/* Reads what blocks cost. */
#include "blocks.h"

#include <stdio.h>
#include <unistd.h>

#include "own.h"

uint32_t *blocks_alone, *blocks_shared;
uint16_t *blocks_instructions;
uint32_t blocks_first;
uint32_t blocks_misprediction;

extern char etext[];

void blocks_read(const struct description *machine) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ".blocks");
    if (length < 0)
        own_fail("the program's own path is not known");
    (void)snprintf(path + length, sizeof path - (size_t)length, ".blocks");
    FILE *file = fopen(path, "re");
    if (file == NULL)
        own_fail("%s, the list of the program's blocks, cannot be read", path);
    blocks_first = (uint32_t)(uintptr_t)__executable_start;
    uint64_t places = (uint32_t)(uintptr_t)etext - blocks_first;
    blocks_alone = own_room(places * sizeof *blocks_alone);
    blocks_shared = own_room(places * sizeof *blocks_shared);
    blocks_instructions = own_room(places * sizeof *blocks_instructions);
    double cycle = 1000 / machine->ghz;
    blocks_misprediction = (uint32_t)(machine->mispredict_cycles * cycle);
    unsigned code, instructions, cycles, listed = 0;
    while (fscanf(file, "%x %u %u", &code, &instructions, &cycles) == 3) {
        if (code - blocks_first >= places)
            own_fail("%s is not the list of this program: build it again", path);
        double cost = (instructions / machine->instructions_per_cycle + cycles) * cycle;
        blocks_alone[code - blocks_first] = (uint32_t)cost;
        blocks_shared[code - blocks_first] = (uint32_t)(cost * machine->smt_slowdown);
        blocks_instructions[code - blocks_first] = (uint16_t)instructions;
        listed++;
    }
    if (!feof(file) || listed == 0)
        own_fail("%s is not a list of blocks", path);
    (void)fclose(file);
}
