/* SPDX-License-Identifier: Apache-2.0 */
/* Samples the exports of a run. At the end of its cycle each executor copies the exports of its own
 * components. The tracing executor writes them, with the newest copies of the others, as one row of
 * raw values into a ring. The control thread converts rows to text. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/latest.h>
#include <doppel/output.h>

#include "component.h"
#include "executor.h"
#include "recorder.h"
#include "recorder_columns.h"
#include "recorder_text.h"
#include "runtime.h"

#define RING_BYTES      (4u << 20)
#define RING_ROWS_MAX   8192u
#define STATUS_TEXT_MAX 512

/* The samples of one executor's exports, one copy for each reader. */
struct group {
    const struct dpl__executor *executor;
    size_t first, size; /* its part of a row */
    struct dpl_latest for_status_sync, for_trace_sync;
    uint8_t *for_status[3]; /* reader: the control thread */
    uint8_t *for_trace[3];  /* reader: the tracing executor */
};

struct dpl__recorder {
    struct dpl_runtime *runtime;
    struct dpl__columns columns;
    struct group *groups;               /* runtime->n_executors */
    const struct dpl__executor *tracer; /* NULL: no trace */

    /* Rows from the tracing executor to the control thread: time, then the values. */
    uint8_t *rows;
    size_t row_size, n_rows; /* n_rows: a power of two */
    atomic_size_t head, tail;
    atomic_ullong n_dropped;

    struct dpl_output trace;
    const char *path, *path_before; /* of trace.csv and its older half */
    dpl_ns next_row;                /* the tracing executor's: time of the next row */
    uint64_t n_printed;
    bool told_error;
    int cut; /* -errno: trace.csv could not begin anew */
    struct dpl__texts texts;
    char status[STATUS_TEXT_MAX];
};

static uint8_t *row_at(const struct dpl__recorder *recorder, size_t position)
{
    return recorder->rows + (position & (recorder->n_rows - 1)) * recorder->row_size;
}

/* Where the values of a row begin. */
#define ROW_VALUES sizeof(dpl_ns)

/* ---- sampling, on executors ---- */

static void copy_group(const struct dpl__columns *columns, const struct group *group,
                       uint8_t *values)
{
    for (size_t i = 0; i < columns->n; i++) {
        const struct dpl__column *column = &columns->items[i];
        if (column->executor == group->executor) {
            memcpy(values + column->field.offset - group->first, column->source,
                   column->field.size);
        }
    }
}

/* Whether this cycle has a row: the first one at or after each multiple of the interval. */
static bool row_is_due(struct dpl__recorder *recorder, dpl_ns now)
{
    dpl_ns every = recorder->runtime->options.trace_every;
    if (every <= 0) {
        return true;
    }
    if (now < recorder->next_row) {
        return false;
    }
    recorder->next_row = now - now % every + every;
    return true;
}

static void publish_row(struct dpl__recorder *recorder, const struct group *own, dpl_ns now)
{
    size_t head = atomic_load_explicit(&recorder->head, memory_order_relaxed);
    size_t tail = atomic_load_explicit(&recorder->tail, memory_order_acquire);
    if (head - tail == recorder->n_rows) {
        if (!recorder->runtime->options.simulated) {
            atomic_fetch_add_explicit(&recorder->n_dropped, 1, memory_order_relaxed);
            return;
        }
        /* On the simulated clock there is only one thread, and no row is lost. */
        dpl__recorder_drain(recorder);
    }
    uint8_t *row = row_at(recorder, head);
    memcpy(row, &now, sizeof now);
    for (size_t i = 0; i < recorder->runtime->n_executors; i++) {
        struct group *group = &recorder->groups[i];
        if (group == own) {
            copy_group(&recorder->columns, group, row + ROW_VALUES + group->first);
        } else if (group->size > 0) {
            dpl_latest_update(&group->for_trace_sync);
            memcpy(row + ROW_VALUES + group->first,
                   group->for_trace[dpl_latest_front(&group->for_trace_sync)], group->size);
        }
    }
    atomic_store_explicit(&recorder->head, head + 1, memory_order_release);
}

