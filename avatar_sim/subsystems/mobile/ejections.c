/* SPDX-License-Identifier: Apache-2.0 */
/* Noticing that the solver throws a robot out of something that it is in: then its pose jumps by
 * more than wheels explain. */
#include <math.h>

#include "world_state.h"

/* What bodies in touch play. */
static const double play_m_s = 0.1;

/* An ejection is over when the robot has moved as wheels can for this long. */
static const dpl_ns calm = 500 * DPL_MS;

/* The fastest that any robot's wheels can drive it, or what it pushes. */
static double fastest_m_s(const struct dpl_sim_model *model)
{
    double most = 0.0;
    for (size_t r = 0; r < model->n_robots; r++) {
        for (size_t i = 0; i < model->robots[r].n_wheels; i++) {
            const struct dpl_sim_wheel *wheel = &model->robots[r].wheels[i];
            most = fmax(most, wheel->max_speed * wheel->radius);
        }
    }
    return most;
}

void dpl__ejections_forget(struct dpl_world *world, int robot)
{
    world->robots[robot].before = dpl__world_pose(world, robot);
}

void dpl__ejections_init(struct dpl_world *world)
{
    world->most_m_s = 1.5 * fastest_m_s(world->model) + play_m_s;
    for (size_t i = 0; i < world->n_chassis; i++) {
        dpl__ejections_forget(world, world->chassis_robot[i]);
    }
}

static void follow(struct dpl_world *world, int number)
{
    struct dpl__robot *robot = &world->robots[number];
    struct dpl_pose2 pose = dpl__world_pose(world, number);
    double moved = dpl_pose2_distance(robot->before, pose);
    robot->before = pose;
    if (moved <= world->most_m_s * world->dt) {
        return;
    }
    robot->ejections += world->now >= robot->ejected_until;
    robot->ejected_until = world->now + calm;
}

void dpl__ejections_step(struct dpl_world *world)
{
    for (size_t i = 0; i < world->n_chassis; i++) {
        follow(world, world->chassis_robot[i]);
    }
}
