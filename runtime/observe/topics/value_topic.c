/* SPDX-License-Identifier: Apache-2.0 */
#include "value_topic.h"

#include "field_json.h"

#define TAP_BYTES  (256u << 10) /* of a tap's rows, about */
#define ROWS_LEAST 16u
#define ROWS_MOST  1024u

struct table {
    const struct dpl_field *fields;
    size_t n;
};

static void encode(const void *user, const struct dpl__row *row, struct dpl_bytes *out)
{
    const struct table *table = user;
    dpl__fields_json(table->fields, table->n, row->data, out);
}

int dpl__value_topic_add(struct dpl__topics *topics, const struct dpl__value_topic *described,
                         struct dpl__row_tap **ret_tap, struct dpl_diag *reterr)
{
    struct table *table = dpl_arena_alloc(&topics->arena, sizeof *table);
    size_t n_rows = TAP_BYTES / (described->size + 1);
    n_rows = n_rows < ROWS_LEAST ? ROWS_LEAST : n_rows > ROWS_MOST ? ROWS_MOST : n_rows;
    n_rows = described->is_present ? ROWS_LEAST : n_rows;
    *table = (struct table){described->fields, described->n_fields};
    struct dpl_bytes schema = {0};
    dpl__field_schema(described->name, described->fields, described->n_fields, &schema);
    const struct dpl_topic topic = {
        .name = described->name,
        .encoding = "json",
        .schema_name = described->name,
        .schema_encoding = "jsonschema",
        .schema = schema.data,
        .n_schema = schema.n,
        .unit = described->n_fields == 1 ? described->fields[0].unit : "",
        .summary = described->summary,
        .source = described->is_present   ? DPL_TOPIC_PRESENT
                  : described->are_events ? DPL_TOPIC_EVENTS
                                          : DPL_TOPIC_VALUES,
        .latched = described->is_present || described->are_events,
    };
    const struct dpl__row_topic rows = {described->size, n_rows, encode, table};
    int r = dpl__row_topic_add(topics, &topic, &rows, ret_tap, reterr);
    dpl_bytes_finish(&schema);
    return r;
}