static void publish_copy(struct dpl__recorder *recorder, const struct group *group,
                         struct dpl_latest *sync, uint8_t *const slots[3])
{
    copy_group(&recorder->columns, group, slots[dpl_latest_back(sync)]);
    dpl_latest_publish(sync);
}

static struct group *group_of(const struct dpl__recorder *recorder,
                              const struct dpl__executor *executor)
{
    for (size_t i = 0; i < recorder->runtime->n_executors; i++) {
        if (recorder->groups[i].executor == executor) {
            return &recorder->groups[i];
        }
    }
    return NULL;
}

void dpl__recorder_cycle(struct dpl__recorder *recorder, struct dpl__executor *executor, dpl_ns now)
{
    struct group *group = recorder ? group_of(recorder, executor) : NULL;
    if (!group || group->size == 0) {
        return;
    }
    if (recorder->runtime->options.status) {
        publish_copy(recorder, group, &group->for_status_sync, group->for_status);
    }
    if (executor == recorder->tracer) {
        if (row_is_due(recorder, now)) {
            publish_row(recorder, group, now);
        }
    } else if (recorder->tracer) {
        publish_copy(recorder, group, &group->for_trace_sync, group->for_trace);
    }
}

/* ---- text, on the control thread ---- */

static void print_time(FILE *stream, dpl_ns t)
{
    /* Integer arithmetic only: the text of a double could differ in its last digit. */
    long long us = (t + (t < 0 ? -DPL_US / 2 : DPL_US / 2)) / DPL_US;
    fprintf(stream, "%s%lld.%06lld", us < 0 ? "-" : "", llabs(us) / 1000000, llabs(us) % 1000000);
}

static void print_row(struct dpl__recorder *recorder, const uint8_t *row)
{
    FILE *trace = recorder->trace.stream;
    dpl_ns t;
    memcpy(&t, row, sizeof t);
    print_time(trace, t);
    for (size_t i = 0; i < recorder->columns.n; i++) {
        const struct dpl_field *field = &recorder->columns.items[i].field;
        if (!(field->flags & DPL_FIELD_TRACE)) {
            continue;
        }
        fputc(',', trace);
        dpl__texts_print(&recorder->texts, i, row + ROW_VALUES, trace);
    }
    fputc('\n', trace);
}

/* Logged once, when it happens, because the run may continue for hours. */
static void tell_error(struct dpl__recorder *recorder)
{
    if (recorder->trace.error != 0 && !recorder->told_error) {
        recorder->told_error = true;
        dpl__log_printf(recorder->runtime->log, DPL_LOG_ERROR, "recorder",
                        "trace.csv cannot be written from here on: %s",
                        strerror(recorder->trace.error));
    }
}

/* How many rows are written between two looks at the size of the file. */
#define LOOK_ROWS 256

static int begin_trace(struct dpl__recorder *recorder, struct dpl_diag *reterr)
{
    int r = dpl_output_open(&recorder->trace, recorder->path, reterr);
    if (r < 0) {
        return r;
    }
    fputs("t", recorder->trace.stream);
    for (size_t i = 0; i < recorder->columns.n; i++) {
        const struct dpl__column *column = &recorder->columns.items[i];
        if (column->field.flags & DPL_FIELD_TRACE) {
            fprintf(recorder->trace.stream, ",%s.%s", column->tag, column->field.name);
        }
    }
    fputc('\n', recorder->trace.stream);
    return 0;
}

/* Whether trace.csv has half of the bytes that the trace may have. */
static bool is_full(struct dpl__recorder *recorder)
{
    uint64_t most = recorder->runtime->options.trace_most;
    struct stat info;
    if (most == 0 || recorder->trace.error != 0 || recorder->n_printed++ % LOOK_ROWS != 0) {
        return false;
    }
    fflush(recorder->trace.stream);
    return fstat(recorder->trace.fd, &info) == 0 && (uint64_t)info.st_size >= most / 2;
}

/* The full file is kept as the older half of the trace; the older half before it goes. */
static void begin_anew(struct dpl__recorder *recorder)
{
    struct dpl_diag why = {0};
    int r = dpl_output_set_aside(&recorder->trace, recorder->path_before, &why);
    r = r < 0 ? r : begin_trace(recorder, &why);
    recorder->cut = r < 0 ? r : 0;
    dpl__log_printf(recorder->runtime->log, r < 0 ? DPL_LOG_ERROR : DPL_LOG_INFO, "recorder", "%s",
                    r < 0 ? why.text
                          : "trace.csv begins anew (--trace-size): rows before are in "
                            "trace_before.csv");
}

