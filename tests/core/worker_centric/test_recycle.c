/* Recycling: the storage of what ended is used again, zeroed, by whichever worker has none of its own; nothing is leaked, and
 * nothing is two owners' at once. */
#include <stdalign.h>

#include "harness.h"
#include "storage.h"
#include "threads.h"
#include "worker_centric/recycle.h"

enum { ANY_ALIGNMENT = alignof(void *) };

static struct recycle_store store;

/* Where nothing is recycled. */
static void test_without_a_store(void **state) {
    (void)state;
    recycle_begin(false);
    this_recycle_store = NULL;
    char *block = storage_take(40, ANY_ALIGNMENT, "a block");
    for (unsigned i = 0; i < 40; i++)
        assert_int_equal(block[i], 0);
    storage_give(block, 40);
    assert_null(this_recycle_store);
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
    assert_int_equal(store.lists[128 / RECYCLED_UNIT].count, LENGTH(blocks));
    for (size_t i = 0; i < LENGTH(blocks); i++)
        storage_give(blocks[i], 128);
    recycle_release(&store);
}

/* Sizes that have no list, and that have one: the sanitizers look on. */
static void test_sizes(void **state) {
    (void)state;
    this_recycle_store = &store;
    const size_t sizes[] = {8, 12, 16, 20, RECYCLED_UNIT * (RECYCLED_SIZES - 1), RECYCLED_UNIT * RECYCLED_SIZES, 10000};
    void *blocks[RECYCLED_BLOCKS + 3];
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        for (size_t j = 0; j < LENGTH(blocks); j++)
            blocks[j] = storage_take(sizes[i], 4, "a block");
        for (size_t j = 0; j < LENGTH(blocks); j++)
            storage_give(blocks[j], sizes[i]);
    }
    for (size_t number = 0; number < RECYCLED_SIZES; number++) {
        bool is_kept = number == 2 || number == RECYCLED_SIZES - 1;
        assert_int_equal(store.lists[number].count, is_kept ? 3 : 0);
        assert_int_equal(store.lists[number].reserve != NULL, is_kept);
    }
    recycle_release(&store);
    assert_int_equal(store.lists[2].count, 0);
    assert_null(store.lists[2].first);
    assert_null(store.lists[2].reserve);
}

static int by_address(const void *left, const void *right) {
    char *const *one = left, *const *other = right;
    return (*one > *other) - (*one < *other);
}

/* What one store has too much of, another one gets by the depot: the same blocks, each once. */
static void pass_by_depot(size_t size) {
    static struct recycle_store other;
    char *given[5 * RECYCLED_BLOCKS + 1], *taken[LENGTH(given)];
    this_recycle_store = &store;
    for (size_t i = 0; i < LENGTH(given); i++)
        given[i] = storage_take(size, ANY_ALIGNMENT, "a block");
    for (size_t i = 0; i < LENGTH(given); i++)
        storage_give(memset(given[i], 1, size), size);
    this_recycle_store = &other;
    size_t in_depot = 4 * RECYCLED_BLOCKS; /* but for the reserve, and the list that was begun */
    for (size_t i = 0; i < in_depot; i++) {
        taken[i] = storage_take(size, ANY_ALIGNMENT, "a block");
        for (unsigned j = 0; j < size; j++)
            assert_int_equal(taken[i][j], 0);
    }
    this_recycle_store = &store;
    for (size_t i = in_depot; i < LENGTH(given); i++)
        taken[i] = storage_take(size, ANY_ALIGNMENT, "a block");
    qsort(given, LENGTH(given), sizeof given[0], by_address);
    qsort(taken, LENGTH(taken), sizeof taken[0], by_address);
    assert_memory_equal(taken, given, sizeof given);
    for (size_t i = 0; i < LENGTH(taken); i++)
        storage_give(taken[i], size);
    recycle_release(&store);
    recycle_release(&other);
    recycle_end();
}

/* Whose blocks have just the room for the addresses that lie in them, or more. */
static void test_depot(void **state) {
    (void)state;
    pass_by_depot(16);
    pass_by_depot(48);
}

