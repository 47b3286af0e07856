/* SPDX-License-Identifier: Apache-2.0 */
/* Building a model and refusing numbers that make no sense: see doppel/sim/model.h. */
#include <doppel/sim/model.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/subsystem.h>
#include <doppel/text.h>

#include "arena.h"
#include "class_calls.h"
#include "model_checks.h"

/* Nothing in a world is larger or further away: keeps grids and solvers sane. */
static const double extent_max_m = DPL_SIM_EXTENT;

static const struct dpl_place nowhere;

struct dpl_sim_model *dpl_sim_model_create(void)
{
    struct dpl_sim_model *model = calloc(1, sizeof *model);
    struct dpl_arena *memory = calloc(1, sizeof *memory);
    if (!model || !memory) {
        free(model);
        free(memory);
        return NULL;
    }
    model->memory = memory;
    model->step = DPL_MS;
    model->iterations = 10;
    model->seed = 1;
    model->ground_friction = 1.0;
    return model;
}

void dpl_sim_model_destroy(struct dpl_sim_model *model)
{
    if (!model) {
        return;
    }
    for (const struct dpl_sim_owned *owned = model->owned; owned; owned = owned->next) {
        owned->destroy(owned->item);
    }
    dpl_arena_finish(model->memory);
    free(model->memory);
    free(model->obstacles);
    free(model->robots);
    free(model);
}

void dpl__model_own(struct dpl_sim_model *model, void (*destroy)(void *item), void *item)
{
    struct dpl_sim_owned *owned = dpl_arena_alloc(model->memory, sizeof *owned);
    *owned = (struct dpl_sim_owned){destroy, item, model->owned};
    model->owned = owned;
}

/* Makes room for one more item: 0, -ENOSPC, -ENOMEM. */
static int grow(void **items, size_t *capacity, size_t n, size_t size, size_t max)
{
    if (n >= max) {
        return -ENOSPC;
    }
    if (n < *capacity) {
        return 0;
    }
    size_t wanted = *capacity ? 2 * *capacity : 8;
    void *larger = realloc(*items, wanted * size);
    if (!larger) {
        return -ENOMEM;
    }
    *items = larger;
    *capacity = wanted;
    return 0;
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for NaN */
}

int dpl__check_size(double value, const char *what, struct dpl_diag *reterr)
{
    if (!within(value, 1e-4, extent_max_m)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s is %g m, expected 0.0001 to %g m", what,
                        value, extent_max_m);
    }
    return 0;
}

int dpl__check_place(const double values[4], struct dpl_diag *reterr)
{
    for (int i = 0; i < 4; i++) {
        if (!within(values[i], -extent_max_m, extent_max_m)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "position is %g, expected within %g m",
                            values[i], extent_max_m);
        }
    }
    return 0;
}

int dpl__check_range(double value, double low, double high, const char *what,
                     struct dpl_diag *reterr)
{
    if (!within(value, low, high)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s is %g, expected %g to %g", what, value, low,
                        high);
    }
    return 0;
}

int dpl_sim_shape_check(const struct dpl_sim_shape *shape, struct dpl_diag *reterr)
{
    int rc = dpl__check_place((double[4]){shape->x, shape->y, shape->z, shape->yaw}, reterr);
    switch (shape->kind) {
    case DPL_SIM_BOX:
        rc = rc ? rc : dpl__check_size(shape->size_x, "size_x", reterr);
        rc = rc ? rc : dpl__check_size(shape->size_y, "size_y", reterr);
        return rc ? rc : dpl__check_size(shape->size_z, "size_z", reterr);
    case DPL_SIM_CYLINDER:
    case DPL_SIM_CAPSULE: rc = rc ? rc : dpl__check_size(shape->height, "height", reterr); break;
    case DPL_SIM_SPHERE: break;
    }
    return rc ? rc : dpl__check_size(shape->radius, "radius", reterr);
}

int dpl__tell_start(const struct dpl_sim_robot *robot, const struct dpl_start_owner *owner,
                    struct dpl_diag *reterr)
{
    bool has_name = owner->name[0] != '\0';
    const char *kind = owner->is_robot ? "the robot" : has_name ? "the obstacle" : "an obstacle";
    return dpl_fail(reterr, -EBUSY, (struct dpl_place){0},
                    "robot '%s' starts at (%g, %g) inside %s%s%s%s at (%g, %g): expected a start "
                    "where it fits",
                    robot->name, robot->start.x, robot->start.y, kind, has_name ? " '" : "",
                    owner->name, has_name ? "'" : "", owner->at.x, owner->at.y);
}

/* Two entries of one class must not share a name. */
static int check_other(const struct dpl_sim_robot *robot, const struct dpl_sim_entry *entry,
                       struct dpl_diag *reterr)
{
    for (size_t i = 0; i < robot->n_entries; i++) {
        const struct dpl_sim_entry *other = &robot->entries[i];
        if (other == entry) {
            break;
        }
        if (other->class_ == entry->class_ && entry->name[0] != '\0' &&
            dpl_name_equal(other->name, entry->name)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "two %ss are called '%s'",
                            entry->class_->name, entry->name);
        }
    }
    return 0;
}

