/* The stack mailbox: the reversal keeps the order, and the mark of an idle actor is no letter. */
#include "letters.h"

static struct stack_mailbox box;

static void push(uintptr_t first, uintptr_t last) {
    for (uintptr_t number = first; number <= last; number++)
        (void)stack_mailbox_push(&box, numbered(number));
}

static void expect(uintptr_t first, uintptr_t last) {
    struct letter letter = {0};
    for (uintptr_t number = first; number <= last; number++) {
        assert_true(stack_mailbox_next(&box, &letter));
        assert_int_equal(number_of(letter), number);
    }
}

static struct letter_node *top(void) {
    return atomic_load_relaxed(&box.top);
}

static void test_mark(void **state) {
    (void)state;
    struct letter letter = {0};
    stack_mailbox_init(&box);
    assert_ptr_equal(top(), &stack_mailbox_idle);
    assert_true(stack_mailbox_push(&box, numbered(1)));
    assert_null(atomic_load_relaxed(&top()->next)); /* the mark is not linked to */
    assert_false(stack_mailbox_push(&box, numbered(2)));
    expect(1, 2);
    assert_null(top());
    assert_false(stack_mailbox_next(&box, &letter));
    assert_false(stack_mailbox_push(&box, numbered(3))); /* empty, but not idle */
    expect(3, 3);
    assert_true(stack_mailbox_rest(&box));
    assert_ptr_equal(top(), &stack_mailbox_idle);
}

/* What is pushed while the cache is read comes after it. */
static void test_reversal(void **state) {
    (void)state;
    stack_mailbox_init(&box);
    push(1, 5);
    expect(1, 2);
    push(6, 8);
    expect(3, 5);
    push(9, 9);
    expect(6, 9);
    assert_true(stack_mailbox_rest(&box));
}

/* An empty stack is not the end while the cache holds letters, nor the other way round. */
static void test_no_rest_before_the_end(void **state) {
    (void)state;
    stack_mailbox_init(&box);
    push(1, 3);
    expect(1, 1);
    assert_null(top());
    assert_false(stack_mailbox_rest(&box));
    assert_null(top());
    expect(2, 3);
    push(4, 4);
    assert_false(stack_mailbox_rest(&box));
    expect(4, 4);
    assert_true(stack_mailbox_rest(&box));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_reversal),
        cmocka_unit_test(test_no_rest_before_the_end),
    };
    return cmocka_run_group_tests_name("stack mailbox", tests, NULL, NULL);
}
