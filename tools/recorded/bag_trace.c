/* SPDX-License-Identifier: Apache-2.0 */
/* trace.csv from topics with values. A row is a cycle of the executor that run.json names; it has
 * the newest values of all others. Before the first value of a column its cells are empty. */
#include "bag.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bag_values.h"
#include "bytes.h"

#define CHANNELS  65536
#define BYTES_MAX ((long)1 << 30) /* a table.h reads no more */

struct column {
    const char *name, *field; /* of run.json */
    uint16_t channel;
    json_int_t executor;
    bool is_choice; /* a text without quotes */
    struct dpl_bytes now;
};

struct trace {
    struct bag *bag;
    json_t *record;
    json_int_t executor;
    struct column *columns;
    size_t n;
    uint32_t first[CHANNELS]; /* 1 + the first column of a channel; 0: none */
    FILE *out;
    uint64_t time;
    bool has_row; /* at that time */
    size_t n_rows;
};

/* ---- columns ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_choice(const struct dpl_mcap_channel *channel, const char *field)
{
    const struct dpl_mcap_schema *schema = channel->schema;
    json_t *root =
        schema ? json_loadb((const char *)schema->data.data, schema->data.n, 0, NULL) : NULL;
    const json_t *property = json_object_get(json_object_get(root, "properties"), field);
    bool is = json_object_get(property, "enum") != NULL;
    json_decref(root);
    return is;
}

static bool add_column(struct trace *trace, const json_t *described)
{
    struct column *column = &trace->columns[trace->n];
    *column =
        (struct column){.name = text_of(described, "name"), .field = text_of(described, "field")};
    column->executor = json_integer_value(json_object_get(described, "executor"));
    const struct dpl_mcap_channel *channel = bag_topic(trace->bag, text_of(described, "topic"));
    if (channel) {
        column->channel = channel->id;
        column->is_choice = is_choice(channel, column->field);
        trace->first[channel->id] =
            trace->first[channel->id] ? trace->first[channel->id] : (uint32_t)trace->n + 1;
    }
    trace->n++;
    return *column->field != '\0' && *column->name != '\0';
}

static int find_columns(struct trace *trace, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = trace->bag->file};
    const json_t *list = json_object_get(trace->record, "columns"), *item;
    const json_t *executor = json_object_get(trace->record, "executor");
    size_t i;
    bool good = true;
    trace->columns = calloc(json_array_size(list) + 1, sizeof *trace->columns);
    if (!trace->columns) {
        return dpl_fail(reterr, -ENOMEM, place, "no memory");
    }
    json_array_foreach(list, i, item)
    {
        good = add_column(trace, item) && good;
    }
    if (trace->n == 0 || !json_is_integer(executor) || !good) {
        return dpl_fail(reterr, -ENOENT, place,
                        "its run.json names no values for a trace.csv: it has none, or is of "
                        "another version of Doppel");
    }
    trace->executor = json_integer_value(executor);
    return 0;
}

/* ---- rows ---- */

static void print_header(const struct trace *trace)
{
    fputs("t", trace->out);
    for (size_t i = 0; i < trace->n; i++) {
        fprintf(trace->out, ",%s", trace->columns[i].name);
    }
    fputc('\n', trace->out);
}

static void print_row(struct trace *trace)
{
    uint64_t us = (trace->time + 500) / 1000;
    trace->n_rows++;
    fprintf(trace->out, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
    for (size_t i = 0; i < trace->n; i++) {
        const struct dpl_bytes *now = &trace->columns[i].now;
        fputc(',', trace->out);
        fwrite(now->n > 0 ? now->data : (const uint8_t *)"", 1, now->n, trace->out);
    }
    fputc('\n', trace->out);
}

/* All values of this instant are there. */
static void end_instant(struct trace *trace)
{
    if (trace->has_row) {
        print_row(trace);
        trace->has_row = false;
    }
}

static void store_text(struct dpl_bytes *to, const struct bag_value *value, bool is_choice)
{
    char text[4096];
    bag_value_unescape(value, text, sizeof text);
    if (is_choice) {
        dpl_bytes_text(to, text);
        return;
    }
    dpl_bytes_text(to, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        dpl_bytes_text(to, *c == '"' ? "\"" : "");
        dpl_bytes_add(to, c, 1);
    }
    dpl_bytes_text(to, "\"");
}

static void store(struct column *column, const struct bag_value *value)
{
    struct dpl_bytes *to = &column->now;
    to->n = 0;
    if (value->is_text) {
        store_text(to, value, column->is_choice);
    } else if (value->n_text == 4 && memcmp(value->text, "null", 4) == 0) {
        dpl_bytes_text(to, "nan");
    } else {
        dpl_bytes_add(to, value->text, value->n_text);
    }
}

static bool is_of(const struct column *column, uint16_t channel, const struct bag_value *value)
{
    return column->channel == channel && strlen(column->field) == value->n_name &&
           memcmp(column->field, value->name, value->n_name) == 0;
}

/* Members come in the order of the columns, nearly always. */
static struct column *find(const struct trace *trace, size_t from, uint16_t channel,
                           const struct bag_value *value)
{
    for (size_t k = 0; k < trace->n; k++) {
        struct column *column = &trace->columns[(from + k) % trace->n];
        if (is_of(column, channel, value)) {
            return column;
        }
    }
    return NULL;
}

static int take(struct trace *trace, const struct dpl_mcap_message *message,
                struct dpl_diag *reterr)
{
    const char *data = (const char *)message->data.data;
    struct bag_values values = {.at = data, .end = data + message->data.n};
    struct bag_value value;
    uint16_t channel = message->channel->id;
    size_t next = trace->first[channel] - 1;
    if (message->log_time != trace->time) {
        end_instant(trace);
        trace->time = message->log_time;
    }
    trace->has_row |= trace->columns[next].executor == trace->executor;
    while (bag_values_next(&values, &value)) {
        struct column *column = find(trace, next, channel, &value);
        if (column) {
            store(column, &value);
            next = (size_t)(column - trace->columns) + 1;
        }
    }
    return values.is_bad ? dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = trace->bag->file},
                                    "the message of %.*s at %.6f s is no object with values",
                                    (int)message->channel->topic.n,
                                    (const char *)message->channel->topic.data,
                                    (double)message->log_time / 1e9)
                         : 0;
}

