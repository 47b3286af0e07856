/* SPDX-License-Identifier: Apache-2.0 */
/* Applications and benches as what a study is about. */
#include "subject.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/component.h>
#include <doppel/host/runtime.h>
#include <doppel/sim/host.h>
#include <doppel/sim/load.h>
#include <doppel/text.h>

#include "closure.h"
#include "number.h"

void sweep_outcome_fail(struct sweep_outcome *outcome, const struct dpl_diag *error)
{
    char text[DPL_DIAG_TEXT_MAX + 512];
    dpl_diag_format_cause(error, text, sizeof text);
    outcome->status = SWEEP_FAILED;
    dpl_text_clean(text, outcome->text, sizeof outcome->text);
}

const char *sweep_set_text(struct dpl_arena *arena, const struct sweep_vary *vary,
                           const char *value)
{
    double number;
    const char *end = dpl__number_read(value, &number);
    bool is_number = end && *end == '\0' && vary->unit[0] != '\0';
    return dpl_arena_printf(arena, "%s=%s%s%s", vary->path, value, is_number ? " " : "",
                            is_number ? vary->unit : "");
}

#define PROBE_S 0.001 /* of a run that only tells which values there are */

/* ---- loading ---- */

/* What all runs set, then what a run does; `to`: which of them. */
static const char **list_sets(const struct sweep_subject *subject, struct dpl_arena *arena,
                              enum sweep_target to, const struct sweep_run *run, size_t *ret_n)
{
    const struct sweep_study *study = subject->study;
    const char **all = dpl_arena_alloc(arena, (study->n_sets + study->n_varies + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < study->n_sets; i++) {
        if (study->sets[i].target == to) {
            all[n++] = dpl_arena_printf(arena, "%s=%s", study->sets[i].path, study->sets[i].value);
        }
    }
    for (size_t i = 0; run && i < study->n_varies; i++) {
        if (study->varies[i].target == to) {
            all[n++] = sweep_set_text(arena, &study->varies[i], run->values[i]);
        }
    }
    *ret_n = n;
    return all;
}

/* With what all runs set and this run sets (NULL: none), and one more (NULL: none). */
static int load_app(const struct sweep_subject *subject, const struct sweep_run *run,
                    const char *more, struct dpl_app **ret_app, struct dpl_diags *diags)
{
    struct dpl_arena arena = {0};
    size_t n;
    const char **sets = list_sets(subject, &arena, SWEEP_TO_PROPERTY, run, &n);
    if (more) {
        sets[n++] = more;
    }
    struct dpl_app_options options = {.bindings = subject->study->binds,
                                      .n_bindings = subject->study->n_binds,
                                      .sets = sets,
                                      .n_sets = n};
    int err = dpl_app_load(subject->file, &options, subject->catalog, ret_app, diags);
    dpl_arena_finish(&arena);
    return err;
}

/* The error of one value, at its place in the study. */
static void report_at(struct dpl_diags *diags, const struct dpl_diags *found,
                      struct dpl_place place)
{
    for (size_t i = 0; i < found->n; i++) {
        if (found->items[i].severity == DPL_SEVERITY_ERROR) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, place, "%s", found->items[i].text);
            return;
        }
    }
}

static void check_property(const struct sweep_subject *subject, const char *set,
                           struct dpl_place place, struct dpl_diags *diags)
{
    struct dpl_diags found = {0};
    struct dpl_app *app = NULL;
    if (load_app(subject, NULL, set, &app, &found) < 0) {
        report_at(diags, &found, place);
    }
    dpl_diags_finish(&found);
    dpl_app_destroy(app);
}

