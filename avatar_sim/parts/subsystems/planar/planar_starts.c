/* SPDX-License-Identifier: Apache-2.0 */
/* Whether planar robots fit where they start. */
#include <math.h>

#include "model_checks.h"
#include "planar_state.h"

static const double depth_m = 1e-3; /* as much may lie in each other, as for Bullet's robots */

/* A shape of a robot where it starts, drawn in by depth_m. */
static struct dpl_footprint at_start(const struct dpl_sim_robot *robot, size_t shape)
{
    struct dpl_footprint footprint = dpl__footprint_of(&robot->shapes[shape]);
    footprint.half_x = fmax(0.0, footprint.half_x - (footprint.radius > 0.0 ? 0.0 : depth_m));
    footprint.half_y = fmax(0.0, footprint.half_y - (footprint.radius > 0.0 ? 0.0 : depth_m));
    footprint.radius = fmax(0.0, footprint.radius - depth_m);
    return dpl__footprint_at(&footprint, robot->start);
}

static bool overlaps(const struct dpl_sim_robot *robot, const struct dpl_footprint *other)
{
    for (size_t i = 0; i < robot->n_shapes; i++) {
        struct dpl_footprint mine = at_start(robot, i);
        if (dpl__footprint_gap(&mine, other, NULL) <= 0.0) {
            return true;
        }
    }
    return false;
}

static bool is_in_robot(const struct dpl_sim_robot *robot, const struct dpl_sim_robot *other)
{
    if (other->subsystem != &dpl_planar_subsystem || other == robot ||
        dpl_pose2_distance(robot->start, other->start) >
            dpl_sim_robot_radius(robot) + dpl_sim_robot_radius(other)) {
        return false;
    }
    for (size_t i = 0; i < other->n_shapes; i++) {
        struct dpl_footprint shape = at_start(other, i);
        if (overlaps(robot, &shape)) {
            return true;
        }
    }
    return false;
}

/* The first thing that a robot is in; false: it fits. */
static bool find_owner(const struct dpl_sim_model *model, const struct dpl_sim_robot *robot,
                       struct dpl_start_owner *ret_owner)
{
    for (size_t i = 0; i < model->n_obstacles; i++) {
        const struct dpl_sim_obstacle *obstacle = &model->obstacles[i];
        struct dpl_footprint footprint = dpl__footprint_of(&obstacle->shape);
        if (overlaps(robot, &footprint)) {
            *ret_owner = (struct dpl_start_owner){
                obstacle->name, {obstacle->shape.x, obstacle->shape.y, 0.0}, false};
            return true;
        }
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_sim_robot *other = &model->robots[i];
        if (is_in_robot(robot, other)) {
            *ret_owner = (struct dpl_start_owner){other->name, other->start, true};
            return true;
        }
    }
    return false;
}

int dpl__planar_check_starts(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                             void *user)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        struct dpl_start_owner owner;
        if (model->robots[i].subsystem == &dpl_planar_subsystem &&
            find_owner(model, &model->robots[i], &owner)) {
            struct dpl_diag diag;
            dpl__tell_start(&model->robots[i], &owner, &diag);
            finding(user, i, &diag);
        }
    }
    return 0;
}
