/* Pools and the depot: no block is two owners' at once, what one worker has too many of another one gets, and nothing is leaked. */
#include "check.h"
#include "harness.h"
#include "numbered.h"
#include "threads.h"
#include "worker_centric/pool.h"

static struct block_pool pool;

static void test_without_a_pool(void **state) {
    (void)state;
    struct block *block = block_take(NULL);
    assert_null(block->next);
    assert_int_equal(block->count, 0);
    block_give(NULL, block);
}

static int by_address(const void *left, const void *right) {
    struct block *const *one = left, *const *other = right;
    return (*one > *other) - (*one < *other);
}

/* Two lists stay; the others go to the depot, and from there to another pool. */
static void test_depot(void **state) {
    (void)state;
    static struct block_pool other;
    struct block *given[5 * SPARE_BLOCKS + 1], *taken[LENGTH(given)];
    for (size_t i = 0; i < LENGTH(given); i++)
        given[i] = block_take(&pool);
    for (size_t i = 0; i < LENGTH(given); i++)
        block_give(&pool, given[i]);
    assert_int_equal(pool.count, 1);
    assert_non_null(pool.reserve);
    for (size_t i = 0; i < LENGTH(taken); i++) {
        taken[i] = block_take(i < 3 * SPARE_BLOCKS ? &other : &pool);
        assert_null(taken[i]->next);
        assert_int_equal(taken[i]->count, 0);
    }
    qsort(given, LENGTH(given), sizeof given[0], by_address);
    qsort(taken, LENGTH(taken), sizeof taken[0], by_address);
    /* Of the last list, one block was begun with, and so a list in the depot is left. */
    size_t common = 0;
    for (size_t i = 0; i < LENGTH(taken); i++)
        common += bsearch(&taken[i], given, LENGTH(given), sizeof given[0], by_address) != NULL;
    assert_int_equal(common, LENGTH(given));
    for (size_t i = 0; i < LENGTH(taken); i++)
        block_give(&other, taken[i]);
    block_pool_release(&pool);
    block_pool_release(&other);
    block_depot_release();
    assert_null(block_depot_take());
}

/* What the depot has no room for is freed. */
static void test_full_depot(void **state) {
    (void)state;
    enum { MANY = (DEPOT_LISTS + 4) * SPARE_BLOCKS };
    struct block **blocks = calloc(MANY, sizeof *blocks);
    assert_non_null(blocks);
    for (size_t i = 0; i < MANY; i++)
        blocks[i] = block_take(&pool);
    for (size_t i = 0; i < MANY; i++)
        block_give(&pool, blocks[i]);
    free(blocks);
    assert_int_equal(pool.count, SPARE_BLOCKS);
    unsigned lists = 0;
    for (struct block *list; (list = block_depot_take()) != NULL; lists++)
        block_free_chain(list);
    assert_int_equal(lists, DEPOT_LISTS);
    block_pool_release(&pool);
}

/* Blocks of a slab lie side by side, come back to their pool whatever else it has, and are never freed apart. */
static void test_kept(void **state) {
    (void)state;
    enum { MANY = SLAB_BLOCKS + 3 };
    struct block *blocks[MANY], *alone = block_take(&pool);
    for (size_t i = 0; i < MANY; i++) {
        blocks[i] = block_take_kept(&pool);
        assert_int_equal(blocks[i]->is_kept, true);
        assert_true(i == 0 || i == SLAB_BLOCKS || blocks[i] == blocks[i - 1] + 1);
        for (size_t j = 0; j < BLOCK_ENVELOPES; j++)
            block_put(blocks[i], numbered(i * BLOCK_ENVELOPES + j));
    }
    for (size_t i = 0; i < MANY; i++)
        for (size_t j = 0; j < BLOCK_ENVELOPES; j++)
            assert_int_equal(number_of(blocks[i]->envelopes[j]), i * BLOCK_ENVELOPES + j);
    assert_int_equal(alone->is_kept, false);
    block_give(&pool, alone);
    block_free_chain(block_take_kept(&pool));
    for (size_t i = 0; i < KEPT_BLOCKS; i++)
        block_give(&pool, blocks[i]);
    assert_int_equal(pool.count, 1);
    for (size_t i = KEPT_BLOCKS; i-- > 0;)
        assert_ptr_equal(block_take_kept(&pool), blocks[i]);
    block_pool_release(&pool);
    block_depot_release();
}

