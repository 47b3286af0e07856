/* SPDX-License-Identifier: Apache-2.0 */
#include "bag_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/output.h>

#include "bag.h"
#include "bag_write.h"
#include "field_path.h"
#include "wire_client.h"

#define COLUMNS_MAX 65536
#define PATH_BYTES  1024

struct column {
    char *name;
    struct dpl_bytes cell; /* of the row that is being made */
};

struct csv {
    struct bag bag;
    const struct dpl_mcap_channel *channel;
    struct wire_schema schema;
    struct column *columns;
    size_t n, next; /* next: fields mostly come in the order of the columns */
    int err;
};

static char *copy(struct dpl_mcap_span span)
{
    char *text = calloc(1, span.n + 1);
    if (text && span.n > 0) {
        memcpy(text, span.data, span.n);
    }
    return text;
}

static bool is_wanted(void *user, const struct dpl_mcap_channel *channel)
{
    return channel == ((const struct csv *)user)->channel;
}

/* ---- columns ---- */

static struct column *add_column(struct csv *csv, const char *path)
{
    if (csv->n == COLUMNS_MAX) {
        csv->err = -E2BIG;
        return NULL;
    }
    if ((csv->n & (csv->n - 1)) == 0) { /* full at each power of two */
        struct column *columns = realloc(csv->columns, (csv->n ? 2 * csv->n : 1) * sizeof *columns);
        if (!columns) {
            csv->err = -ENOMEM;
            return NULL;
        }
        csv->columns = columns;
    }
    csv->columns[csv->n] = (struct column){.name = strdup(path)};
    csv->err = csv->columns[csv->n].name ? csv->err : -ENOMEM;
    return csv->err < 0 ? NULL : &csv->columns[csv->n++];
}

static struct column *find_column(struct csv *csv, const char *path)
{
    for (size_t k = 0; k < csv->n; k++) {
        size_t i = (csv->next + k) % csv->n;
        if (strcmp(csv->columns[i].name, path) == 0) {
            csv->next = i + 1;
            return &csv->columns[i];
        }
    }
    return add_column(csv, path);
}

/* ---- cells ---- */

static void set_text(struct dpl_bytes *cell, const char *text)
{
    bool is_plain = !text[strcspn(text, ",\"\r\n")];
    dpl_bytes_text(cell, is_plain ? "" : "\"");
    for (const char *c = text; *c; c++) {
        dpl_bytes_text(cell, *c == '"' ? "\"" : "");
        dpl_bytes_add(cell, c, 1);
    }
    dpl_bytes_text(cell, is_plain ? "" : "\"");
}

static void set_cell(struct csv *csv, const char *path, json_t *value)
{
    struct column *column = csv->err < 0 ? NULL : find_column(csv, path);
    if (!column) {
        return;
    }
    column->cell.n = 0;
    if (json_is_string(value)) {
        set_text(&column->cell, json_string_value(value));
    } else if (json_is_null(value)) {
        dpl_bytes_text(&column->cell, "nan");
    } else {
        field_json(value, &column->cell);
    }
}

/* All fields of a value, each under its path. */
static void set_fields(struct csv *csv, char *path, size_t n, json_t *value)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach(value, key, item)
        {
            int m = snprintf(path + n, PATH_BYTES - n, "%s%s", n > 0 ? "." : "", key);
            set_fields(csv, path, n + (size_t)m < PATH_BYTES ? n + (size_t)m : n, item);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, item)
        {
            int m = snprintf(path + n, PATH_BYTES - n, "[%zu]", i);
            set_fields(csv, path, n + (size_t)m < PATH_BYTES ? n + (size_t)m : n, item);
        }
    } else {
        set_cell(csv, n > 0 ? path : "value", value);
    }
    path[n] = '\0';
}

/* ---- rows ---- */

static void print_header(const struct csv *csv, FILE *out)
{
    fputs("t", out);
    for (size_t i = 0; i < csv->n; i++) {
        fprintf(out, ",%s", csv->columns[i].name);
    }
    fputc('\n', out);
}

