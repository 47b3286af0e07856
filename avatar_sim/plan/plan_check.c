/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a plan with its world. */
#include <errno.h>

#include <doppel/sim/load.h>

#include "arena.h"
#include "plan_parts.h"

/* As it is without a robot moved and a step made. */
static int bind_to(struct dpl_arena *arena, struct dpl_sim_plan *plan,
                   const struct dpl_sim_model *model, struct dpl_diags *diags)
{
    struct dpl_world *world = NULL;
    struct dpl_world_channels *channels = NULL;
    struct dpl_diag error = {.text = "out of memory"};
    int err = dpl_world_create(model, &world, &error);
    err = err < 0 ? err : dpl_world_channels_create(world, &channels);
    if (err < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, plan->world_place, "world: %s", error.text);
    } else {
        err = dpl_sim_plan_bind(arena, plan, channels, diags);
    }
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    return err;
}

int dpl_sim_check_plan(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_diags *diags)
{
    struct dpl_plan_options given = {
        .seed = 1, .params = options->params, .n_params = options->n_params};
    struct dpl_sim_plan *plan = NULL;
    int err = dpl_sim_read_plan(arena, file, &given, &plan, diags);
    if (err < 0) {
        return err;
    }
    const char *path = dpl_sim_plan_world(arena, plan, options->catalog);
    if (!path) {
        dpl_diags_add(diags, options->absent_is_warning ? DPL_SEVERITY_WARNING : DPL_SEVERITY_ERROR,
                      plan->world_place, "there is no world '%s'", plan->world);
        return options->absent_is_warning ? 0 : -EINVAL;
    }
    struct dpl_sim_load_options load = {.catalog = options->catalog,
                                        .absent_is_warning = options->absent_is_warning};
    dpl_sim_plan_load_options(arena, plan, &load);
    struct dpl_sim_model *model = NULL;
    err = dpl_sim_read_world(arena, path, &load, &model, diags);
    if (err == 0) {
        err = bind_to(arena, plan, model, diags);
        dpl_sim_model_destroy(model);
    }
    return err;
}
