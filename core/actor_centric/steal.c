/* One attempt to steal; the rules are in steal.h. */
#include "steal.h"

#include "platform/clock.h"
#include "stats.h"

/* Of the thief's cluster, which has others. */
static struct worker *choose_victim(struct worker *thief) {
    if (executor.options.steal == STEAL_NEAREST)
        return &executor
                    .workers[neighbours_next_victim(&executor.neighbours, thief->index, &thief->prowl, &thief->random)];
    const struct cluster *cluster = division_mine(&executor.division, thief->index);
    unsigned other = random_below(&thief->random, cluster->count - 1);
    unsigned position = executor.division.position_of[thief->index];
    return &executor.workers[cluster->workers[other < position ? other : other + 1]];
}

/* How many actors could be taken from a worker: a hint. */
static uint64_t waiting(const struct worker *victim) {
    uint64_t count = ready_list_count(&victim->inbox);
    return executor.options.ready == READY_DEQUE ? count + (uint64_t)deque_count(&victim->deque) : count;
}

/* A number that changes when a waiting actor is taken, but for rare coincidences: a hint. */
static uint64_t turn_of(const struct worker *victim) {
    uint64_t turn = atomic_load_relaxed(&victim->inbox.turn);
    return executor.options.ready == READY_DEQUE ? turn + (uint64_t)atomic_load_relaxed(&victim->deque.top) : turn;
}

/* Whether what waits with the victim may be taken now; takes note of what may not. */
static bool is_loot(struct worker *thief, struct worker *victim, uint64_t count) {
    if (executor.options.loot == LOOT_ANY || count > 1)
        return true;
    struct suspect *suspect = &thief->suspect;
    uint64_t now = clock_monotonic_ns(), turn = turn_of(victim);
    if (suspect->victim == NULL)
        *suspect = (struct suspect){.victim = victim, .turn = turn, .since = now};
    else if (suspect->turn != turn)
        suspect->victim = NULL; /* a worker that gets on: somebody else may not */
    else
        return now - suspect->since >= LOOT_WAIT_NS;
    return false;
}

static struct mailbox *take(struct worker *thief, struct worker *victim) {
    struct mailbox *loot = NULL;
    if (executor.options.ready == READY_LQOQ) {
        struct ready_chain all = ready_list_take_all(&victim->inbox);
        count_theft(&thief->statistics, actors_stolen, all.count);
        loot = ready_chain_take(&all);
        thief->local = all;
        return loot;
    }
    if (deque_steal(&victim->deque, &loot) != DEQUE_STOLEN)
        loot = ready_list_take(&victim->inbox);
    count_theft(&thief->statistics, actors_stolen, loot != NULL);
    return loot;
}

/* Counts a theft that began at `begun`, from a victim with so many actors. */
static void count_time(struct worker *thief, uint64_t count, uint64_t begun) {
    unsigned length = count < 2 ? 0 : count < 8 ? 1 : count < 64 ? 2 : 3;
    count_statistic(&thief->statistics, thefts[length], 1);
    count_statistic(&thief->statistics, theft_ns[length], clock_monotonic_ns() - begun);
}

struct mailbox *steal_attempt(struct worker *thief) {
    if (division_mine(&executor.division, thief->index)->count == 1)
        return NULL;
    count_statistic(&thief->statistics, steal_attempts, 1);
    struct worker *victim = thief->suspect.victim;
    if (victim == NULL)
        victim = choose_victim(thief);
    uint64_t count = waiting(victim);
    if (count == 0) {
        count_statistic(&thief->statistics, steal_no_candidate, 1);
        thief->suspect.victim = NULL;
        return NULL;
    }
    if (!is_loot(thief, victim, count))
        return NULL;
    uint64_t begun = STATISTICS_BUILD ? clock_monotonic_ns() : 0;
    struct mailbox *loot = take(thief, victim);
    thief->suspect.victim = NULL;
    if (loot != NULL) {
        count_time(thief, count, begun);
        prowl_succeeded(&thief->prowl);
        count_theft(&thief->statistics, steals, 1);
    }
    return loot;
}