static void print_row(struct csv *csv, uint64_t time, FILE *out)
{
    fprintf(out, "%" PRIu64 ".%09" PRIu64, time / 1000000000, time % 1000000000);
    for (size_t i = 0; i < csv->n; i++) {
        struct dpl_bytes *cell = &csv->columns[i].cell;
        fputc(',', out);
        fwrite(cell->n > 0 ? cell->data : (const uint8_t *)"", 1, cell->n, out);
        csv->err = cell->failed ? -ENOMEM : csv->err;
        cell->n = 0;
    }
    fputc('\n', out);
}

/* Once without `out`, for the columns; then with it. */
static int read_all(struct csv *csv, FILE *out, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = csv->bag.file};
    struct dpl_mcap_message message;
    struct dpl_diag why = {0};
    char path[PATH_BYTES] = "";
    int r;
    csv->bag.module->seek(csv->bag.reader, 0, UINT64_MAX, is_wanted, csv);
    while ((r = csv->bag.module->next(csv->bag.reader, &message)) > 0 && csv->err == 0) {
        json_t *value = wire_decode(&csv->schema, message.data.data, message.data.n, &why);
        if (!value) {
            return dpl_fail(reterr, -EINVAL, place, "the message at %.6f s: %s",
                            (double)message.log_time / 1e9, why.text);
        }
        set_fields(csv, path, 0, value);
        json_decref(value);
        if (out) {
            print_row(csv, message.log_time, out);
        }
    }
    r = csv->err < 0 ? csv->err : r;
    return r < 0 ? dpl_fail(reterr, r, place,
                            r == -E2BIG ? "the topic has more than %d fields" : "no memory",
                            COLUMNS_MAX)
                 : 0;
}

static int choose(struct csv *csv, const char *topic, struct dpl_diag *reterr)
{
    char name[512];
    static const struct dpl_mcap_schema none;
    snprintf(name, sizeof name, "%s%s", topic[0] == '/' ? "" : "/", topic);
    csv->channel = bag_topic(&csv->bag, name);
    if (!csv->channel) {
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = csv->bag.file},
                        "it has no topic '%s'; `doppel bag info` lists them", name);
    }
    const struct dpl_mcap_schema *schema = csv->channel->schema ? csv->channel->schema : &none;
    csv->schema = (struct wire_schema){.encoding = copy(csv->channel->encoding),
                                       .name = copy(schema->name),
                                       .language = copy(schema->encoding)};
    dpl_bytes_add(&csv->schema.bytes, schema->data.data, schema->data.n);
    return csv->schema.encoding && csv->schema.name && csv->schema.language
               ? 0
               : dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = csv->bag.file}, "no memory");
}

static int write_table(struct csv *csv, const char *output, struct dpl_diag *reterr)
{
    struct dpl_output out = {0};
    int r = read_all(csv, NULL, reterr);
    if (r == 0 && csv->n == 0) {
        return dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = csv->bag.file},
                        "the topic has no message with a field");
    }
    for (size_t i = 0; i < csv->n; i++) {
        csv->columns[i].cell.n = 0;
    }
    r = r < 0 ? r : dpl_output_open(&out, output, reterr);
    if (r < 0) {
        return r;
    }
    print_header(csv, out.stream);
    r = read_all(csv, out.stream, reterr);
    if (r < 0) {
        dpl_output_abandon(&out);
    }
    return r < 0 ? r : dpl_output_close(&out, reterr);
}

int bag_csv(const char *file, const char *topic, const char *output, char *ret_trouble,
            struct dpl_diag *reterr)
{
    struct csv csv = {.n = 0};
    int r = bag_open(file, &csv.bag, reterr);
    if (r < 0) {
        return r;
    }
    r = choose(&csv, topic, reterr);
    r = r < 0 ? r : write_table(&csv, output, reterr);
    snprintf(ret_trouble, BAG_TROUBLE_MAX, "%s", r == 0 ? bag_trouble(&csv.bag) : "");
    for (size_t i = 0; i < csv.n; i++) {
        free(csv.columns[i].name);
        dpl_bytes_finish(&csv.columns[i].cell);
    }
    free(csv.columns);
    wire_schema_finish(&csv.schema);
    bag_close(&csv.bag);
    return r;
}
