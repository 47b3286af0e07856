/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds that run alone as what a study is about. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>

#include "subject.h"

enum { VALUE_MAX = 1 << 16 };

/* What is set in a world: attributes, or parameters of its file. */
struct sets {
    struct sweep_list {
        struct dpl_sim_set *items;
        size_t n;
    } attributes, params;
};

static void add(struct sets *sets, enum sweep_target target, const char *text,
                struct dpl_place place)
{
    struct sweep_list *list = target == SWEEP_TO_WORLD ? &sets->attributes : &sets->params;
    list->items[list->n++] = (struct dpl_sim_set){text, place};
}

/* What all runs set, what a run sets (NULL: none), and one vary's value more (NULL: none). */
static struct sets list_sets(const struct sweep_study *study, struct dpl_arena *arena,
                             const struct sweep_run *run)
{
    struct sets sets = {0};
    size_t most = study->n_sets + study->n_varies + 2;
    sets.attributes.items = dpl_arena_alloc(arena, most * sizeof *sets.attributes.items);
    sets.params.items = dpl_arena_alloc(arena, most * sizeof *sets.params.items);
    for (size_t i = 0; i < study->n_sets; i++) {
        const struct sweep_set *set = &study->sets[i];
        add(&sets, set->target, dpl_arena_printf(arena, "%s=%s", set->path, set->value),
            set->place);
    }
    for (size_t i = 0; run && i < study->n_varies; i++) {
        const struct sweep_vary *vary = &study->varies[i];
        add(&sets, vary->target, sweep_set_text(arena, vary, run->values[i]), vary->place);
    }
    return sets;
}

static int load(const struct sweep_subject *subject, const struct sets *sets, uint64_t seed,
                struct dpl_sim_model **ret_model, struct dpl_diag *reterr)
{
    struct dpl_sim_load_options options = {.has_seed = seed != 0,
                                           .seed = seed,
                                           .catalog = subject->catalog,
                                           .sets = sets->attributes.items,
                                           .n_sets = sets->attributes.n,
                                           .params = sets->params.items,
                                           .n_params = sets->params.n};
    return dpl_sim_load_world_with(subject->file, &options, ret_model, reterr);
}

/* ---- measures: a channel, "avatar/pose", or an element of it, "avatar/pose[2]" ---- */

static int find_channel(const struct dpl_world_channels *channels,
                        const struct sweep_measure *measure, size_t *ret_element,
                        struct dpl_diag *reterr)
{
    char path[256];
    size_t n = strcspn(measure->value, "["), n_descs;
    snprintf(path, sizeof path, "%.*s", (int)(n < 255 ? n : 255), measure->value);
    *ret_element = measure->value[n] == '[' ? strtoul(measure->value + n + 1, NULL, 10) : 0;
    struct dpl_channel_want want = {.path = path, .look = true, .place = measure->place};
    int channel = dpl_world_channels_find(channels, &want, reterr);
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(channels, &n_descs);
    if (channel >= 0 &&
        (*ret_element >= descs[channel].size || dpl_channel_bytes(&descs[channel]) > VALUE_MAX)) {
        return dpl_fail(reterr, -EINVAL, measure->place, "'%.80s' has %u elements", path,
                        descs[channel].size);
    }
    return channel;
}

static double read_channel(const struct dpl_world_channels *channels,
                           const struct sweep_measure *measure)
{
    static _Alignas(16) unsigned char value[VALUE_MAX];
    size_t element, n;
    dpl_ns stamp;
    int channel = find_channel(channels, measure, &element, NULL);
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(channels, &n);
    if (channel < 0 || dpl_world_channels_get(channels, (size_t)channel, value, &stamp) < 0) {
        return (double)NAN;
    }
    return dpl_channel_element(&descs[channel], value, element);
}

/* ---- checking, running ---- */

static void check_measures(const struct sweep_subject *subject, struct dpl_sim_model *model,
                           struct dpl_diags *diags)
{
    struct dpl_world *world = NULL;
    struct dpl_world_channels *channels = NULL;
    struct dpl_diag error = {0};
    int err = dpl_world_create(model, &world, &error);
    err = err < 0 ? err : dpl_world_channels_create(world, &channels);
    if (err < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, subject->study->file_place, "%s", error.text);
    }
    for (size_t i = 0; err == 0 && i < subject->study->n_measures; i++) {
        size_t element;
        if (find_channel(channels, &subject->study->measures[i], &element, &error) < 0) {
            error.place = subject->study->measures[i].place;
            dpl_diags_add_diag(diags, &error);
        }
    }
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
}

