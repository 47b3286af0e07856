/* SPDX-License-Identifier: Apache-2.0 */
#include "folder_values.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define WORDS_MAX 4096 /* bytes of the words of a choice */

enum kind { KIND_NUMBER, KIND_TRUTH, KIND_CHOICE, KIND_TEXT };

struct folder_column {
    int number; /* in the trace */
    const char *field, *unit, *summary;
    size_t topic;
    enum kind kind;
    struct dpl_bytes words; /* of a choice, as JSON, with ',' behind each */
};

struct folder_topic {
    const char *name;
    json_int_t executor;
    bool is_own;           /* of the executor whose cycles are the rows */
    struct dpl_bytes made; /* its newest message */
    size_t in_bag;         /* 1 + its number there; 0: not yet */
};

/* ---- cells ---- */

/* Where a cell ends; a quoted one may have commas, and quotes twice. */
static const char *end_of(const char *cell)
{
    bool quoted = false;
    for (; *cell && *cell != '\n' && (quoted || *cell != ','); cell++) {
        quoted ^= *cell == '"';
    }
    return cell;
}

/* Finds the cells of a row; those that it lacks are empty. */
static void split(struct folder_values *values, size_t row)
{
    const char *at = values->trace->text + values->trace->line[row];
    for (size_t i = 0; i < values->trace->n_names; i++) {
        const char *end = end_of(at);
        values->cells[i] = at;
        at = *end == ',' ? end + 1 : end;
    }
}

static size_t length(const char *cell)
{
    size_t n = (size_t)(end_of(cell) - cell);
    return n > 0 && cell[n - 1] == '\r' ? n - 1 : n;
}

static bool is_word(const char *cell, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(cell, word, n) == 0;
}

static enum kind kind_of(const char *cell, size_t n)
{
    char *end;
    strtod(cell, &end);
    return *cell == '"'                                            ? KIND_TEXT
           : end == cell + n                                       ? KIND_NUMBER
           : is_word(cell, n, "true") || is_word(cell, n, "false") ? KIND_TRUTH
                                                                   : KIND_CHOICE;
}

static void add_text(struct dpl_bytes *to, const char *cell, size_t n)
{
    struct dpl_bytes text = {0};
    bool is_quoted = *cell == '"';
    for (size_t i = is_quoted; i < n; i++) {
        if (is_quoted && cell[i] == '"') {
            i++; /* twice, or the end */
        }
        dpl_bytes_add(&text, cell + i, i < n);
    }
    dpl_bytes_number(&text, 0, 1);
    dpl_bytes_json(to, text.failed ? "" : (const char *)text.data);
    to->failed |= text.failed;
    dpl_bytes_finish(&text);
}

static void add_value(struct dpl_bytes *to, enum kind kind, const char *cell, size_t n)
{
    double number = strtod(cell, NULL);
    kind = kind < KIND_CHOICE ? kind_of(cell, n) : kind;
    bool is_plain = strspn(cell, "-+.0123456789eE") >= n && *cell != '+' && *cell != '.';
    if (kind == KIND_TRUTH || (kind == KIND_NUMBER && is_plain && isfinite(number))) {
        dpl_bytes_add(to, cell, n);
    } else if (kind != KIND_NUMBER) {
        add_text(to, cell, n);
    } else if (isfinite(number)) {
        dpl_bytes_printf(to, "%.17g", number);
    } else {
        dpl_bytes_text(to, "null");
    }
}

/* ---- columns ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* "Tag.field" of an older run.json: the topic of its tag. */
static void complete(json_t *described)
{
    const char *name = text_of(described, "name"), *dot = strchr(name, '.');
    if (dot && !*text_of(described, "topic")) {
        json_object_set_new(described, "topic",
                            json_sprintf("/%.*s/values", (int)(dot - name), name));
        json_object_set_new(described, "field", json_string(dot + 1));
    }
    if (!json_object_get(described, "executor")) {
        json_object_set_new(described, "executor", json_integer(0));
    }
}

