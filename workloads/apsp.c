/* apsp: the shortest paths between all nodes of a graph, by an actor for each block of the matrix of distances (Savina:
 * Imam and Sarkar, AGERE 2014; "All-Pairs Shortest Path").
 *
 * Floyd and Warshall's algorithm, a step a node. In each step every actor sends its block to all actors of its row and
 * of its column of blocks, and goes on when it has all theirs; as in Savina they are sent to those, too, who need none of
 * it in that step. What is sent is where the block lies.
 *
 * An actor may be a step ahead of another, so that a block of the next step comes before the last of this one. Savina
 * keeps the newest of each sender, and can wait for ever then; here the steps are told apart. Nobody is two steps ahead, so
 * that two copies of a block are enough. Savina's actors also send after the last step, to actors that have ended; these
 * don't.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "workload.h"

static uint64_t nodes = 300, block_size = 50, heaviest = 100;
static uint64_t size, blocks; /* nodes, and blocks in a row, of this run */
static uint64_t *distances;   /* the graph's, size x size, by rows */

typedef struct block block;

/* A block as it is before a step. In flight to many at once. */
typedef struct {
    struct actorbench_message message;
    const block *from;
    uint64_t step;
    uint64_t *distances; /* block_size x block_size, by rows */
} part;
ACTORBENCH_MESSAGE_TYPE(part)

typedef struct {
    struct actorbench_message message;
} begin;
ACTORBENCH_MESSAGE_TYPE(begin)

/* What an actor knows of every second step. */
struct step {
    part own;
    uint64_t missing;             /* parts of others; before the first step the beginning, too */
    const uint64_t *row, *column; /* the step's node's, as far as they lie in this block's columns, and in its rows */
};

struct block {
    struct actorbench_actor actor;
    uint64_t row, column; /* of blocks */
    uint64_t step;        /* that is to be done */
    struct step steps[2];
};
#define BEHAVIOURS_block(ON) ON(block, begin, block_begins) ON(block, part, block_hears)
ACTORBENCH_ACTOR_TYPE(block)

static block *all_blocks; /* by rows */

/* In its row and its column of blocks. */
static uint64_t others(void) {
    return 2 * (blocks - 1);
}

static void send_part(block *self) {
    part *own = &self->steps[self->step % 2].own;
    own->step = self->step;
    for (uint64_t i = 0; i < blocks; i++)
        if (i != self->row)
            actorbench_send(block, &all_blocks[i * blocks + self->column], own);
    for (uint64_t i = 0; i < blocks; i++)
        if (i != self->column)
            actorbench_send(block, &all_blocks[self->row * blocks + i], own);
}

/* Keeps what the step needs of a part: of another's in the same row or column of blocks, or of its own. */
static void keep(block *self, const part *given) {
    struct step *step = &self->steps[given->step % 2];
    uint64_t pivot = given->step / block_size;
    if (given->from->row == pivot && given->from->column == self->column)
        step->row = &given->distances[given->step % block_size * block_size];
    if (given->from->column == pivot && given->from->row == self->row)
        step->column = &given->distances[given->step % block_size];
}

static void do_step(block *self) {
    struct step *now = &self->steps[self->step % 2], *next = &self->steps[(self->step + 1) % 2];
    keep(self, &now->own);
    for (uint64_t i = 0; i < block_size; i++)
        for (uint64_t j = 0; j < block_size; j++) {
            uint64_t direct = now->own.distances[i * block_size + j];
            uint64_t by_node = now->column[i * block_size] + now->row[j];
            next->own.distances[i * block_size + j] = by_node < direct ? by_node : direct;
        }
    now->missing = others();
    self->step++;
}

/* Something that this step needs, or the next one, has come. */
static enum actorbench_allocation note(block *self, uint64_t step) {
    if (--self->steps[step % 2].missing != 0)
        return ACTORBENCH_NODELETE;
    do_step(self);
    if (self->step == size)
        return ACTORBENCH_FINISHED;
    send_part(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation block_begins(block *self, begin *start) {
    (void)start;
    send_part(self);
    return note(self, 0);
}

static enum actorbench_allocation block_hears(block *self, part *given) {
    keep(self, given);
    return note(self, given->step);
}

/* Its own distances, of the graph's, and room for as many. */
static void fill(block *self, uint64_t *copies) {
    for (unsigned i = 0; i < 2; i++) {
        actorbench_message_init(part, &self->steps[i].own, ACTORBENCH_NODELETE);
        self->steps[i].own.from = self;
        self->steps[i].own.distances = &copies[i * block_size * block_size];
        self->steps[i].missing = others() + (i == 0);
    }
    for (uint64_t i = 0; i < block_size; i++)
        memcpy(&copies[i * block_size], &distances[(self->row * block_size + i) * size + self->column * block_size],
               block_size * sizeof *copies);
}

/* Every actor's block must be a block of what one loop finds. */
static void verify(void) {
    graph_shorten(size, distances);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < size; i++)
        for (uint64_t j = 0; j < size; j++) {
            const block *holder = &all_blocks[i / block_size * blocks + j / block_size];
            const uint64_t *found = holder->steps[size % 2].own.distances;
            wrong += found[i % block_size * block_size + j % block_size] != distances[i * size + j];
        }
    if (wrong != 0)
        workload_wrong("%llu of %llu distances are not those of one loop", (unsigned long long)wrong,
                       (unsigned long long)(size * size));
}

enum { MOST_NODES = 50000 };

static const struct parameter parameters[] = {
    {"nodes", &nodes, NULL, 2, "of the graph; --scale multiplies its cube"},
    {"block", &block_size, NULL, 1, "nodes that a block has, each way; divides --nodes"},
    {"heaviest", &heaviest, NULL, 1, "weight of an edge: 1 to that"},
    {0},
};

static const struct workload workload = {
    .name = "apsp",
    .summary = "the shortest paths in a graph, by an actor for each block of the distances",
    .unit = "message",
    .parameters = parameters,
};

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    if (nodes % block_size != 0 || nodes == block_size || heaviest > UINT32_MAX)
        workload_refuse("--block %llu must divide --nodes %llu, and be less; --heaviest must be under 2^32",
                        (unsigned long long)block_size, (unsigned long long)nodes);
    double scaled_blocks = fmax(2.0, round((double)(nodes / block_size) * cbrt(workload_scale())));
    if (scaled_blocks * (double)block_size > MOST_NODES)
        workload_refuse("%.0f nodes are too many: at most %d", scaled_blocks * (double)block_size, MOST_NODES);
    blocks = (uint64_t)scaled_blocks;
    size = blocks * block_size;
    distances = calloc(3 * size * size, sizeof *distances);
    all_blocks = calloc(blocks * blocks, sizeof *all_blocks);
    if (distances == NULL || all_blocks == NULL)
        workload_refuse("there is not enough memory for %llu nodes", (unsigned long long)size);
    graph_draw(size, heaviest, distances);

    workload_start_executor();
    static begin start;
    actorbench_message_init(begin, &start, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < blocks * blocks; i++) {
        actorbench_actor_init(block, &all_blocks[i]);
        all_blocks[i].row = i / blocks;
        all_blocks[i].column = i % blocks;
        fill(&all_blocks[i], &distances[size * size + 2 * i * block_size * block_size]);
    }
    workload_start_clock();
    for (uint64_t i = 0; i < blocks * blocks; i++)
        actorbench_send(block, &all_blocks[i], &start);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(all_blocks);
    free(distances);
    return workload_end(size * blocks * blocks * others(), 0);
}
