/* SPDX-License-Identifier: Apache-2.0 */
/* What acts on joints in a step: springs, soft stops, friction, and the commands of actuators. */
#include <math.h>

#include <doppel/math/geometry.h>

#include "bullet_state.h"

/* Below this a joint rests, and friction holds it. */
static const double rest_speed = 1e-9;

static double sign_of(double value)
{
    return value < 0.0 ? -1.0 : 1.0;
}

static void add_spring(const struct dpl_sim_spring *spring, double position,
                       struct dpl_solver_command *inout)
{
    if (spring->is_there) {
        inout->effort -= spring->stiffness * (position - spring->rest);
        inout->damping += spring->damping;
    }
}

/* A soft stop pushes, and never pulls: at most its damper takes back what its spring gives. */
static void add_stop(const struct dpl_sim_limit *limit, double position,
                     struct dpl_solver_command *inout)
{
    double above = position - limit->upper, below = limit->lower - position;
    double push = limit->stiffness * fmax(above, below);
    if (!limit->is_there || !(push > 0.0)) {
        return;
    }
    inout->effort += above > below ? -push : push;
    inout->stop_damping = limit->damping;
    inout->stop_least = above > below ? (double)-INFINITY : -push;
    inout->stop_most = above > below ? push : (double)INFINITY;
}

static double friction_of(const struct dpl_bullet_slot *slot)
{
    return slot->of->friction + (slot->share - 1.0) * slot->of->shaft_friction;
}

/* A drive that holds a speed and friction are one row of the solver: its impulse lies between what
 * both can give together. Friction acts against the motion; at rest it holds what the drive does
 * not overcome. */
static void hold(const struct dpl_bullet_slot *slot, double velocity, double speed, double limit,
                 struct dpl_solver_command *inout)
{
    double friction = slot->number == 0 ? friction_of(slot) : 0.0;
    bool moves = fabs(velocity) > rest_speed, aims = limit > 0.0 && speed != 0.0;
    inout->speed = limit > 0.0 ? speed : 0.0;
    inout->least = -limit - friction;
    inout->most = limit + friction;
    if (!aims || !(friction > 0.0)) {
        return;
    }
    double push = 0.0; /* what is added to both ends of the range */
    if (moves || limit > friction) {
        push = -friction * sign_of(moves ? velocity : speed);
        inout->least = -limit + push;
        inout->most = limit + push;
    } else {
        inout->speed = 0.0;
        push = limit * sign_of(speed);
        inout->least = -friction + push;
        inout->most = friction + push;
    }
}

void dpl__bullet_drive(struct dpl_bullet_world *world, double dt)
{
    const struct dpl_sim_joints *joints = &world->state->joints;
    for (size_t i = 0; i < world->n_slots; i++) {
        struct dpl_bullet_slot *slot = &world->slots[i];
        double position = joints->position[slot->joint], velocity = joints->velocity[slot->joint];
        bool is_driven = joints->driven[slot->joint];
        slot->pushed = is_driven ? joints->push[slot->joint] : 0.0;
        slot->damping = is_driven ? joints->damping[slot->joint] : 0.0;
        slot->share = joints->share[slot->joint];
        slot->held = fmax(joints->limit[slot->joint], 0.0);
        struct dpl_solver_command command = {
            .effort = slot->share * slot->pushed,
            .damping = slot->share * slot->damping,
            .inertia = slot->share * slot->armature,
        };
        add_spring(&slot->of->springs[slot->number], position, &command);
        add_stop(&slot->of->limits[slot->number], position, &command);
        hold(slot, velocity, joints->speed[slot->joint], slot->held, &command);
        command.least *= dt;
        command.most *= dt;
        command.stop_least *= dt;
        command.stop_most *= dt;
        dpl__solver_command(world->solver, slot->freedom, &command);
    }
}

/* The drive's part of what dampers gave. */
static double damped_by(const struct dpl_bullet_slot *slot, const struct dpl_solver_value *value,
                        double dt)
{
    const struct dpl_sim_spring *spring = &slot->of->springs[slot->number];
    double own = slot->share * slot->damping;
    double all = own + (spring->is_there ? spring->damping : 0.0);
    return own > 0.0 ? value->damped / dt * (own / all) : 0.0;
}

void dpl__bullet_publish_joints(struct dpl_bullet_world *world, double dt)
{
    const struct dpl_sim_joints *joints = &world->state->joints;
    for (size_t i = 0; i < world->n_slots; i++) {
        struct dpl_bullet_slot *slot = &world->slots[i];
        struct dpl_solver_value value;
        dpl__solver_value(world->solver, slot->freedom, &value);
        joints->position[slot->joint] = value.position;
        joints->velocity[slot->joint] = value.velocity;
        double held = dpl_clamp(value.impulse / dt, -slot->held, slot->held);
        double passed = slot->share * slot->pushed + damped_by(slot, &value, dt);
        joints->effort[slot->joint] = passed + held;
        slot->given = passed / slot->share;
        slot->kept = held;
    }
}
