/* Alignment: actors and messages from the heap are aligned as their types ask, also where storage is used again. */
#include <stdalign.h>

#include "harness.h"

enum { LINE = 64, GENERATIONS = 500, FROM_MAIN = 100 };

static ATOMIC(unsigned) misaligned, unclean, generations;

/* Sizes that a store of ended blocks may keep, and larger ones. */
typedef struct {
    struct actorbench_message message;
    alignas(LINE) unsigned char bytes[LINE];
} line;
ACTORBENCH_MESSAGE_TYPE(line)

typedef struct {
    struct actorbench_message message;
    alignas(LINE) unsigned char bytes[8 * LINE];
} page;
ACTORBENCH_MESSAGE_TYPE(page)

typedef struct {
    struct actorbench_actor actor;
    alignas(LINE) unsigned char bytes[LINE];
} keeper;
#define BEHAVIOURS_keeper(ON)      \
    ON(keeper, line, keeper_lines) \
    ON(keeper, page, keeper_pages)
ACTORBENCH_ACTOR_TYPE(keeper)

/* Looks at a new block, and soils it. */
static void inspect(const void *object, size_t alignment, unsigned char *bytes, size_t size) {
    if ((uintptr_t)object % alignment != 0)
        (void)atomic_fetch_add_relaxed(&misaligned, 1);
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            (void)atomic_fetch_add_relaxed(&unclean, 1);
    memset(bytes, 0xa5, size);
}

static keeper *new_keeper(void) {
    keeper *made = actorbench_actor_new(keeper);
    inspect(made, alignof(keeper), made->bytes, sizeof made->bytes);
    return made;
}

static line *new_line(void) {
    line *made = actorbench_message_new(line, ACTORBENCH_DELETE);
    inspect(made, alignof(line), made->bytes, sizeof made->bytes);
    return made;
}

static page *new_page(void) {
    page *made = actorbench_message_new(page, ACTORBENCH_DELETE);
    inspect(made, alignof(page), made->bytes, sizeof made->bytes);
    return made;
}

/* The next one's storage may be that of the one before. */
static enum actorbench_allocation keeper_lines(keeper *self, line *message) {
    (void)self, (void)message;
    if (atomic_fetch_add_relaxed(&generations, 1) < GENERATIONS)
        actorbench_send(keeper, new_keeper(), new_page());
    return ACTORBENCH_DELETE;
}

static enum actorbench_allocation keeper_pages(keeper *self, page *message) {
    (void)message;
    actorbench_send(keeper, self, new_line());
    return ACTORBENCH_NODELETE;
}

static void test_aligned(void **state) {
    (void)state;
    watchdog_start(20, "alignment");
    for (unsigned workers = 1; workers <= 2; workers++) {
        atomic_initialise(&misaligned, 0);
        atomic_initialise(&unclean, 0);
        atomic_initialise(&generations, 0);
        start_workers(workers);
        for (unsigned i = 0; i < FROM_MAIN; i++)
            actorbench_send(keeper, new_keeper(), new_line());
        actorbench_stop();
        assert_int_equal(atomic_load_relaxed(&misaligned), 0);
        assert_int_equal(atomic_load_relaxed(&unclean), 0);
    }
    watchdog_stop();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_aligned)};
    return cmocka_run_group_tests_name("alignment", tests, NULL, NULL);
}
