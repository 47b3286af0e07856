/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a run: which channels, its rows, and the windows of a trigger. */
#include "sim_record.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Of the rows that wait for a trigger. */
#define RING_BYTES_MAX ((size_t)256 << 20)

/* ---- which channels ---- */

/* Without a pattern: all channels that change, except blocks and what follows from others. */
static bool is_wanted(const struct dpl_channel_desc *desc, const struct option_list *patterns)
{
    if (dpl_channel_is_input(desc->dir)) {
        return false;
    }
    if (patterns->n == 0) {
        return desc->dir == DPL_CHANNEL_OUT && desc->type != &dpl_channel_block &&
               !desc->is_derived;
    }
    for (size_t i = 0; i < patterns->n; i++) {
        if (fnmatch(patterns->items[i], desc->path, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* Turns on a laser whose ranges are recorded: a laser that is off has no ranges. */
static void turn_on(struct sim_loaded *loaded, const struct dpl_channel_desc *desc)
{
    const char *slash = strrchr(desc->path, '/');
    char path[256];
    const bool on = true;
    struct dpl_channel_want want = {.path = path, .type = &dpl_channel_flag, .put = true};
    if (desc->type != &dpl_channel_block || !slash) {
        return;
    }
    snprintf(path, sizeof path, "%.*s/on", (int)(slash - desc->path), desc->path);
    int channel = dpl_world_channels_find(loaded->channels, &want, NULL);
    if (channel >= 0) {
        (void)dpl_world_channels_put(loaded->channels, (size_t)channel, &on);
    }
}

/* Each pattern must match a channel. */
static int check_patterns(const struct sim_loaded *loaded, const struct option_list *patterns,
                          struct dpl_diag *reterr)
{
    for (size_t p = 0; p < patterns->n; p++) {
        struct option_list one = {.items = {patterns->items[p]}, .n = 1};
        size_t i = 0;
        while (i < loaded->n && !is_wanted(&loaded->descs[i], &one)) {
            i++;
        }
        if (i == loaded->n) {
            struct dpl_channel_want want = {.path = patterns->items[p]};
            struct dpl_diag why = {0};
            (void)dpl_world_channels_find(loaded->channels, &want, &why);
            return dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                            "--record '%s' is not a channel that can be read: %s",
                            patterns->items[p],
                            why.text[0] ? why.text : "it is an input of the world");
        }
    }
    return 0;
}

/* Rows are kept as bytes: time, whether each channel has a value, and the values. */
static void lay_out(struct sim_record *record)
{
    const size_t grain = 16; /* more than any element needs */
    size_t at = sizeof(dpl_ns) + record->n;
    for (size_t i = 0; i < record->n; i++) {
        at = (at + grain - 1) / grain * grain;
        record->offsets[i] = at;
        at += dpl_channel_bytes(&record->loaded->descs[record->channels[i]]);
    }
    record->row_bytes = (at + grain - 1) / grain * grain;
}

static int choose(struct sim_record *record, const struct option_list *patterns,
                  struct dpl_diag *reterr)
{
    struct sim_loaded *loaded = record->loaded;
    record->channels = calloc(loaded->n, sizeof *record->channels);
    record->offsets = calloc(loaded->n, sizeof *record->offsets);
    if (!record->channels || !record->offsets) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    for (size_t i = 0; i < loaded->n; i++) {
        const struct dpl_channel_desc *desc = &loaded->descs[i];
        if (is_wanted(desc, patterns) && strcmp(desc->path, "time") != 0) {
            turn_on(loaded, desc);
            record->channels[record->n++] = i;
        }
    }
    lay_out(record);
    record->newest = calloc(1, record->row_bytes);
    return record->newest ? 0 : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
}

/* ---- rows ---- */

static const struct dpl_channel_desc *desc_at(const struct sim_record *record, size_t i)
{
    return &record->loaded->descs[record->channels[i]];
}

static bool *known_in(unsigned char *row)
{
    return (bool *)(row + sizeof(dpl_ns));
}

/* A vector has a column for each element, as many as the channel. */
static void write_head(struct sim_record *record)
{
    FILE *stream = record->out.stream;
    fprintf(stream, record->trigger ? "trigger,time" : "time");
    for (size_t i = 0; i < record->n; i++) {
        const struct dpl_channel_desc *desc = desc_at(record, i);
        for (uint32_t k = 0; k < desc->size; k++) {
            fprintf(stream, desc->type->size == 1 ? ",%s" : ",%s[%u]", desc->path, k);
        }
    }
    fprintf(stream, "\n");
}

/* Without a value the column is empty. */
static void write_value(struct sim_record *record, unsigned char *row, size_t i)
{
    const struct dpl_channel_desc *desc = desc_at(record, i);
    const unsigned char *element = row + record->offsets[i];
    char text[DPL_CHANNEL_TEXT_MAX] = "";
    for (uint32_t k = 0; k < desc->size; k++, element += desc->type->element_size) {
        if (known_in(row)[i]) {
            desc->type->print(text, element);
        }
        fprintf(record->out.stream, ",%s", text);
    }
}

static void write_row(struct sim_record *record, unsigned char *row)
{
    char text[DPL_CHANNEL_TEXT_MAX];
    dpl_ns time;
    memcpy(&time, row, sizeof time);
    double time_s = (double)time / 1e9; /* rounded once */
    dpl_channel_number.print(text, &time_s);
    if (record->trigger) {
        fprintf(record->out.stream, "%llu,", (unsigned long long)record->n_windows);
    }
    fprintf(record->out.stream, "%s", text);
    for (size_t i = 0; i < record->n; i++) {
        write_value(record, row, i);
    }
    fprintf(record->out.stream, "\n");
    record->rows++;
}

/* A channel that has no new value keeps its last one. */
static void sample(struct sim_record *record)
{
    dpl_ns now = dpl_world_now(record->loaded->world), stamp;
    memcpy(record->newest, &now, sizeof now);
    for (size_t i = 0; i < record->n; i++) {
        int err = dpl_world_channels_get(record->loaded->channels, record->channels[i],
                                         record->newest + record->offsets[i], &stamp);
        known_in(record->newest)[i] |= err == 0;
    }
}

/* ---- windows ---- */

static unsigned char *ring_row(struct sim_record *record, size_t i)
{
    return record->ring + (record->ring_first + i) % record->ring_size * record->row_bytes;
}

static void keep_row(struct sim_record *record)
{
    if (record->ring_n == record->ring_size) {
        record->ring_first = (record->ring_first + 1) % record->ring_size;
        record->ring_n--;
    }
    memcpy(ring_row(record, record->ring_n++), record->newest, record->row_bytes);
}

static void write_kept(struct sim_record *record, dpl_ns since)
{
    for (size_t i = 0; i < record->ring_n; i++) {
        unsigned char *row = ring_row(record, i);
        dpl_ns time;
        memcpy(&time, row, sizeof time);
        if (time >= since) {
            write_row(record, row);
        }
    }
    record->ring_n = 0;
}

static void open_window(struct sim_record *record, dpl_ns now)
{
    if (record->n_windows < SIM_RECORD_WINDOWS_MAX) {
        record->windows[record->n_windows] = (struct sim_window){.time = now};
    }
    record->n_windows++;
    write_kept(record, now - record->before);
}

int sim_record_look(struct sim_record *record, struct dpl_diag *reterr)
{
    bool holds = false;
    if (!record->trigger) {
        return 0;
    }
    int err = dpl_trigger_holds(record->trigger, &holds, reterr);
    dpl_ns now = dpl_world_now(record->loaded->world);
    if (err == 0 && holds && !record->held) {
        bool is_open = record->n_windows > 0 && now <= record->until;
        if (!is_open) {
            open_window(record, now);
        } else if (record->n_windows <= SIM_RECORD_WINDOWS_MAX) {
            record->windows[record->n_windows - 1].again++;
        }
        record->until = now + record->after;
    }
    record->held = holds;
    return err;
}

void sim_record_row(struct sim_record *record)
{
    bool is_open = record->n_windows > 0 && dpl_world_now(record->loaded->world) <= record->until;
    sample(record);
    if (!record->trigger || is_open) {
        write_row(record, record->newest);
    } else {
        keep_row(record);
    }
}

static int prepare_trigger(struct sim_record *record, const struct sim_record_options *options,
                           struct dpl_diag *reterr)
{
    if (!options->trigger) {
        return 0;
    }
    const size_t most = RING_BYTES_MAX / record->row_bytes;
    record->before = dpl_ns_from_s(options->before_s);
    record->after = dpl_ns_from_s(options->after_s);
    if ((uint64_t)(record->before / options->every) >= most) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--before %g s: that many rows of %zu bytes do not fit into %zu MB; "
                        "record less, or less often (--every)",
                        options->before_s, record->row_bytes, RING_BYTES_MAX >> 20);
    }
    record->ring_size = (size_t)(record->before / options->every) + 1;
    record->ring = calloc(record->ring_size, record->row_bytes);
    record->windows = calloc(SIM_RECORD_WINDOWS_MAX, sizeof *record->windows);
    if (!record->ring || !record->windows) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    struct dpl_diag why = {0};
    int err = dpl_trigger_create(record->loaded->world, record->loaded->channels, options->trigger,
                                 &record->trigger, &why);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "--trigger: %s", why.text) : 0;
}

