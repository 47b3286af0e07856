/* SPDX-License-Identifier: Apache-2.0 */
/* What robots look like. */
#include <doppel/sim/show.h>

#include <doppel/sim/mechanism.h>
#include <doppel/sim/subsystem.h>

struct dpl_sim_solid dpl_sim_solid_of(const struct dpl_sim_shape *shape)
{
    static const enum dpl_sim_solid_kind kinds[] = {
        [DPL_SIM_BOX] = DPL_SOLID_BOX,
        [DPL_SIM_SPHERE] = DPL_SOLID_SPHERE,
        [DPL_SIM_CYLINDER] = DPL_SOLID_CYLINDER,
        [DPL_SIM_CAPSULE] = DPL_SOLID_CAPSULE,
    };
    double pitch = shape->kind == DPL_SIM_CAPSULE && shape->lying ? 0.5 * DPL_PI : 0.0;
    return (struct dpl_sim_solid){
        .kind = kinds[shape->kind],
        .pose = {{shape->x, shape->y, shape->z}, dpl_quaternion_from_rpy(0.0, pitch, shape->yaw)},
        .size = {shape->size_x, shape->size_y, shape->size_z},
        .radius = shape->radius,
        .height = shape->height,
    };
}

static void show_mechanism(const struct dpl_sim_mechanism *mechanism, bool is_picture,
                           dpl_sim_show *show, void *user)
{
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        const struct dpl_sim_body *body = &mechanism->bodies[i];
        bool has_looks = body->n_looks > 0 && (is_picture || body->n_visuals == 0);
        size_t n = has_looks ? body->n_looks : body->n_solids;
        for (size_t k = 0; k < n; k++) {
            show(user, (unsigned)i, has_looks ? &body->looks[k] : &body->solids[k]);
        }
    }
}

const struct dpl_sim_mechanism *dpl_sim_robot_mechanism(const struct dpl_sim_robot *robot)
{
    return robot->subsystem->part_is_mechanism ? robot->part : NULL;
}

bool dpl_sim_model_has_mechanisms(const struct dpl_sim_model *model)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        if (dpl_sim_robot_mechanism(&model->robots[i])) {
            return true;
        }
    }
    return false;
}

static void show_robot(const struct dpl_sim_robot *robot, bool is_picture, dpl_sim_show *show,
                       void *user)
{
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(robot);
    if (mechanism) {
        show_mechanism(mechanism, is_picture, show, user);
    }
    for (size_t i = 0; i < robot->n_shapes; i++) {
        struct dpl_sim_solid solid = dpl_sim_solid_of(&robot->shapes[i]);
        show(user, 0, &solid);
    }
    if (robot->subsystem->show) {
        robot->subsystem->show(robot, show, user);
    }
}

void dpl_sim_robot_show(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user)
{
    show_robot(robot, true, show, user);
}

void dpl_sim_robot_see(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user)
{
    show_robot(robot, false, show, user);
}