void dpl__recorder_drain(struct dpl__recorder *recorder)
{
    size_t tail = atomic_load_explicit(&recorder->tail, memory_order_relaxed);
    size_t head = atomic_load_explicit(&recorder->head, memory_order_acquire);
    for (; tail != head; tail++) {
        if (recorder->cut == 0 && is_full(recorder)) {
            begin_anew(recorder);
        }
        if (recorder->cut == 0) {
            print_row(recorder, row_at(recorder, tail));
        }
        atomic_store_explicit(&recorder->tail, tail + 1, memory_order_release);
    }
    tell_error(recorder);
}

void dpl__recorder_save(struct dpl__recorder *recorder)
{
    if (recorder && recorder->trace.stream) {
        dpl__recorder_drain(recorder);
        fflush(recorder->trace.stream);
    }
}

/* "distance_mm" with the unit mm is shown as "distance": the unit follows the value. */
static int label_length(const struct dpl_field *field)
{
    size_t name = strlen(field->name);
    size_t unit = field->unit ? strlen(field->unit) : 0;
    bool repeated = unit > 0 && name > unit + 1 && field->name[name - unit - 1] == '_' &&
                    strcmp(field->name + name - unit, field->unit) == 0;
    return (int)(repeated ? name - unit - 1 : name);
}

/* "tag value" or "tag name value unit"; the tag only at the first value of a component. */
static size_t append_status(struct dpl__recorder *recorder, size_t used,
                            const struct dpl__column *column, const char *tag,
                            const uint8_t *values)
{
    const struct dpl_field *field = &column->field;
    bool same = tag && strcmp(tag, column->tag) == 0;
    const char *before = used == 0 ? "" : same ? ", " : " | ";
    char *to = recorder->status + used;
    size_t room = sizeof recorder->status - used;
    int n = snprintf(to, room, "%s%s%s", before, same ? "" : column->tag, same ? "" : " ");
    if (n >= 0 && (size_t)n < room) {
        to += n;
        room -= (size_t)n;
        used += (size_t)n;
        if (field->type == DPL_FIELD_DOUBLE && isnan(dpl_field_number(field, values))) {
            n = snprintf(to, room, "%.*s %7s", label_length(field), field->name,
                         "-"); /* none yet */
        } else if (field->type == DPL_FIELD_DOUBLE) {
            /* always as wide: what follows on the line does not move while the number changes */
            double number = dpl_field_number(field, values), size = fabs(number);
            n = snprintf(to, room,
                         size < 100.0 ? "%.*s %7.3f%s%s"
                         : size < 1e5 ? "%.*s %7.1f%s%s"
                                      : "%.*s %7.1e%s%s",
                         label_length(field), field->name, number, field->unit ? " " : "",
                         field->unit ? field->unit : "");
        } else if (field->type == DPL_FIELD_CHOICE || field->type == DPL_FIELD_STRING) {
            n = snprintf(to, room, "%s", dpl__texts_value(&recorder->texts, field, values));
        } else {
            n = snprintf(to, room, "%s %s", field->name,
                         dpl__texts_value(&recorder->texts, field, values));
        }
    }
    return n < 0 || (size_t)n >= room ? sizeof recorder->status - 1 : used + (size_t)n;
}

const char *dpl__recorder_status(struct dpl__recorder *recorder)
{
    size_t used = 0;
    const char *tag = NULL;
    recorder->status[0] = '\0';
    for (size_t i = 0; i < recorder->runtime->n_executors; i++) {
        dpl_latest_update(&recorder->groups[i].for_status_sync);
    }
    for (size_t i = 0; i < recorder->columns.n; i++) {
        struct dpl__column column = recorder->columns.items[i];
        const struct group *group = group_of(recorder, column.executor);
        if (!group || !(column.field.flags & DPL_FIELD_STATUS)) {
            continue;
        }
        column.field.offset -= group->first;
        used = append_status(recorder, used, &column, tag,
                             group->for_status[dpl_latest_front(&group->for_status_sync)]);
        tag = column.tag;
    }
    return recorder->status;
}

