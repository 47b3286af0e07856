/* SPDX-License-Identifier: Apache-2.0 */
#include "log_topic.h"

#include <errno.h>

#include <doppel/text.h>

#include "bytes.h"
#include "descriptor_set.h"
#include "standard.pb-c.h"

#define ROWS 2048

struct log_source {
    struct dpl__row_tap tap;
    struct dpl_bytes bytes;
};

static const struct dpl_place nowhere;

static void listen(void *self, bool on)
{
    struct log_source *source = self;
    atomic_store_explicit(&source->tap.listening, on, memory_order_relaxed);
}

static void encode(struct log_source *source, const struct dpl__row *row)
{
    static const Foxglove__Log__Level levels[] = {
        [DPL_LOG_ERROR] = FOXGLOVE__LOG__LEVEL__ERROR,
        [DPL_LOG_WARN] = FOXGLOVE__LOG__LEVEL__WARNING,
        [DPL_LOG_INFO] = FOXGLOVE__LOG__LEVEL__INFO,
        [DPL_LOG_DEBUG] = FOXGLOVE__LOG__LEVEL__DEBUG,
    };
    const struct dpl__log_row *line = (const void *)row->data;
    char name[DPL_TEXT_CLEAN_SIZE(sizeof line->source)],
        text[DPL_TEXT_CLEAN_SIZE(sizeof line->text)];
    dpl_text_clean(line->source, name, sizeof name);
    dpl_text_clean(line->text, text, sizeof text);
    Google__Protobuf__Timestamp stamp = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    Foxglove__Log log;
    foxglove__log__init(&log);
    stamp.seconds = row->stamp / DPL_S;
    stamp.nanos = (int32_t)(row->stamp % DPL_S);
    log.timestamp = &stamp;
    log.level = levels[line->level];
    log.name = name;
    log.message = text;
    source->bytes.n = 0;
    uint8_t *at = dpl_bytes_extend(&source->bytes, foxglove__log__get_packed_size(&log));
    if (at) {
        foxglove__log__pack(&log, at);
    }
}

static bool take(void *self, struct dpl_sample *ret_sample)
{
    struct log_source *source = self;
    const struct dpl__row *row = dpl__row_tap_take(&source->tap);
    if (!row) {
        return false;
    }
    encode(source, row);
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
    const struct log_source *source = self;
    return atomic_load_explicit(&source->tap.n_dropped, memory_order_relaxed);
}

static const struct dpl__source_ops ops = {listen, take, dropped};

int dpl__log_topic_add(struct dpl__topics *topics, const char *name, const char *summary,
                       struct dpl__row_tap **ret_tap, struct dpl_diag *reterr)
{
    struct log_source *source = dpl_arena_alloc(&topics->arena, sizeof *source);
    struct dpl_bytes schema = {0};
    if (dpl__descriptor_set(&foxglove__log__descriptor, &schema) < 0) {
        dpl_bytes_finish(&schema);
        return dpl_fail(reterr, -ENOMEM, nowhere, "%s: no schema", name);
    }
    struct dpl_topic described = {.name = name,
                                  .encoding = "protobuf",
                                  .schema_name = foxglove__log__descriptor.name,
                                  .schema_encoding = "protobuf",
                                  .schema = schema.data,
                                  .n_schema = schema.n,
                                  .summary = summary,
                                  .source = DPL_TOPIC_EVENTS};
    const struct dpl__topic *added = dpl__topics_add(topics, &described, &ops, source, reterr);
    dpl_bytes_finish(&schema);
    if (!added) {
        return -EEXIST;
    }
    dpl__row_tap_init(&source->tap, &topics->arena, sizeof(struct dpl__log_row), ROWS);
    *ret_tap = &source->tap;
    return 0;
}

void dpl__log_topics_finish(struct dpl__topics *topics)
{
    for (size_t i = 0; i < topics->n; i++) {
        if (topics->items[i]->ops == &ops) {
            dpl_bytes_finish(&((struct log_source *)topics->items[i]->source)->bytes);
        }
    }
}
