/* The choices of both policies, from one generator. */
#include "policy.h"

#include "platform/random.h"

enum {
    LONGEST_PERIOD_LOG2 = 5,
    PATIENCE = 1000, /* accesses in a row after which pct takes a thread for one that spins */
};

static struct {
    struct policy policy;
    struct random random;
    uint64_t accesses;

    unsigned period; /* of random: k; of even: 1 */

    unsigned threads;
    int64_t priority[MOST_THREADS]; /* of pct */
    uint64_t change[MOST_DEPTH];    /* at which accesses; depth - 1 of them */
    unsigned last;                  /* who was chosen last, and how often in a row */
    unsigned in_a_row;
} state;

void policy_begin(const struct policy *policy) {
    state.policy = *policy;
    state.random = random_seed(policy->seed, policy->kind);
    state.period = policy->kind == POLICY_EVEN ? 1 : 1u << random_below(&state.random, LONGEST_PERIOD_LOG2 + 1);
    for (unsigned i = 0; i + 1 < policy->depth; i++)
        state.change[i] = 1 + random_below(&state.random, (uint32_t)policy->length);
}

/* Above all that a change leaves a thread with. */
static int64_t any_priority(void) {
    return (int64_t)MOST_DEPTH + random_next(&state.random);
}

void policy_add(void) {
    state.priority[state.threads++] = any_priority();
}

static unsigned any_of(uint32_t runnable) {
    unsigned skipped = random_below(&state.random, (uint32_t)__builtin_popcount(runnable));
    while (skipped-- > 0)
        runnable &= runnable - 1;
    return (unsigned)__builtin_ctz(runnable);
}

static unsigned choose_at_random(uint32_t runnable, unsigned current, bool spins) {
    if ((runnable >> current & 1) != 0 && !spins && random_below(&state.random, state.period) != 0)
        return current;
    return any_of(runnable);
}

static unsigned first_of(uint32_t runnable) {
    unsigned first = (unsigned)__builtin_ctz(runnable);
    for (unsigned i = first + 1; i < state.threads; i++)
        if ((runnable >> i & 1) != 0 && state.priority[i] > state.priority[first])
            first = i;
    return first;
}

static unsigned choose_by_priority(uint32_t runnable, unsigned current, bool spins) {
    for (unsigned i = 0; i + 1 < state.policy.depth; i++)
        if (state.change[i] == state.accesses)
            state.priority[current] = i;
    if (spins || state.in_a_row == PATIENCE) {
        state.priority[current] = any_priority();
        uint32_t others = runnable & ~(1u << current);
        return any_of(others != 0 ? others : runnable);
    }
    return first_of(runnable);
}

unsigned policy_choose(uint32_t runnable, unsigned current, bool spins) {
    state.accesses++;
    unsigned chosen = state.policy.kind == POLICY_PCT ? choose_by_priority(runnable, current, spins)
                                                      : choose_at_random(runnable, current, spins);
    state.in_a_row = chosen == state.last ? state.in_a_row + 1 : 0;
    state.last = chosen;
    return chosen;
}
