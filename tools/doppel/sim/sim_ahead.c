/* SPDX-License-Identifier: Apache-2.0 */
/* One rollout in place: the tool is the only user of its world, so nobody would wait for it. */
#include "sim_ahead.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/ahead.h>

#include "sim_loaded.h"

#define EVERY_SHARE 50 /* of the time, between two rows, unless --every says more */

/* What the command line asks for, with room for the texts. */
struct wanted {
    char robot[DPL_SIM_NAME_SIZE];
    char paths[2][DPL_AHEAD_CHANNELS_MAX][DPL_CHANNEL_PATH_MAX]; /* to put, to read */
    const char *puts[DPL_AHEAD_CHANNELS_MAX], *reads[DPL_AHEAD_CHANNELS_MAX];
    struct dpl_ahead_setup setup;
    struct dpl_ahead_request request;
};

enum { PUT, READ };

/* ---- the command line ---- */

static int add_path(struct wanted *wanted, int kind, const char *path, size_t length,
                    struct dpl_diag *reterr)
{
    size_t *n = kind == PUT ? &wanted->setup.n_puts : &wanted->setup.n_reads;
    const char **list = kind == PUT ? wanted->puts : wanted->reads;
    for (size_t i = 0; i < *n; i++) {
        if (strlen(list[i]) == length && strncmp(list[i], path, length) == 0) {
            return (int)i;
        }
    }
    if (*n == DPL_AHEAD_CHANNELS_MAX || length >= DPL_CHANNEL_PATH_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--ahead: at most %d channels to put and to record",
                        DPL_AHEAD_CHANNELS_MAX);
    }
    snprintf(wanted->paths[kind][*n], DPL_CHANNEL_PATH_MAX, "%.*s", (int)length, path);
    list[*n] = wanted->paths[kind][*n];
    return (int)(*n)++;
}

static int find_put(const struct sim_loaded *loaded, const char *path, struct dpl_diag *reterr)
{
    struct dpl_channel_want want = {.path = path, .put = true};
    int number = dpl_world_channels_find(loaded->channels, &want, reterr);
    if (number >= 0 && loaded->descs[number].size > DPL_AHEAD_VALUE_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "--put: channel '%s' is too large",
                        path);
    }
    return number;
}

/* The value of a put as numbers. */
static int read_value(const struct dpl_channel_desc *desc, const char *text,
                      struct dpl_ahead_put *put, struct dpl_diag *reterr)
{
    double value[DPL_AHEAD_VALUE_MAX]; /* no channel that is put has larger elements */
    int err = dpl_channel_parse(desc, text, value, reterr);
    for (uint32_t i = 0; err == 0 && i < desc->size; i++) {
        put->value[i] = dpl_channel_element(desc, value, i);
    }
    return err;
}

/* VALUE or VALUE@SECONDS; cuts the text. */
static int read_time(char *text, struct dpl_ahead_put *put, struct dpl_diag *reterr)
{
    char *at = strchr(text, '@'), *end = NULL;
    double seconds = at ? strtod(at + 1, &end) : 0.0;
    if (at && (end == at + 1 || *end || !(seconds >= 0.0 && seconds <= 1e6))) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--put: found '%s', expected seconds from 0 on behind the @", at + 1);
    }
    if (at) {
        *at = '\0';
    }
    put->at = dpl_ns_from_s(seconds);
    return 0;
}

/* A put after the end would do nothing. */
static int check_times(const struct dpl_ahead_request *request, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < request->n_puts; i++) {
        if (request->puts[i].at >= request->rollouts[0].duration) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "--put: %g s is not before the end of the look, at %g s",
                            dpl_ns_to_s(request->puts[i].at),
                            dpl_ns_to_s(request->rollouts[0].duration));
        }
    }
    return 0;
}

