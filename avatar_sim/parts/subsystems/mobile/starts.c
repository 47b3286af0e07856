/* SPDX-License-Identifier: Apache-2.0 */
/* Whether mobile robots fit where they start. The solver's own shapes decide, as they do when a
 * robot is put somewhere in a running world. */
#include <errno.h>

#include <doppel/sim/world.h>

#include "mobile_state.h"
#include "model_checks.h"

/* What is at a body of the solver. */
static struct dpl_start_owner owner_of(const struct dpl_mobile *mobile, int solver_body)
{
    const struct dpl_sim_model *model = mobile->model;
    int body = dpl__rigid_world_body(mobile->rigid, solver_body);
    if (body < 0) {
        const struct dpl_sim_obstacle *obstacle = &model->obstacles[-1 - body];
        return (struct dpl_start_owner){
            obstacle->name, {obstacle->shape.x, obstacle->shape.y, 0.0}, false};
    }
    size_t i = 0;
    while (body >= mobile->state->robots[i].first_body + (int)mobile->state->robots[i].n_bodies) {
        i++;
    }
    return (struct dpl_start_owner){model->robots[i].name, model->robots[i].start, true};
}

static void check(const struct dpl_mobile *mobile, dpl_sim_start_finding *finding, void *user)
{
    for (size_t i = 0; i < mobile->n_chassis; i++) {
        int number = mobile->chassis[i].robot;
        const struct dpl_sim_robot *robot = &mobile->model->robots[number];
        int body = dpl__mobile_taken_by(mobile, &mobile->chassis[i], robot->start);
        if (body >= 0) {
            struct dpl_start_owner owner = owner_of(mobile, body);
            struct dpl_diag diag;
            dpl__tell_start(robot, &owner, &diag);
            finding(user, (size_t)number, &diag);
        }
    }
}

/* In a world of its own. A model of which none can be made is refused later. */
int dpl__mobile_check_starts(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                             void *user)
{
    struct dpl_world *world;
    struct dpl_diag ignored;
    int rc = dpl_world_create(model, &world, &ignored);
    if (rc == 0) {
        check(dpl_world_subsystem(world, &dpl_mobile_subsystem), finding, user);
        dpl_world_destroy(world);
    }
    return rc == -ENOMEM ? rc : 0;
}
