/* SPDX-License-Identifier: Apache-2.0 */
/* Dampers of joints against closed forms, from weak to as strong as a format allows. They are
 * solved with the step (backward Euler): m v' = m v + dt (F - c v'). */
#include "mechanism_rig.h"

#include <doppel/math/gravity.h>

#define G DPL_STANDARD_GRAVITY_M_S2

static const double steps[] = {0.1e-3, 1e-3, 4e-3, 20e-3};
static const double dampings[] = {1e-6, 1e-2, 1, 30, 1e3, 1e6, 1e9};

/* A cart of 2 kg falls along a slider. */
static void expect_fall(const char *joint, double damping, double step_s)
{
    struct mechanism_rig rig;
    char text[512];
    snprintf(text, sizeof text,
             "<mechanism><RigidObject name='cart' mass='2'><position z='5'/>"
             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
             "<Joint name='rail' type='%s' child='cart'><spring stiffness='0' damping='%.9g'/>"
             "</Joint></mechanism>",
             joint, damping);
    rig_open(&rig, text, step_s);
    double v = 0.0;
    for (int i = 0; i < 200; i++) {
        dpl_world_step(rig.world, 1);
        v = (v - step_s * G) / (1.0 + step_s * damping / 2.0);
        double limit = 1e-6 * fabs(v) + 2e-7 * step_s * G; /* each row gives way a little */
        cr_assert_float_eq(rig.state->joints.velocity[0], v, limit,
                           "%s, damping %g, %g ms, step %d: %.12g, expected %.12g", joint, damping,
                           1e3 * step_s, i, rig.state->joints.velocity[0], v);
    }
    rig_close(&rig);
}

Test(damping, a_cart_falls_through_a_damper_of_any_strength)
{
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            expect_fall("slider", dampings[i], steps[k]);
            expect_fall("cylindrical", dampings[i], steps[k]);
        }
    }
}

/* A finger whose tip sinks at m g r / c, once it has no more inertia to speak of. */
static void expect_sinks(double inertia, double damping, double step_s, const char *loop)
{
    struct mechanism_rig rig;
    char text[1024];
    snprintf(text, sizeof text,
             "<mechanism><RigidObject name='palm' mass='1'><position z='0.5'/>"
             "<inertia xx='0.01' yy='0.01' zz='0.01'/></RigidObject>"
             "<RigidObject name='tip' mass='0.05'><position z='0.5'/>"
             "<inertia x='0.02' xx='%.9g' yy='%.9g' zz='%.9g'/></RigidObject>"
             "<Joint name='held' type='fixed' child='palm'/>"
             "<Joint name='knuckle' type='hinge' parent='palm' child='tip' %s><axis y='1' z='0'/>"
             "<spring stiffness='0' damping='%.9g'/></Joint></mechanism>",
             inertia, inertia, inertia, loop, damping);
    rig_open(&rig, text, step_s);
    rig_step(&rig, 0.2);
    double angle = rig.state->joints.position[0];
    double expected = 0.05 * G * 0.02 * cos(angle) / damping;
    cr_expect_float_eq(rig.state->joints.velocity[0], expected, 2e-3 * expected,
                       "%s inertia %g, damping %g, %g ms: %.9g rad/s, expected %.9g", loop, inertia,
                       damping, 1e3 * step_s, rig.state->joints.velocity[0], expected);
    rig_close(&rig);
}

Test(damping, a_finger_sinks_as_its_damper_lets_it)
{
    static const double inertias[] = {1e-7, 1e-6, 1e-5};
    static const double strong[] = {0.05, 0.5, 5};
    for (size_t i = 0; i < sizeof inertias / sizeof *inertias; i++) {
        for (size_t j = 0; j < sizeof strong / sizeof *strong; j++) {
            for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
                expect_sinks(inertias[i], strong[j], steps[k], "");
                expect_sinks(inertias[i], strong[j], steps[k], "loop='true'");
            }
        }
    }
}

