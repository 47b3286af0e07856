/* SPDX-License-Identifier: Apache-2.0 */
/* Where robots start: see starts.h. The solver's own shapes decide, as they do when a robot is put
 * somewhere in a running world. */
#include "starts.h"

#include <errno.h>

#include "world_state.h"

static bool has_mobile_robot(const struct dpl_sim_model *model)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        if (!model->robots[i].is_machine) {
            return true;
        }
    }
    return false;
}

/* Bodies are the ground, the obstacles, then the robots that have a body, each in their order. */
static const char *what_is_there(const struct dpl_world *world, int body, struct dpl_pose2 *ret_at)
{
    const struct dpl_sim_model *model = world->model;
    int chassis = body - world->first_chassis;
    if (chassis >= 0 && (size_t)chassis < world->n_chassis) {
        const struct dpl_sim_robot *robot = &model->robots[world->chassis_robot[chassis]];
        *ret_at = robot->start;
        return robot->name;
    }
    const struct dpl_sim_obstacle *obstacle = &model->obstacles[body - 1];
    *ret_at = (struct dpl_pose2){obstacle->shape.x, obstacle->shape.y, 0.0};
    return obstacle->name;
}

static void tell(const struct dpl_world *world, size_t number, int body, struct dpl_diag *reterr)
{
    const struct dpl_sim_robot *robot = &world->model->robots[number];
    struct dpl_pose2 at;
    const char *name = what_is_there(world, body, &at);
    bool is_robot = body >= world->first_chassis;
    bool has_name = name[0] != '\0';
    dpl_fail(reterr, -EBUSY, (struct dpl_place){0},
             "robot '%s' starts at (%g, %g) inside %s%s%s%s at (%g, %g): expected a start where "
             "it fits",
             robot->name, robot->start.x, robot->start.y,
             is_robot   ? "the robot"
             : has_name ? "the obstacle"
                        : "an obstacle",
             has_name ? " '" : "", name, has_name ? "'" : "", at.x, at.y);
}

int dpl__starts_check(const struct dpl_sim_model *model, dpl__start_finding *finding, void *user)
{
    if (!has_mobile_robot(model)) {
        return 0;
    }
    struct dpl_world *world = NULL;
    int err = dpl__world_create_bodies(model, &world);
    for (size_t i = 0; i < model->n_robots && err == 0; i++) {
        struct dpl_diag diag;
        int body = world->robots[i].body < 0
                       ? 0
                       : dpl__world_taken_by(world, (int)i, model->robots[i].start);
        if (body > 0) {
            tell(world, i, body, &diag);
            finding(user, i, &diag);
        }
    }
    dpl_world_destroy(world);
    return err;
}
