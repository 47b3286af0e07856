/* SPDX-License-Identifier: Apache-2.0 */
/* Rotors behind gears, in joints of all types with a value. */
#include "mechanism_rig.h"

#include <doppel/math/gravity.h>

#define G DPL_STANDARD_GRAVITY_M_S2

/* Ratio 50 rad/m, 0.004 kg m^2: 10 kg at the rail. */
#define GEARED(joint, friction)                                                                    \
    "<Motor name='drive' joint='" joint "' type='table'><row current='0' torque='0'/>"             \
    "<row current='10' torque='10'/><gear ratio='50'/>"                                            \
    "<rotor inertia='0.004' friction='" friction "'/></Motor>"
#define CART(axis, joint)                                                                          \
    "<mechanism><RigidObject name='cart' mass='5'><position z='5'/>"                               \
    "<inertia xx='1' yy='1' zz='1'/></RigidObject>"                                                \
    "<Joint name='rail' type='" joint "' child='cart'>" axis "</Joint>"

static void drives(const char *text)
{
    struct mechanism_rig rig;
    rig_open(&rig, text, 2e-3);
    rig_put(&rig, "m/drive/current", 0.9);
    rig_step(&rig, 2.0);
    double force = 0.9 * 50.0, expected = force / (5.0 + 10.0) * 2.0;
    cr_expect_float_eq(rig.state->joints.velocity[0], expected, 1e-9, "%.12g, expected %.12g",
                       rig.state->joints.velocity[0], expected);
    rig_close(&rig);
}

Test(rotors, a_motor_on_a_rail_moves_its_rotor_too)
{
    drives(CART("<axis x='1' z='0'/>", "slider") GEARED("rail", "0") "</mechanism>");
    drives(CART("<axis x='1' z='0'/>", "cylindrical") GEARED("rail", "0") "</mechanism>");
}

Test(rotors, a_rotor_has_no_weight)
{
    struct mechanism_rig rig;
    rig_open(&rig, CART("", "slider") GEARED("rail", "0") "</mechanism>", 2e-3);
    rig_step(&rig, 1.0);
    double expected = -5.0 * G / (5.0 + 10.0);
    cr_expect_float_eq(rig.state->joints.velocity[0], expected, 1e-9, "%.12g",
                       rig.state->joints.velocity[0]);
    rig_close(&rig);
}

/* 0.02 N m at the shaft are 1 N at the rail. */
Test(rotors, friction_of_a_rotor_stops_a_cart_exactly)
{
    struct mechanism_rig rig;
    rig_open(&rig, CART("<axis x='1' z='0'/>", "slider") GEARED("rail", "0.02") "</mechanism>",
             2e-3);
    rig_put(&rig, "m/drive/current", 0.1); /* 5 N, of which 1 is lost */
    rig_step(&rig, 1.0);
    double reached = rig.state->joints.velocity[0], x = rig.state->joints.position[0];
    cr_expect_float_eq(reached, 4.0 / 15.0, 1e-9);
    rig_put(&rig, "m/drive/current", 0.0);
    rig_step(&rig, 10.0);
    double way = reached * reached / 2.0 * 15.0 / 1.0;
    cr_expect_float_eq(rig.state->joints.velocity[0], 0.0, 1e-12);
    cr_expect_float_eq(rig.state->joints.position[0] - x, way, 2e-3 * way);
    double rests = rig.state->joints.position[0];
    rig_put(&rig, "m/drive/current", 0.019); /* less than the friction */
    rig_step(&rig, 5.0);
    cr_expect_float_eq(rig.state->joints.position[0], rests, 1e-9);
    rig_close(&rig);
}

/* Two discs on one axis: the rotor between them turns with their difference alone. */
Test(rotors, a_rotor_between_two_bodies_that_turn_resists_their_difference)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='1'><position z='5'/>"
             "<inertia xx='0.2' yy='0.2' zz='0.3'/></RigidObject>"
             "<RigidObject name='b' mass='1'><position z='5.2'/>"
             "<inertia xx='0.2' yy='0.2' zz='0.2'/></RigidObject>"
             "<Joint name='ha' type='hinge' child='a'/>"
             "<Joint name='hb' type='hinge' parent='a' child='b'/>"
             "<Motor name='drive' joint='hb' type='dc' R='1' k='0.1'>"
             "<gear ratio='10'/><rotor inertia='0.005'/></Motor></mechanism>",
             1e-3);
    double a = 0.3, b = 0.2, rotor = 0.5;
    rig.state->joints.driven[1] = true;
    rig_step(&rig, 1.0);
    rig_put(&rig, "m/drive/voltage", 1.0);
    dpl_world_step(rig.world, 1); /* 1 A: 1 N m, less 1 N m s/rad */
    double relative = 1.0 / (b + rotor - b * b / (a + b) + 1e-3);
    const double *v = rig.state->joints.velocity;
    cr_expect_float_eq(v[1], 1e-3 * relative, 1e-9, "%.9g, expected %.9g", v[1], 1e-3 * relative);
    cr_expect_float_eq(v[0], -1e-3 * relative * b / (a + b), 1e-9, "%.9g", v[0]);
    rig_step(&rig, 1.0);
    cr_expect_float_eq(a * v[0] + b * (v[0] + v[1]), 0.0, 1e-9, "momentum about the axis");
    rig_close(&rig);
}

/* Floating bodies: momentum stays where the rotor is no part of it. */
Test(rotors, a_rotor_between_two_bodies_that_float_keeps_their_momentum)
{
    struct mechanism_rig rig;
    rig_open(
        &rig,
        "<mechanism><RigidObject name='a' mass='4'><position z='50'/>"
        "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
        "<RigidObject name='b' mass='6'><position x='1' z='50'/>"
        "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
        "<Joint name='rail' type='slider' parent='a' child='b'><axis x='1' z='0'/></Joint>" GEARED(
            "rail", "0") "</mechanism>",
        1e-3);
    rig_put(&rig, "m/drive/current", 0.2);
    rig_step(&rig, 1.0);
    double reduced = 4.0 * 6.0 / 10.0;
    cr_expect_float_eq(rig.state->joints.velocity[0], 10.0 / (reduced + 10.0), 1e-6, "%.9g",
                       rig.state->joints.velocity[0]);
    double momentum =
        4.0 * rig.state->bodies.velocity[0][0] + 6.0 * rig.state->bodies.velocity[1][0];
    cr_expect_float_eq(momentum, 0.0, 1e-9);
    cr_expect_float_eq(rig.state->bodies.velocity[0][2], -G, 1e-6);
    rig_close(&rig);
}
