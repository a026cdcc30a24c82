/* Channels: mailboxes beside an actor's own, each with an identity of its own (React++, 2.1 "Mailboxes and Channels").
 *
 * A channel holds messages for actors of one type, until one of them takes some out, in a behaviour of its own: what comes by a
 * channel does not make an actor run. So an actor has others' messages wait for its choice, and a sender learns that the channel
 * is full, in place of filling memory (back-pressure). Many may send, and many may process: each message is taken once, and in the
 * order in which they were sent.
 *
 *     struct actorbench_channel *orders = actorbench_channel_make(100);
 *     if (!actorbench_channel_send(cook, orders, next)) ...                                 full: `next` is still the sender's
 *     static enum actorbench_allocation cook_hears(cook *self, bell *b) {
 *         return actorbench_channel_process(cook, orders, self, 10);                        ten of them at most
 *     }
 *     actorbench_channel_free(orders);
 *
 * All functions are safe from any thread, but actorbench_channel_free.
 */
#ifndef ACTORBENCH_MESSAGING_CHANNEL_H
#define ACTORBENCH_MESSAGING_CHANNEL_H

#include <stdbool.h>

#include "../actor.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct actorbench_channel;

/* For `limit` messages at most; 0: for as many as there is memory for. Stops the program if memory is out. */
struct actorbench_channel *actorbench_channel_make(size_t limit);

/* Ends the messages that are left, as their allocations say; how many those were. Nobody uses the channel any more. */
size_t actorbench_channel_free(struct actorbench_channel *channel);

/* How many messages wait: a hint, while others send or process. */
size_t actorbench_channel_count(const struct actorbench_channel *channel);

/* Puts in a message for actors of type A, which have a behaviour for it; false if the channel is full, and the message still the
 * sender's. */
#define actorbench_channel_send(A, channel, m) \
    actorbench_channel_put(channel, &(m)->message, ACTORBENCH_BEHAVIOUR(A, m))

/* From a behaviour of an actor of type A: runs its behaviours on so many messages at most, and ends these. Value: what becomes of the
 * actor; after a behaviour that ends it there is no other. */
#define actorbench_channel_process(A, channel, self, most) \
    actorbench_channel_run(channel, ACTORBENCH_BASE(A, self, actor), most)

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

bool actorbench_channel_put(struct actorbench_channel *channel, struct actorbench_message *message,
                            actorbench_behaviour *reaction);
enum actorbench_allocation actorbench_channel_run(struct actorbench_channel *channel, struct actorbench_actor *actor,
                                                  size_t most);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
