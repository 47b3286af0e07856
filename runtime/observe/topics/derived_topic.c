/* SPDX-License-Identifier: Apache-2.0 */
#include "derived_topic.h"

#include <errno.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "bytes.h"
#include "descriptor_set.h"

static const struct dpl_place nowhere;

struct dpl__derived {
    struct dpl__derived *next;             /* made from the same topic */
    struct dpl__derived *shared;           /* of the same new topic */
    const struct dpl_converter *converter; /* NULL: `made` has the message */
    const struct dpl_bytes *made;
    struct dpl__topic *from, *topic;
};

/* The source of a new topic. */
struct derived_source {
    struct dpl__derived *all;
    uint64_t n_made;
};

static void listen(void *self, bool on)
{
    const struct derived_source *source = self;
    for (struct dpl__derived *derived = source->all; derived; derived = derived->shared) {
        dpl__topic_listen(derived->from, on ? 1 : -1);
    }
}

static bool take(void *self, struct dpl_sample *ret_sample)
{
    (void)self;
    (void)ret_sample;
    return false; /* what there is was given with the message that it is made from */
}

static uint64_t dropped(void *self)
{
    (void)self;
    return 0; /* counted where it is made from */
}

static const struct dpl__source_ops ops = {listen, take, dropped};

/* ---- messages ---- */

typedef void give_sample(void *user, const struct dpl__topic *topic,
                         const struct dpl_sample *sample);

static void give_bytes(const struct dpl__derived *derived, const struct dpl_sample *sample,
                       const struct dpl_bytes *bytes, give_sample *give, void *user)
{
    struct derived_source *source = derived->topic->source;
    struct dpl_sample made = *sample;
    made.sequence = source->n_made++;
    made.data = bytes->data;
    made.n = bytes->n;
    give(user, derived->topic, &made);
}

static void convert(const struct dpl__derived *derived, const struct dpl_sample *sample,
                    struct dpl_bytes *bytes, give_sample *give, void *user)
{
    ProtobufCMessage *message =
        protobuf_c_message_unpack(derived->converter->input, NULL, sample->n, sample->data);
    bytes->n = 0;
    if (message && derived->converter->convert(message, sample->stamp, bytes) && !bytes->failed) {
        give_bytes(derived, sample, bytes, give, user);
    }
    if (message) {
        protobuf_c_message_free_unpacked(message, NULL);
    }
}

void dpl__derived_topics_give(const struct dpl__topic *topic, const struct dpl_sample *sample,
                              void (*give)(void *user, const struct dpl__topic *topic,
                                           const struct dpl_sample *sample),
                              void *user)
{
    struct dpl_bytes bytes = {0};
    for (const struct dpl__derived *derived = topic->derived; derived; derived = derived->next) {
        if (derived->topic->n_listeners == 0) {
            continue;
        }
        if (derived->converter) {
            convert(derived, sample, &bytes, give, user);
        } else if (derived->made->n > 0) {
            give_bytes(derived, sample, derived->made, give, user);
        }
    }
    dpl_bytes_finish(&bytes);
}

/* ---- the topics ---- */

/* The topic, which is added when it is not there. */
static struct dpl__topic *add_topic(struct dpl__topics *topics, const char *name,
                                    const ProtobufCMessageDescriptor *type, struct dpl_diag *reterr)
{
    struct dpl__topic *topic = dpl__topics_find(topics, name);
    if (topic) {
        return topic;
    }
    struct dpl_bytes schema = {0};
    if (dpl__descriptor_set(type, &schema) < 0) {
        dpl_bytes_finish(&schema);
        dpl_fail(reterr, -ENOMEM, nowhere, "%s: no schema", name);
        return NULL;
    }
    struct dpl_topic described = {
        .name = name,
        .encoding = "protobuf",
        .schema_name = type->name,
        .schema_encoding = "protobuf",
        .schema = schema.data,
        .n_schema = schema.n,
        .summary = "for viewers",
        .source = DPL_TOPIC_PORT,
    };
    struct derived_source *source = dpl_arena_alloc(&topics->arena, sizeof *source);
    topic = dpl__topics_add(topics, &described, &ops, source, reterr);
    dpl_bytes_finish(&schema);
    return topic;
}

static void link_topics(struct dpl__topics *topics, const struct dpl__derived *described)
{
    struct derived_source *source = described->topic->source;
    struct dpl__derived *derived = dpl_arena_alloc(&topics->arena, sizeof *derived);
    *derived = *described;
    derived->next = derived->from->derived;
    derived->shared = source->all;
    derived->from->derived = derived;
    source->all = derived;
}

struct dpl__topic *dpl__derived_topics_feed(struct dpl__topics *topics, const char *name,
                                            const ProtobufCMessageDescriptor *type,
                                            struct dpl__topic *from, const struct dpl_bytes *made,
                                            struct dpl_diag *reterr)
{
    struct dpl__topic *topic = add_topic(topics, name, type, reterr);
    if (topic && topic->ops != &ops) {
        dpl_fail(reterr, -EEXIST, nowhere, "%s is a port: worlds cannot have that topic", name);
        return NULL;
    }
    if (topic) {
        link_topics(topics, &(struct dpl__derived){.made = made, .from = from, .topic = topic});
    }
    return topic;
}

static bool fits(const struct dpl__topic *topic, const struct dpl_converter *converter)
{
    return strcmp(topic->self.encoding, "protobuf") == 0 &&
           strcmp(topic->self.schema_name, converter->input->name) == 0 &&
           (!converter->fits || converter->fits(strrchr(topic->self.name, '/') + 1));
}

static int add(struct dpl__topics *topics, struct dpl__topic *from,
               const struct dpl_converter *converter, struct dpl_diag *reterr)
{
    const char *name =
        converter->suffix[0] == '/'
            ? converter->suffix
            : dpl_arena_printf(&topics->arena, "%s/%s", from->self.name, converter->suffix);
    struct dpl__topic *topic = add_topic(topics, name, converter->output, reterr);
    if (!topic || topic->ops != &ops) {
        return topic ? 0 : -ENOMEM; /* a port has that name: it stays */
    }
    link_topics(topics,
                &(struct dpl__derived){.converter = converter, .from = from, .topic = topic});
    return 0;
}

int dpl__derived_topics_add(struct dpl__topics *topics, const struct dpl_converter *converters,
                            size_t n, struct dpl_diag *reterr)
{
    size_t n_own = topics->n;
    for (size_t i = 0; i < n_own; i++) {
        struct dpl__topic *from = topics->items[i];
        for (size_t k = 0; k < n; k++) {
            int r = fits(from, &converters[k]) ? add(topics, from, &converters[k], reterr) : 0;
            if (r < 0) {
                return r;
            }
        }
    }
    return 0;
}
