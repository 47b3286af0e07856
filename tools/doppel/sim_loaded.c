/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a world with what the command line changes in it. */
#include "sim_loaded.h"

#include <stdio.h>

#include <doppel/sim/load.h>

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
    size_t n = list ? list->n : 0;
    struct dpl_sim_set *sets = dpl_arena_alloc(arena, (n + 1) * sizeof *sets);
    for (size_t i = 0; i < n; i++) {
        sets[i].text = list->items[i];
        sets[i].place.file = dpl_arena_printf(arena, "--%s %.120s", option, sets[i].text);
    }
    return sets;
}

/* A world with what --set changes in it. */
static int load_model(const struct sim_run_options *options, struct sim_loaded *ret,
                      struct dpl_diag *reterr)
{
    struct dpl_sim_load_options load = {
        .has_seed = true,
        .seed = options->seed,
        .catalog = options->catalog,
        .sets = sim_sets(&ret->arena, "set", options->set),
        .n_sets = options->set ? options->set->n : 0,
        .params = sim_sets(&ret->arena, "param", options->param),
        .n_params = options->param ? options->param->n : 0,
        .step = options->step_s > 0.0 ? dpl_ns_from_s(options->step_s) : 0,
        .warn = sim_print_warning,
    };
    return dpl_sim_load_world_with(options->file, &load, &ret->model, reterr);
}

int sim_load(const struct sim_run_options *options, struct sim_loaded *ret, struct dpl_diag *reterr)
{
    *ret = (struct sim_loaded){0};
    int err = load_model(options, ret, reterr);
    if (err == 0 && options->step_s > 0.0) {
        warn_of_long_steps(ret->model->step);
    }
    err = err < 0 ? err : dpl_world_create(ret->model, &ret->world, reterr);
    err = err < 0 ? err : dpl_world_channels_create(ret->world, &ret->channels);
    if (err == 0) {
        ret->descs = dpl_world_channels_describe(ret->channels, &ret->n);
    }
    return err;
}
