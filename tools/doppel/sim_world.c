/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --list and doppel sim --run. */
#include "sim_world.h"

#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "common.h"
#include "sim_image.h"
#include "sim_loaded.h"
#include "sim_picture.h"

static int tell(const struct dpl_diag *error, int code)
{
    dpl_diag_print(stderr, error);
    return code;
}

/* ---- --list ---- */

static void print_channel(const struct dpl_channel_desc *desc)
{
    static const char *const dirs[] = {
        [DPL_CHANNEL_IN] = "in",
        [DPL_CHANNEL_SHARED] = "shared",
        [DPL_CHANNEL_REQUEST] = "request",
        [DPL_CHANNEL_OUT] = "out",
        [DPL_CHANNEL_CONSTANT] = "constant",
    };
    char type[32], range[64] = "";
    bool sized = desc->type->size == 0;
    snprintf(type, sizeof type, sized ? "%s[%u]" : "%s", desc->type->name, desc->size);
    if (desc->min != 0.0 || desc->max != 0.0) {
        snprintf(range, sizeof range, "%g..%g", desc->min, desc->max);
    }
    printf("%-32s %-12s %-9s %-8s %-18s %s", desc->path, type, dirs[desc->dir], desc->unit, range,
           desc->summary);
    if (desc->silence > 0) {
        printf("; released when not put for %g ms", dpl_ns_to_s(desc->silence) * 1e3);
    }
    printf("\n");
}

void sim_print_channels(const struct dpl_channel_desc *descs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        print_channel(&descs[i]);
    }
}

int sim_list_channels(const struct sim_run_options *options)
{
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_DONE;
    if (sim_load(options, &loaded, &error) < 0) {
        code = tell(&error, DPL_EXIT_BAD_INPUT);
    } else {
        sim_print_channels(loaded.descs, loaded.n);
    }
    sim_unload(&loaded);
    return code;
}

static void print_world(const struct sim_loaded *loaded, const char *file)
{
    printf("world %s: robots %zu, obstacles %zu, steps of %g ms\n  file: %s\n\nchannels:\n",
           loaded->model->name, loaded->model->n_robots, loaded->model->n_obstacles,
           dpl_ns_to_s(loaded->model->step) * 1e3, file);
    sim_print_channels(loaded->descs, loaded->n);
}

int sim_print_world(struct dpl_catalog *catalog, const char *file)
{
    struct sim_run_options options = {.file = file, .catalog = catalog, .seed = 1};
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_DONE;
    if (sim_load(&options, &loaded, &error) < 0) {
        code = tell(&error, DPL_EXIT_BAD_INPUT);
    } else {
        print_world(&loaded, file);
    }
    sim_unload(&loaded);
    return code;
}

/* ---- --run: recorded channels ---- */

struct recording {
    struct sim_loaded *loaded;
    size_t *channels; /* [n], their indices */
    void **values;    /* [n], the newest value of each */
    bool *known;      /* [n], there is a value */
    size_t n;
    struct dpl_output out;
    uint64_t rows;
};

/* Without a pattern: all channels that change, except blocks. */
static bool is_wanted(const struct dpl_channel_desc *desc, const struct option_list *patterns)
{
    if (dpl_channel_is_input(desc->dir)) {
        return false;
    }
    if (patterns->n == 0) {
        return desc->dir == DPL_CHANNEL_OUT && desc->type != &dpl_channel_block;
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

static int choose(struct recording *recording, const struct option_list *patterns,
                  struct dpl_diag *reterr)
{
    struct sim_loaded *loaded = recording->loaded;
    recording->channels = calloc(loaded->n, sizeof *recording->channels);
    recording->values = calloc(loaded->n, sizeof *recording->values);
    recording->known = calloc(loaded->n, sizeof *recording->known);
    if (!recording->channels || !recording->values || !recording->known) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    for (size_t i = 0; i < loaded->n; i++) {
        const struct dpl_channel_desc *desc = &loaded->descs[i];
        if (is_wanted(desc, patterns) && strcmp(desc->path, "time") != 0) {
            turn_on(loaded, desc);
            recording->values[recording->n] = calloc(1, dpl_channel_bytes(desc));
            if (!recording->values[recording->n]) {
                return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
            }
            recording->channels[recording->n++] = i;
        }
    }
    return 0;
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
                            "--record '%s' is no channel that can be read: %s", patterns->items[p],
                            why.text[0] ? why.text : "it goes into the world");
        }
    }
    return 0;
}

