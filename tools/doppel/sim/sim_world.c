/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --list and doppel sim --run. */
#include "sim_world.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>
#include <doppel/sim/shown.h>
#include <doppel/sim/state.h>

#include "closing.h"
#include "common.h"
#include "sim_audit.h"
#include "sim_image.h"
#include "sim_linear.h"
#include "sim_loaded.h"
#include "sim_multibody.h"
#include "sim_observed.h"
#include "sim_picture.h"
#include "sim_record.h"
#include "status_row.h"

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

int sim_list_channels(const struct sim_task *task)
{
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_DONE;
    if (sim_load(task, &loaded, &error) < 0) {
        code = tell(&error, DPL_EXIT_BAD_INPUT);
    } else {
        sim_print_channels(loaded.descs, loaded.n);
    }
    sim_unload(&loaded);
    return code;
}

static void print_world(const struct sim_loaded *loaded, const char *file)
{
    printf("world %s: robots %zu, obstacles %zu, steps of %g ms\n  file: %s\n", loaded->model->name,
           loaded->model->n_robots, loaded->model->n_obstacles,
           dpl_ns_to_s(loaded->model->step) * 1e3, file);
    sim_print_structures(loaded);
    printf("\nchannels:\n");
    sim_print_channels(loaded->descs, loaded->n);
}

int sim_print_world(struct dpl_catalog *catalog, const char *file)
{
    struct sim_task task = {.file = file, .catalog = catalog, .seed = 1};
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_DONE;
    if (sim_load(&task, &loaded, &error) < 0) {
        code = tell(&error, DPL_EXIT_BAD_INPUT);
    } else {
        print_world(&loaded, file);
    }
    sim_unload(&loaded);
    return code;
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
                                 "--put %s: the world refuses it: %s", text, strerror(-err))
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

/* What looks at a run. */
struct observers {
    struct sim_picture picture;
    struct dpl_audit *audit;  /* NULL: none */
    struct sim_record record; /* may be of nothing */
    dpl_ns end;               /* of the run */
    /* viewers, and those who record for them; NULL: none */
    struct dpl_sim_shown *shown;
    struct dpl_runtime *runtime;
};

static int observe(struct observers *observers, struct dpl_diag *reterr)
{
    sim_picture_take(&observers->picture);
    if (observers->shown) {
        dpl_sim_shown_look(observers->shown);
    }
    if (observers->audit) {
        dpl_audit_step(observers->audit);
    }
    return sim_record_look(&observers->record, reterr);
}

static void show_progress(dpl_ns now, dpl_ns end)
{
    char text[64];
    int width = snprintf(NULL, 0, "%.1f", dpl_ns_to_s(end));
    if (status_row_is_on()) {
        snprintf(text, sizeof text, "%*.1f of %.1f s", width, dpl_ns_to_s(now), dpl_ns_to_s(end));
        status_row_show(dpl_ns_to_s(now) / dpl_ns_to_s(end), text);
    }
}

/* Whether time may go on until then. */
static bool may_go(const struct observers *observers, dpl_ns to)
{
    if (observers->runtime && !dpl_runtime_go(observers->runtime, to)) {
        asked_to_stop = 1;
    }
    return !asked_to_stop;
}

/* Step by step, because rows may be hours apart and a stop request must not wait for a row. */
static int run_until(const struct sim_loaded *loaded, dpl_ns time, struct observers *observers,
                     struct dpl_diag *reterr)
{
    int err = 0;
    while (err == 0 && dpl_world_now(loaded->world) < time &&
           may_go(observers, dpl_world_now(loaded->world) + loaded->model->step)) {
        dpl_world_run_until(loaded->world, dpl_world_now(loaded->world) + loaded->model->step);
        err = observe(observers, reterr);
        err = err ? err : dpl_world_check_motion(loaded->world, reterr);
        show_progress(dpl_world_now(loaded->world), observers->end);
    }
    return err;
}

