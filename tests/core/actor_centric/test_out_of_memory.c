/* No memory left: no message and no actor is dropped in silence, the program ends with a line. */
#include "children.h"
#include "letters.h"

#include "actor_centric/deque.h"

enum { MANY = 10 << 20 };

static void fill(enum mailbox_kind kind) {
    struct mailbox box;
    mailbox_init(&box, kind);
    take_all_memory();
    for (uintptr_t number = 0; number < MANY; number++)
        (void)mailbox_push(&box, kind, LINK_RELEASE, numbered(number));
}

static void fill_a_swap_mailbox(void) {
    fill(MAILBOX_SWAP);
}

static void fill_a_stack_mailbox(void) {
    fill(MAILBOX_STACK);
}

static void fill_a_locked_mailbox(void) {
    fill(MAILBOX_LOCKED);
}

static void fill_a_chunk_mailbox(void) {
    fill(MAILBOX_CHUNK);
}

static void fill_a_deque(void) {
    struct deque deque;
    deque_init(&deque, 2);
    take_all_memory();
    for (uintptr_t i = 0; i < MANY; i++)
        deque_push(&deque, NULL);
}

static void test_out_of_memory(void **state) {
    (void)state;
    if (SANITIZED_BUILD)
        skip();
    assert_stops(fill_a_swap_mailbox, "actorbench: out of memory: ", "for a message's envelope cannot be had", NULL);
    assert_stops(fill_a_stack_mailbox, "actorbench: out of memory: ", "for a message's envelope cannot be had", NULL);
    assert_stops(fill_a_locked_mailbox, "actorbench: out of memory: ", "for a message's envelope cannot be had", NULL);
    assert_stops(fill_a_chunk_mailbox, "actorbench: out of memory: ", "for a mailbox's chunk of letters cannot be had",
                 NULL);
    assert_stops(fill_a_deque, "actorbench: out of memory: ", "for a deque cannot be had", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
