/* Selection tags: actors of a type are found by names that they are bound to, and sent to together (React++, 2.10 "Selection Tags").
 *
 *     struct actorbench_tags *tags = actorbench_tags_make(clerk);
 *     actorbench_tag_bind(clerk, tags, c, "bills");                                          any actor to any number of names
 *     size_t sent = actorbench_tag_broadcast(clerk, tags, is_bills, NULL, &closing_time);    to all whom is_bills selects
 *     actorbench_tag_unbind(clerk, tags, c, "bills");                                        NULL: whatever its names
 *     actorbench_tags_free(tags);
 *
 * The actors are such as are referred to (referred.h), and a binding refers to its actor: so one may quit while others send to its
 * group. Bindings of actors that have quit are undone when they are come upon. All functions are safe from any thread, but make and free.
 */
#ifndef ACTORBENCH_MESSAGING_TAG_H
#define ACTORBENCH_MESSAGING_TAG_H

#include "referred.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

struct actorbench_tags;

/* Whether a binding is selected; `context` is the caller's. It is called under a lock: it calls nothing of this header. */
typedef bool actorbench_tag_filter(const struct actorbench_actor *actor, const char *tag, void *context);

/* For actors of type A. Stops the program if memory is out. */
#define actorbench_tags_make(A) actorbench_tags_make_for(&A##_type, offsetof(A, references))

/* Undoes all bindings. Nobody uses it any more. */
void actorbench_tags_free(struct actorbench_tags *tags);

/* By who refers to the actor. The tag is copied. Binding it twice is binding it once. */
#define actorbench_tag_bind(A, tags, self, tag) actorbench_tag_add(tags, ACTORBENCH_BASE(A, self, actor), tag)

/* Undoes the binding, or all of the actor's if `tag` is NULL; how many. */
#define actorbench_tag_unbind(A, tags, self, tag) actorbench_tag_remove(tags, ACTORBENCH_BASE(A, self, actor), tag)

/* Sends to each actor that has a binding which `filter` selects, once; to how many. The message is ACTORBENCH_NODELETE. */
#define actorbench_tag_broadcast(A, tags, filter, context, m) \
    actorbench_tag_send(tags, filter, context, &(m)->message, ACTORBENCH_REFERRED(A, m))

/* The actors that a broadcast would send to, `most` at most, written to `found`; how many there are. The caller refers to those that were
 * written, and forgets them. */
#define actorbench_tag_select(A, tags, filter, context, found, most) \
    actorbench_tag_find(tags, filter, context, (struct actorbench_actor **)(void *)(1 ? (found) : (A **)NULL), most)

/* ---- What the macros stand on: not for programs ------------------------------------------------------------------ */

struct actorbench_tags *actorbench_tags_make_for(const struct actorbench_actor_type *type, size_t offset);
void actorbench_tag_add(struct actorbench_tags *tags, struct actorbench_actor *actor, const char *tag);
size_t actorbench_tag_remove(struct actorbench_tags *tags, const struct actorbench_actor *actor, const char *tag);
size_t actorbench_tag_send(struct actorbench_tags *tags, actorbench_tag_filter *filter, void *context,
                           struct actorbench_message *message, actorbench_behaviour *reaction);
size_t actorbench_tag_find(struct actorbench_tags *tags, actorbench_tag_filter *filter, void *context,
                           struct actorbench_actor **found, size_t most);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
