/* The division of workers into clusters: so many, or by packages or NUMA nodes, under every order of CPUs. */
#include "actor_centric/division.h"

#include "actor_centric/options.h"
#include "harness.h"

/* Asserts that workers are divided as the digits say: "0011", worker 0 and 1 in cluster 0. */
static void assert_divided(unsigned clusters, const char *machine, enum pin_plan pin, const char *digits) {
    struct division division;
    unsigned workers = (unsigned)strlen(digits), listed = 0, count = 0;
    assert_null(division_make(&division, clusters, machine, pin, workers));
    for (unsigned i = 0; i < workers; i++) {
        assert_int_equal(division.cluster_of[i], digits[i] - '0');
        assert_int_equal(division_mine(&division, i)->workers[division.position_of[i]], i);
        if (division.cluster_of[i] >= count)
            count = division.cluster_of[i] + 1;
    }
    assert_int_equal(division.count, count);
    for (unsigned i = 0; i < count; i++)
        listed += division.clusters[i].count;
    assert_int_equal(listed, workers);
    division_release(&division);
}

static void test_so_many(void **state) {
    (void)state;
    assert_divided(1, NULL, PIN_NONE, "0000");
    assert_divided(2, NULL, PIN_NONE, "0011");
    assert_divided(2, NULL, PIN_NONE, "00011");
    assert_divided(3, NULL, PIN_NONE, "00112");
    assert_divided(4, NULL, PIN_NONE, "0123");
    assert_divided(1, NULL, PIN_NONE, "0");
}

static void test_by_objects(void **state) {
    (void)state;
    static const char machine[] = "pack:2 numa:2 core:2 pu:1";
    assert_divided(CLUSTERS_PACKAGE, machine, PIN_NONE, "00001111");
    assert_divided(CLUSTERS_NUMA, machine, PIN_NONE, "00112233");
    assert_divided(CLUSTERS_PACKAGE, machine, PIN_NONE, "0000"); /* a package without workers is no cluster */
    assert_divided(CLUSTERS_NUMA, machine, PIN_NONE, "001");
    assert_divided(CLUSTERS_PACKAGE, machine, PIN_NONE, "0000111100"); /* more workers than places */
    assert_divided(CLUSTERS_NUMA, machine, PIN_SPREAD, "01230123");
    assert_divided(CLUSTERS_PACKAGE, machine, PIN_SPREAD, "00110011");
    assert_divided(CLUSTERS_PACKAGE, "pack:2 core:2 pu:2", PIN_CORES, "00110011");
    assert_divided(CLUSTERS_PACKAGE, "pack:2 core:2 pu:2", PIN_SMT, "00001111");
    assert_divided(CLUSTERS_PACKAGE, "core:4 pu:1", PIN_NONE, "0000");
}

static void test_refusals(void **state) {
    (void)state;
    struct division division;
    const char *why = division_make(&division, 5, NULL, PIN_NONE, 4);
    assert_string_equal(why, "5 clusters are too many for 4 workers: choose 1 to 4, package or numa");
    why = division_make(&division, CLUSTERS_NUMA, "nonsense", PIN_NONE, 4);
    assert_non_null(strstr(why, "synthetic"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_so_many),
        cmocka_unit_test(test_by_objects),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("division", tests, NULL, NULL);
}
