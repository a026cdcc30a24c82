/* What the searches share: scenarios, and the program that searches one of them.
 *
 *     struct two_sends : search::scenario<two_sends, 2> {      two threads
 *         void prepare();                                      before they start
 *         void thread(unsigned number);                        what each does
 *         void finish();                                       after they have ended: look what is there, free it
 *     };
 *     SEARCHES(FULL(two_sends), BOUNDED(three_sends, 4))       `program two_sends` searches it
 *
 * A full search runs every execution: every order of the threads' atomic operations, and for each load every value that
 * relacy lets it see. A bounded one runs those in which a thread is preempted at most so often; a thread that waits or
 * ends is switched from for free. The program ends with status 1, and the failing execution, if one fails.
 */
#ifndef ACTORBENCH_SEARCH_SEARCH_H
#define ACTORBENCH_SEARCH_SEARCH_H

#include <cstdio>
#include <cstring>

#include "checker.h"
#include "platform/memory.h"

#define ALWAYS(condition) RL_ASSERT(condition)

namespace search {

/* reuses_blocks: whether freed memory is given out again at once (world.h). */
template <typename derived, rl::thread_id_t threads, bool reuses_blocks = false>
struct scenario : rl::test_suite<derived, threads> {
    void before() {
        the_world.begin(reuses_blocks);
        static_cast<derived *>(this)->prepare();
    }
    void after() {
        static_cast<derived *>(this)->finish();
        the_world.end();
    }
};

/* A zeroed T, as the runtime has them from memory_on_node. */
template <typename T> T *zeroed(size_t count = 1) {
    return memory_block(count * sizeof(T), "");
}

struct known_scenario {
    const char *name;
    bool (*simulate)(rl::test_params &);
    unsigned bound; /* of preemptions; UNBOUNDED: full search */
};

enum { UNBOUNDED = 1000 };

/* rl::simulate, but for the schedulers that a scenario does not need: they take the compiler long. */
template <typename suite, typename scheduler> bool simulate(rl::test_params &parameters) {
    rl::ostringstream failing;
    if (rl::run_test<suite, scheduler>(parameters, failing, false) == rl::test_result_success)
        return true;
    parameters.initial_state = failing.str();
    parameters.collect_history = true; /* once more, to print it */
    (void)rl::run_test<suite, scheduler>(parameters, failing, true);
    return false;
}

template <typename suite> known_scenario fully(const char *name) {
    known_scenario known = {name, simulate<suite, rl::full_search_scheduler<suite::params::thread_count>>, UNBOUNDED};
    return known;
}

template <typename suite> known_scenario bounded(const char *name, unsigned bound) {
    known_scenario known = {name, simulate<suite, rl::context_bound_scheduler<suite::params::thread_count>>, bound};
    return known;
}

inline int search_one(const known_scenario &chosen) {
    rl::test_params parameters;
    std::ostream nowhere(NULL);
    parameters.progress_stream = &nowhere;
    parameters.search_type = chosen.bound == UNBOUNDED ? rl::sched_full : rl::sched_bound;
    parameters.context_bound = chosen.bound;
    bool holds = chosen.simulate(parameters);
    std::printf("executions %llu\n", static_cast<unsigned long long>(parameters.stop_iteration));
    return holds ? 0 : 1;
}

template <size_t count> int search_main(int argc, char **argv, const known_scenario (&known)[count]) {
    for (const known_scenario &one : known)
        if (argc == 2 && std::strcmp(argv[1], one.name) == 0)
            return search_one(one);
    std::fprintf(stderr, "usage: %s SCENARIO, one of:\n", argv[0]);
    for (const known_scenario &one : known)
        std::fprintf(stderr, "    %s\n", one.name);
    return 2;
}

} // namespace search

#define FULL(scenario)           search::fully<scenario>(#scenario)
#define BOUNDED(scenario, bound) search::bounded<scenario>(#scenario, bound)
#define SEARCHES(...)                                                \
    int main(int argc, char **argv) {                                \
        static const search::known_scenario known[] = {__VA_ARGS__}; \
        return search::search_main(argc, argv, known);               \
    }

#endif