static void check_world(const struct sweep_subject *subject, const char *set,
                        struct dpl_place place, struct dpl_diags *diags)
{
    const struct dpl_app *app = subject->app;
    struct dpl_sim_set *sets = calloc(app->n_world_properties + 1, sizeof *sets);
    struct dpl_sim_model *model = NULL;
    struct dpl_diag error = {0};
    for (size_t i = 0; sets && i < app->n_world_properties; i++) {
        sets[i] =
            (struct dpl_sim_set){app->world_properties[i].text, app->world_properties[i].place};
    }
    if (sets) {
        sets[app->n_world_properties] = (struct dpl_sim_set){set, place};
        struct dpl_sim_load_options options = {
            .catalog = subject->catalog, .sets = sets, .n_sets = app->n_world_properties + 1};
        if (!app->world) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, place, "the application has no world");
        } else if (dpl_sim_load_world_with(app->world, &options, &model, &error) < 0) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, place, "%s", error.text);
        }
    }
    dpl_sim_model_destroy(model);
    free(sets);
}

static void check_value(const struct sweep_subject *subject, enum sweep_target to, const char *set,
                        struct dpl_place place, struct dpl_diags *diags)
{
    if (to == SWEEP_TO_PROPERTY) {
        check_property(subject, set, place, diags);
    } else {
        check_world(subject, set, place, diags);
    }
}

/* The ends of its range, or each of its values. */
static void check_vary(const struct sweep_subject *subject, size_t vary, struct dpl_diags *diags)
{
    const struct sweep_study *study = subject->study;
    const struct sweep_vary *at = &study->varies[vary];
    bool is_list = study->design.type == SWEEP_LIST;
    size_t n = is_list ? study->design.n_points : at->kind == SWEEP_CHOICE ? at->n_choices : 2;
    size_t n_errors = diags->n_errors;
    struct dpl_arena arena = {0};
    for (size_t i = 0; i < n && diags->n_errors == n_errors; i++) {
        double unit[SWEEP_DIMENSIONS_MAX];
        char text[SWEEP_VALUE_SIZE];
        for (size_t k = 0; k < study->n_varies; k++) {
            unit[k] = at->kind == SWEEP_CHOICE   ? ((double)i + 0.5) / (double)n
                      : at->kind == SWEEP_NORMAL ? (i == 0 ? 0.0013 : 0.9987)
                                                 : (i == 0 ? 0x1p-53 : 1.0 - 0x1p-53);
        }
        sweep_value(study, vary, unit, text);
        const char *value = is_list ? study->points[i * study->n_varies + vary] : text;
        check_value(subject, at->target, sweep_set_text(&arena, at, value), at->place, diags);
    }
    dpl_arena_finish(&arena);
}

static int check_values(const struct sweep_subject *subject, struct dpl_diags *diags)
{
    const struct sweep_study *study = subject->study;
    struct dpl_arena arena = {0};
    for (size_t i = 0; i < study->n_sets; i++) {
        const struct sweep_set *set = &study->sets[i];
        check_value(subject, set->target, dpl_arena_printf(&arena, "%s=%s", set->path, set->value),
                    set->place, diags);
    }
    for (size_t i = 0; i < study->n_varies; i++) {
        check_vary(subject, i, diags);
    }
    dpl_arena_finish(&arena);
    return diags->n_errors > 0 ? -EINVAL : 0;
}

static bool varies(const struct sweep_study *study, enum sweep_target target)
{
    for (size_t i = 0; i < study->n_varies; i++) {
        if (study->varies[i].target == target) {
            return true;
        }
    }
    return false;
}

/* The application alone, then what all runs set, so that an error of that has its place. */
static int open_app(struct sweep_subject *subject, struct dpl_diags *diags)
{
    const struct sweep_study *study = subject->study;
    struct dpl_app_options plain = {.bindings = study->binds, .n_bindings = study->n_binds};
    int err = dpl_app_load(subject->file, &plain, subject->catalog, &subject->app, diags);
    err = err < 0 ? err : check_values(subject, diags);
    if (err < 0 || study->n_sets == 0) {
        return err;
    }
    dpl_app_destroy(subject->app);
    subject->app = NULL;
    return load_app(subject, NULL, NULL, &subject->app, diags);
}

