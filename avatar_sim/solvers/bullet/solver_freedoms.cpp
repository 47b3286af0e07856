/* SPDX-License-Identifier: Apache-2.0 */
/* Values of joints, with what drives and stops them: see solver_rows.h. */
#include "solver_rows.h"

#include <cmath>
#include <initializer_list>

namespace dpl_solver_rows
{

/* Drive, stop, damper, and damper of the stop. */
static const int most_rows = 4;

freedom::freedom(const end &link_of_a_tree)
    : rows(end(), link_of_a_tree, most_rows), turns(false), is_second(false)
{
    measure();
}

freedom::freedom(const loop &closed, bool is_turn, bool second_turn)
    : rows(closed.at_a(), closed.at_b(), most_rows), of(&closed), turns(is_turn),
      is_second(second_turn)
{
    measure();
}

btVector3 freedom::axis(const btTransform &a, const btTransform &b) const
{
    return is_second ? b.getBasis().getColumn(0) : a.getBasis().getColumn(2);
}

double freedom::position_of_loop(const btTransform &a, const btTransform &b) const
{
    if (!turns) {
        return axis(a, b).dot(b.getOrigin() - a.getOrigin());
    }
    btMatrix3x3 turn = a.getBasis().transpose() * b.getBasis();
    double angle =
        is_second ? std::atan2(turn[2][1], turn[2][2]) : std::atan2(turn[1][0], turn[0][0]);
    return value.position + std::remainder(angle - value.position, SIMD_2_PI);
}

void freedom::measure()
{
    value.impulse = held_row >= 0 ? getAppliedImpulse(held_row) : 0;
    value.damped = damping_row >= 0 ? getAppliedImpulse(damping_row) : 0;
    double before = value.velocity;
    measure_motion();
    value.damped += inertia_now * (value.velocity - before);
    if (stop_row >= 0 && getAppliedImpulse(stop_row) != 0) {
        for (const end *one : {&first, &second}) {
            if (one->tree) {
                one->tree->is_struck = true;
            }
        }
    }
    held_row = damping_row = stop_row = -1;
    inertia_now = 0;
}

void freedom::measure_motion()
{
    if (!of) {
        value.position = m_bodyA->getJointPos(second.link);
        value.velocity = m_bodyA->getJointVel(second.link);
        return;
    }
    btTransform a = first.now(), b = second.now();
    btVector3 along = axis(a, b);
    value.position = position_of_loop(a, b);
    value.velocity =
        turns ? along.dot(second.angular() - first.angular())
              : along.dot(second.velocity(b.getOrigin()) - first.velocity(b.getOrigin()));
}

void freedom::sum_pushed(const btVector3 &about, btVector3 *inout_force,
                         btVector3 *inout_torque) const
{
    *inout_force += pushed.force;
    *inout_torque += pushed.torque + (pushed.point - about).cross(pushed.force);
}

void freedom::push(double effort) const
{
    if (effort == 0 || (of && of->is_broken)) {
        return;
    }
    if (!of) {
        m_bodyA->addJointTorque(second.link, effort);
        return;
    }
    btTransform a = first.now(), b = second.now();
    btVector3 along = axis(a, b) * effort, none(0, 0, 0);
    pushed.force += turns ? none : along;
    pushed.torque += turns ? along : none;
    pushed.point = b.getOrigin();
    second.push(turns ? none : along, turns ? along : none, b.getOrigin());
    first.push(turns ? none : -along, turns ? -along : none, b.getOrigin());
}

void freedom::add_one(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                      const btContactSolverInfo &info, target wanted)
{
    if (!of) {
        add_coordinate(all, data, info, m_bodyA->getLink(second.link).m_dofOffset, wanted);
        return;
    }
    btTransform a = first.now(), b = second.now();
    (turns ? wanted.angular : wanted.linear) = axis(a, b);
    wanted.at_a = wanted.at_b = b.getOrigin();
    add(all, data, info, wanted);
}

void freedom::add_drive(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                        const btContactSolverInfo &info)
{
    target wanted;
    if (command.most > command.least) {
        wanted.speed = command.speed;
        wanted.least = command.least;
        wanted.most = command.most;
        held_row = n_rows_now;
        add_one(all, data, info, wanted);
    }
}

/* Backward Euler: an impulse -damping * dt * (speed after the step), and that of a rotor, -inertia
 * * (change of the speed), in one row. */
void freedom::add_dampers(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                          const btContactSolverInfo &info)
{
    target wanted;
    double inertia = command.inertia, resists = command.damping * info.m_timeStep + inertia;
    if (resists > 0) {
        wanted.softness = 1 / resists;
        wanted.speed = inertia / resists * value.velocity;
        damping_row = n_rows_now;
        inertia_now = inertia;
        add_one(all, data, info, wanted);
        wanted.speed = 0;
    }
    if (command.stop_damping > 0) {
        wanted.softness = 1 / (command.stop_damping * info.m_timeStep);
        wanted.least = command.stop_least;
        wanted.most = command.stop_most;
        add_one(all, data, info, wanted);
    }
}

void freedom::add_stop(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                       const btContactSolverInfo &info)
{
    /* A stop that is nearer than this may be reached in one step from rest. */
    constexpr double guard = 1e-3;
    double dt = info.m_timeStep, reach = guard + 2 * std::fabs(value.velocity) * dt;
    double above = value.position - lower, below = upper - value.position;
    if (has_limits && std::fmin(above, below) < reach) {
        target wanted;
        bool at_lower = above < below;
        double room = at_lower ? above : below;
        double back = (room > 0 ? -room : -room * info.m_erp) / dt;
        wanted.speed = at_lower ? back : -back;
        wanted.least = at_lower ? 0 : -SIMD_INFINITY;
        wanted.most = at_lower ? SIMD_INFINITY : 0;
        stop_row = n_rows_now;
        add_one(all, data, info, wanted);
    }
}

void freedom::createConstraintRows(btMultiBodyConstraintArray &all, btMultiBodyJacobianData &data,
                                   const btContactSolverInfo &info)
{
    n_rows_now = 0;
    held_row = damping_row = stop_row = -1;
    if (!of || !of->is_broken) {
        add_drive(all, data, info);
        add_stop(all, data, info);
        add_dampers(all, data, info);
    }
}

} // namespace dpl_solver_rows
