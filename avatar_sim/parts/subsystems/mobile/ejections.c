/* SPDX-License-Identifier: Apache-2.0 */
/* Noticing that the solver throws a robot out of something that it is in: then its pose jumps by
 * more than wheels explain. */
#include <math.h>

#include "mobile_state.h"

/* What bodies in touch play. */
static const double play_m_s = 0.1;

/* An ejection is over when the robot has moved as wheels can for this long. */
static const dpl_ns calm = 500 * DPL_MS;

/* The fastest that any robot's wheels can drive it, or what it pushes. */
static double fastest_m_s(const struct dpl_sim_model *model)
{
    double most = 0.0;
    for (size_t r = 0; r < model->n_robots; r++) {
        const struct dpl_sim_mobile *base = dpl__mobile_part(&model->robots[r]);
        for (size_t i = 0; base && i < base->n_wheels; i++) {
            const struct dpl_sim_wheel *wheel = &base->wheels[i];
            most = fmax(most, wheel->max_speed * wheel->radius);
        }
    }
    return most;
}

static struct dpl_pose2 position_of(const struct dpl_mobile *mobile,
                                    const struct dpl_mobile_chassis *chassis)
{
    const double *at = mobile->state->bodies.position[chassis->body];
    return (struct dpl_pose2){at[0], at[1], 0.0};
}

void dpl__ejections_forget(struct dpl_mobile *mobile, struct dpl_mobile_chassis *chassis)
{
    chassis->before = position_of(mobile, chassis);
}

void dpl__ejections_init(struct dpl_mobile *mobile)
{
    mobile->most_m_s = 1.5 * fastest_m_s(mobile->model) + play_m_s;
    for (size_t i = 0; i < mobile->n_chassis; i++) {
        dpl__ejections_forget(mobile, &mobile->chassis[i]);
    }
}

static void follow(struct dpl_mobile *mobile, struct dpl_mobile_chassis *chassis, dpl_ns now)
{
    struct dpl_pose2 at = position_of(mobile, chassis);
    double moved = dpl_pose2_distance(chassis->before, at);
    chassis->before = at;
    if (moved <= mobile->most_m_s * mobile->dt) {
        return;
    }
    chassis->ejections += now >= chassis->ejected_until;
    chassis->ejected_until = now + calm;
}

void dpl__ejections_step(struct dpl_mobile *mobile, dpl_ns now)
{
    for (size_t i = 0; i < mobile->n_chassis; i++) {
        follow(mobile, &mobile->chassis[i], now);
    }
}
