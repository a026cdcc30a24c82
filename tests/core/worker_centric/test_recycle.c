/* Recycling: the storage of what ended is used again, zeroed; never more than the store's share, and nothing is leaked. */
#include <stdalign.h>

#include "harness.h"
#include "storage.h"
#include "worker_centric/recycle.h"

enum { ANY_ALIGNMENT = alignof(void *) };

static struct recycle_store store;

static void test_without_a_store(void **state) {
    (void)state;
    this_recycle_store = NULL;
    char *block = storage_take(40, ANY_ALIGNMENT, "a block");
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(block[i], 0);
    storage_give(block, 40);
}

static void test_used_again(void **state) {
    (void)state;
    this_recycle_store = &store;
    char *block = storage_take(40, ANY_ALIGNMENT, "a block");
    memset(block, 1, 40);
    storage_give(block, 40);
    char *other = storage_take(48, ANY_ALIGNMENT, "another size");
    assert_ptr_not_equal(other, block);
    char *again = storage_take(40, ANY_ALIGNMENT, "the same size");
    assert_ptr_equal(again, block);
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(again[i], 0);
    storage_give(other, 48);
    storage_give(again, 40);
    recycle_release(&store);
}

/* What is to be aligned as malloc(3) does not is not taken from the store. */
static void test_alignment(void **state) {
    (void)state;
    this_recycle_store = &store;
    void *blocks[8];
    for (size_t i = 0; i < LENGTH(blocks); i++)
        blocks[i] = storage_take(128, ANY_ALIGNMENT, "a block");
    for (size_t i = 0; i < LENGTH(blocks); i++)
        storage_give(blocks[i], 128);
    for (size_t i = 0; i < LENGTH(blocks); i++) {
        blocks[i] = storage_take(128, 128, "an aligned block");
        assert_int_equal((uintptr_t)blocks[i] % 128, 0);
    }
    assert_int_equal(store.count[128 / RECYCLED_UNIT], LENGTH(blocks));
    for (size_t i = 0; i < LENGTH(blocks); i++)
        storage_give(blocks[i], 128);
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
            blocks[j] = storage_take(sizes[i], 4, "a block");
        for (size_t j = 0; j < LENGTH(blocks); j++)
            storage_give(blocks[j], sizes[i]);
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
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests_name("recycle", tests, NULL, NULL);
}
