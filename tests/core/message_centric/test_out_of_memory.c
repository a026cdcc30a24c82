/* No memory left: no message is dropped in silence, the program ends with a line. */
#include "children.h"
#include "platform/memory.h"
#include "queues.h"

static void fill_a_queue(enum queue_kind kind) {
    union queue queue;
    queue_init(&queue, kind, ANY_NODE);
    take_all_memory();
    for (uintptr_t number = 0; number < 10u << 20; number++)
        append(&queue, kind, number);
}

static void fill_a_copy_queue(void) {
    fill_a_queue(QUEUE_COPY);
}

static void fill_a_list_queue(void) {
    fill_a_queue(QUEUE_LIST);
}

static void test_out_of_memory(void **state) {
    (void)state;
    if (SANITIZED_BUILD)
        skip();
    assert_stops(fill_a_copy_queue, "actorbench: out of memory: ", " bytes for a mailbox's copy queue cannot be had",
                 NULL);
    assert_stops(fill_a_list_queue, "actorbench: out of memory: ", " bytes for an envelope cannot be had", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
