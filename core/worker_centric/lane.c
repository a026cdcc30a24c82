/* Lanes and their producers: their beginning and end, and who waits for whom. */
#include "lane.h"

#include <stdlib.h>

#include "platform/clock.h"
#include "platform/thread_end.h"

struct producers producers = {.round = 1};

/* ---- Producers ------------------------------------------------------------------------------------------------------ */

static struct thread_end claim_end;

/* What the thread sends after that, in the ends of others, claims another one. */
static void leave(void *argument) {
    struct claim *claim = (struct claim *)argument;
    producer_leave(claim->producer, claim->round);
    claim->round = 0;
}

void producers_begin(void) {
    thread_end_prepare(&claim_end, leave);
}

void claim_ends_with_thread(struct claim *claim) {
    (void)thread_end_ask(&claim_end, claim);
}

static struct producer *claim_one_left(void) {
    spinlock_acquire(&producers.lock);
    struct producer *producer = producers.left;
    if (producer != NULL)
        producers.left = producer->left;
    spinlock_release(&producers.lock);
    return producer;
}

static struct producer *make_producer(void) {
    struct producer *producer = (struct producer *)memory_on_node(sizeof *producer, CACHE_LINE, ANY_NODE, "a sender");
    producer->pool = (struct block_pool){.first = NULL};
    producer->lanes = 0;
    spinlock_acquire(&producers.lock);
    producer->next = producers.first;
    producers.first = producer;
    spinlock_release(&producers.lock);
    return producer;
}

struct producer *producer_claim(void) {
    struct producer *producer = claim_one_left();
    return producer != NULL ? producer : make_producer();
}

void producer_leave(struct producer *producer, uint64_t round) {
    spinlock_acquire(&producers.lock);
    if (round == producers.round) {
        producer->left = producers.left;
        producers.left = producer;
    }
    spinlock_release(&producers.lock);
}

void producers_release(void) {
    spinlock_acquire(&producers.lock);
    struct producer *next, *producer = producers.first;
    producers.first = producers.left = NULL;
    producers.round++;
    spinlock_release(&producers.lock);
    for (; producer != NULL; producer = next) {
        next = producer->next;
        block_pool_release(&producer->pool);
        free(producer);
    }
}

/* ---- Lanes ---------------------------------------------------------------------------------------------------------- */

struct lane *lane_make(struct producer *producer) {
    struct lane *lane = (struct lane *)memory_on_node(sizeof *lane, CACHE_LINE, ANY_NODE, "a lane");
    lane->producer = producer;
    producer->lanes++;
    atomic_initialise(&lane->further, NULL);
    lane->first = block_take(NULL);
    lane_fill(lane, lane->first);
    lane->next = lane->skip = lane->vain = 0;
    atomic_initialise(&lane->sent, 0);
    atomic_initialise(&lane->taken, 0);
    return lane;
}

void lane_free(struct lane *lane) {
    for (struct lane *next; lane != NULL; lane = next) {
        next = lane_at(&lane->further);
        block_free_chain(lane->first);
        free(lane);
    }
}

void lane_let_catch_up(struct lane *lane) {
    unsigned share = MOST_AHEAD / lane->producer->lanes;
    uint64_t most = (uint64_t)(share > LANE_BLOCKS ? share : LANE_BLOCKS) * BLOCK_ENVELOPES;
    bool is_close = lane_count(lane) <= most;
    if (!is_close && lane->skip != 0) {
        lane->skip--;
        return;
    }
    uint64_t start = clock_monotonic_ns();
    while (!is_close && clock_monotonic_ns() - start < CATCH_UP_NS) {
        cpu_yield();
        is_close = lane_count(lane) <= most;
    }
    lane->vain = is_close ? 0 : 2 * lane->vain + 1;
    lane->skip = lane->vain;
}
