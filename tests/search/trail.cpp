/* Trails (messaging/trail.h) whose forks share their history: it is there as long as one of them may read it or go back over it, and
 * is given back once. */
#include "search.h"

/* Each thread's own; see workers.h. */
#pragma GCC diagnostic ignored "-Wparentheses"
#define this_delivery (*this_delivery_here())

#include "lifecycle.c"
#include "messaging/trail.c"

static struct delivery deliveries[2];

struct delivery *this_delivery_here() {
    return &deliveries[rl::ctx().current_thread()];
}

void *storage_take(size_t size, size_t, const char *what) {
    return memory_block(size, what);
}

void storage_give(void *block, size_t) {
    free(block);
}

struct parcel {
    struct actorbench_message message;
    struct actorbench_trail trail;
    unsigned sent; /* over so many steps */
};

static const struct actorbench_message_type parcel_type = {"parcel", NULL, sizeof(struct parcel), NULL};

/* The actors on the way, and where each trail, which one thread has, is now. */
static struct actorbench_actor first, second, third;
static struct actorbench_actor *at[2];

/* A send is a note of it here: the forks do not meet, and who has one keeps it. */
struct actorbench_actor *actorbench_post(struct actorbench_actor *receiver, struct actorbench_message *,
                                         actorbench_behaviour *) {
    return at[rl::ctx().current_thread()] = receiver;
}

static enum actorbench_allocation comes_back(struct actorbench_actor *, struct actorbench_message *) {
    return ACTORBENCH_NODELETE;
}

static void link_on(struct parcel *passed, struct actorbench_actor *sender, struct actorbench_actor *receiver) {
    passed->sent++;
    actorbench_trail_step(&passed->trail, sender, comes_back, receiver, comes_back);
}

static struct parcel *fork_of(struct parcel *passed) {
    return (struct parcel *)actorbench_trail_clone(&passed->trail, offsetof(struct parcel, trail));
}

/* Reads what was sent at each step, back to the first. */
static void read_history(struct parcel *passed) {
    for (unsigned ago = 0; ago <= passed->sent; ago++) {
        const struct parcel *sent = (const struct parcel *)actorbench_trail_look_back(&passed->trail, ago);
        ALWAYS((sent == NULL) == (ago == passed->sent));
        if (sent == NULL)
            return;
        search::the_world.touch(sent, RL_INFO);
        ALWAYS(sent->sent == passed->sent - ago);
    }
}

/* After a behaviour that has done nothing with it. */
static void let_go(struct parcel *passed) {
    actorbench_trail_let_go(&passed->trail);
}

/* One that went from the first to the second and the third, and there was forked; each thread has one of the two. */
template <typename derived> struct forked : search::scenario<derived, 2> {
    struct parcel *parcels[2];

    void prepare() {
        parcels[0] = search::zeroed<struct parcel>();
        actorbench_message_construct(&parcels[0]->message, &parcel_type, ACTORBENCH_DESTROY);
        (void)actorbench_trail_make(&parcels[0]->message, offsetof(struct parcel, trail));
        link_on(parcels[0], &first, &second);
        link_on(parcels[0], &second, &third);
        parcels[1] = fork_of(parcels[0]);
    }
    void finish() {
    }
};

/* Both read their history, and end. */
struct ended : forked<ended> {
    void thread(unsigned number) {
        read_history(parcels[number]);
        let_go(parcels[number]);
    }
};

/* One is raised, goes back to the first, is resumed by it, and goes on; the other ends. */
struct rewound : forked<rewound> {
    void thread(unsigned number) {
        struct parcel *passed = parcels[number];
        if (number == 0) {
            actorbench_trail_throw(&passed->trail, &third, comes_back);
            ALWAYS(at[0] == &second);
            let_go(passed);
            ALWAYS(at[0] == &first);
            actorbench_trail_return(&passed->trail);
            ALWAYS(at[0] == &third);
            read_history(passed);
        }
        let_go(passed);
    }
};

/* One is linked on, and forked again there; the other ends. */
struct forked_again : forked<forked_again> {
    void thread(unsigned number) {
        struct parcel *passed = parcels[number];
        if (number == 0) {
            link_on(passed, &third, &first);
            struct parcel *fork = fork_of(passed);
            read_history(fork);
            let_go(fork);
            read_history(passed);
        }
        let_go(passed);
    }
};

/* One is forked beside the end of the other. */
struct forked_beside : forked<forked_beside> {
    void thread(unsigned number) {
        if (number == 0) {
            struct parcel *fork = fork_of(parcels[0]);
            let_go(parcels[0]);
            read_history(fork);
            let_go(fork);
        } else {
            let_go(parcels[1]);
        }
    }
};

SEARCHES(FULL(ended), FULL(rewound), FULL(forked_again), FULL(forked_beside))