/* ---- all of it ---- */

int sim_record_prepare(struct sim_record *record, struct sim_loaded *loaded,
                       const struct sim_record_options *options, struct dpl_diag *reterr)
{
    *record = (struct sim_record){.loaded = loaded};
    int err = check_patterns(loaded, options->patterns, reterr);
    err = err < 0 ? err : choose(record, options->patterns, reterr);
    return err < 0 ? err : prepare_trigger(record, options, reterr);
}

int sim_record_open(struct sim_record *record, const char *folder, struct dpl_diag *reterr)
{
    int err = dpl_results_open(folder, "channels.csv", &record->out, reterr);
    if (err == 0) {
        write_head(record);
    }
    return err;
}

void sim_record_describe(const struct sim_record *record, json_t *inout_summary)
{
    if (!record->trigger) {
        return;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < record->n_windows && i < SIM_RECORD_WINDOWS_MAX; i++) {
        json_array_append_new(list, json_pack("{s:I, s:f, s:I}", "number", (json_int_t)i + 1,
                                              "time_s", dpl_ns_to_s(record->windows[i].time),
                                              "again", (json_int_t)record->windows[i].again));
    }
    json_object_set_new(inout_summary, "n_triggers", json_integer((json_int_t)record->n_windows));
    json_object_set_new(inout_summary, "triggers", list);
}

void sim_record_finish(struct sim_record *record)
{
    dpl_trigger_destroy(record->trigger);
    free(record->windows);
    free(record->ring);
    free(record->newest);
    free(record->offsets);
    free(record->channels);
}
