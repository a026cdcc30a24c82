/* No memory left: no message is dropped in silence, the program ends with a line. */
#include "children.h"
#include "numbered.h"
#include "worker_centric/mailbox.h"

enum { MANY = 10 << 20 };

static void fill_a_run_queue(void) {
    struct run_queue queue;
    run_queue_init(&queue, NULL);
    take_all_memory();
    for (uintptr_t number = 0; number < MANY; number++)
        run_queue_append(&queue, NULL, numbered(number));
}

static void fill_a_mailbox(void) {
    struct mailbox mailbox;
    mailbox_init(&mailbox, 0);
    take_all_memory();
    for (uintptr_t number = 0; number < MANY; number++)
        (void)mailbox_append(&mailbox, NULL, numbered(number));
}

static void fill_a_lane(void) {
    struct lane *lane = lane_make(producer_claim());
    take_all_memory();
    for (uintptr_t number = 0; number < MANY; number++)
        lane_send(lane, numbered(number));
}

static void test_out_of_memory(void **state) {
    (void)state;
    static void (*const fills[])(void) = {fill_a_run_queue, fill_a_mailbox, fill_a_lane};
    if (SANITIZED_BUILD)
        skip();
    for (size_t i = 0; i < LENGTH(fills); i++)
        assert_stops(fills[i], "actorbench: out of memory: ", " bytes for a block of envelopes cannot be had", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
