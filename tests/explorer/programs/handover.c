/* Two threads take turns, to see that lines.c counts right: in its turn a thread writes to each of some lines, then says
 * that it is the other's turn. So a turn moves each of these lines once, and the line of the turn twice: it is read by whose
 * turn it is, and written to while the other has it.
 *
 *     handover TURNS LINES
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/atomic.h"
#include "platform/cpu.h"

enum { LINE = 64, MOST = 16, BAD_USAGE = 2 };

struct word {
    _Alignas(LINE) ATOMIC(uint32_t) value;
};

static struct word turn, lines[MOST];
static uint32_t turns, count;

static void *take_turns(void *first) {
    for (uint32_t mine = *(const uint32_t *)first; mine < turns; mine += 2) {
        while (atomic_load_acquire(&turn.value) != mine) /* pairs with the store below */
            cpu_relax();
        for (uint32_t i = 0; i < count; i++)
            atomic_store_relaxed(&lines[i].value, mine);
        atomic_store_release(&turn.value, mine + 1);
    }
    return NULL;
}

int main(int argc, char **argv) {
    static const uint32_t first[] = {0, 1};
    if (argc != 3 || (count = (uint32_t)strtoul(argv[2], NULL, 10)) > MOST) {
        (void)fprintf(stderr, "usage: handover TURNS LINES, of these at most %d\n", MOST);
        return BAD_USAGE;
    }
    turns = (uint32_t)strtoul(argv[1], NULL, 10);
    pthread_t other;
    if (pthread_create(&other, NULL, take_turns, (void *)&first[1]) != 0)
        return EXIT_FAILURE;
    (void)take_turns((void *)&first[0]);
    return pthread_join(other, NULL) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