/* ---- creation ---- */

static void create_slots(struct dpl__recorder *recorder, const struct group *group,
                         struct dpl_latest *sync, uint8_t *slots[3])
{
    dpl_latest_init(sync);
    for (int i = 0; i < 3; i++) {
        slots[i] = dpl_arena_alloc(&recorder->runtime->arena, group->size + 1);
        copy_group(&recorder->columns, group, slots[i]);
    }
}

static void create_groups(struct dpl__recorder *recorder)
{
    struct dpl_runtime *runtime = recorder->runtime;
    recorder->groups =
        dpl_arena_alloc(&runtime->arena, (runtime->n_executors + 1) * sizeof *recorder->groups);
    size_t offset = 0;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        struct group *group = &recorder->groups[i];
        group->executor = runtime->executors[i];
        group->first = offset;
        group->size = dpl__columns_place(&recorder->columns, group->executor, offset);
        offset += group->size;
        create_slots(recorder, group, &group->for_status_sync, group->for_status);
        create_slots(recorder, group, &group->for_trace_sync, group->for_trace);
    }
    recorder->row_size = ROW_VALUES + offset;
    dpl__texts_create(&recorder->texts, runtime, &recorder->columns);
}

static void create_ring(struct dpl__recorder *recorder)
{
    recorder->n_rows = 2;
    while (recorder->n_rows < RING_ROWS_MAX &&
           recorder->n_rows * 2 * recorder->row_size <= RING_BYTES) {
        recorder->n_rows *= 2;
    }
    recorder->rows =
        dpl_arena_alloc(&recorder->runtime->arena, recorder->n_rows * recorder->row_size);
}

static int open_trace(struct dpl__recorder *recorder, struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime = recorder->runtime;
    const char *folder = runtime->options.out_dir;
    recorder->path = dpl_arena_printf(&runtime->arena, "%s/trace.csv", folder);
    recorder->path_before = dpl_arena_printf(&runtime->arena, "%s/trace_before.csv", folder);
    int r = begin_trace(recorder, reterr);
    if (r >= 0) {
        create_ring(recorder);
    }
    return r;
}

int dpl__recorder_create(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    if (!runtime->options.out_dir && !runtime->options.status) {
        return 0;
    }
    struct dpl__recorder *recorder = dpl_arena_alloc(&runtime->arena, sizeof *recorder);
    recorder->runtime = runtime;
    dpl__columns_create(&recorder->columns, runtime, &runtime->arena);
    create_groups(recorder);
    if (runtime->options.out_dir) {
        recorder->tracer = dpl__columns_tracer(&recorder->columns, runtime);
    }
    if (recorder->tracer) {
        int r = open_trace(recorder, reterr);
        if (r < 0) {
            return r;
        }
    }
    runtime->recorder = recorder;
    return 0;
}

int dpl__recorder_close_trace(struct dpl__recorder *recorder, struct dpl_diag *reterr)
{
    if (recorder->cut < 0) {
        return dpl_fail(reterr, recorder->cut, (struct dpl_place){0},
                        "the newest rows of '%.300s' are missing: %s", recorder->path,
                        strerror(-recorder->cut));
    }
    if (!recorder->trace.stream) {
        return 0;
    }
    dpl__recorder_drain(recorder);
    unsigned long long n_dropped = atomic_load_explicit(&recorder->n_dropped, memory_order_relaxed);
    if (n_dropped > 0) {
        dpl__log_printf(recorder->runtime->log, DPL_LOG_WARN, "recorder",
                        "%llu rows of trace.csv dropped: they came faster than they could be "
                        "written",
                        n_dropped);
    }
    recorder->tracer = NULL;
    return dpl_output_close(&recorder->trace, reterr);
}

uint64_t dpl__recorder_dropped_rows(const struct dpl__recorder *recorder)
{
    return atomic_load_explicit(&recorder->n_dropped, memory_order_relaxed);
}

void dpl__recorder_destroy(struct dpl__recorder *recorder)
{
    if (recorder) {
        dpl__recorder_close_trace(recorder, NULL);
    }
}
