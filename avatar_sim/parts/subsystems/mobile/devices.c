/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of doppel/sim/devices.h that concern more than one class. */
#include <errno.h>

#include <doppel/sim/world.h>

#include "axis_drive.h"
#include "encoder.h"
#include "laser.h"
#include "mobile_state.h"
#include "touch.h"
#include "wheel_motor.h"

int dpl_world_find_device(const struct dpl_world *world, int robot, enum dpl_world_device kind,
                          const char *name)
{
    static const struct dpl_sim_entry_class *const classes[] = {
        [DPL_WORLD_MOTOR] = &dpl_wheel_motor,
        [DPL_WORLD_ENCODER] = &dpl_encoder,
        [DPL_WORLD_LASER] = &dpl_laser,
        [DPL_WORLD_AXIS] = &dpl_axis_drive,
    };
    return dpl_world_find_entry(world, classes[kind], robot, name);
}

void dpl_world_get_robot(const struct dpl_world *world, int robot,
                         struct dpl_world_robot *ret_robot)
{
    const struct dpl_sim_model *model = dpl_world_model(world);
    if (robot < 0 || (size_t)robot >= model->n_robots) {
        return;
    }
    const struct dpl_sim_robot *of = &model->robots[robot];
    *ret_robot = (struct dpl_world_robot){.pose = of->start};
    if (of->subsystem->is_fixed) {
        return;
    }
    const struct dpl_sim_state *state = dpl_world_state(world);
    int body = state->robots[robot].first_body;
    const double *velocity = state->bodies.velocity[body];
    ret_robot->pose = dpl_sim_body_pose2(state, body);
    double heading = ret_robot->pose.theta;
    ret_robot->twist = (struct dpl_twist2){velocity[0] * cos(heading) + velocity[1] * sin(heading),
                                           state->bodies.angular[body][2]};
    dpl__touch_get(world, robot, &ret_robot->contacts, &ret_robot->touched);
    if (of->subsystem == &dpl_mobile_subsystem) {
        const struct dpl_mobile *mobile = dpl_world_subsystem(world, &dpl_mobile_subsystem);
        ret_robot->ejections = dpl__mobile_chassis_of(mobile, robot)->ejections;
    }
}
