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
template <typename derived, rl::thread_id_t threads, bool reuses_blocks = false> struct scenario {
    enum : rl::thread_id_t { THREADS = threads };
    enum : bool { REUSES_BLOCKS = reuses_blocks };
};

/* A scenario without its type. relacy is a template of what it runs: so that it is compiled once, in player.cpp, all
 * scenarios are one to it. */
struct played_scenario {
    rl::thread_id_t threads;
    bool reuses_blocks;
    void (*construct)();
    void (*prepare)();
    void (*thread)(unsigned);
    void (*finish)();
    void (*destroy)();
};

template <typename type> struct played_as {
    static type &object() {
        alignas(type) static unsigned char place[sizeof(type)];
        return *reinterpret_cast<type *>(place);
    }
    static void construct() {
        (void)::new (static_cast<void *>(&object())) type();
    }
    static void prepare() {
        object().prepare();
    }
    static void thread(unsigned number) {
        object().thread(number);
    }
    static void finish() {
        object().finish();
    }
    static void destroy() {
        object().~type();
    }
};

/* A zeroed T, as the runtime has them from memory_on_node. */
template <typename T> T *zeroed(size_t count = 1) {
    return memory_block(count * sizeof(T), "");
}

/* Searches a scenario (player.cpp); false, and prints the failing execution, if one fails. */
bool play(const played_scenario &scenario, rl::test_params &parameters);

struct known_scenario {
    const char *name;
    played_scenario scenario;
    unsigned bound; /* of preemptions; UNBOUNDED: full search */
};

enum { UNBOUNDED = 1000 };

template <typename type> known_scenario known(const char *name, unsigned bound) {
    typedef played_as<type> as;
    known_scenario found = {
        name,
        {type::THREADS, type::REUSES_BLOCKS, as::construct, as::prepare, as::thread, as::finish, as::destroy},
        bound};
    return found;
}

inline int search_one(const known_scenario &chosen) {
    rl::test_params parameters;
    std::ostream nowhere(NULL);
    parameters.progress_stream = &nowhere;
    parameters.search_type = chosen.bound == UNBOUNDED ? rl::sched_full : rl::sched_bound;
    parameters.context_bound = chosen.bound;
    bool holds = play(chosen.scenario, parameters);
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

#define FULL(scenario)           search::known<scenario>(#scenario, search::UNBOUNDED)
#define BOUNDED(scenario, bound) search::known<scenario>(#scenario, bound)
#define SEARCHES(...)                                                \
    int main(int argc, char **argv) {                                \
        static const search::known_scenario known[] = {__VA_ARGS__}; \
        return search::search_main(argc, argv, known);               \
    }

#endif
