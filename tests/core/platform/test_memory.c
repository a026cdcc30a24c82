/* Memory: aligned, zeroed, kept when it grows, on any node; and a program that stops with words when there is none. */
#include "children.h"
#include "platform/cpu.h"
#include "platform/memory.h"

static bool is_zeroed(const char *block, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (block[i] != 0)
            return false;
    return true;
}

/* Freed memory that is taken again must be zeroed again. */
static void test_on_node(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 64, 128, 4095, 4096, 100000};
    static const int nodes[] = {ANY_NODE, 0};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (size_t j = 0; j < 2 * LENGTH(nodes); j++) {
            char *block = memory_on_node(sizes[i], CACHE_LINE, nodes[j % LENGTH(nodes)], "a test");
            assert_int_equal((uintptr_t)block % CACHE_LINE, 0);
            assert_true(is_zeroed(block, sizes[i]));
            memset(block, 0xff, sizes[i]);
            free(block);
        }
}

static void test_zeroed(void **state) {
    (void)state;
    char *block = memory_zeroed(100, 33, "a test");
    assert_true(is_zeroed(block, 3300));
    free(block);
}

/* By steps across a page, up and down. */
static void resize_on(int node) {
    enum { SMALLEST = 240, LARGEST = 240 << 8 };
    char *block = memory_resize_on_node(NULL, 0, SMALLEST, node, "a test");
    size_t size = SMALLEST;
    memset(block, 'a', size);
    for (; size < LARGEST; size *= 2) {
        block = memory_resize_on_node(block, size, 2 * size, node, "a test");
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 'a');
        memset(block + size, 'a', size);
    }
    for (; size > SMALLEST; size -= 240) {
        block = memory_resize_on_node(block, size, size - 240, node, "a test");
        assert_int_equal(block[0], 'a');
        assert_int_equal(block[size - 241], 'a');
    }
    free(block);
}

static void test_resize(void **state) {
    (void)state;
    resize_on(ANY_NODE);
    resize_on(0);
}

/* ---- No memory left ------------------------------------------------------------------------------------------------ */

static void take_a_large_block(void) {
    take_all_memory();
    (void)memory_on_node(1u << 30, CACHE_LINE, ANY_NODE, "something large");
}

/* Nothing is dropped in silence: the program ends with a line. */
static void test_out_of_memory(void **state) {
    (void)state;
    if (SANITIZED_BUILD)
        skip(); /* a sanitizer's shadow memory does not fit into any limit */
    assert_stops(take_a_large_block, "out of memory: 1073741824 bytes for something large", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_node),
        cmocka_unit_test(test_zeroed),
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