static int add_put(struct wanted *wanted, const struct sim_loaded *loaded, const char *text,
                   struct dpl_diag *reterr)
{
    const char *equals = strchr(text, '=');
    char value[256];
    if (!equals || strlen(equals) >= sizeof value || wanted->request.n_puts == DPL_AHEAD_PUTS_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--put: found '%s', expected PATH=VALUE or PATH=VALUE@SECONDS", text);
    }
    int channel = add_path(wanted, PUT, text, (size_t)(equals - text), reterr);
    int number = channel < 0 ? channel : find_put(loaded, wanted->puts[channel], reterr);
    if (number < 0) {
        return number;
    }
    struct dpl_ahead_put *put = &wanted->request.puts[wanted->request.n_puts++];
    *put = (struct dpl_ahead_put){.channel = (uint32_t)channel};
    snprintf(value, sizeof value, "%s", equals + 1);
    int err = read_time(value, put, reterr);
    return err < 0 ? err : read_value(&loaded->descs[number], value, put, reterr);
}

/* By time; of one time in the order of the command line. */
static void sort_puts(struct dpl_ahead_request *request)
{
    for (size_t i = 1; i < request->n_puts; i++) {
        struct dpl_ahead_put put = request->puts[i];
        size_t at = i;
        for (; at > 0 && request->puts[at - 1].at > put.at; at--) {
            request->puts[at] = request->puts[at - 1];
        }
        request->puts[at] = put;
    }
}

/* The robot whose channels are put, else the world's first; none in a world without robots. */
static void find_robot(struct wanted *wanted, const struct sim_loaded *loaded)
{
    const struct dpl_sim_model *model = loaded->model;
    for (size_t i = 0; i < model->n_robots; i++) {
        const char *name = model->robots[i].name,
                   *path = wanted->setup.n_puts ? wanted->puts[0] : "";
        size_t length = dpl_channel_part(path);
        bool is_put = length == strlen(name) && strncmp(name, path, length) == 0;
        if (i == 0 || is_put) {
            snprintf(wanted->robot, sizeof wanted->robot, "%s", name);
        }
    }
    wanted->setup.robot = wanted->robot;
}

static bool has_robot(const struct wanted *wanted)
{
    return wanted->robot[0] != '\0';
}

/* What --record names, or where the robot is. */
static int add_reads(struct wanted *wanted, const struct sim_loaded *loaded,
                     const struct option_list *record, struct dpl_diag *reterr)
{
    char pose[DPL_CHANNEL_PATH_MAX];
    int err = 0;
    for (size_t i = 0; i < record->n && err >= 0; i++) {
        err = add_path(wanted, READ, record->items[i], strlen(record->items[i]), reterr);
    }
    if (err >= 0 && wanted->setup.n_reads == 0 && !has_robot(wanted)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "world '%s' has no robot: --record says which channels to print",
                        loaded->model->name);
    }
    if (err >= 0 && wanted->setup.n_reads == 0) {
        snprintf(pose, sizeof pose, "%s/planar", wanted->robot);
        err = add_path(wanted, READ, pose, strlen(pose), reterr);
    }
    return err < 0 ? err : 0;
}

static int read_options(struct wanted *wanted, const struct sim_loaded *loaded,
                        const struct sim_task *task, struct dpl_diag *reterr)
{
    double every = task->every_s > 0.0 ? task->every_s : task->ahead_s / EVERY_SHARE;
    wanted->setup.puts = wanted->puts;
    wanted->setup.reads = wanted->reads;
    wanted->request.n_rollouts = 1;
    wanted->request.rollouts[0].duration = dpl_ns_from_s(task->ahead_s);
    wanted->request.sample = dpl_ns_from_s(every);
    int err = 0;
    for (size_t i = 0; i < task->put.n && err == 0; i++) {
        err = add_put(wanted, loaded, task->put.items[i], reterr);
    }
    err = err < 0 ? err : check_times(&wanted->request, reterr);
    sort_puts(&wanted->request);
    find_robot(wanted, loaded);
    return err < 0 ? err : add_reads(wanted, loaded, &task->record, reterr);
}

/* ---- the answer ---- */

static void print_header(const struct wanted *wanted, const struct sim_loaded *loaded)
{
    printf("time_s");
    for (size_t i = 0; i < wanted->setup.n_reads; i++) {
        struct dpl_channel_want want = {.path = wanted->reads[i]};
        int number = dpl_world_channels_find(loaded->channels, &want, NULL);
        for (uint32_t k = 0; number >= 0 && k < loaded->descs[number].size; k++) {
            printf(loaded->descs[number].size > 1 ? ",%s[%u]" : ",%s", loaded->descs[number].path,
                   k);
        }
    }
    printf("\n");
}

