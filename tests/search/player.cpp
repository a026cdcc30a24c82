/* What runs a scenario: relacy, whose templates take the compiler longer than any scenario. Compiled once, for all. */
#include <cstdlib>

#include "search.h"

namespace search {

world the_world;
static played_scenario played;

template <rl::thread_id_t threads> struct stage : rl::test_suite<stage<threads>, threads> {
    stage() {
        played.construct();
    }
    ~stage() {
        played.destroy();
    }
    void before() {
        the_world.begin(played.reuses_blocks);
        played.prepare();
    }
    void thread(unsigned number) {
        played.thread(number);
    }
    void after() {
        played.finish();
        the_world.end();
    }
};

/* rl::simulate, but for the schedulers that no scenario needs. */
template <typename suite, typename scheduler> static bool simulate(rl::test_params &parameters) {
    rl::ostringstream failing;
    if (rl::run_test<suite, scheduler>(parameters, failing, false) == rl::test_result_success)
        return true;
    parameters.initial_state = failing.str();
    parameters.collect_history = true; /* once more, to print it */
    (void)rl::run_test<suite, scheduler>(parameters, failing, true);
    return false;
}

template <rl::thread_id_t threads> static bool play_with(rl::test_params &parameters) {
    if (parameters.search_type == rl::sched_full)
        return simulate<stage<threads>, rl::full_search_scheduler<threads>>(parameters);
    return simulate<stage<threads>, rl::context_bound_scheduler<threads>>(parameters);
}

bool play(const played_scenario &scenario, rl::test_params &parameters) {
    played = scenario;
    switch (scenario.threads) {
    case 2:
        return play_with<2>(parameters);
    case 3:
        return play_with<3>(parameters);
    default:
        std::fprintf(stderr, "player.cpp knows scenarios of 2 and 3 threads, not of %u\n", unsigned(scenario.threads));
        std::exit(2);
    }
}

} // namespace search
