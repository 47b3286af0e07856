/* SPDX-License-Identifier: Apache-2.0 */
#include "topics.h"

#include <errno.h>
#include <string.h>

static const struct dpl_place nowhere;

static const char *keep(struct dpl_arena *arena, const char *text)
{
    return dpl_arena_strdup(arena, text ? text : "");
}

struct dpl__topic *dpl__topics_find(const struct dpl__topics *topics, const char *name)
{
    for (size_t i = 0; i < topics->n; i++) {
        if (strcmp(topics->items[i]->self.name, name) == 0) {
            return topics->items[i];
        }
    }
    return NULL;
}

static void grow(struct dpl__topics *topics)
{
    if (topics->n < topics->capacity) {
        return;
    }
    size_t capacity = topics->capacity > 0 ? 2 * topics->capacity : 64;
    struct dpl__topic **items = dpl_arena_alloc(&topics->arena, capacity * sizeof *items);
    if (topics->n > 0) {
        memcpy(items, topics->items, topics->n * sizeof *items);
    }
    topics->items = items;
    topics->capacity = capacity;
}

struct dpl__topic *dpl__topics_add(struct dpl__topics *topics, const struct dpl_topic *described,
                                   const struct dpl__source_ops *ops, void *source,
                                   struct dpl_diag *reterr)
{
    if (dpl__topics_find(topics, described->name)) {
        dpl_fail(reterr, -EEXIST, nowhere, "two topics have the name %s", described->name);
        return NULL;
    }
    if (topics->n == DPL__TOPICS_MAX) {
        dpl_fail(reterr, -E2BIG, nowhere, "more than %d topics", DPL__TOPICS_MAX);
        return NULL;
    }
    grow(topics);
    struct dpl__topic *topic = dpl_arena_alloc(&topics->arena, sizeof *topic);
    struct dpl_topic *self = &topic->self;
    *self = *described;
    self->id = (uint32_t)topics->n + 1;
    self->name = keep(&topics->arena, described->name);
    self->encoding = keep(&topics->arena, described->encoding);
    self->schema_name = keep(&topics->arena, described->schema_name);
    self->schema_encoding = keep(&topics->arena, described->schema_encoding);
    self->unit = keep(&topics->arena, described->unit);
    self->summary = keep(&topics->arena, described->summary);
    self->publisher = keep(&topics->arena, described->publisher);
    void *schema = dpl_arena_alloc(&topics->arena, described->n_schema + 1);
    if (described->n_schema > 0) {
        memcpy(schema, described->schema, described->n_schema);
    }
    self->schema = schema;
    topic->ops = ops;
    topic->source = source;
    topics->items[topics->n++] = topic;
    return topic;
}

void dpl__topics_finish(struct dpl__topics *topics)
{
    dpl_arena_finish(&topics->arena);
    *topics = (struct dpl__topics){0};
}

void dpl__topic_listen(struct dpl__topic *topic, int by)
{
    bool was = topic->n_listeners > 0;
    topic->n_listeners += (unsigned)by;
    bool is = topic->n_listeners > 0;
    if (by > 0 && topic->ops->welcome) {
        topic->ops->welcome(topic->source);
    }
    if (was != is) {
        topic->ops->listen(topic->source, is);
    }
}

size_t dpl__topics_drain(struct dpl__topics *topics, size_t most,
                         void (*give)(void *user, const struct dpl__topic *topic,
                                      const struct dpl_sample *sample),
                         void *user)
{
    size_t n = 0;
    for (size_t i = 0; i < topics->n; i++) {
        struct dpl__topic *topic = topics->items[i];
        struct dpl_sample sample = {0};
        for (size_t k = 0; k < most && topic->ops->take(topic->source, &sample); k++) {
            topic->n_taken++;
            n++;
            give(user, topic, &sample);
        }
    }
    return n;
}
