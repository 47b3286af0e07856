/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a plan with its world. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <doppel/sim/load.h>

#include "arena.h"
#include "formats.h"
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

/* A program that is a path has to be there. One without '/' is found when it is started, and so is
 * one whose path is filled in only then. */
static int check_program(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                         struct dpl_diags *diags)
{
    static const struct dpl_plan_place given[] = {{"controllers_port", "{controllers_port}"},
                                                  {"modbus_port", "{modbus_port}"},
                                                  {"seed", "{seed}"},
                                                  {"out", "{out}"}};
    const struct dpl_plan_places places = {given, DPL_COUNT(given), plan};
    struct dpl_plan_command *command = dpl_arena_alloc(arena, sizeof *command);
    if (plan->unit.command[0] == '\0' ||
        dpl_plan_command_parse(plan->unit.command, &places, command, NULL) < 0) {
        return 0; /* it has none; or why not was said when it was read */
    }
    const char *program = command->argv[0];
    if (!strchr(program, '/') || strchr(program, '{') || access(program, X_OK) == 0) {
        return 0;
    }
    dpl_diags_add(diags, DPL_SEVERITY_ERROR, plan->unit.place,
                  "the unit '%s' cannot be started: %s; a path is relative to the folder in which "
                  "doppel is started",
                  program, strerror(errno));
    return -EINVAL;
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
    int program = check_program(arena, plan, diags);
    struct dpl_diag absent;
    const char *path = dpl_sim_plan_world(arena, plan, options->catalog, &absent);
    if (!path) {
        dpl_diags_add_diag(diags, &absent);
        return -EINVAL;
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
    return err < 0 ? err : program;
}

/* ---- the format ---- */

static bool is_plan(const char *file, const char *root, const struct dpl_xml_node *node)
{
    (void)file, (void)node;
    return strcmp(root, dpl__plan_root.name) == 0;
}

static int check(struct dpl_arena *arena, const char *file,
                 const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                 const char **ret_about)
{
    (void)ret_about;
    return dpl_sim_check_plan(arena, file, options, diags);
}

static struct dpl_element_root plan_root(struct dpl_arena *arena,
                                         const struct dpl__classes *classes)
{
    (void)arena, (void)classes;
    return dpl__plan_root;
}

const struct dpl_format dpl__plan_format = {
    .name = "test_plan", .is_mine = is_plan, .check = check, .schema = plan_root};
