/* SPDX-License-Identifier: Apache-2.0 */
#include "log_topic.h"

#include <errno.h>

#include <doppel/text.h>

#include "descriptor_set.h"
#include "standard.pb-c.h"

#define ROWS 2048

static const struct dpl_place nowhere;

static void encode(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
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
    (void)user;
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
    uint8_t *at = dpl_bytes_extend(out, foxglove__log__get_packed_size(&log));
    if (at) {
        foxglove__log__pack(&log, at);
    }
}

int dpl__log_topic_add(struct dpl__topics *topics, const char *name, const char *summary,
                       struct dpl__row_tap **ret_tap, struct dpl_diag *reterr)
{
    struct dpl_bytes schema = {0};
    if (dpl__descriptor_set(&foxglove__log__descriptor, &schema) < 0) {
        dpl_bytes_finish(&schema);
        return dpl_fail(reterr, -ENOMEM, nowhere, "%s: no schema", name);
    }
    const struct dpl_topic described = {.name = name,
                                        .encoding = "protobuf",
                                        .schema_name = foxglove__log__descriptor.name,
                                        .schema_encoding = "protobuf",
                                        .schema = schema.data,
                                        .n_schema = schema.n,
                                        .summary = summary,
                                        .source = DPL_TOPIC_EVENTS};
    const struct dpl__row_topic rows = {sizeof(struct dpl__log_row), ROWS, encode, NULL};
    int r = dpl__row_topic_add(topics, &described, &rows, ret_tap, reterr);
    dpl_bytes_finish(&schema);
    return r;
}