int sweep_subject_open(struct sweep_subject *subject, const struct sweep_study *study,
                       struct dpl_catalog *catalog, struct dpl_diags *diags)
{
    static const char *const kinds[] = {"apps", "benches", "worlds"};
    *subject = (struct sweep_subject){.study = study, .catalog = catalog};
    subject->file =
        dpl_catalog_find_profile(catalog, kinds[study->about], study->file, study->file_place.file);
    if (!subject->file) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, study->file_place, "there is no file '%.120s'",
                      study->file);
        return -EINVAL;
    }
    json_object_seed(0); /* once: runs need not ask the system for it */
    struct closure closure;
    closure_begin(&closure);
    subject->varies_property = varies(study, SWEEP_TO_PROPERTY);
    int err =
        study->about <= SWEEP_BENCH ? open_app(subject, diags) : sweep_world_check(subject, diags);
    subject->closure = closure_end(&closure, subject->app);
    return err;
}

void sweep_subject_close(struct sweep_subject *subject)
{
    dpl_app_destroy(subject->app);
    *subject = (struct sweep_subject){0};
}

/* ---- a run ---- */

/* "ports/RobotControl.scan/taken": levels of the object. */
static const json_t *find(const json_t *object, const char *path)
{
    char key[256];
    while (object && path) {
        const char *slash = strchr(path, '/');
        snprintf(key, sizeof key, "%.*s", (int)(slash ? slash - path : (long)strlen(path)), path);
        object = json_object_get(object, key);
        path = slash ? slash + 1 : NULL;
    }
    return object;
}

static double number_of(const json_t *value)
{
    return json_is_number(value)    ? json_number_value(value)
           : json_is_boolean(value) ? (json_is_true(value) ? 1.0 : 0.0)
                                    : (double)NAN;
}

/* Of a bench: whether its verdict is the expected one, 1 or 0. */
#define EXPECTED "expected"

static void take_measures(const struct sweep_study *study, struct dpl_runtime *runtime,
                          enum dpl_exit code, struct sweep_outcome *outcome)
{
    const struct dpl_verdict *verdict = dpl_runtime_verdict(runtime);
    char *text = dpl_runtime_summary(runtime, code);
    json_t *summary = text ? json_loads(text, 0, NULL) : NULL;
    for (size_t i = 0; i < study->n_measures; i++) {
        const char *path = study->measures[i].value;
        outcome->measures[i] = strcmp(path, EXPECTED) == 0 && verdict
                                   ? (verdict->expected ? 1.0 : 0.0)
                                   : number_of(find(summary, path));
    }
    json_decref(summary);
    free(text);
}

static const char *nearest_key(json_t *summary, const char *path)
{
    const char *keys[512], *key;
    json_t *value;
    size_t n = 0;
    json_object_foreach(summary, key, value)
    {
        if (n < 512 && (json_is_number(value) || json_is_boolean(value))) {
            keys[n++] = key;
        }
    }
    return dpl_nearest(path, keys, n);
}

/* What has no number is NAN, and the first of it is told of in the text. */
static void find_measures(const struct sweep_study *study, struct dpl_runtime *runtime,
                          struct sweep_outcome *outcome)
{
    char *text = dpl_runtime_summary(runtime, DPL_EXIT_DONE);
    json_t *summary = text ? json_loads(text, 0, NULL) : NULL;
    outcome->text[0] = '\0';
    for (size_t i = 0; i < study->n_measures; i++) {
        const char *path = study->measures[i].value;
        const json_t *value = find(summary, path);
        bool is_there = strcmp(path, EXPECTED) == 0 || json_is_number(value) ||
                        json_is_boolean(value) || json_is_null(value);
        const char *near = is_there ? NULL : nearest_key(summary, path);
        outcome->measures[i] = is_there ? 0.0 : (double)NAN;
        if (!is_there && outcome->text[0] == '\0') {
            snprintf(outcome->text, sizeof outcome->text, near ? "; did you mean '%s'?" : "%s",
                     near ? near : "");
        }
    }
    json_decref(summary);
    free(text);
}

