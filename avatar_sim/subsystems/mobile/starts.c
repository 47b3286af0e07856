/* SPDX-License-Identifier: Apache-2.0 */
/* Whether mobile robots fit where they start. The solver's own shapes decide, as they do when a
 * robot is put somewhere in a running world. */
#include <errno.h>

#include "mobile_state.h"
#include "model_checks.h"
#include "world_state.h"

/* What is at a body of the solver. */
static struct dpl_start_owner owner_of(const struct dpl_mobile *mobile, int body)
{
    const struct dpl_sim_model *model = mobile->model;
    const struct dpl_mobile_chassis *chassis = dpl__mobile_chassis_at(mobile, body);
    if (chassis) {
        const struct dpl_sim_robot *robot = &model->robots[chassis->robot];
        return (struct dpl_start_owner){robot->name, robot->start, true};
    }
    const struct dpl_sim_obstacle *obstacle = &model->obstacles[body - 1];
    return (struct dpl_start_owner){
        obstacle->name, {obstacle->shape.x, obstacle->shape.y, 0.0}, false};
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
            struct dpl_start_owner owner = owner_of(&mobile, body);
            struct dpl_diag diag;
            dpl__tell_start(robot, &owner, &diag);
            finding(user, (size_t)mobile.chassis[i].robot, &diag);
        }
    }
    dpl__heap_destroy(heap);
    return err;
}