static bool is_wanted(void *user, const struct dpl_mcap_channel *channel)
{
    return ((const struct trace *)user)->first[channel->id] > 0;
}

/* When a channel had messages. */
struct presence {
    uint64_t first, last, n;
};

/* Until when no message is missing, if they come at even intervals. */
static uint64_t end_of(const struct presence *presence)
{
    return presence->n < 2
               ? UINT64_MAX
               : presence->last + (presence->last - presence->first) / (presence->n - 1) - 1;
}

/* Topics come in turns: where the file was cut off, some end before others. *ret_end: until when
 * all have their messages. */
static int find_end(struct trace *trace, uint64_t *ret_end)
{
    const struct mcap_file_module *module = trace->bag->module;
    struct presence *present = calloc(CHANNELS, sizeof *present);
    uint64_t end = UINT64_MAX;
    struct dpl_mcap_message message;
    int r = present ? 1 : -ENOMEM;
    module->seek(trace->bag->reader, 0, UINT64_MAX, is_wanted, trace);
    while (r > 0 && (r = module->next(trace->bag->reader, &message)) > 0) {
        struct presence *of = &present[message.channel->id];
        of->first = of->n++ > 0 ? of->first : message.log_time;
        of->last = message.log_time;
    }
    for (size_t i = 0; r == 0 && i < trace->n; i++) {
        uint64_t of = end_of(&present[trace->columns[i].channel]);
        end = of < end ? of : end;
    }
    free(present);
    *ret_end = end;
    return r;
}

static int make_rows(struct trace *trace, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = trace->bag->file};
    struct dpl_mcap_message message;
    const struct mcap_file_module *module = trace->bag->module;
    bool is_complete = module->info(trace->bag->reader)->is_complete;
    uint64_t end = UINT64_MAX;
    int r = is_complete ? 0 : find_end(trace, &end);
    print_header(trace);
    module->seek(trace->bag->reader, 0, end, is_wanted, trace);
    while (r == 0 && (r = module->next(trace->bag->reader, &message)) > 0) {
        r = take(trace, &message, reterr);
        if (r < 0) {
            return r;
        }
        if (ftell(trace->out) > BYTES_MAX) {
            return dpl_fail(reterr, -EFBIG, place, "its trace.csv is larger than 1 GiB");
        }
    }
    end_instant(trace);
    if (r == 0 && trace->n_rows == 0) {
        return dpl_fail(reterr, -ENOENT, place, "no message with the values of trace.csv is there");
    }
    return r < 0 ? dpl_fail(reterr, r, place, "no memory") : 0;
}

static void finish(struct trace *trace)
{
    for (size_t i = 0; i < trace->n; i++) {
        dpl_bytes_finish(&trace->columns[i].now);
    }
    free(trace->columns);
    json_decref(trace->record);
    free(trace);
}

int bag_trace(struct bag *bag, char **ret_text, size_t *ret_n, struct dpl_diag *reterr)
{
    struct trace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = bag->file}, "no memory");
    }
    trace->bag = bag;
    trace->record = bag_record(bag, reterr);
    int r = trace->record ? find_columns(trace, reterr) : -EINVAL;
    char *text = NULL;
    trace->out = r == 0 ? open_memstream(&text, ret_n) : NULL;
    if (trace->out) {
        r = make_rows(trace, reterr);
        bool is_whole = !ferror(trace->out);
        is_whole = fclose(trace->out) == 0 && is_whole;
        r = r < 0 || is_whole ? r : -ENOMEM;
    } else if (r == 0) {
        r = -ENOMEM;
    }
    if (r == 0) {
        *ret_text = text;
    } else {
        free(text);
    }
    if (r == -ENOMEM) {
        dpl_fail(reterr, r, (struct dpl_place){.file = bag->file}, "no memory");
    }
    finish(trace);
    return r;
}