/* Has a pool take so many blocks for a run queue, and give them back. */
static void fill_and_empty(struct block_pool *of, size_t count) {
    struct block *all = NULL;
    for (size_t i = 0; i < count; i++) {
        struct block *block = block_take_kept(of);
        block->next = all;
        all = block;
    }
    for (struct block *next; all != NULL; all = next) {
        next = all->next;
        block_give(of, all);
    }
}

/* What a worker does not need for its run queue is others' next, before they ask the heap, whatever it is for. */
static void test_kept_for_others(void **state) {
    (void)state;
    static struct block_pool other;
    fill_and_empty(&pool, KEPT_BLOCKS + 2 * SPARE_BLOCKS);
    assert_int_equal(pool.kept_count, KEPT_BLOCKS);
    fill_and_empty(&other, SPARE_BLOCKS);
    assert_null(other.slab);
    assert_int_equal(other.kept_count, SPARE_BLOCKS);
    struct block *block = block_take(&other);
    assert_true(block->is_in_slab);
    block_give(&other, block);
    assert_int_equal(other.count, SPARE_BLOCKS);
    assert_null(block_depot_take());
    block_pool_release(&pool);
    block_pool_release(&other);
    block_depot_release();
}

/* Its own, too, if what goes to other workers is short, and what has travelled once travels on. */
static void test_kept_that_travels(void **state) {
    (void)state;
    fill_and_empty(&pool, KEPT_BLOCKS);
    struct block *block = block_take(&pool), *from_the_heap = block_take(&pool);
    assert_true(block->is_in_slab);
    assert_false(from_the_heap->is_in_slab);
    assert_int_equal(pool.kept_count, KEPT_BLOCKS - 1);
    block_give(&pool, block);
    block_give(&pool, from_the_heap);
    assert_int_equal(pool.kept_count, KEPT_BLOCKS - 1);
    assert_int_equal(pool.count, 2);
    block_pool_release(&pool);
    block_depot_release();
}

/* What the depot has no room for stays where it is. */
static void test_kept_beside_a_full_depot(void **state) {
    (void)state;
    enum { MANY = KEPT_BLOCKS + (DEPOT_LISTS + 2) * SPARE_BLOCKS };
    fill_and_empty(&pool, MANY);
    unsigned lists = 0;
    for (; block_depot_take() != NULL; lists++)
        ;
    assert_int_equal(lists, DEPOT_LISTS);
    assert_int_equal(pool.kept_count, MANY - DEPOT_LISTS * SPARE_BLOCKS);
    for (size_t i = 0; i < MANY - DEPOT_LISTS * SPARE_BLOCKS; i++)
        (void)block_take_kept(&pool);
    assert_null(pool.kept);
    block_pool_release(&pool);
    block_depot_release();
}

enum { ROUNDS = 2000 };

static struct block *make_list(void) {
    struct block *list = NULL;
    for (unsigned i = 0; i < SPARE_BLOCKS; i++) {
        struct block *block = block_take(NULL);
        block->next = list;
        list = block;
    }
    return list;
}

/* Takes two lists out of the depot, and gives them back, again and again. What is in their blocks is its owner's alone. */
static void *takes_and_gives(void *argument) {
    size_t self = (size_t)(uintptr_t)argument, wrong = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct block *lists[2];
        for (size_t i = 0; i < LENGTH(lists); i++) {
            lists[i] = block_depot_take();
            if (lists[i] == NULL)
                lists[i] = make_list();
            for (struct block *block = lists[i]; block != NULL; block = block->next)
                block->envelopes[0] = numbered(self);
        }
        for (size_t i = 0; i < LENGTH(lists); i++) {
            size_t blocks = 0;
            for (struct block *block = lists[i]; block != NULL; block = block->next, blocks++)
                wrong += number_of(block->envelopes[0]) != self;
            wrong += blocks != SPARE_BLOCKS;
            wrong += !block_depot_give(lists[i]);
        }
    }
    return (void *)(uintptr_t)wrong;
}

static void test_depot_between_threads(void **state) {
    (void)state;
    assert_threads_agree(takes_and_gives);
    block_depot_release();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_pool),
        cmocka_unit_test(test_depot),
        cmocka_unit_test(test_full_depot),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_kept_for_others),
        cmocka_unit_test(test_kept_that_travels),
        cmocka_unit_test(test_kept_beside_a_full_depot),
        cmocka_unit_test(test_depot_between_threads),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