static int check_entries(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    int rc = 0;
    for (size_t i = 0; i < robot->n_entries && rc == 0; i++) {
        const struct dpl_sim_entry *entry = &robot->entries[i];
        rc = dpl__entry_check(entry, NULL, reterr);
        rc = rc ? rc : dpl__check_name(entry->name, entry->class_->name, reterr);
        rc = rc ? rc : check_other(robot, entry, reterr);
    }
    return rc;
}

int dpl_sim_robot_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    if (!robot->subsystem) {
        return dpl_fail(reterr, -EINVAL, nowhere, "robot '%s' has no subsystem", robot->name);
    }
    int rc =
        dpl__check_place((double[4]){robot->start.x, robot->start.y, robot->start.theta}, reterr);
    rc = rc ? rc : dpl__check_name(robot->name, "robot", reterr);
    if (rc == 0 && !dpl_name_equal(robot->name, robot->name)) {
        rc = dpl_fail(reterr, -EINVAL, nowhere,
                      "'%s' is no name of a robot: it has no letter and no digit", robot->name);
    }
    for (size_t i = 0; i < robot->n_shapes && rc == 0; i++) {
        rc = dpl_sim_shape_check(&robot->shapes[i], reterr);
    }
    rc = rc ? rc : dpl__subsystem_check(robot, reterr);
    return rc ? rc : check_entries(robot, reterr);
}

int dpl_sim_model_add_obstacle(struct dpl_sim_model *model, const struct dpl_sim_obstacle *obstacle,
                               struct dpl_diag *reterr)
{
    int rc = dpl_sim_shape_check(&obstacle->shape, reterr);
    rc = rc ? rc : dpl__check_range(obstacle->friction, 0.0, 10.0, "friction", reterr);
    if (rc) {
        return rc;
    }
    void *items = model->obstacles;
    rc = grow(&items, &model->obstacles_capacity, model->n_obstacles, sizeof *obstacle,
              DPL_SIM_OBSTACLES_MAX);
    if (rc) {
        return dpl_fail(reterr, rc, nowhere, "no room for more than %zu obstacles",
                        model->n_obstacles);
    }
    model->obstacles = items;
    model->obstacles[model->n_obstacles++] = *obstacle;
    return 0;
}

int dpl_sim_model_add_robot(struct dpl_sim_model *model, const struct dpl_sim_robot *robot,
                            struct dpl_diag *reterr)
{
    int rc = dpl_sim_robot_check(robot, reterr);
    if (rc) {
        return rc;
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        if (dpl_name_equal(model->robots[i].name, robot->name)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "two robots are called '%s'", robot->name);
        }
    }
    void *items = model->robots;
    rc = grow(&items, &model->robots_capacity, model->n_robots, sizeof *robot, DPL_SIM_ROBOTS_MAX);
    if (rc) {
        return dpl_fail(reterr, rc, nowhere, "no room for more than %zu robots", model->n_robots);
    }
    model->robots = items;
    model->robots[model->n_robots] = *robot;
    model->n_robots++;
    return 0;
}

int dpl_sim_model_add_entry(struct dpl_sim_model *model, size_t number,
                            const struct dpl_sim_entry *entry, struct dpl_diag *reterr)
{
    struct dpl_sim_robot robot = model->robots[number];
    size_t n = robot.n_entries;
    robot.entries = dpl_arena_alloc(model->memory, (n + 1) * sizeof *entry);
    for (size_t i = 0; i < n; i++) {
        robot.entries[i] = model->robots[number].entries[i];
    }
    robot.entries[n] = *entry;
    robot.n_entries = n + 1;
    int rc = dpl_sim_robot_check(&robot, reterr);
    if (rc == 0) {
        model->robots[number] = robot;
    }
    return rc;
}

struct dpl_sim_shape dpl_sim_wall(const double from[2], const double to[2], double thickness,
                                  double height)
{
    double dx = to[0] - from[0], dy = to[1] - from[1];
    return (struct dpl_sim_shape){
        .kind = DPL_SIM_BOX,
        .x = 0.5 * (from[0] + to[0]),
        .y = 0.5 * (from[1] + to[1]),
        .z = 0.5 * height,
        .yaw = atan2(dy, dx),
        .size_x = hypot(dx, dy),
        .size_y = thickness,
        .size_z = height,
    };
}

static double shape_reach(const struct dpl_sim_shape *shape)
{
    double centre = hypot(shape->x, shape->y);
    switch (shape->kind) {
    case DPL_SIM_BOX: return centre + 0.5 * hypot(shape->size_x, shape->size_y);
    case DPL_SIM_CAPSULE:
        return centre + shape->radius + (shape->lying ? 0.5 * shape->height : 0.0);
    case DPL_SIM_SPHERE:
    case DPL_SIM_CYLINDER: break;
    }
    return centre + shape->radius;
}

double dpl_sim_robot_radius(const struct dpl_sim_robot *robot)
{
    double radius = 0.0;
    for (size_t i = 0; i < robot->n_shapes; i++) {
        radius = fmax(radius, shape_reach(&robot->shapes[i]));
    }
    return radius;
}