static void take_end(const struct sweep_study *study, struct dpl_runtime *runtime,
                     enum dpl_exit code, const struct dpl_diag *error,
                     struct sweep_outcome *outcome)
{
    const struct dpl_verdict *verdict = dpl_runtime_verdict(runtime);
    outcome->duration_s = dpl_ns_to_s(dpl_runtime_duration(runtime));
    outcome->status = SWEEP_DONE;
    take_measures(study, runtime, code, outcome);
    if (verdict) {
        snprintf(outcome->verdict, sizeof outcome->verdict, "%s", verdict->name);
        dpl_text_clean(verdict->text, outcome->text, sizeof outcome->text);
    } else if (code != DPL_EXIT_DONE) {
        sweep_outcome_fail(outcome, error);
    }
}

/* ---- its measures over time ---- */

static bool sample(void *user, const struct dpl_runtime *runtime, dpl_ns now)
{
    struct sweep_over_time *over = user;
    char *text = dpl_runtime_values(runtime);
    json_t *values = text ? json_loads(text, 0, NULL) : NULL;
    for (size_t i = 0; i < over->study->n_measures; i++) {
        over->now[i] = number_of(find(values, over->study->measures[i].value));
    }
    json_decref(values);
    free(text);
    return sweep_over_time_take(over, dpl_ns_to_s(now));
}

static void sample_app(struct dpl_runtime_options *options, struct sweep_over_time *over,
                       const struct sweep_study *study)
{
    sweep_over_time_begin(over, study);
    if (sweep_over_time_matters(study)) {
        options->sample = sample;
        options->sample_user = over;
        options->sample_every = dpl_ns_from_s(study->every_s);
    }
}

void sweep_outcome_over_time(struct sweep_outcome *outcome, const struct sweep_over_time *over)
{
    sweep_over_time_end(over, outcome->measures);
    if (over->stopped && outcome->verdict[0] == '\0') {
        snprintf(outcome->verdict, sizeof outcome->verdict, SWEEP_STOPPED);
        dpl_text_clean(over->stopped, outcome->text, sizeof outcome->text);
    }
}

static void run_app(const struct sweep_study *study, const struct dpl_app *app,
                    struct dpl_runtime_options *options, bool is_probe,
                    struct sweep_outcome *outcome)
{
    struct dpl_runtime *runtime = NULL;
    struct dpl_diag error = {.text = "the run has failed"};
    struct sweep_over_time over;
    sample_app(options, &over, study);
    if (dpl_runtime_create(app, options, &runtime, &error) < 0) {
        sweep_outcome_fail(outcome, &error);
        return;
    }
    enum dpl_exit code = dpl_runtime_run(runtime, &error);
    take_end(study, runtime, code, &error, outcome);
    if (is_probe) {
        find_measures(study, runtime, outcome);
    } else if (outcome->status == SWEEP_DONE) {
        sweep_outcome_over_time(outcome, &over);
    }
    dpl_runtime_destroy(runtime);
}

