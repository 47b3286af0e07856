/* SPDX-License-Identifier: Apache-2.0 */
/* Ropes: springs between two points, straight or over a sheave. */
#include <algorithm>
#include <cmath>

#include "solver_world.h"

using dpl_solver_rows::freedom;

namespace dpl_solver_parts
{

namespace
{

/* One end of a rope now; without a body it stands still. */
struct rope_end {
    btVector3 point, velocity{0, 0, 0}, arm{0, 0, 0};
};

rope_end end_now(const list<body> &bodies, int number, const btVector3 &in_body)
{
    rope_end now;
    now.point = in_body;
    if (number >= 0) {
        const body &of = bodies[at(number)];
        const btTransform &centre =
            of.tree ? of.tree->world[of.link + 1] : of.rigid->getWorldTransform();
        now.point = centre * (of.centre.inverse() * in_body);
        now.arm = now.point - centre.getOrigin();
        now.velocity =
            of.tree ? of.tree->linear[of.link + 1] + of.tree->angular[of.link + 1].cross(now.arm)
                    : of.rigid->getVelocityInLocalPoint(now.arm);
    }
    return now;
}

void pull_end(list<body> &bodies, int number, const btVector3 &force, const btVector3 &arm)
{
    if (number < 0) {
        return;
    }
    body &of = bodies[at(number)];
    if (of.tree) {
        of.tree->push(of.link, force, arm.cross(force));
    } else {
        of.rigid->applyForce(force, arm);
    }
}

/* `torque` in the body's axes. */
void turn_body(body &of, const btVector3 &torque)
{
    if (of.tree) {
        const btMatrix3x3 &turn = of.tree->world[of.link + 1].getBasis();
        of.tree->push(of.link, btVector3(0, 0, 0),
                      turn * (of.centre.getBasis().transpose() * torque));
    }
}

/* 0: it stands still. */
double inverse_mass(const list<body> &bodies, int number)
{
    return number < 0 ? 0 : 1 / mass_of(bodies[at(number)]);
}

/* N s/m against the rate before the step, which gives the force of the rate after it (backward
 * Euler) if nothing else acts on both ends: so it is stable however large it is. */
double damping_of(double share, double stiffness, double inverse, double dt)
{
    double damping = 2 * share * std::sqrt(stiffness / inverse);
    return damping / (1 + dt * damping * inverse);
}

/* ---- a straight rope ---- */

void pull_straight(list<body> &bodies, rope &pulled, double dt)
{
    rope_end a = end_now(bodies, pulled.a, pulled.in_a), b = end_now(bodies, pulled.b, pulled.in_b);
    btVector3 along = b.point - a.point;
    double length = along.length();
    if (!(length > 1e-9)) {
        return; /* no direction */
    }
    along /= length;
    double stiffness = pulled.ea / pulled.free[0], stretch = length - pulled.free[0];
    double damping =
        damping_of(pulled.damping, stiffness,
                   inverse_mass(bodies, pulled.a) + inverse_mass(bodies, pulled.b), dt);
    double tension = stiffness * stretch + damping * along.dot(b.velocity - a.velocity);
    if (pulled.tension_only && (stretch <= 0 || tension <= 0)) {
        return;
    }
    pulled.tension[0] = tension;
    pull_end(bodies, pulled.a, tension * along, a.arm);
    pull_end(bodies, pulled.b, -tension * along, b.arm);
}

/* ---- over a sheave ---- */

/* From where the rope leaves the sheave to an end. */
struct leg {
    rope_end end;
    btVector3 down{0, 0, 0}; /* to the end; 0: no direction */
    double stiffness = 0, damping = 0, stretch = 0, rate = 0;
    /* When the rope slips by `shift` towards the other leg in this step. */
    double raw(double shift, double dt) const
    {
        return stiffness * (stretch + shift) + damping * (rate + shift / dt);
    }
    double tension(double shift, double dt) const
    {
        return stretch + shift > 0 ? std::max(0.0, raw(shift, dt)) : 0;
    }
    double per_shift(double dt) const
    {
        return stiffness + damping / dt;
    }
};

/* A leg that has run out would be stiffer than a step can bear: w dt is 1 at most. */
double leg_stiffness(const rope &of, double free, double inverse, double dt)
{
    double stiffest = 1 / ((inverse + 1 / of.sheave_mass) * dt * dt);
    return free > 0 ? std::min(of.ea / free, stiffest) : stiffest;
}

leg leg_now(const list<body> &bodies, const rope &of, int i, double speed, double dt)
{
    leg now;
    int number = i == 0 ? of.a : of.b;
    now.end = end_now(bodies, number, i == 0 ? of.in_a : of.in_b);
    btVector3 along = now.end.point - of.top[i];
    double length = along.length();
    if (length > 1e-9) {
        now.down = along / length;
    }
    double inverse = inverse_mass(bodies, number);
    now.stiffness = leg_stiffness(of, of.free[i], inverse, dt);
    now.damping =
        damping_of(of.damping, now.stiffness, inverse > 0 ? inverse : 1 / of.sheave_mass, dt);
    now.stretch = length - of.free[i];
    now.rate = now.down.dot(now.end.velocity) + (i == 0 ? speed : -speed);
    return now;
}

/* How far the rope slips towards the child's leg in this step (negative: the other way), so that
 * the tight side has `grip` times the tension of the slack side. A rope has no mass, so this is
 * where both sides are in balance at the end of the step. 0: it sticks. */
double slip_of(const leg &a, const leg &b, double grip, double dt)
{
    double of_a = a.tension(0, dt), of_b = b.tension(0, dt);
    if (grip < 1) {
        return 0;
    }
    if (of_a <= grip * of_b && of_b <= grip * of_a) {
        return 0;
    }
    bool to_a = of_a > of_b;
    const leg &tight = to_a ? a : b, &slack = to_a ? b : a;
    double shift = (tight.raw(0, dt) - grip * slack.raw(0, dt)) /
                   (tight.per_shift(dt) + grip * slack.per_shift(dt));
    if (tight.raw(-shift, dt) < 0) { /* the other side stays slack: nothing holds the rope */
        shift = tight.raw(0, dt) / tight.per_shift(dt);
    }
    return to_a ? -shift : shift;
}

void pull_over_sheave(list<body> &bodies, rope &pulled, const freedom &sheave, double dt)
{
    double moved = pulled.radius * (sheave.value.position - pulled.turned);
    pulled.turned = sheave.value.position;
    pulled.free[0] -= moved;
    pulled.free[1] += moved;
    double speed = pulled.radius * sheave.value.velocity;
    leg a = leg_now(bodies, pulled, 0, speed, dt), b = leg_now(bodies, pulled, 1, speed, dt);
    double shift = slip_of(a, b, pulled.grip, dt);
    pulled.free[0] -= shift;
    pulled.free[1] += shift;
    pulled.slipped += shift;
    double of_a = a.tension(shift, dt), of_b = b.tension(-shift, dt);
    pulled.tension[0] = of_a;
    pulled.tension[1] = of_b;
    pull_end(bodies, pulled.a, -of_a * a.down, a.end.arm);
    pull_end(bodies, pulled.b, -of_b * b.down, b.end.arm);
    rope_end axle = end_now(bodies, pulled.sheave_body, pulled.centre);
    pull_end(bodies, pulled.sheave_body, of_a * a.down + of_b * b.down, axle.arm);
    turn_body(bodies[at(pulled.sheave_body)], pulled.axle * (pulled.radius * (of_b - of_a)));
}

double stretched(double stiffness, double stretch, bool tension_only)
{
    return stretch > 0 || !tension_only ? 0.5 * stiffness * stretch * stretch : 0;
}

double energy_of(const dpl_solver &w, const rope &one)
{
    if (one.is_cut) {
        return 0;
    }
    btVector3 a = end_now(w.bodies, one.a, one.in_a).point,
              b = end_now(w.bodies, one.b, one.in_b).point;
    if (one.sheave < 0) {
        return stretched(one.ea / one.free[0], (b - a).length() - one.free[0], one.tension_only);
    }
    double moved = one.radius * (w.freedoms[at(one.sheave)]->value.position - one.turned);
    double sum = 0, dt = one.dt > 0 ? one.dt : 1e-3; /* before the first step no leg has run out */
    for (int i = 0; i < 2; i++) {
        double free = one.free[i] + (i == 0 ? -moved : moved);
        double inverse = inverse_mass(w.bodies, i == 0 ? one.a : one.b);
        double stretch = ((i == 0 ? a : b) - one.top[i]).length() - free;
        sum += stretched(leg_stiffness(one, free, inverse, dt), stretch, true);
    }
    return sum;
}

} // namespace

void keep_push(dpl_solver &w, int number, const btVector3 &force, const btVector3 &torque,
               const btVector3 &in_body)
{
    body &of = w.bodies[at(number)];
    of.pushed += force;
    of.turned += torque + end_now(w.bodies, number, in_body).arm.cross(force);
    of.is_pushed = true;
}

void push_body(body &of)
{
    if (of.tree) {
        of.tree->push(of.link, of.pushed, of.turned);
    } else {
        of.rigid->applyCentralForce(of.pushed);
        of.rigid->applyTorque(of.turned);
    }
    of.pushed = of.turned = btVector3(0, 0, 0);
    of.is_pushed = false;
}

void pull_rope(dpl_solver &w, rope &pulled, double dt)
{
    pulled.tension[0] = pulled.tension[1] = 0;
    pulled.dt = dt;
    if (pulled.is_cut) {
        return;
    }
    if (pulled.sheave < 0) {
        pull_straight(w.bodies, pulled, dt);
    } else {
        pull_over_sheave(w.bodies, pulled, *w.freedoms[at(pulled.sheave)], dt);
    }
}

int store_rope(dpl_solver &w, const dpl_solver_rope &from)
{
    rope made;
    made.a = from.a;
    made.b = from.b;
    made.in_a = vector_from(from.in_a);
    made.in_b = vector_from(from.in_b);
    made.ea = from.ea;
    made.damping = from.damping;
    made.tension_only = from.tension_only;
    made.free[0] = from.length;
    made.sheave = from.sheave ? from.sheave->freedom : -1;
    if (from.sheave) {
        const dpl_solver_sheave &over = *from.sheave;
        made.free[1] = over.length_b;
        made.sheave_body = over.body;
        made.centre = vector_from(over.centre);
        made.axle = vector_from(over.axis);
        made.radius = over.radius;
        made.sheave_mass = over.mass;
        made.grip = over.grip;
        made.turned = w.freedoms[at(over.freedom)]->value.position;
        double height = end_now(w.bodies, over.body, made.centre).point.z();
        made.top[0] = end_now(w.bodies, from.a, made.in_a).point;
        made.top[1] = end_now(w.bodies, from.b, made.in_b).point;
        made.top[0].setZ(height);
        made.top[1].setZ(height);
    }
    w.ropes.push_back(made);
    return static_cast<int>(w.ropes.size() - 1);
}

} // namespace dpl_solver_parts

void dpl__solver_cut_rope(struct dpl_solver *solver, int number)
{
    solver->ropes[dpl_solver_parts::at(number)].is_cut = true;
}

void dpl__solver_rope_state(const struct dpl_solver *solver, int number,
                            struct dpl_solver_rope_state *ret_state)
{
    const dpl_solver_parts::rope &one = solver->ropes[dpl_solver_parts::at(number)];
    *ret_state = {{one.tension[0], one.tension[1]}, one.slipped, one.is_cut};
}

double dpl__solver_rope_energy(const struct dpl_solver *solver, int number)
{
    return dpl_solver_parts::energy_of(*solver, solver->ropes[dpl_solver_parts::at(number)]);
}
