/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a world with what the command line changes in it. */
#include "sim_loaded.h"

#include <stdio.h>

#include <doppel/sim/load.h>

#include "sim_multibody.h"
#include "status_row.h"

void sim_unload(struct sim_loaded *loaded)
{
    dpl_world_channels_destroy(loaded->channels);
    dpl_world_destroy(loaded->world);
    dpl_sim_model_destroy(loaded->model);
    dpl_arena_finish(&loaded->arena);
}

/* `doppel sim office --run 8 --put avatar/LeftWheel/speed=4 --put avatar/RightWheel/speed=4` with
 * --step 0.01, 0.02 and 0.05 ends 1.8, 6 and 143 mm behind the end position with 0.001. */
#define LONG_STEP (10 * DPL_MS)

static void warn_of_long_steps(dpl_ns step)
{
    if (step > LONG_STEP) {
        fprintf(stderr,
                "doppel sim: warning: --step: steps of %g ms: wheels and contacts are computed "
                "wrongly with more than %g ms\n",
                dpl_ns_to_s(step) * 1e3, dpl_ns_to_s(LONG_STEP) * 1e3);
    }
}

void sim_print_warning(const struct dpl_diag *warning)
{
    status_row_hide();
    dpl_diag_print(stderr, warning);
}

const struct dpl_sim_set *sim_sets(struct dpl_arena *arena, const char *option,
                                   const struct option_list *list)
{
    struct dpl_sim_set *sets = dpl_arena_alloc(arena, (list->n + 1) * sizeof *sets);
    for (size_t i = 0; i < list->n; i++) {
        sets[i].text = list->items[i];
        sets[i].place.file = dpl_arena_printf(arena, "--%s %.120s", option, sets[i].text);
    }
    return sets;
}

/* A world with what --set changes in it. */
static int load_model(const struct sim_task *task, struct sim_loaded *ret, struct dpl_diag *reterr)
{
    struct dpl_sim_load_options load = {
        .has_seed = true,
        .seed = task->seed,
        .catalog = task->catalog,
        .sets = sim_sets(&ret->arena, "set", &task->set),
        .n_sets = task->set.n,
        .params = sim_sets(&ret->arena, "param", &task->param),
        .n_params = task->param.n,
        .step = task->step_s > 0.0 ? dpl_ns_from_s(task->step_s) : 0,
        .warn = sim_print_warning,
    };
    return dpl_sim_load_world_with(task->file, &load, &ret->model, reterr);
}

int sim_load(const struct sim_task *task, struct sim_loaded *ret, struct dpl_diag *reterr)
{
    *ret = (struct sim_loaded){0};
    int err = load_model(task, ret, reterr);
    if (err == 0 && task->step_s > 0.0) {
        warn_of_long_steps(ret->model->step);
    }
    err = err < 0 ? err : dpl_world_create(ret->model, &ret->world, reterr);
    err = err < 0 ? err : dpl_world_channels_create(ret->world, &ret->channels);
    if (err == 0) {
        ret->descs = dpl_world_channels_describe(ret->channels, &ret->n);
    }
    return err;
}

size_t sim_limits_note(const struct dpl_world *world, char (*ret_texts)[DPL_SIM_LIMIT_TEXT],
                       size_t max)
{
    const struct dpl_sim_limit_count *count;
    size_t n = 0;
    for (size_t i = 0; n < max && (count = dpl_world_limit(world, i)); i++) {
        if (dpl_world_limit_matters(world, count)) {
            dpl_world_limit_describe(world, count, ret_texts[n++]);
        }
    }
    return n;
}

void sim_tell_of_world(const struct dpl_world *world)
{
    char texts[32][DPL_SIM_LIMIT_TEXT];
    size_t n = sim_limits_note(world, texts, sizeof texts / sizeof *texts);
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "note: %s\n", texts[i]);
    }
    sim_warn_of_loops(world);
}

void sim_tell_of_host(const struct dpl_sim_host *host)
{
    const struct dpl_world *world;
    for (size_t i = 0; (world = dpl_sim_host_world(host, i)); i++) {
        struct dpl_diag error = {0};
        sim_tell_of_world(world);
        if (sim_check_stops(world, &error) < 0) {
            dpl_diag_print(stderr, &error);
        }
    }
}

json_t *sim_limits_describe(const struct dpl_world *world)
{
    const struct dpl_sim_limit_count *count;
    json_t *list = json_array();
    for (size_t i = 0; (count = dpl_world_limit(world, i)); i++) {
        if (count->total > 0) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f}", "robot",
                                                  count->robot, "entry", count->entry, "limit",
                                                  count->limit.name, "value", count->limit.value,
                                                  "total_s", dpl_ns_to_s(count->total), "longest_s",
                                                  dpl_ns_to_s(count->stretch), "first_s",
                                                  dpl_ns_to_s(count->first)));
        }
    }
    return list;
}
