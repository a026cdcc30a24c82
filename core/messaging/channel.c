/* A channel: a ring of messages under a lock. */
#include "channel.h"

#include <stdlib.h>

#include "lifecycle.h"
#include "platform/memory.h"
#include "platform/small.h"
#include "platform/spinlock.h"

enum { ROOM = TESTED(16, 2) }; /* of a ring at first */

struct letter {
    struct actorbench_message *message;
    actorbench_behaviour *reaction;
};

struct actorbench_channel {
    struct spinlock lock;
    ATOMIC(size_t) count;               /* of letters; written under the lock, read without it as a hint */
    PLAIN(PLAIN(struct letter) *) ring; /* of `room` letters, from `first` on */
    PLAIN(size_t) first;
    PLAIN(size_t) room;
    size_t limit;
};

struct actorbench_channel *actorbench_channel_make(size_t limit) {
    struct actorbench_channel *channel = (struct actorbench_channel *)memory_zeroed(1, sizeof *channel, "a channel");
    spinlock_init(&channel->lock);
    atomic_initialise(&channel->count, 0);
    channel->room = limit != 0 && limit < ROOM ? limit : ROOM;
    channel->ring = (PLAIN(struct letter) *)memory_block(channel->room * sizeof *channel->ring, "a channel's ring");
    channel->limit = limit;
    return channel;
}

size_t actorbench_channel_free(struct actorbench_channel *channel) {
    size_t left = atomic_load_relaxed(&channel->count); /* nobody else uses it */
    for (size_t i = 0; i < left; i++) {
        struct letter letter = channel->ring[(channel->first + i) % channel->room];
        lifecycle_discard_message(letter.message);
    }
    free(channel->ring);
    free(channel);
    return left;
}

size_t actorbench_channel_count(const struct actorbench_channel *channel) {
    return atomic_load_relaxed(&channel->count); /* a hint */
}

/* Doubles the ring, which is full. */
static void grow(struct actorbench_channel *channel) {
    size_t room = channel->room * 2;
    PLAIN(struct letter) *ring = (PLAIN(struct letter) *)memory_block(room * sizeof *ring, "a channel's ring");
    for (size_t i = 0; i < channel->room; i++)
        ring[i] = channel->ring[(channel->first + i) % channel->room];
    free(channel->ring);
    channel->ring = ring;
    channel->first = 0;
    channel->room = room;
}

bool actorbench_channel_put(struct actorbench_channel *channel, struct actorbench_message *message,
                            actorbench_behaviour *reaction) {
    spinlock_acquire(&channel->lock);
    size_t count = atomic_load_relaxed(&channel->count); /* under the lock */
    bool has_room = channel->limit == 0 || count < channel->limit;
    if (has_room) {
        if (count == channel->room)
            grow(channel);
        lifecycle_mark_sent(message);
        channel->ring[(channel->first + count) % channel->room] = (struct letter){message, reaction};
        atomic_store_relaxed(&channel->count, count + 1);
    }
    spinlock_release(&channel->lock);
    return has_room;
}

/* Takes the oldest letter out; false if there is none. */
static bool take(struct actorbench_channel *channel, struct letter *letter) {
    spinlock_acquire(&channel->lock);
    size_t count = atomic_load_relaxed(&channel->count); /* under the lock */
    if (count != 0) {
        *letter = channel->ring[channel->first];
        channel->first = (channel->first + 1) % channel->room;
        atomic_store_relaxed(&channel->count, count - 1);
    }
    spinlock_release(&channel->lock);
    return count != 0;
}

enum actorbench_allocation actorbench_channel_run(struct actorbench_channel *channel, struct actorbench_actor *actor,
                                                  size_t most) {
    const struct delivery outer = this_delivery; /* of the message by which the actor runs */
    this_delivery = (struct delivery){.is_in_place = false, .outer = &outer};
    enum actorbench_allocation fate = ACTORBENCH_NODELETE;
    struct letter letter;
    for (; most > 0 && fate == ACTORBENCH_NODELETE && take(channel, &letter); most--) {
        fate = lifecycle_run(letter.message, actor, letter.message, letter.reaction);
        lifecycle_settle_message(letter.message);
    }
    this_delivery = outer;
    return fate;
}