static int run(struct sim_loaded *loaded, dpl_ns every, dpl_ns end, struct observers *observers,
               struct dpl_diag *reterr)
{
    struct sim_record *record = &observers->record;
    int err = sim_record_look(record, reterr);
    sim_record_row(record);
    for (dpl_ns next = every; err == 0 && dpl_world_now(loaded->world) < end; next += every) {
        err = run_until(loaded, next < end ? next : end, observers, reterr);
        if (next <= end && !asked_to_stop && err == 0) {
            sim_record_row(record);
        }
        if (asked_to_stop || ferror(record->out.stream)) {
            break;
        }
    }
    return err;
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

static int write_summary(const struct sim_loaded *loaded, const struct observers *observers,
                         const struct sim_task *task, struct dpl_diag *reterr)
{
    char path[DPL_OUTPUT_PATH_MAX];
    const struct dpl_sim_model *model = loaded->model;
    const struct sim_record *record = &observers->record;
    dpl_ns now = dpl_world_now(loaded->world);
    struct dpl_output out = {0};
    snprintf(path, sizeof path, "%s/summary.json", task->out);
    int err = dpl_output_open(&out, path, reterr);
    if (err < 0) {
        return err;
    }
    json_t *summary =
        json_pack("{s:s, s:f, s:I, s:f, s:f, s:I, s:I, s:I}", "world", model->name, "step_s",
                  dpl_ns_to_s(model->step), "steps", (json_int_t)(now / model->step), "asked_s",
                  task->run_s, "duration_s", dpl_ns_to_s(now), "seed", (json_int_t)task->seed,
                  "rows", (json_int_t)record->rows, "channels", (json_int_t)record->n);
    sim_record_describe(record, summary);
    json_object_set_new(summary, "limits", sim_limits_describe(loaded->world));
    if (observers->audit) {
        sim_audit_describe(observers->audit, summary);
    }
    json_dumpf(summary, out.stream, JSON_INDENT(2));
    fprintf(out.stream, "\n");
    json_decref(summary);
    return dpl_output_close(&out, reterr);
}

static int prepare_record(struct sim_loaded *loaded, const struct sim_task *task, dpl_ns *ret_every,
                          struct sim_record *record, struct dpl_diag *reterr)
{
    int err = find_every(loaded, task->every_s, ret_every, reterr);
    struct sim_record_options wanted = {
        .patterns = &task->record,
        .trigger = task->trigger,
        .before_s = task->before_s,
        .after_s = task->after_s,
        .every = err < 0 ? 1 : *ret_every,
    };
    return err < 0 ? err : sim_record_prepare(record, loaded, &wanted, reterr);
}

static int take_folder(const char *folder, struct dpl_diag *reterr)
{
    return cli_lock_dir("sim --out", folder) == 0
               ? 0
               : dpl_fail(reterr, -EBUSY, (struct dpl_place){0}, "the world was not run");
}

/* Returns an exit code: after the start, a write error is a fault of the run. */
static int record_run(struct sim_loaded *loaded, const struct sim_task *task,
                      struct observers *observers, struct dpl_diag *reterr)
{
    dpl_ns every;
    struct sim_record *record = &observers->record;
    /* those of an earlier run go first, also when this one is refused */
    bool is_there = access(task->out, F_OK) == 0;
    int err = is_there ? take_folder(task->out, reterr) : 0;
    err = err == 0 && is_there ? dpl_results_clear(task->out, reterr) : err;
    err = err < 0 ? err : prepare_record(loaded, task, &every, record, reterr);
    err = err < 0 ? err : put_all(loaded, &task->put, reterr);
    if (err == 0 && cli_make_dir("sim --out", task->out) < 0) {
        err = dpl_fail(reterr, -EIO, (struct dpl_place){0}, "there is no folder for results");
    }
    err = err == 0 && !is_there ? take_folder(task->out, reterr) : err;
    err = err < 0 ? err : sim_record_open(record, task->out, reterr);
    if (err < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int ran = run(loaded, every, dpl_ns_from_s(task->run_s), observers, reterr);
    err = dpl_output_close(&record->out, ran < 0 ? NULL : reterr);
    err = ran < 0 ? ran : err;
    err = err < 0 ? err : write_summary(loaded, observers, task, reterr);
    return err < 0 ? DPL_EXIT_FAULT : DPL_EXIT_DONE;
}

/* Without results. */
static int run_only(struct sim_loaded *loaded, const struct sim_task *task,
                    struct observers *observers, struct dpl_diag *reterr)
{
    if (put_all(loaded, &task->put, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int err = run_until(loaded, dpl_ns_from_s(task->run_s), observers, reterr);
    return err < 0 ? DPL_EXIT_FAULT : DPL_EXIT_DONE;
}

static int run_through(struct sim_loaded *loaded, const struct sim_task *task,
                       struct observers *observers, struct dpl_diag *reterr)
{
    return task->out ? record_run(loaded, task, observers, reterr)
                     : run_only(loaded, task, observers, reterr);
}

/* ---- observed ---- */

struct driven {
    struct sim_loaded *loaded;
    const struct sim_task *task;
    struct observers *observers;
    int code;
};

static int drive(void *user, struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    struct driven *driven = user;
    driven->observers->runtime = runtime;
    dpl_sim_shown_look(driven->observers->shown);
    driven->code = run_through(driven->loaded, driven->task, driven->observers, reterr);
    driven->observers->runtime = NULL;
    return driven->code == DPL_EXIT_DONE ? 0 : -EIO;
}

/* The world is that of a run that is driven step by step. */
static int run_observed(struct sim_loaded *loaded, const struct sim_task *task,
                        struct observers *observers, struct dpl_diag *reterr)
{
    bool is_viewed = task->view != OBSERVE_NO_PORT || task->ros2;
    struct driven driven = {loaded, task, observers, DPL_EXIT_DONE};
    observers->shown = dpl_sim_shown_create(loaded->world, loaded->channels);
    if (!observers->shown) {
        dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
        return DPL_EXIT_FAULT;
    }
    struct dpl_runtime_options options = {
        .simulated = true,
        .rate = task->rate >= 0.0 ? task->rate
                : is_viewed       ? 1.0
                                  : 0.0,
        .world = dpl_sim_shown_host(observers->shown),
        .drive = drive,
        .drive_user = &driven,
        .drive_step = loaded->model->step,
        .log = status_row_log(),
    };
    int code = sim_run_observed(task, loaded->model->name, &options, reterr);
    dpl_sim_shown_destroy(observers->shown);
    return driven.code != DPL_EXIT_DONE ? driven.code : code;
}

static int run_loaded(struct sim_loaded *loaded, const struct sim_task *task,
                      struct dpl_diag *reterr)
{
    struct observers observers = {.end = dpl_ns_from_s(task->run_s)};
    if (sim_images_check(loaded, &task->image, reterr) < 0 ||
        sim_save_check(loaded, task->save, reterr) < 0 ||
        (task->linearize && sim_star_check(loaded, "linearize", reterr) < 0) ||
        (task->equilibrium && sim_star_check(loaded, "equilibrium", reterr) < 0) ||
        (task->equilibrium && sim_settle(loaded, reterr) < 0) ||
        sim_picture_begin(&observers.picture, loaded->world, &task->picture, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    if (task->audit && dpl_audit_create(loaded->world, &observers.audit) < 0) {
        sim_picture_end(&observers.picture);
        dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
        return DPL_EXIT_FAULT;
    }
    cli_catch_requests(on_signal, true); /* the first signal ends the run with complete files */
    status_row_begin();
    int code = task->is_observed ? run_observed(loaded, task, &observers, reterr)
                                 : run_through(loaded, task, &observers, reterr);
    status_row_end();
    sim_tell_of_world(loaded->world);
    if (code == DPL_EXIT_DONE && sim_check_stops(loaded->world, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    if (code == DPL_EXIT_DONE && sim_picture_write(&observers.picture, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    if (code == DPL_EXIT_DONE && observers.audit) {
        sim_audit_print(observers.audit);
    }
    if (code == DPL_EXIT_DONE && sim_images_write(loaded, &task->image, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    if (code == DPL_EXIT_DONE && task->linearize &&
        sim_linearize(loaded, task->linearize, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    if (code == DPL_EXIT_DONE && sim_save(loaded, task->save, reterr) < 0) {
        code = DPL_EXIT_FAULT;
    }
    sim_picture_end(&observers.picture);
    sim_record_finish(&observers.record);
    dpl_audit_destroy(observers.audit);
    return code;
}

static void tell_end(const struct sim_loaded *loaded, const struct sim_task *task)
{
    if (cli_has_reader()) {
        fprintf(stderr, "ran %.1f s of the world '%s'%s\n",
                dpl_ns_to_s(dpl_world_now(loaded->world)), loaded->model->name,
                asked_to_stop ? ", until it was asked to stop" : "");
    }
    if (task->out) {
        cli_tell_results(task->out);
    }
    if (cli_has_reader()) {
        cli_tell_next(task->out);
    }
}

int sim_run_world(const struct sim_task *task)
{
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_BAD_INPUT;
    if (sim_load(task, &loaded, &error) == 0) {
        code = run_loaded(&loaded, task, &error);
    }
    if (code != DPL_EXIT_DONE) {
        tell(&error, code);
    } else {
        tell_end(&loaded, task);
    }
    sim_unload(&loaded);
    return code;
}
