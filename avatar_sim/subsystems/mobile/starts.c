/* SPDX-License-Identifier: Apache-2.0 */
/* Whether mobile robots fit where they start. The solver's own shapes decide, as they do when a
 * robot is put somewhere in a running world. */
#include <errno.h>

#include "mobile_state.h"
#include "world_state.h"

/* What is at a body of the solver: its name, and where it is. */
static const char *what_is_there(const struct dpl_mobile *mobile, int body,
                                 struct dpl_pose2 *ret_at)
{
    const struct dpl_sim_model *model = mobile->model;
    const struct dpl_mobile_chassis *chassis = dpl__mobile_chassis_at(mobile, body);
    if (chassis) {
        const struct dpl_sim_robot *robot = &model->robots[chassis->robot];
        *ret_at = robot->start;
        return robot->name;
    }
    const struct dpl_sim_obstacle *obstacle = &model->obstacles[body - 1];
    *ret_at = (struct dpl_pose2){obstacle->shape.x, obstacle->shape.y, 0.0};
    return obstacle->name;
}

static void tell(const struct dpl_mobile *mobile, const struct dpl_sim_robot *robot, int body,
                 struct dpl_diag *reterr)
{
    struct dpl_pose2 at;
    const char *name = what_is_there(mobile, body, &at);
    bool is_robot = dpl__mobile_chassis_at(mobile, body) != NULL;
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

/* Builds the bodies of a world without the rest. */
int dpl__mobile_check_starts(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                             void *user)
{
    struct dpl_mobile mobile = {0};
    struct dpl_heap *heap = dpl__heap_create(dpl__world_reserve(model));
    int err = heap ? dpl__mobile_add_bodies(&mobile, heap, model) : -ENOMEM;
    for (size_t i = 0; i < mobile.n_chassis && err == 0; i++) {
        const struct dpl_sim_robot *robot = &model->robots[mobile.chassis[i].robot];
        int body = dpl__mobile_taken_by(&mobile, &mobile.chassis[i], robot->start);
        if (body > 0) {
            struct dpl_diag diag;
            tell(&mobile, robot, body, &diag);
            finding(user, (size_t)mobile.chassis[i].robot, &diag);
        }
    }
    dpl__heap_destroy(heap);
    return err;
}
