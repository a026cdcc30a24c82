/* Tags: a list of bindings under a mutex. Who selects goes through all of it: groups are found seldom, and by conditions that no index
 * knows. */
#include "tag.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "platform/memory.h"

struct binding {
    struct actorbench_actor *actor;
    char *tag;
};

struct actorbench_tags {
    pthread_mutex_t lock; /* of all that follows */
    const struct actorbench_actor_type *type;
    size_t offset;            /* of an actor's references */
    struct binding *bindings; /* an actor's stand in a row */
    size_t count, room;
};

enum { ROOM = 16 /* at first */ };

struct actorbench_tags *actorbench_tags_make_for(const struct actorbench_actor_type *type, size_t offset) {
    struct actorbench_tags *tags = (struct actorbench_tags *)memory_zeroed(1, sizeof *tags, "tags");
    (void)pthread_mutex_init(&tags->lock, NULL); /* cannot fail on Linux */
    tags->type = type;
    tags->offset = offset;
    return tags;
}

static struct actorbench_references *references_of(const struct actorbench_tags *tags, struct actorbench_actor *actor) {
    return (struct actorbench_references *)((char *)actor + tags->offset);
}

/* Undoes bindings [first, end). */
static void undo(struct actorbench_tags *tags, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        actorbench_referred_forget(tags->bindings[i].actor, tags->offset);
        free(tags->bindings[i].tag);
    }
    if (first != end)
        memmove(&tags->bindings[first], &tags->bindings[end], (tags->count - end) * sizeof *tags->bindings);
    tags->count -= end - first;
}

void actorbench_tags_free(struct actorbench_tags *tags) {
    undo(tags, 0, tags->count);
    (void)pthread_mutex_destroy(&tags->lock);
    free(tags->bindings);
    free(tags);
}

void actorbench_tag_add(struct actorbench_tags *tags, struct actorbench_actor *actor, const char *tag) {
    check(actor->type == tags->type, "an actor of type %s is bound among those of type %s", actor->type->name,
          tags->type->name);
    (void)pthread_mutex_lock(&tags->lock);
    size_t place = tags->count;
    bool is_bound = false;
    for (size_t i = 0; i < tags->count; i++)
        if (tags->bindings[i].actor == actor) {
            place = i + 1;
            is_bound |= strcmp(tags->bindings[i].tag, tag) == 0;
        }
    if (!is_bound) {
        if (tags->count == tags->room) {
            tags->room = tags->room == 0 ? ROOM : 2 * tags->room;
            tags->bindings =
                (struct binding *)memory_resize(tags->bindings, tags->room * sizeof *tags->bindings, "tags");
        }
        memmove(&tags->bindings[place + 1], &tags->bindings[place], (tags->count - place) * sizeof *tags->bindings);
        size_t size = strlen(tag) + 1;
        char *copy = (char *)memcpy(memory_block(size, "a tag"), tag, size);
        actorbench_referred_refer(references_of(tags, actor));
        tags->bindings[place] = (struct binding){actor, copy};
        tags->count++;
    }
    (void)pthread_mutex_unlock(&tags->lock);
}

size_t actorbench_tag_remove(struct actorbench_tags *tags, const struct actorbench_actor *actor, const char *tag) {
    size_t removed = 0;
    (void)pthread_mutex_lock(&tags->lock);
    for (size_t i = 0; i < tags->count;) {
        const struct binding *binding = &tags->bindings[i];
        if (binding->actor != actor || (tag != NULL && strcmp(binding->tag, tag) != 0)) {
            i++;
            continue;
        }
        undo(tags, i, i + 1);
        removed++;
    }
    (void)pthread_mutex_unlock(&tags->lock);
    return removed;
}

/* Calls `found` with each actor that has a binding which is selected, under the lock; how many those are. Actors that have quit
 * are bound to nothing any more. */
static size_t select_actors(struct actorbench_tags *tags, actorbench_tag_filter *filter, void *context,
                            void (*found)(struct actorbench_actor *actor, size_t number, void *argument),
                            void *argument) {
    size_t count = 0;
    (void)pthread_mutex_lock(&tags->lock);
    for (size_t first = 0, end; first < tags->count; first = end) {
        const struct binding *binding = &tags->bindings[first];
        bool is_selected = false;
        for (end = first; end < tags->count && tags->bindings[end].actor == binding->actor; end++)
            is_selected = is_selected || filter(binding->actor, tags->bindings[end].tag, context);
        if (actorbench_referred_presence(references_of(tags, binding->actor)) == ACTORBENCH_GONE) {
            undo(tags, first, end);
            end = first;
        } else if (is_selected) {
            found(binding->actor, count++, argument);
        }
    }
    (void)pthread_mutex_unlock(&tags->lock);
    return count;
}

struct broadcast {
    const struct actorbench_tags *tags;
    struct actorbench_message *message;
    actorbench_behaviour *reaction;
    size_t sent;
};

static void send_to(struct actorbench_actor *actor, size_t number, void *argument) {
    (void)number;
    struct broadcast *broadcast = (struct broadcast *)argument;
    broadcast->sent +=
        actorbench_referred_post(actor, broadcast->tags->offset, broadcast->message, broadcast->reaction);
}

size_t actorbench_tag_send(struct actorbench_tags *tags, actorbench_tag_filter *filter, void *context,
                           struct actorbench_message *message, actorbench_behaviour *reaction) {
    struct broadcast broadcast = {tags, message, reaction, 0};
    (void)select_actors(tags, filter, context, send_to, &broadcast);
    return broadcast.sent;
}

struct selection {
    const struct actorbench_tags *tags;
    struct actorbench_actor **found;
    size_t most;
};

static void write_down(struct actorbench_actor *actor, size_t number, void *argument) {
    const struct selection *selection = (const struct selection *)argument;
    if (number >= selection->most)
        return;
    actorbench_referred_refer(references_of(selection->tags, actor));
    selection->found[number] = actor;
}

size_t actorbench_tag_find(struct actorbench_tags *tags, actorbench_tag_filter *filter, void *context,
                           struct actorbench_actor **found, size_t most) {
    struct selection selection = {tags, found, most};
    return select_actors(tags, filter, context, write_down, &selection);
}