/* The columns of run.json, of which there may be none. */
static json_t *complete_record(const struct table *trace, json_t *record)
{
    json_t *list = json_object_get(record, "columns"), *item;
    size_t i;
    if (!json_is_array(list)) {
        json_object_set_new(record, "columns", list = json_array());
        for (i = 1; i < trace->n_names; i++) {
            json_array_append_new(list, json_pack("{s:s}", "name", trace->names[i]));
        }
    }
    json_array_foreach(list, i, item)
    {
        complete(item);
    }
    if (!json_is_integer(json_object_get(record, "executor"))) {
        json_object_set_new(record, "executor", json_integer(0));
    }
    return list;
}

static size_t find_topic(struct folder_values *values, const json_t *described,
                         json_int_t executor_of_rows)
{
    const char *name = text_of(described, "topic");
    size_t i = 0;
    while (i < values->n_topics && strcmp(values->topics[i].name, name) != 0) {
        i++;
    }
    if (i == values->n_topics) {
        json_int_t executor = json_integer_value(json_object_get(described, "executor"));
        values->topics[values->n_topics++] =
            (struct folder_topic){name, executor, executor == executor_of_rows, {0}, 0};
    }
    return i;
}

static void add_column(struct folder_values *values, const json_t *described,
                       json_int_t executor_of_rows)
{
    struct folder_column column = {.number =
                                       table_column(values->trace, text_of(described, "name")),
                                   .field = text_of(described, "field"),
                                   .unit = text_of(described, "unit"),
                                   .summary = text_of(described, "summary")};
    if (column.number > 0 && *column.field && *text_of(described, "topic") == '/') {
        column.topic = find_topic(values, described, executor_of_rows);
        values->columns[values->n_columns++] = column;
    }
}

static void look_at_cell(struct folder_column *column, const char *cell)
{
    struct dpl_bytes word = {0};
    size_t n = length(cell);
    enum kind kind = n > 0 ? kind_of(cell, n) : KIND_NUMBER;
    column->kind = kind > column->kind ? kind : column->kind;
    if (kind == KIND_CHOICE && column->words.n < WORDS_MAX) {
        add_text(&word, cell, n);
        dpl_bytes_text(&word, ",");
        if (!word.failed && !memmem(column->words.data, column->words.n, word.data, word.n)) {
            dpl_bytes_add(&column->words, word.data, word.n);
        }
    }
    dpl_bytes_finish(&word);
}

/* What the columns have: the schemas say it. */
static void look_at_rows(struct folder_values *values)
{
    for (size_t row = 0; row < values->trace->n_rows; row++) {
        split(values, row);
        for (size_t i = 0; i < values->n_columns; i++) {
            look_at_cell(&values->columns[i], values->cells[values->columns[i].number]);
        }
    }
}

int folder_values_create(struct folder_values *values, const struct table *trace, json_t *record)
{
    const json_t *list = complete_record(trace, record), *item;
    json_int_t executor = json_integer_value(json_object_get(record, "executor"));
    size_t n = json_array_size(list), i;
    values->trace = trace;
    values->columns = calloc(n + 1, sizeof *values->columns);
    values->topics = calloc(n + 1, sizeof *values->topics);
    values->cells = calloc(trace->n_names + 1, sizeof *values->cells);
    if (!values->columns || !values->topics || !values->cells) {
        return -ENOMEM;
    }
    json_array_foreach(list, i, item)
    {
        add_column(values, item, executor);
    }
    for (i = 0; i < values->n_topics; i++) { /* late values stand in the row behind them */
        values->topics[i].executor -= executor;
    }
    look_at_rows(values);
    return 0;
}

/* ---- messages ---- */

