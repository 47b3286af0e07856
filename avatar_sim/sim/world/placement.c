/* SPDX-License-Identifier: Apache-2.0 */
/* Random places with clearance, by rejection: see placement.h. */
#include "placement.h"

#include <errno.h>
#include <math.h>

enum { TRIES = 2000 };

double dpl__placement_distance(const struct dpl_sim_shape *shape, double x, double y)
{
    struct dpl_pose2 local = dpl_pose2_relative((struct dpl_pose2){shape->x, shape->y, shape->yaw},
                                                (struct dpl_pose2){x, y, 0.0});
    double half_x = 0.0, half_y = 0.0, radius = shape->radius;
    if (shape->kind == DPL_SIM_BOX) {
        half_x = 0.5 * shape->size_x;
        half_y = 0.5 * shape->size_y;
        radius = 0.0;
    } else if (shape->kind == DPL_SIM_CAPSULE && shape->lying) {
        half_x = 0.5 * shape->height;
    }
    double gap_x = fmax(0.0, fabs(local.x) - half_x), gap_y = fmax(0.0, fabs(local.y) - half_y);
    return fmax(0.0, hypot(gap_x, gap_y) - radius);
}

static bool is_free(const struct dpl_sim_model *model, const struct dpl_placement *wanted,
                    const double xy[2])
{
    double needed = wanted->radius + wanted->clearance;
    for (size_t i = 0; i < model->n_obstacles; i++) {
        if (dpl__placement_distance(&model->obstacles[i].shape, xy[0], xy[1]) < needed) {
            return false;
        }
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        const struct dpl_sim_robot *robot = &model->robots[i];
        double gap = hypot(robot->start.x - xy[0], robot->start.y - xy[1]);
        if ((int)i != wanted->except && gap < needed + dpl_sim_robot_radius(robot)) {
            return false;
        }
    }
    return true;
}

int dpl__placement_find(const struct dpl_sim_model *model, const struct dpl_placement *wanted,
                        struct dpl_random *rng, double *ret_xy)
{
    for (int i = 0; i < TRIES; i++) {
        double xy[2] = {dpl_random_uniform(rng, wanted->x1, wanted->x2),
                        dpl_random_uniform(rng, wanted->y1, wanted->y2)};
        if (is_free(model, wanted, xy)) {
            ret_xy[0] = xy[0];
            ret_xy[1] = xy[1];
            return 0;
        }
    }
    return -ENOSPC;
}
