/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that depend on velocities, in trees: a top keeps its height, pendulums their energy. */
#include "mechanism_rig.h"

#include <doppel/math/gravity.h>

#define G DPL_STANDARD_GRAVITY_M_S2

/* A disc of `mass` on an axle of `length`, level, hung at its end, in steady precession. */
struct top {
    double mass, length, axial, across; /* kg, m, kg m^2 about its centre of mass */
    double spin;                        /* rad/s */
};

static const struct top tops[] = {
    {1, 0.1, 0.005, 0.0025, 100}, {1, 0.1, 0.005, 0.0025, 300}, {1, 0.1, 0.005, 0.0025, -200},
    {0.2, 0.05, 8e-5, 5e-5, 400}, {20, 0.3, 0.4, 0.25, 60},     {1, 0.1, 0.003, 0.003, 250},
};

static void expect_keeps_height(const struct top *top, double step_s)
{
    struct mechanism_rig rig;
    char text[1024];
    /* Level: its axle has no part in the turn about the vertical. */
    double precession = top->mass * G * top->length / (top->axial * top->spin);
    snprintf(text, sizeof text,
             "<mechanism><RigidObject name='disc' mass='%.9g'><position x='%.9g' z='10'/>"
             "<orientation pitch='90 deg'/><velocity wx='%.17g' wz='%.17g'/>"
             "<inertia xx='%.9g' yy='%.9g' zz='%.9g'/></RigidObject>"
             "<Joint name='end' type='ball' child='disc'><frame><position z='10'/></frame>"
             "<childFrame><position z='-%.9g'/></childFrame></Joint></mechanism>",
             top->mass, top->length, top->spin, precession, top->across, top->across, top->axial,
             top->length);
    rig_open(&rig, text, step_s);
    double sunk = 0.0, turned = 0.0, before = 0.0;
    for (double t = 0.0; t < 3.0; t += step_s) {
        dpl_world_step(rig.world, 1);
        const double *at = rig.state->bodies.position[0];
        double angle = atan2(at[1], at[0]);
        turned += remainder(angle - before, 2.0 * DPL_PI);
        before = angle;
        sunk = fmax(sunk, fabs(at[2] - 10.0));
    }
    /* 2.5 % of the length when it turns by 0.1 rad in a step. */
    double turn = fabs(top->spin) * step_s, limit = 2.5 * turn * turn * top->length + 1e-6;
    cr_expect_lt(sunk, limit, "top %d, %g ms: %.3g mm, limit %.3g", (int)(top - tops), 1e3 * step_s,
                 1e3 * sunk, 1e3 * limit);
    cr_expect_float_eq(turned, 3.0 * precession, 0.02 * fabs(3.0 * precession) + 0.01,
                       "top %d, %g ms: %.6g rad, expected %.6g", (int)(top - tops), 1e3 * step_s,
                       turned, 3.0 * precession);
    rig_close(&rig);
}

Test(tops, a_top_in_steady_precession_keeps_its_height)
{
    static const double steps[] = {0.1e-3, 0.25e-3, 0.5e-3, 1e-3};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            expect_keeps_height(&tops[i], steps[k]);
        }
    }
}

static double energy_of(const struct mechanism_rig *rig)
{
    double sum = 0.0;
    for (size_t i = 0; i < rig->objects.mechanism.n_bodies; i++) {
        const struct dpl_mass *mass = &rig->objects.mechanism.bodies[i].mass;
        const double *v = rig->state->bodies.velocity[i], *w = rig->state->bodies.angular[i];
        double(*r)[3] = rig->state->bodies.rotation[i];
        sum += mass->mass * (0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                             G * rig->state->bodies.position[i][2]);
        for (int k = 0; k < 3; k++) {
            double along = r[0][k] * w[0] + r[1][k] * w[1] + r[2][k] * w[2];
            sum += 0.5 * mass->inertia[k] * along * along;
        }
    }
    return sum;
}

/* Three rods of 0.5 m and 1 kg in a chain, from level. */
static void expect_keeps_energy(const char *type, double step_s, double share)
{
    struct mechanism_rig rig;
    char text[2048];
    int n = snprintf(text, sizeof text, "<mechanism>");
    for (int k = 0; k < 3; k++) {
        char parent[32] = "";
        if (k > 0) {
            snprintf(parent, sizeof parent, "parent='b%d'", k - 1);
        }
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "<RigidObject name='b%d' mass='1'><position x='%g' z='10'/>"
                      "<inertia xx='0.002' yy='0.021' zz='0.021'/></RigidObject>"
                      "<Joint name='j%d' type='%s' %s child='b%d'><frame><position %s/></frame>"
                      "<axis y='1' z='0'/><axis2 x='0.3' z='1'/></Joint>",
                      k, 0.25 + 0.5 * k, k, type, parent, k, k > 0 ? "x='0.25'" : "z='10'");
    }
    snprintf(text + n, sizeof text - (size_t)n, "</mechanism>");
    rig_open(&rig, text, step_s);
    double first = energy_of(&rig), worst = 0.0;
    for (double t = 0.0; t < 10.0; t += step_s) {
        dpl_world_step(rig.world, 1);
        worst = fmax(worst, fabs(energy_of(&rig) - first));
    }
    double scale = 3.0 * G * 0.75;
    cr_expect_lt(worst / scale, share, "%s, %g ms: %.3g", type, 1e3 * step_s, worst / scale);
    rig_close(&rig);
}

Test(tops, pendulums_keep_their_energy)
{
    static const char *const types[] = {"hinge", "universal", "ball"};
    for (size_t i = 0; i < 3; i++) {
        expect_keeps_energy(types[i], 1e-3, 0.03);
        expect_keeps_energy(types[i], 0.25e-3, 0.008);
    }
}