/* What a thread outside has made, and a worker has ended, is there for that thread again. */
static void test_outside(void **state) {
    (void)state;
    char *given[5 * RECYCLED_BLOCKS + 1], *taken[4 * RECYCLED_BLOCKS]; /* as above */
    recycle_begin(true);
    this_recycle_store = NULL;
    for (size_t i = 0; i < LENGTH(given); i++)
        given[i] = storage_take(48, ANY_ALIGNMENT, "a block");
    struct recycle_store *outside = this_recycle_store;
    assert_non_null(outside);
    this_recycle_store = &store;
    for (size_t i = 0; i < LENGTH(given); i++)
        storage_give(given[i], 48);
    qsort(given, LENGTH(given), sizeof given[0], by_address);
    this_recycle_store = outside;
    for (size_t i = 0; i < LENGTH(taken); i++) {
        taken[i] = storage_take(48, ANY_ALIGNMENT, "a block");
        assert_non_null(bsearch(&taken[i], given, LENGTH(given), sizeof given[0], by_address));
    }
    for (size_t i = 0; i < LENGTH(taken); i++)
        storage_give(taken[i], 48);
    recycle_release(&store);
    recycle_end();
    assert_null(this_recycle_store);
}

static void *takes_and_ends(void *argument) {
    void *block = storage_take(48, ANY_ALIGNMENT, "a block");
    *(bool *)argument = this_recycle_store != NULL;
    storage_give(block, 48);
    return NULL;
}

/* A thread outside that ends leaves nothing: the address sanitizer looks. */
static void test_an_end_outside(void **state) {
    (void)state;
    bool has_store = false;
    pthread_t thread;
    recycle_begin(true);
    assert_int_equal(pthread_create(&thread, NULL, takes_and_ends, &has_store), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(has_store);
    recycle_end();
}

/* Whether main recycles is the executor's to say, and for its time only. */
static void test_executor(void **state) {
    (void)state;
    static const char *const without[] = {"nothing", "recycling"};
    for (size_t i = 0; i < LENGTH(without); i++) {
        struct actorbench_config config = actorbench_defaults();
        set_option(&config, "without", without[i]);
        assert_null(actorbench_start(&config));
        storage_give(storage_take(48, ANY_ALIGNMENT, "a block"), 48);
        assert_int_equal(this_recycle_store != NULL, i == 0);
        actorbench_stop();
        assert_null(this_recycle_store);
    }
}

enum { ROUNDS = 500 };

static struct recycle_store stores[THREADS];

/* Has more than its store holds, and gives all back, again and again: so lists go to the depot and come from there all the time.
 * What is in a block is its owner's alone. */
static void *takes_and_gives(void *argument) {
    size_t self = (size_t)(uintptr_t)argument, wrong = 0;
    this_recycle_store = &stores[self];
    uint64_t *blocks[10 * RECYCLED_BLOCKS];
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < LENGTH(blocks); i++) {
            blocks[i] = storage_take(32, ANY_ALIGNMENT, "a block");
            wrong += blocks[i][0] != 0 || blocks[i][1] != 0;
            blocks[i][0] = blocks[i][1] = self * LENGTH(blocks) + i + 1;
        }
        for (size_t i = 0; i < LENGTH(blocks); i++) {
            wrong += blocks[i][0] != self * LENGTH(blocks) + i + 1 || blocks[i][1] != blocks[i][0];
            storage_give(blocks[i], 32);
        }
    }
    return (void *)(uintptr_t)wrong;
}

static void test_depot_between_threads(void **state) {
    (void)state;
    assert_threads_agree(takes_and_gives);
    for (size_t i = 0; i < THREADS; i++)
        recycle_release(&stores[i]);
    recycle_end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_store), cmocka_unit_test(test_used_again),
        cmocka_unit_test(test_alignment),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_depot),           cmocka_unit_test(test_depot_between_threads),
        cmocka_unit_test(test_outside),         cmocka_unit_test(test_an_end_outside),
        cmocka_unit_test(test_executor),
    };
    return cmocka_run_group_tests_name("recycle", tests, NULL, NULL);
}
