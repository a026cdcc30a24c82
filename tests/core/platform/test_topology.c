/* Plans of CPUs for described machines, and what a quota is worth. */
#include <sched.h>

#include "harness.h"
#include "platform/cgroup.h"
#include "platform/topology.h"

/* Two packages of 24 cores with two hyper-threads each. hwloc numbers processing units depth first: core c of the
 * machine has CPUs 2c and 2c + 1. */
static const char two_packages[] = "pack:2 numa:1 core:24 pu:2";
enum { PACKAGES = 2, CORES = 24, THREADS = 2, CPUS = PACKAGES * CORES * THREADS };

static struct cpu_plan plan_of(const char *description, enum pin_plan pin) {
    struct cpu_plan plan = {0};
    const char *why = topology_plan(description, pin, &plan);
    if (why != NULL)
        fail_msg("%s", why);
    return plan;
}

static void assert_place(const struct cpu_place *place, int package, int core, int thread) {
    assert_int_equal(place->package, package);
    assert_int_equal(place->core, package * CORES + core);
    assert_int_equal(place->thread, thread);
    assert_int_equal(place->node, package);
    assert_int_equal(place->cpu, (package * CORES + core) * THREADS + thread);
}

static void test_cores(void **state) {
    (void)state;
    struct cpu_plan plan = plan_of(two_packages, PIN_CORES);
    assert_int_equal(plan.count, CPUS);
    for (int i = 0; i < CPUS; i++)
        assert_place(&plan.places[i], i / CORES % PACKAGES, i % CORES, i / (PACKAGES * CORES));
    free(plan.places);
}

static void test_smt(void **state) {
    (void)state;
    struct cpu_plan plan = plan_of(two_packages, PIN_SMT);
    assert_int_equal(plan.count, CPUS);
    for (int i = 0; i < CPUS; i++)
        assert_place(&plan.places[i], i / (CORES * THREADS), i % CORES, i / CORES % THREADS);
    free(plan.places);
}

static void test_spread(void **state) {
    (void)state;
    struct cpu_plan plan = plan_of(two_packages, PIN_SPREAD);
    assert_int_equal(plan.count, CPUS);
    for (int i = 0; i < CPUS; i++)
        assert_place(&plan.places[i], i % PACKAGES, i / PACKAGES % CORES, i / (PACKAGES * CORES));
    free(plan.places);
}

static void test_none_is_the_order_of_hwloc(void **state) {
    (void)state;
    struct cpu_plan plan = plan_of(two_packages, PIN_NONE);
    assert_int_equal(plan.count, CPUS);
    for (int i = 0; i < CPUS; i++)
        assert_int_equal(plan.places[i].cpu, i);
    free(plan.places);
}

/* Several nodes a package: spread goes round the nodes, not the packages. */
static void test_spread_over_nodes(void **state) {
    (void)state;
    struct cpu_plan plan = plan_of("pack:2 numa:2 core:3 pu:1", PIN_SPREAD);
    assert_int_equal(plan.count, 12);
    for (int i = 0; i < 12; i++)
        assert_int_equal(plan.places[i].node, i % 4);
    free(plan.places);
}

/* The locality paper's machine: four processors of two nodes with eight cores each. Four nodes are filled, a core of each in
 * turn; then the others. */
static void test_four_nodes(void **state) {
    (void)state;
    struct cpu_plan plan = plan_of("pack:4 numa:2 core:8 pu:1", PIN_FOUR_NODES);
    assert_int_equal(plan.count, 64);
    for (int i = 0; i < 64; i++) {
        int node = i / 32 * 4 + i % 4;
        assert_int_equal(plan.places[i].node, node);
        assert_int_equal(plan.places[i].core, node * 8 + i % 32 / 4);
    }
    free(plan.places);
}

/* A node is filled with its hyper-threads, after its cores; and there may be less than four nodes, or more than a multiple. */
static void test_four_nodes_of_other_machines(void **state) {
    (void)state;
    static const struct {
        const char *machine;
        int nodes[20], threads[20];
    } cases[] = {
        {"numa:5 core:2 pu:2",
         {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 4, 4, 4},
         {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1}},
        {"numa:2(indexes=7,3) core:2 pu:1", {3, 7, 3, 7}, {0}},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct cpu_plan plan = plan_of(cases[i].machine, PIN_FOUR_NODES);
        for (unsigned j = 0; j < plan.count; j++) {
            assert_int_equal(plan.places[j].node, cases[i].nodes[j]);
            assert_int_equal(plan.places[j].thread, cases[i].threads[j]);
        }
        free(plan.places);
    }
}

static void test_one_cpu(void **state) {
    (void)state;
    for (int pin = PIN_NONE; pin <= PIN_FOUR_NODES; pin++) {
        struct cpu_plan plan = plan_of("pack:1 core:1 pu:1", (enum pin_plan)pin);
        assert_int_equal(plan.count, 1);
        assert_int_equal(plan.places[0].cpu, 0);
        free(plan.places);
    }
}

