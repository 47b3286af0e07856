/* SPDX-License-Identifier: Apache-2.0 */
#include "derived_topic.h"

#include <errno.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "bytes.h"
#include "descriptor_set.h"

static const struct dpl_place nowhere;

struct dpl__derived {
    struct dpl__derived *next;   /* made from the same topic */
    struct dpl__derived *shared; /* of the same new topic */
    const struct dpl_converter *converter;
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

static void give_one(const struct dpl__derived *derived, const void *message,
                     const struct dpl_sample *sample, struct dpl_bytes *bytes,
                     void (*give)(void *, const struct dpl__topic *, const struct dpl_sample *),
                     void *user)
{
    struct derived_source *source = derived->topic->source;
    bytes->n = 0;
    if (derived->converter->convert(message, sample->stamp, bytes) && !bytes->failed) {
        struct dpl_sample made = *sample;
        made.sequence = source->n_made++;
        made.data = bytes->data;
        made.n = bytes->n;
        give(user, derived->topic, &made);
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
        ProtobufCMessage *message =
            protobuf_c_message_unpack(derived->converter->input, NULL, sample->n, sample->data);
        if (message) {
            give_one(derived, message, sample, &bytes, give, user);
            protobuf_c_message_free_unpacked(message, NULL);
        }
    }
    dpl_bytes_finish(&bytes);
}

/* ---- the topics ---- */

/* The new topic; one that several are made for is added once. */
static struct dpl__topic *add_topic(struct dpl__topics *topics, const struct dpl__topic *from,
                                    const struct dpl_converter *converter, struct dpl_diag *reterr)
{
    const char *name =
        converter->suffix[0] == '/'
            ? converter->suffix
            : dpl_arena_printf(&topics->arena, "%s/%s", from->self.name, converter->suffix);
    struct dpl__topic *topic = dpl__topics_find(topics, name);
    if (topic) {
        return topic;
    }
    struct dpl_bytes schema = {0};
    if (dpl__descriptor_set(converter->output, &schema) < 0) {
        dpl_bytes_finish(&schema);
        dpl_fail(reterr, -ENOMEM, nowhere, "%s: no schema", name);
        return NULL;
    }
    struct dpl_topic described = {
        .name = name,
        .encoding = "protobuf",
        .schema_name = converter->output->name,
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

static bool fits(const struct dpl__topic *topic, const struct dpl_converter *converter)
{
    return strcmp(topic->self.encoding, "protobuf") == 0 &&
           strcmp(topic->self.schema_name, converter->input->name) == 0 &&
           (!converter->fits || converter->fits(strrchr(topic->self.name, '/') + 1));
}

static int add(struct dpl__topics *topics, struct dpl__topic *from,
               const struct dpl_converter *converter, struct dpl_diag *reterr)
{
    struct dpl__topic *topic = add_topic(topics, from, converter, reterr);
    if (!topic || topic->ops != &ops) {
        return topic ? 0 : -ENOMEM; /* a port has that name: it stays */
    }
    struct derived_source *source = topic->source;
    struct dpl__derived *derived = dpl_arena_alloc(&topics->arena, sizeof *derived);
    *derived = (struct dpl__derived){.next = from->derived,
                                     .shared = source->all,
                                     .converter = converter,
                                     .from = from,
                                     .topic = topic};
    from->derived = derived;
    source->all = derived;
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