static void print_rows(const struct dpl_ahead_result *result)
{
    const struct dpl_ahead_outcome *outcome = &result->rollouts[0];
    for (size_t i = 0; i < outcome->n_samples; i++) {
        dpl_ns at = i + 1 == outcome->n_samples ? outcome->last : (dpl_ns)i * result->sample;
        printf("%.9g", dpl_ns_to_s(result->world_time + at));
        for (size_t k = 0; k < result->n_elements; k++) {
            printf(",%.12g", result->samples[0][i][k]);
        }
        printf("\n");
    }
}

static void print_end(const struct wanted *wanted, const struct dpl_ahead_outcome *outcome)
{
    if (outcome->touched) {
        fprintf(stderr, "robot '%s' touches '%s' after %.3f s at (%.3f, %.3f, %.3f) m\n",
                wanted->robot, outcome->object[0] ? outcome->object : "something without a name",
                dpl_ns_to_s(outcome->touched_at), outcome->point[0], outcome->point[1],
                outcome->point[2]);
    } else if (has_robot(wanted)) {
        fprintf(stderr, "robot '%s' touches nothing new\n", wanted->robot);
    }
    if (!isnan(outcome->clearance_m)) {
        fprintf(stderr, "least clearance from what stands: %s%.3f m\n",
                outcome->clearance_m >= DPL_AHEAD_CLEAR_M ? "at least " : "", outcome->clearance_m);
    }
}

/* Why the rollout has ended before its time. */
static void tell_error(const struct dpl_ahead_result *result, struct dpl_diag *reterr)
{
    const struct dpl_ahead_outcome *outcome = &result->rollouts[0];
    double at = dpl_ns_to_s(result->world_time + outcome->ran);
    if (outcome->error == -ERANGE) {
        dpl_fail(reterr, outcome->error, (struct dpl_place){0},
                 "the solver has no numbers any more at %g s", at);
    } else {
        dpl_fail(reterr, outcome->error, (struct dpl_place){0},
                 "--put: the world refuses a value at %g s: %s", at, strerror(-outcome->error));
    }
}

static int look(struct sim_loaded *loaded, const struct wanted *wanted, struct dpl_diag *reterr)
{
    struct dpl_sim_ahead *ahead = NULL;
    const struct dpl_ahead_result *result = NULL;
    if (dpl_sim_ahead_create(loaded->world, loaded->channels, &wanted->setup, &ahead, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int code = DPL_EXIT_DONE;
    int err = dpl_sim_ahead_run(ahead, &wanted->request, &result);
    if (err < 0) {
        dpl_fail(reterr, err, (struct dpl_place){0},
                 "--ahead: at most %d rows; --every says how far they are apart",
                 DPL_AHEAD_SAMPLES_MAX);
        code = DPL_EXIT_BAD_INPUT;
    } else if (result->rollouts[0].error < 0) {
        tell_error(result, reterr);
        code = result->rollouts[0].error == -ERANGE ? DPL_EXIT_FAULT : DPL_EXIT_BAD_INPUT;
    } else {
        print_header(wanted, loaded);
        print_rows(result);
        print_end(wanted, &result->rollouts[0]);
    }
    dpl_sim_ahead_destroy(ahead);
    return code;
}

static int look_into(struct sim_loaded *loaded, const struct sim_task *task,
                     struct dpl_diag *reterr)
{
    struct wanted *wanted = calloc(1, sizeof *wanted);
    if (!wanted) {
        dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
        return DPL_EXIT_FAULT;
    }
    int code = DPL_EXIT_BAD_INPUT;
    if (read_options(wanted, loaded, task, reterr) == 0) {
        dpl_world_run_until(loaded->world, dpl_ns_from_s(task->run_s));
        code = look(loaded, wanted, reterr);
    }
    free(wanted);
    return code;
}

int sim_look_ahead(const struct sim_task *task)
{
    struct sim_loaded loaded;
    struct dpl_diag error = {0};
    int code = DPL_EXIT_BAD_INPUT;
    if (sim_load(task, &loaded, &error) == 0) {
        code = look_into(&loaded, task, &error);
    }
    if (code != DPL_EXIT_DONE) {
        dpl_diag_print(stderr, &error);
    }
    sim_unload(&loaded);
    return code;
}
