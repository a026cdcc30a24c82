/* Creation: workers make actors by the thousand, and end them, and what they ended serves again. */
#include "rows.h"

enum { DEPTH = 9, TREES = 3, TREE = (1 << (DEPTH + 1)) - 1 };

static ATOMIC(unsigned) living, ended;

typedef struct {
    struct actorbench_message message;
    unsigned depth;
} order;
ACTORBENCH_MESSAGE_TYPE(order)

/* Grows two children, and ends when both have said that they have. */
typedef struct planter planter;
typedef struct {
    struct actorbench_message message;
} farewell;
ACTORBENCH_MESSAGE_TYPE(farewell)

struct planter {
    struct actorbench_actor actor;
    planter *parent;
    unsigned children;
};
#define BEHAVIOURS_planter(ON)         \
    ON(planter, order, planter_plants) \
    ON(planter, farewell, planter_loses_a_child)
ACTORBENCH_ACTOR_TYPE_WITH_DESTRUCTOR(planter, planter_ends)

static void planter_ends(planter *self) {
    (void)self;
    (void)atomic_fetch_add_relaxed(&ended, 1);
    (void)atomic_fetch_sub_relaxed(&living, 1);
}

static void plant(planter *parent, unsigned depth) {
    planter *child = actorbench_actor_new(planter);
    order *first = actorbench_message_new(order, ACTORBENCH_DELETE);
    (void)atomic_fetch_add_relaxed(&living, 1);
    child->parent = parent;
    first->depth = depth;
    actorbench_send(planter, child, first);
}

static enum actorbench_allocation part(planter *self) {
    if (self->parent != NULL)
        actorbench_send(planter, self->parent, actorbench_message_new(farewell, ACTORBENCH_DELETE));
    return ACTORBENCH_DELETE;
}

static enum actorbench_allocation planter_plants(planter *self, order *message) {
    if (message->depth == 0)
        return part(self);
    for (self->children = 0; self->children < 2; self->children++)
        plant(self, message->depth - 1);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation planter_loses_a_child(planter *self, farewell *message) {
    (void)message;
    return --self->children == 0 ? part(self) : ACTORBENCH_NODELETE;
}

static void test_line(void **state) {
    const struct table_line *line = *state;
    struct actorbench_config config = configuration(line->names, line->values);
    watch_line("creation", line);
    atomic_initialise(&living, 0);
    atomic_initialise(&ended, 0);
    start_executor(&config);
    for (unsigned tree = 1; tree <= TREES; tree++) {
        plant(NULL, DEPTH);
        actorbench_wait();
        assert_int_equal(atomic_load_relaxed(&living), 0);
        assert_int_equal(atomic_load_relaxed(&ended), tree * TREE);
    }
    actorbench_stop();
    watchdog_stop();
    struct actorbench_statistics counted;
    if (!actorbench_last_statistics(&counted))
        return;
    assert_int_equal(counted.actors_created, TREES * TREE);
    assert_int_equal(counted.messages_sent,
                     TREES * (2 * TREE - 1)); /* an order each, and a farewell but for the root */
    assert_int_equal(counted.messages_received, counted.messages_sent);
    expect_plausible(&counted);
}

int main(void) {
    ADD_TABLE(covering, test_line);
    return run_tables("creation");
}