/* Every plan of any machine has every CPU once. */
static void test_plans_are_permutations(void **state) {
    (void)state;
    static const char *const machines[] = {"pack:2 numa:1 core:24 pu:2", "pack:4 numa:2 core:3 pu:4", "core:7 pu:1",
                                           "numa:3 core:2 pu:2", "numa:9 core:2 pu:2"};
    for (size_t i = 0; i < LENGTH(machines); i++)
        for (int pin = PIN_NONE; pin <= PIN_FOUR_NODES; pin++) {
            bool seen[256] = {false};
            struct cpu_plan plan = plan_of(machines[i], (enum pin_plan)pin);
            for (unsigned j = 0; j < plan.count; j++) {
                assert_in_range(plan.places[j].cpu, 0, plan.count - 1);
                assert_false(seen[plan.places[j].cpu]);
                seen[plan.places[j].cpu] = true;
            }
            free(plan.places);
        }
}

static void test_bad_descriptions(void **state) {
    (void)state;
    static const char *const bad[] = {"nonsense", "pack:", "pack:0", "no/such/file.xml", ""};
    for (size_t i = 0; i < LENGTH(bad); i++) {
        struct cpu_plan plan = {0};
        const char *why = topology_plan(bad[i], PIN_CORES, &plan);
        if (why == NULL)
            fail_msg("\"%s\" was taken for a topology of %u CPUs", bad[i], plan.count);
        assert_null(plan.places);
    }
}

/* ---- This machine -------------------------------------------------------------------------------------------------- */

/* Numbers are taken; names are refused, right or wrong: hwloc stops the program over some of them. */
static void test_indexes(void **state) {
    (void)state;
    struct cpu_plan plan = {0};
    assert_null(topology_plan("core:2 pu:2(indexes=2*2:1*2)", PIN_CORES, &plan));
    assert_int_equal(plan.count, 4);
    free(plan.places);
    const char *const named[] = {"core:2 pu:2(indexes=core:pu:pac)", "core:2 pu:2(indexes=pu:core)", "pu:2(indexes="};
    for (size_t i = 0; i < LENGTH(named); i++) {
        const char *why = topology_plan(named[i], PIN_CORES, &plan);
        assert_non_null(why);
        assert_non_null(strstr(why, "indexes must be numbers"));
    }
}

static void test_this_machine_respects_affinity(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_in_range(topology_usable_cpus(), 1, CPU_COUNT(&all));
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(topology_usable_cpus(), 1);
    struct cpu_plan plan = plan_of(NULL, PIN_CORES);
    assert_int_equal(plan.count, 1);
    assert_int_equal(plan.places[0].cpu, cpu);
    free(plan.places);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void test_bind_thread(void **state) {
    (void)state;
    cpu_set_t all, now;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    assert_true(topology_bind_thread(cpu));
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_int_equal(CPU_COUNT(&now), 1);
    assert_true(CPU_ISSET(cpu, &now));
    assert_false(topology_bind_thread(100000));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* ---- Quotas -------------------------------------------------------------------------------------------------------- */

static void test_cpu_max(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned cpus;
    } cases[] = {
        {"max 100000", CGROUP_NO_QUOTA},
        {"100000 100000", 1},
        {"100001 100000", 2},
        {"150000 100000\n", 2},
        {"200000 100000", 2},
        {"1 100000", 1},
        {"1600000 100000", 16},
        {"", CGROUP_NO_QUOTA},
        {"garbage", CGROUP_NO_QUOTA},
        {"100000", CGROUP_NO_QUOTA},
        {"0 100000", CGROUP_NO_QUOTA},
        {"-1 100000", CGROUP_NO_QUOTA},
        {"100000 0", CGROUP_NO_QUOTA},
        {"100000 -5", CGROUP_NO_QUOTA},
        {"max", CGROUP_NO_QUOTA},
        {"9000000000000000000 1", 0xffffffffu},
        {"9223372036854775807 100000", 0xffffffffu},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        if (cgroup_parse_cpu_max(cases[i].text) != cases[i].cpus)
            fail_msg("\"%s\" is worth %u CPUs in place of %u", cases[i].text, cgroup_parse_cpu_max(cases[i].text),
                     cases[i].cpus);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cores),
        cmocka_unit_test(test_smt),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_none_is_the_order_of_hwloc),
        cmocka_unit_test(test_spread_over_nodes),
        cmocka_unit_test(test_four_nodes),
        cmocka_unit_test(test_four_nodes_of_other_machines),
        cmocka_unit_test(test_one_cpu),
        cmocka_unit_test(test_plans_are_permutations),
        cmocka_unit_test(test_bad_descriptions),
        cmocka_unit_test(test_indexes),
        cmocka_unit_test(test_this_machine_respects_affinity),
        cmocka_unit_test(test_bind_thread),
        cmocka_unit_test(test_cpu_max),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