/* A damper on all joints of a chain takes energy, whatever it is: nothing is ever faster than a
 * free fall makes it. */
Test(damping, a_chain_of_strong_dampers_comes_to_rest)
{
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        struct mechanism_rig rig;
        char text[2048];
        int n = snprintf(text, sizeof text, "<mechanism>");
        for (int k = 0; k < 4; k++) {
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "<RigidObject name='b%d' mass='0.1'><position x='%g' z='3'/>"
                          "<inertia x='0.05' xx='1e-5' yy='1e-4' zz='1e-4'/></RigidObject>",
                          k, 0.1 * k);
        }
        for (int k = 0; k < 4; k++) {
            char parent[32] = "";
            if (k > 0) {
                snprintf(parent, sizeof parent, "parent='b%d'", k - 1);
            }
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "<Joint name='j%d' type='hinge' %s child='b%d'><axis y='1' z='0'/>"
                          "<spring stiffness='0' damping='%g'/></Joint>",
                          k, parent, k, dampings[i]);
        }
        snprintf(text + n, sizeof text - (size_t)n, "</mechanism>");
        rig_open(&rig, text, 5e-3);
        for (int k = 0; k < 1000; k++) {
            dpl_world_step(rig.world, 1);
            for (int j = 0; j < 4; j++) {
                double most = dampings[i] < 1e-3 ? 200.0 : 2.0 * G / 0.1 / fmax(dampings[i], 0.2);
                most = fmax(most, 1e-4); /* each row gives way a little */
                cr_assert_lt(fabs(rig.state->joints.velocity[j]), most, "damping %g, step %d: %g",
                             dampings[i], k, rig.state->joints.velocity[j]);
            }
        }
        rig_close(&rig);
    }
}

/* A cart falls on a soft stop whose damper is too strong for an explicit step. It sinks by m g / k,
 * and is never pulled down. */
static void expect_lands(double damping, double step_s)
{
    struct mechanism_rig rig;
    char text[512];
    snprintf(text, sizeof text,
             "<mechanism><RigidObject name='cart' mass='2'><position z='5'/>"
             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
             "<Joint name='rail' type='slider' child='cart'>"
             "<limit lower='-0.1' upper='1' stiffness='2000' damping='%.9g'/></Joint></mechanism>",
             damping);
    rig_open(&rig, text, step_s);
    double lowest = 0.0;
    for (double t = 0.0; t < 3.0; t += step_s) {
        double before = rig.state->joints.velocity[0];
        dpl_world_step(rig.world, 1);
        double gained = rig.state->joints.velocity[0] - before;
        cr_assert_gt(gained, -G * step_s - 1e-9, "damping %g, %g ms: it pulls by %g m/s", damping,
                     1e3 * step_s, gained);
        lowest = fmin(lowest, rig.state->joints.position[0]);
    }
    double sunk = 2.0 * G / 2000.0,
           into = 1.5 * step_s; /* in the step in which it meets the stop */
    cr_expect_gt(lowest, -0.1 - sunk - fmax(into, 1.4 * 2.0 / damping), "damping %g, %g ms: %g m",
                 damping, 1e3 * step_s, lowest);
    if (damping <= 1e3) {
        cr_expect_float_eq(rig.state->joints.position[0], -0.1 - sunk, 1e-4,
                           "damping %g, %g ms: %.6g m", damping, 1e3 * step_s,
                           rig.state->joints.position[0]);
    }
    rig_close(&rig);
}

Test(damping, a_soft_stop_with_a_strong_damper_holds_and_does_not_pull)
{
    static const double strong[] = {100, 1e3, 1e4, 1e6};
    for (size_t i = 0; i < sizeof strong / sizeof *strong; i++) {
        expect_lands(strong[i], 1e-3);
        expect_lands(strong[i], 4e-3);
        expect_lands(strong[i], 0.25e-3);
    }
}
