/* Recycling: the storage of what ended is used again, zeroed; never more than the store's share, and nothing is leaked. */
#include "harness.h"
#include "recycle.h"

static struct recycle_store store;

static void test_without_a_store(void **state) {
    (void)state;
    this_recycle_store = NULL;
    char *block = recycle_allocate(40, "a block");
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(block[i], 0);
    recycle_free(block, 40);
}

static void test_used_again(void **state) {
    (void)state;
    this_recycle_store = &store;
    char *block = recycle_allocate(40, "a block");
    memset(block, 1, 40);
    recycle_free(block, 40);
    char *other = recycle_allocate(48, "another size");
    assert_ptr_not_equal(other, block);
    char *again = recycle_allocate(40, "the same size");
    assert_ptr_equal(again, block);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(again[i], 0);
    recycle_free(other, 48);
    recycle_free(again, 40);
    recycle_release(&store);
}

/* Sizes that have no list, and more blocks than a list keeps: the sanitizers look on. */
static void test_limits(void **state) {
    (void)state;
    this_recycle_store = &store;
    const size_t sizes[] = {8, 12, RECYCLED_UNIT * (RECYCLED_SIZES - 1), RECYCLED_UNIT * RECYCLED_SIZES, 10000};
    void *blocks[RECYCLED_BLOCKS + 3];
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        for (size_t j = 0; j < LENGTH(blocks); j++)
            blocks[j] = recycle_allocate(sizes[i], "a block");
        for (size_t j = 0; j < LENGTH(blocks); j++)
            recycle_free(blocks[j], sizes[i]);
    }
    assert_int_equal(store.count[1], RECYCLED_BLOCKS);
    assert_int_equal(store.count[RECYCLED_SIZES - 1], RECYCLED_BLOCKS);
    recycle_release(&store);
    assert_int_equal(store.count[1], 0);
    assert_null(store.first[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_store),
        cmocka_unit_test(test_used_again),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests_name("recycle", tests, NULL, NULL);
}
