/* SPDX-License-Identifier: Apache-2.0 */
#include "value_topic.h"

#include <errno.h>

#include "bytes.h"
#include "field_json.h"

#define TAP_BYTES  (256u << 10) /* of a tap's rows, about */
#define ROWS_LEAST 16u
#define ROWS_MOST  1024u

struct value_source {
    struct dpl__row_tap tap;
    const struct dpl_field *fields;
    size_t n_fields;
    struct dpl_bytes bytes;
};

static void listen(void *self, bool on)
{
    struct value_source *source = self;
    atomic_store_explicit(&source->tap.listening, on, memory_order_relaxed);
}

static bool take(void *self, struct dpl_sample *ret_sample)
{
    struct value_source *source = self;
    const struct dpl__row *row = dpl__row_tap_take(&source->tap);
    if (!row) {
        return false;
    }
    source->bytes.n = 0;
    source->bytes.failed = false;
    dpl__fields_json(source->fields, source->n_fields, row->data, &source->bytes);
    *ret_sample = (struct dpl_sample){.stamp = row->stamp,
                                      .taken = row->stamp,
                                      .sequence = row->sequence,
                                      .data = source->bytes.data,
                                      .n = source->bytes.n};
    dpl__row_tap_release(&source->tap);
    return !source->bytes.failed;
}

static uint64_t dropped(void *self)
{
    const struct value_source *source = self;
    return atomic_load_explicit(&source->tap.n_dropped, memory_order_relaxed);
}

static const struct dpl__source_ops ops = {listen, take, dropped};

int dpl__value_topic_add(struct dpl__topics *topics, const struct dpl__value_topic *described,
                         struct dpl__row_tap **ret_tap, struct dpl_diag *reterr)
{
    struct value_source *source = dpl_arena_alloc(&topics->arena, sizeof *source);
    size_t n_rows = TAP_BYTES / (described->size + 1);
    n_rows = n_rows < ROWS_LEAST ? ROWS_LEAST : n_rows > ROWS_MOST ? ROWS_MOST : n_rows;
    source->fields = described->fields;
    source->n_fields = described->n_fields;
    struct dpl_bytes schema = {0};
    dpl__field_schema(described->name, described->fields, described->n_fields, &schema);
    struct dpl_topic topic = {
        .name = described->name,
        .encoding = "json",
        .schema_name = described->name,
        .schema_encoding = "jsonschema",
        .schema = schema.data,
        .n_schema = schema.n,
        .unit = described->n_fields == 1 ? described->fields[0].unit : "",
        .summary = described->summary,
        .source = DPL_TOPIC_VALUES,
        .latched = described->latched,
    };
    const struct dpl__topic *added = dpl__topics_add(topics, &topic, &ops, source, reterr);
    dpl_bytes_finish(&schema);
    if (!added) {
        return -EINVAL;
    }
    dpl__row_tap_init(&source->tap, &topics->arena, described->size, n_rows);
    *ret_tap = &source->tap;
    return 0;
}

void dpl__value_topics_finish(struct dpl__topics *topics)
{
    for (size_t i = 0; i < topics->n; i++) {
        if (topics->items[i]->ops == &ops) {
            dpl_bytes_finish(&((struct value_source *)topics->items[i]->source)->bytes);
        }
    }
}
