/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms in a running world. */
#include "mechanism_rig.h"

#include <math.h>

#include <doppel/math/geometry.h>
#include <doppel/math/gravity.h>

/* A sphere of 1 kg on a rod of 1 m without mass, let go at `angle` from hanging. */
#define PENDULUM                                                                                   \
    "<mechanism><RigidObject name=\"bob\" mass=\"1\">"                                             \
    "<position x=\"0.0871557427476582\" z=\"-0.996194698091746\"/>"                                \
    "<SphereShape radius=\"0.05\"/></RigidObject>"                                                 \
    "<Joint name=\"pin\" type=\"hinge\" child=\"bob\"><axis y=\"1\" z=\"0\"/>"                     \
    "<childFrame><position x=\"-0.0871557427476582\" z=\"0.996194698091746\"/></childFrame>"       \
    "</Joint></mechanism>"

/* The mean of n periods, by upward passages through the lowest point. */
static double period(struct mechanism_rig *rig, double lowest, int n)
{
    const struct dpl_sim_joints *joints = &rig->state->joints;
    double dt = dpl_ns_to_s(rig->model->step), first = 0.0, last = 0.0;
    for (int passages = 0; passages <= n;) {
        double before = joints->position[0] - lowest;
        dpl_world_step(rig->world, 1);
        double after = joints->position[0] - lowest;
        if (before < 0.0 && after >= 0.0) {
            last = dpl_ns_to_s(dpl_world_now(rig->world)) - dt * after / (after - before);
            first = passages++ == 0 ? last : first;
        }
    }
    return (last - first) / n;
}

Test(bullet, a_pendulum_swings_as_long_as_its_elliptic_integral_says)
{
    struct mechanism_rig rig;
    rig_open(&rig, PENDULUM, 1e-3);
    cr_assert_float_eq(rig.state->joints.position[0], 0.0, 1e-12);
    double measured = period(&rig, DPL_PI / 180.0 * 5.0, 20);
    cr_expect_float_eq(measured, 2.00836812, 1e-6, "period %.9f s", measured);
    rig_close(&rig);
}

Test(bullet, a_joint_starts_where_its_bodies_are)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name=\"a\" mass=\"1\"><position x=\"1\" z=\"2\"/>"
             "<orientation yaw=\"0.3\"/><BoxShape x=\"1\" y=\"0.2\" z=\"0.1\"/></RigidObject>"
             "<RigidObject name=\"b\" mass=\"2\"><position x=\"3\" y=\"0.5\" z=\"2\"/>"
             "<orientation yaw=\"0.7\"/><BoxShape x=\"1\" y=\"0.2\" z=\"0.3\"/></RigidObject>"
             "<Joint name=\"h\" type=\"hinge\" parent=\"b\" child=\"a\">"
             "<frame><position x=\"-1.7243\" y=\"0.3966\"/></frame></Joint>"
             "<Joint name=\"s\" type=\"slider\" parent=\"a\"  child=\"world\">"
             "<axis x=\"1\" z=\"0\"/><childFrame><position x=\"1.5\" y=\"0.1547\" z=\"2\"/>"
             "<orientation yaw=\"0.3\"/></childFrame></Joint>"
             "</mechanism>",
             1e-3);
    const struct dpl_sim_mechanism *mechanism = &rig.objects.mechanism;
    for (int i = 0; i < 2; i++) {
        const double *at = rig.state->bodies.position[i];
        const struct dpl_vector3 *start = &mechanism->bodies[i].pose.position;
        cr_expect_float_eq(at[0], start->x, 1e-3);
        cr_expect_float_eq(at[1], start->y, 1e-3);
        cr_expect_float_eq(at[2], start->z, 1e-3);
    }
    rig_close(&rig);
}

/* Two hinged cranks of different lengths with a rod between their ends, which closes the loop. The
 * three joints of the rod's far end are given by `last`. */
#define FOUR_BARS(last)                                                                            \
    "<mechanism>"                                                                                  \
    "<RigidObject name=\"left\" mass=\"1\"><position z=\"1.2\"/>"                                  \
    "<CapsuleShape radius=\"0.02\" height=\"0.36\"/></RigidObject>"                                \
    "<RigidObject name=\"right\" mass=\"1\"><position x=\"1\" z=\"1.2\"/>"                         \
    "<CapsuleShape radius=\"0.02\" height=\"0.36\"/></RigidObject>"                                \
    "<RigidObject name=\"rod\" mass=\"0.5\"><position x=\"0.5\" z=\"1.4\"/>"                       \
    "<orientation pitch=\"90 deg\"/><CapsuleShape radius=\"0.02\" height=\"0.9\"/></RigidObject>"  \
    "<Joint name=\"a\" type=\"hinge\" child=\"left\"><frame><position z=\"1\"/></frame>"           \
    "<axis y=\"1\" z=\"0\"/></Joint>"                                                              \
    "<Joint name=\"b\" type=\"hinge\" child=\"right\"><frame><position x=\"1\" z=\"1\"/></frame>"  \
    "<axis y=\"1\" z=\"0\"/></Joint>"                                                              \
    "<Joint name=\"c\" type=\"hinge\" parent=\"left\" child=\"rod\"><frame><position z=\"0.2\"/>"  \
    "</frame><axis y=\"1\" z=\"0\"/></Joint>" last "</mechanism>"

#define AT_RIGHT(type, more)                                                                       \
    "<Joint name=\"d\" type=\"" type                                                               \
    "\" parent=\"rod\" child=\"right\"><frame><position z=\"0.5\"/>"                               \
    "<orientation pitch=\"-90 deg\"/></frame>" more "</Joint>"

static void swings_closed(const char *text, double most_m)
{
    struct mechanism_rig rig;
    rig_open(&rig, text, 5e-4);
    rig.state->joints.push[0] = 2.0;
    rig.state->joints.driven[0] = true;
    double worst = 0.0, travelled = 0.0;
    for (int i = 0; i < 4000; i++) {
        rig_step(&rig, 5e-4);
        for (size_t k = 0; k < rig.objects.mechanism.n_joints; k++) {
            worst = fmax(worst, rig_gap(&rig, k));
        }
        travelled = fmax(travelled, fabs(rig.state->joints.position[0]));
    }
    cr_expect_lt(worst, most_m, "%.3g m", worst);
    cr_expect_gt(travelled, 1.0);
    rig_close(&rig);
}

Test(bullet, a_loop_stays_closed_by_a_ball)
{
    swings_closed(FOUR_BARS(AT_RIGHT("ball", "")), 2e-5);
}

Test(bullet, a_loop_stays_closed_by_a_universal_joint)
{
    swings_closed(FOUR_BARS(AT_RIGHT("universal", "<axis y=\"1\" z=\"0\"/>")), 2e-5);
}