static void finish_recording(struct recording *recording)
{
    for (size_t i = 0; i < recording->n; i++) {
        free(recording->values[i]);
    }
    free(recording->values);
    free(recording->channels);
    free(recording->known);
}

/* ---- channels.csv ---- */

static const struct dpl_channel_desc *desc_at(const struct recording *recording, size_t i)
{
    return &recording->loaded->descs[recording->channels[i]];
}

/* One column per element: "robot/pose[3]" if there are several. */
static void write_head(struct recording *recording)
{
    fprintf(recording->out.stream, "time");
    for (size_t i = 0; i < recording->n; i++) {
        const struct dpl_channel_desc *desc = desc_at(recording, i);
        for (uint32_t k = 0; k < desc->size; k++) {
            fprintf(recording->out.stream, desc->type->size == 1 ? ",%s" : ",%s[%u]", desc->path,
                    k);
        }
    }
    fprintf(recording->out.stream, "\n");
}

/* Without a value the column is empty. */
static void write_value(struct recording *recording, size_t i)
{
    const struct dpl_channel_desc *desc = desc_at(recording, i);
    const char *element = recording->values[i];
    char text[DPL_CHANNEL_TEXT_MAX] = "";
    for (uint32_t k = 0; k < desc->size; k++, element += desc->type->element_size) {
        if (recording->known[i]) {
            desc->type->print(text, element);
        }
        fprintf(recording->out.stream, ",%s", text);
    }
}

static void write_row(struct recording *recording)
{
    char text[DPL_CHANNEL_TEXT_MAX];
    double now_s = (double)dpl_world_now(recording->loaded->world) / 1e9; /* rounded once */
    dpl_channel_number.print(text, &now_s);
    fprintf(recording->out.stream, "%s", text);
    for (size_t i = 0; i < recording->n; i++) {
        dpl_ns stamp;
        int err = dpl_world_channels_get(recording->loaded->channels, recording->channels[i],
                                         recording->values[i], &stamp);
        recording->known[i] |= err == 0;
        write_value(recording, i);
    }
    fprintf(recording->out.stream, "\n");
    recording->rows++;
}

/* ---- --put ---- */

static int put(struct sim_loaded *loaded, const char *text, struct dpl_diag *reterr)
{
    const char *equals = strchr(text, '=');
    char path[256];
    if (!equals || (size_t)(equals - text) >= sizeof path) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--put: found '%s', expected PATH=VALUE", text);
    }
    snprintf(path, sizeof path, "%.*s", (int)(equals - text), text);
    struct dpl_channel_want want = {.path = path, .put = true};
    int channel = dpl_world_channels_find(loaded->channels, &want, reterr);
    if (channel < 0) {
        return channel;
    }
    void *value = calloc(1, dpl_channel_bytes(&loaded->descs[channel]));
    int err = value ? dpl_channel_parse(&loaded->descs[channel], equals + 1, value, reterr)
                    : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    if (err == 0) {
        err = dpl_world_channels_put(loaded->channels, (size_t)channel, value);
        err = err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0},
                                 "--put %s: the world does not take it: %s", text, strerror(-err))
                      : 0;
    }
    free(value);
    return err;
}

static int put_all(struct sim_loaded *loaded, const struct option_list *list,
                   struct dpl_diag *reterr)
{
    int err = 0;
    for (size_t i = 0; i < list->n && err == 0; i++) {
        err = put(loaded, list->items[i], reterr);
    }
    return err;
}

/* ---- running ---- */

static volatile sig_atomic_t asked_to_stop;

static void on_signal(int number)
{
    (void)number;
    asked_to_stop = 1;
}

/* Step by step, because rows may be hours apart and a stop request must not wait for a row. */
static void run_until(const struct sim_loaded *loaded, dpl_ns time, struct sim_picture *picture)
{
    while (!asked_to_stop && dpl_world_now(loaded->world) < time) {
        dpl_world_run_until(loaded->world, dpl_world_now(loaded->world) + loaded->model->step);
        sim_picture_take(picture);
    }
}

static void run(struct recording *recording, dpl_ns every, dpl_ns end, struct sim_picture *picture)
{
    struct dpl_world *world = recording->loaded->world;
    write_head(recording);
    write_row(recording);
    for (dpl_ns next = every; dpl_world_now(world) < end; next += every) {
        run_until(recording->loaded, next < end ? next : end, picture);
        if (next <= end && !asked_to_stop) {
            write_row(recording);
        }
        if (asked_to_stop || ferror(recording->out.stream)) {
            break;
        }
    }
}