static void run_in_worlds(const struct sweep_subject *subject, const struct dpl_app *app,
                          const struct sweep_run *run, bool is_probe, struct sweep_outcome *outcome)
{
    double duration_s = is_probe ? PROBE_S : subject->study->duration_s;
    struct dpl_arena arena = {0};
    size_t n;
    const char **sets = list_sets(subject, &arena, SWEEP_TO_WORLD, run, &n);
    struct dpl_app_world_property *all =
        dpl_arena_alloc(&arena, (app->n_world_properties + n + 1) * sizeof *all);
    memcpy(all, app->world_properties, app->n_world_properties * sizeof *all);
    for (size_t i = 0; i < n; i++) {
        all[app->n_world_properties + i] =
            (struct dpl_app_world_property){sets[i], {.file = subject->study->file_place.file}};
    }
    struct dpl_sim_host_options host_options = {.world = app->world,
                                                .properties = all,
                                                .n_properties = app->n_world_properties + n,
                                                .seed = run->seed,
                                                .catalog = subject->catalog};
    struct dpl_sim_host *host = dpl_sim_host_create(&host_options);
    if (!host) {
        snprintf(outcome->text, sizeof outcome->text, "out of memory");
        dpl_arena_finish(&arena);
        return;
    }
    struct dpl_runtime_options options = {.simulated = true,
                                          .duration = dpl_ns_from_s(duration_s),
                                          .seed = run->seed,
                                          .log_level = DPL_LOG_ERROR,
                                          .world = dpl_sim_host_interface(host)};
    run_app(subject->study, app, &options, is_probe, outcome);
    dpl_sim_host_destroy(host);
    dpl_arena_finish(&arena);
}

static void carry_out(const struct sweep_subject *subject, const struct sweep_run *run,
                      bool is_probe, struct sweep_outcome *outcome)
{
    struct dpl_app *app = subject->app;
    struct dpl_diags diags = {0};
    if (subject->varies_property && load_app(subject, run, NULL, &app, &diags) < 0) {
        sweep_outcome_fail(outcome, &diags.items[0]);
    } else {
        run_in_worlds(subject, app, run, is_probe, outcome);
    }
    dpl_diags_finish(&diags);
    if (app != subject->app) {
        dpl_app_destroy(app);
    }
}

void sweep_outcome_begin(struct sweep_outcome *ret_outcome)
{
    *ret_outcome = (struct sweep_outcome){.status = SWEEP_FAILED};
    for (size_t i = 0; i < SWEEP_MEASURES_MAX; i++) {
        ret_outcome->measures[i] = (double)NAN;
    }
}

void sweep_outcome_end(struct sweep_outcome *ret_outcome, const struct sweep_outcome *given,
                       const struct sweep_pool_ended *ended)
{
    if (given) {
        *ret_outcome = *given;
    } else {
        sweep_outcome_begin(ret_outcome);
        ret_outcome->status = ended->how == SWEEP_POOL_LATE ? SWEEP_TIMED_OUT : SWEEP_CRASHED;
        snprintf(ret_outcome->text, sizeof ret_outcome->text, "%s", ended->text);
    }
    ret_outcome->wall_s = ended->wall_s;
}

bool sweep_outcome_same(const void *one, const void *other)
{
    const struct sweep_outcome *a = one, *b = other;
    return a->status == b->status && strcmp(a->verdict, b->verdict) == 0 &&
           strcmp(a->text, b->text) == 0 &&
           memcmp(&a->duration_s, &b->duration_s, sizeof a->duration_s) == 0 &&
           memcmp(a->measures, b->measures, sizeof a->measures) == 0;
}

void sweep_subject_run(const struct sweep_subject *subject, const struct sweep_run *run,
                       struct sweep_outcome *ret_outcome)
{
    sweep_outcome_begin(ret_outcome);
    if (subject->study->about == SWEEP_WORLD) {
        sweep_world_run(subject, run, ret_outcome);
    } else {
        carry_out(subject, run, false, ret_outcome);
    }
}

void sweep_subject_probe(const struct sweep_subject *subject, const struct sweep_run *run,
                         struct sweep_outcome *ret_outcome)
{
    sweep_outcome_begin(ret_outcome);
    if (subject->study->about == SWEEP_WORLD) {
        ret_outcome->status = SWEEP_DONE;
        memset(ret_outcome->measures, 0, sizeof ret_outcome->measures);
    } else {
        carry_out(subject, run, true, ret_outcome);
    }
}