static void add_property(struct dpl_bytes *to, const struct folder_column *column)
{
    static const char *const types[] = {"[\"number\",\"null\"]", "\"boolean\"", "\"string\"",
                                        "\"string\""};
    struct dpl_bytes about = {0};
    dpl_bytes_printf(&about, *column->unit ? "[%s] %s" : "%s%s", column->unit, column->summary);
    dpl_bytes_number(&about, 0, 1);
    dpl_bytes_json(to, column->field);
    dpl_bytes_printf(to, ":{\"type\":%s,\"description\":", types[column->kind]);
    dpl_bytes_json(to, about.failed ? "" : (const char *)about.data);
    if (column->words.n > 0) {
        dpl_bytes_printf(to, ",\"enum\":[%.*s]", (int)column->words.n - 1,
                         (const char *)column->words.data);
    }
    dpl_bytes_text(to, "}");
    dpl_bytes_finish(&about);
}

static size_t topic_in(struct bag_new *bag, const struct folder_values *values, size_t topic)
{
    const char *name = values->topics[topic].name;
    struct dpl_bytes schema = {0};
    size_t n = 0;
    dpl_bytes_text(&schema, "{\"type\":\"object\",\"title\":");
    dpl_bytes_json(&schema, name);
    dpl_bytes_text(&schema, ",\"properties\":{");
    for (size_t i = 0; i < values->n_columns; i++) {
        if (values->columns[i].topic == topic) {
            dpl_bytes_text(&schema, n++ > 0 ? "," : "");
            add_property(&schema, &values->columns[i]);
        }
    }
    dpl_bytes_text(&schema, "}}");
    size_t number = bag_new_topic(
        bag, &(struct bag_new_kind){name, "json", name, "jsonschema", schema.data, schema.n});
    dpl_bytes_finish(&schema);
    return number;
}

/* The object with the values of a topic that the row has; "{": none. */
static void make(const struct folder_values *values, size_t topic, struct dpl_bytes *to)
{
    dpl_bytes_text(to, "{");
    for (size_t i = 0; i < values->n_columns; i++) {
        const struct folder_column *column = &values->columns[i];
        const char *cell = values->cells[column->number];
        size_t n = length(cell);
        if (column->topic == topic && n > 0) {
            dpl_bytes_text(to, to->n > 1 ? "," : "");
            dpl_bytes_json(to, column->field);
            dpl_bytes_text(to, ":");
            add_value(to, column->kind, cell, n);
        }
    }
}

static void put_topic(struct folder_values *values, size_t number, dpl_ns stamp,
                      struct bag_new *bag)
{
    struct folder_topic *topic = &values->topics[number];
    struct dpl_bytes made = {0};
    make(values, number, &made);
    bool is_same = made.n == topic->made.n && memcmp(made.data, topic->made.data, made.n) == 0;
    if (made.n <= 1 || (is_same && !topic->is_own)) {
        dpl_bytes_finish(&made);
        return;
    }
    topic->in_bag = topic->in_bag > 0 ? topic->in_bag : 1 + topic_in(bag, values, number);
    dpl_bytes_finish(&topic->made);
    topic->made = made;
    dpl_bytes_text(&topic->made, "}");
    bag_new_put(bag, topic->in_bag - 1, stamp, topic->made.data, topic->made.n);
    topic->made.n--;
}

void folder_values_put(struct folder_values *values, size_t row, dpl_ns stamp, struct bag_new *bag)
{
    split(values, row);
    for (int late = 1; late >= 0; late--) {
        for (size_t i = 0; i < values->n_topics; i++) {
            if ((values->topics[i].executor > 0) == (late == 1)) {
                put_topic(values, i, stamp - late, bag);
            }
        }
    }
}

void folder_values_finish(struct folder_values *values)
{
    for (size_t i = 0; i < values->n_columns; i++) {
        dpl_bytes_finish(&values->columns[i].words);
    }
    for (size_t i = 0; i < values->n_topics; i++) {
        dpl_bytes_finish(&values->topics[i].made);
    }
    free(values->columns);
    free(values->topics);
    free(values->cells);
}