/* Nothing changes between two steps, so rows are not more frequent. */
static int find_every(const struct sim_loaded *loaded, double every_s, dpl_ns *ret,
                      struct dpl_diag *reterr)
{
    *ret = every_s > 0.0 ? dpl_ns_from_s(every_s) : loaded->model->step;
    if (*ret < loaded->model->step) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--every %g s is shorter than a step of the world, %g s", every_s,
                        dpl_ns_to_s(loaded->model->step));
    }
    return 0;
}

static int write_summary(const struct recording *recording, const struct sim_run_options *options,
                         struct dpl_diag *reterr)
{
    char path[DPL_OUTPUT_PATH_MAX];
    const struct dpl_sim_model *model = recording->loaded->model;
    dpl_ns now = dpl_world_now(recording->loaded->world);
    struct dpl_output out = {0};
    snprintf(path, sizeof path, "%s/summary.json", options->out);
    int err = dpl_output_open(&out, path, reterr);
    if (err < 0) {
        return err;
    }
    json_t *summary =
        json_pack("{s:s, s:f, s:I, s:f, s:f, s:I, s:I, s:I}", "world", model->name, "step_s",
                  dpl_ns_to_s(model->step), "steps", (json_int_t)(now / model->step), "asked_s",
                  options->run_s, "duration_s", dpl_ns_to_s(now), "seed", (json_int_t)options->seed,
                  "rows", (json_int_t)recording->rows, "channels", (json_int_t)recording->n);
    json_dumpf(summary, out.stream, JSON_INDENT(2));
    fprintf(out.stream, "\n");
    json_decref(summary);
    return dpl_output_close(&out, reterr);
}

/* Returns an exit code: after the start, a write error is a fault of the run. */
static int record_run(struct sim_loaded *loaded, const struct sim_run_options *options,
                      struct sim_picture *picture, struct dpl_diag *reterr)
{
    struct recording recording = {.loaded = loaded};
    dpl_ns every;
    /* those of an earlier run go first, also when this one is refused */
    int err = access(options->out, F_OK) == 0 ? dpl_results_clear(options->out, reterr) : 0;
    err = err < 0 ? err : find_every(loaded, options->every_s, &every, reterr);
    err = err < 0 ? err : check_patterns(loaded, options->record, reterr);
    err = err < 0 ? err : choose(&recording, options->record, reterr);
    err = err < 0 ? err : put_all(loaded, options->put, reterr);
    if (err == 0 && cli_make_dir("sim --out", options->out) < 0) {
        err = dpl_fail(reterr, -EIO, (struct dpl_place){0}, "there is no folder for results");
    }
    err = err < 0 ? err : dpl_results_open(options->out, "channels.csv", &recording.out, reterr);
    int code = err < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
    if (err == 0) {
        run(&recording, every, dpl_ns_from_s(options->run_s), picture);
        err = dpl_output_close(&recording.out, reterr);
        err = err < 0 ? err : write_summary(&recording, options, reterr);
        code = err < 0 ? DPL_EXIT_FAULT : code;
    }
    finish_recording(&recording);
    return code;
}

/* Without results. */
static int run_for_picture(struct sim_loaded *loaded, const struct sim_run_options *options,
                           struct sim_picture *picture, struct dpl_diag *reterr)
{
    if (put_all(loaded, options->put, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    run_until(loaded, dpl_ns_from_s(options->run_s), picture);
    return DPL_EXIT_DONE;
}

static int run_loaded(struct sim_loaded *loaded, const struct sim_run_options *options,
                      struct dpl_diag *reterr)
{
    struct sim_picture picture = {0};
    if (sim_images_check(loaded, options->image, reterr) < 0 ||
        sim_picture_begin(&picture, loaded->world, &options->picture, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    cli_catch_requests(on_signal, true); /* the first signal ends the run with complete files */
    int code = options->out ? record_run(loaded, options, &picture, reterr)
                            : run_for_picture(loaded, options, &picture, reterr);
    if (code == DPL_EXIT_DONE && sim_picture_write(&picture, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    sim_picture_end(&picture);
    if (code == DPL_EXIT_DONE && sim_images_write(loaded, options->image, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    return code;
}

int sim_run_world(const struct sim_run_options *options)
{
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_BAD_INPUT;
    if (sim_load(options, &loaded, &error) == 0) {
        code = run_loaded(&loaded, options, &error);
    }
    if (code != DPL_EXIT_DONE) {
        tell(&error, code);
    } else if (options->out) {
        fprintf(stderr, "results: %s/channels.csv, %s/summary.json\n", options->out, options->out);
    }
    sim_unload(&loaded);
    return code;
}
