/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a world, from its model: see plan.h. */
#include "plan.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/app.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/laser.h>
#include <doppel/sim/load.h>
#include <doppel/sim/outline.h>

#include "app_values.h"

/* ---- the world ---- */

static const char *world_of(const struct dpl_app *app, const struct dpl_app_device *device,
                            struct dpl_catalog *catalog)
{
    const char *name = app_device_text(device, "World");
    if (*name == '\0') {
        return app->world;
    }
    const char *found = dpl_catalog_find_profile(catalog, "worlds", name, NULL);
    return found ? found : name;
}

static int load(const struct dpl_app *app, const char *file, uint64_t seed,
                struct dpl_catalog *catalog, struct dpl_sim_model **ret_model,
                struct dpl_diag *reterr)
{
    size_t n = app->world && strcmp(file, app->world) == 0 ? app->n_world_properties : 0;
    struct dpl_sim_set *sets = calloc(n + 1, sizeof *sets);
    if (!sets) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
    }
    for (size_t i = 0; i < n; i++) {
        const struct dpl_app_world_property *from = &app->world_properties[i];
        sets[i] = (struct dpl_sim_set){from->text, from->place};
    }
    struct dpl_sim_load_options options = {
        .has_seed = true, .seed = seed, .catalog = catalog, .sets = sets, .n_sets = n};
    int err = dpl_sim_load_world_with(file, &options, ret_model, reterr);
    free(sets);
    return err;
}

/* ---- the laser ---- */

/* `name` "": the robot's first. */
static const struct dpl_sim_laser *find_laser(const struct dpl_sim_model *model, const char *robot,
                                              const char *name)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_sim_robot *at = &model->robots[i];
        for (size_t k = 0; strcmp(at->name, robot) == 0 && k < at->n_entries; k++) {
            const struct dpl_sim_entry *entry = &at->entries[k];
            if (strcmp(entry->class_->name, "laser") == 0 &&
                (*name == '\0' || strcmp(entry->name, name) == 0)) {
                return entry->settings;
            }
        }
    }
    return NULL;
}

/* ---- the outlines ---- */

static void write_solid(const struct dpl_sim_shape *shape, double ret[DPL_SIM_SOLID_NUMBERS])
{
    const double values[DPL_SIM_SOLID_NUMBERS] = {
        shape->kind,   shape->x,      shape->y,      shape->z,      shape->yaw,   shape->size_x,
        shape->size_y, shape->size_z, shape->radius, shape->height, shape->lying,
    };
    memcpy(ret, values, sizeof values);
}

static int fill(const struct dpl_sim_model *model, double height_m, struct calibration_plan *plan,
                struct dpl_diag *reterr)
{
    size_t n = model->n_obstacles, most = n * DPL_SIM_OUTLINES_A_SOLID;
    double(*solids)[DPL_SIM_SOLID_NUMBERS] = calloc(n + 1, sizeof *solids);
    struct dpl_sim_outline *cut = calloc(most + 1, sizeof *cut);
    plan->outlines = calloc(most + 1, sizeof *plan->outlines);
    int found = -ENOMEM;
    if (solids && cut && plan->outlines) {
        for (size_t i = 0; i < n; i++) {
            write_solid(&model->obstacles[i].shape, solids[i]);
        }
        found = dpl_sim_outlines((const double(*)[DPL_SIM_SOLID_NUMBERS])solids, n, height_m, cut,
                                 most);
    }
    for (int i = 0; i < found; i++) {
        const struct dpl_sim_outline *o = &cut[i];
        if (!model->obstacles[o->object].transparent) {
            plan->outlines[plan->n_outlines++] =
                (struct dpl_raycast_outline){o->x, o->y, o->dx, o->dy, o->radius, o->object};
        }
    }
    plan->n_objects = n;
    free(solids);
    free(cut);
    return found < 0 ? dpl_fail(reterr, found, (struct dpl_place){0}, "no memory for the plan") : 0;
}

static int make(const struct dpl_sim_model *model, const struct dpl_app_device *device,
                const char *file, struct calibration_plan *plan, struct dpl_diag *reterr)
{
    const char *robot = app_device_text(device, "RobotName");
    const char *name = app_device_text(device, "Laser");
    const struct dpl_sim_laser *laser = find_laser(model, robot, name);
    if (!laser) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file},
                        *name ? "robot '%s' has no laser '%s'" : "robot '%s' has no laser", robot,
                        name);
    }
    double height_m = 0.0;
    app_device_number(device, "Height", "m", &height_m);
    plan->range_min_m = laser->min_range;
    plan->range_max_m = laser->max_range;
    return fill(model, height_m > 0.0 ? height_m : laser->z, plan, reterr);
}

int calibration_plan_read(const struct dpl_app *app, const struct dpl_app_device *device,
                          uint64_t seed, struct dpl_catalog *catalog,
                          struct calibration_plan *ret_plan, struct dpl_diag *reterr)
{
    struct calibration_plan plan = {0};
    struct dpl_sim_model *model = NULL;
    if (!device || *app_device_text(device, "RobotName") == '\0') {
        return dpl_fail(reterr, -EINVAL, device ? device->place : (struct dpl_place){0},
                        "the Localizer's plan is of no world: with a recording its ApiName must be "
                        "avatar");
    }
    if (*app_device_text(device, "ip") != '\0') {
        return dpl_fail(reterr, -EINVAL, device->place,
                        "the Localizer's plan is that of a served world; with a recording the "
                        "world's file is needed (properties World and ip)");
    }
    const char *file = world_of(app, device, catalog);
    if (!file) {
        return dpl_fail(reterr, -EINVAL, device->place,
                        "the application has no world, and the Localizer's property World names "
                        "none");
    }
    int err = load(app, file, seed, catalog, &model, reterr);
    err = err < 0 ? err : make(model, device, file, &plan, reterr);
    dpl_sim_model_destroy(model);
    if (err < 0) {
        calibration_plan_finish(&plan);
        return err;
    }
    *ret_plan = plan;
    return 0;
}

void calibration_plan_finish(struct calibration_plan *plan)
{
    free(plan->outlines);
    *plan = (struct calibration_plan){0};
}