/* The error of a value has its place; any other one that of the world's file. */
static int check_sets(const struct sweep_subject *subject, const struct sets *sets,
                      struct dpl_diags *diags)
{
    struct dpl_sim_model *model = NULL;
    struct dpl_diag error = {0};
    if (load(subject, sets, 0, &model, &error) < 0) {
        dpl_diags_add_diag(diags, &error);
        return -EINVAL;
    }
    dpl_sim_model_destroy(model);
    return 0;
}

static void check_varies(struct sweep_subject *subject, struct dpl_diags *diags)
{
    const struct sweep_study *study = subject->study;
    struct dpl_arena arena = {0};
    for (size_t i = 0; i < study->n_varies; i++) {
        const struct sweep_vary *vary = &study->varies[i];
        for (int end = 0; end < 2; end++) {
            double unit[SWEEP_DIMENSIONS_MAX];
            char text[SWEEP_VALUE_SIZE];
            struct sets sets = list_sets(study, &arena, NULL);
            for (size_t k = 0; k < study->n_varies; k++) {
                unit[k] = end == 0 ? 0.0013 : 0.9987;
            }
            sweep_value(study, i, unit, text);
            const char *value = study->design.type == SWEEP_LIST ? study->points[i] : text;
            add(&sets, vary->target, sweep_set_text(&arena, vary, value), vary->place);
            if (check_sets(subject, &sets, diags) < 0) {
                break;
            }
        }
    }
    dpl_arena_finish(&arena);
}

int sweep_world_check(struct sweep_subject *subject, struct dpl_diags *diags)
{
    struct dpl_arena arena = {0};
    struct sets sets = list_sets(subject->study, &arena, NULL);
    struct dpl_sim_model *model = NULL;
    struct dpl_diag error = {0};
    size_t n_errors = diags->n_errors;
    if (load(subject, &sets, 0, &model, &error) < 0) {
        dpl_diags_add_diag(diags, &error);
    } else {
        check_measures(subject, model, diags);
        check_varies(subject, diags);
    }
    dpl_sim_model_destroy(model);
    dpl_arena_finish(&arena);
    return diags->n_errors > n_errors ? -EINVAL : 0;
}

/* True: a condition of the study ends the run. */
static bool sample(struct sweep_over_time *over, const struct dpl_world_channels *channels,
                   dpl_ns now)
{
    for (size_t i = 0; i < over->study->n_measures; i++) {
        over->now[i] = read_channel(channels, &over->study->measures[i]);
    }
    return sweep_over_time_take(over, dpl_ns_to_s(now));
}

static int run_world(struct dpl_world *world, dpl_ns step,
                     const struct dpl_world_channels *channels, struct sweep_over_time *over,
                     struct dpl_diag *reterr)
{
    const struct sweep_study *study = over->study;
    bool is_sampled = sweep_over_time_matters(study);
    dpl_ns end = dpl_ns_from_s(study->duration_s), next = 0;
    int err = 0;
    while (err == 0 && dpl_world_now(world) < end) {
        dpl_ns now = dpl_world_now(world);
        if (is_sampled && now >= next) {
            next = now + dpl_ns_from_s(study->every_s);
            if (sample(over, channels, now)) {
                return 0;
            }
        }
        dpl_world_run_until(world, now + step);
        err = dpl_world_check_motion(world, reterr);
    }
    return err;
}

void sweep_world_run(const struct sweep_subject *subject, const struct sweep_run *run,
                     struct sweep_outcome *outcome)
{
    struct dpl_arena arena = {0};
    struct sets sets = list_sets(subject->study, &arena, run);
    struct dpl_sim_model *model = NULL;
    struct dpl_world *world = NULL;
    struct dpl_world_channels *channels = NULL;
    struct dpl_diag error = {.text = "out of memory"};
    int err = load(subject, &sets, run->seed, &model, &error);
    err = err < 0 ? err : dpl_world_create(model, &world, &error);
    err = err < 0 ? err : dpl_world_channels_create(world, &channels);
    struct sweep_over_time over;
    sweep_over_time_begin(&over, subject->study);
    err = err < 0 ? err : run_world(world, model->step, channels, &over, &error);
    if (channels) {
        outcome->duration_s = dpl_ns_to_s(dpl_world_now(world));
        for (size_t i = 0; i < subject->study->n_measures; i++) {
            outcome->measures[i] = read_channel(channels, &subject->study->measures[i]);
        }
        sweep_outcome_over_time(outcome, &over);
    }
    outcome->status = SWEEP_DONE;
    if (err < 0) {
        sweep_outcome_fail(outcome, &error);
    }
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_arena_finish(&arena);
}
