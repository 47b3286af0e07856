/* SPDX-License-Identifier: Apache-2.0 */
/* A gear with losses passes on a share of the power that passes it. What accelerates the rotor, and
 * the friction at its shaft, do not pass it: with what the motor gives, t, the rotor's inertia J,
 * its friction f, the ratio r and the efficiency e, M a = F + e^s r (t - J r a - f),   s = 1 while
 * the motor drives, -1 while it is driven. */
#include "mechanism_rig.h"

#include <doppel/math/gravity.h>
#include <doppel/sim/audit.h>

#define G DPL_STANDARD_GRAVITY_M_S2

/* The motor is at a rail, a hinge on the world, a hinge between bodies, or one that closes a loop.
 */
struct place {
    const char *name, *text; /* parts of the mechanism */
    double mass;             /* kg or kg m^2 */
};

static const struct place places[] = {
    {"rail",
     "<RigidObject name='cart' mass='5'><position z='5'/><inertia xx='1' yy='1' zz='1'/>"
     "</RigidObject><Joint name='j' type='slider' child='cart'><axis x='1' z='0'/></Joint>",
     5},
    {"cylindrical",
     "<RigidObject name='cart' mass='2'><position z='5'/><inertia xx='1' yy='1' zz='1'/>"
     "</RigidObject><Joint name='j' type='cylindrical' child='cart'><axis x='1' z='0'/></Joint>",
     2},
    {"hinge",
     "<RigidObject name='disc' mass='1'><position z='5'/><inertia xx='0.1' yy='0.1' zz='0.2'/>"
     "</RigidObject><Joint name='j' type='hinge' child='disc'/>",
     0.2},
    {"loop",
     "<RigidObject name='disc' mass='1'><position z='5'/><inertia xx='0.1' yy='0.1' zz='0.2'/>"
     "</RigidObject><Joint name='j' type='hinge' child='disc' loop='true'/>",
     0.2},
};

struct gear {
    double ratio, efficiency, rotor, friction;
};

static const struct gear gears[] = {
    {50, 0.7, 2e-3, 0},    {50, 0.7, 2e-3, 0.02}, {5, 0.9, 1e-3, 0.1}, {100, 0.3, 1e-4, 0.005},
    {-20, 0.5, 5e-3, 0.0}, {50, 1, 2e-3, 0.02},   {1, 0.2, 10, 0.3},
};

static void open_motor(struct mechanism_rig *rig, const struct place *place,
                       const struct gear *gear, double step_s)
{
    char text[1600];
    snprintf(text, sizeof text,
             "<mechanism>%s<Motor name='drive' joint='j' type='table'>"
             "<row current='0' torque='0'/><row current='100' torque='100'/>"
             "<gear ratio='%.9g' efficiency='%.9g'/><rotor inertia='%.9g' friction='%.9g'/></Motor>"
             "</mechanism>",
             place->text, gear->ratio, gear->efficiency, gear->rotor, gear->friction);
    rig_open(rig, text, step_s);
}

/* Of the joint, while the motor gives `torque`, which drives (or, 1 / efficiency, is driven). */
static double acceleration(const struct place *place, const struct gear *gear, double torque,
                           double share, double way)
{
    double r = gear->ratio, friction = way * gear->friction * fabs(r);
    return share * (r * torque - friction) / (place->mass + share * gear->rotor * r * r);
}

static void expect_drives(const struct place *place, const struct gear *gear, double step_s)
{
    struct mechanism_rig rig;
    double torque = copysign(2.0, gear->ratio);
    open_motor(&rig, place, gear, step_s);
    rig_put(&rig, "m/drive/current", torque);
    rig_step(&rig, 0.2);
    double before = rig.state->joints.velocity[0];
    rig_step(&rig, 0.2);
    double a = acceleration(place, gear, torque, gear->efficiency, 1.0);
    double gained = rig.state->joints.velocity[0] - before;
    cr_expect_float_eq(gained, 0.2 * a, 1e-6 * 0.2 * a, "%s, gear %d, %g ms: %.9g, expected %.9g",
                       place->name, (int)(gear - gears), 1e3 * step_s, gained, 0.2 * a);
    /* it slows the joint down: what the joint loses drives the rotor and the motor */
    rig_put(&rig, "m/drive/current", -0.5 * torque);
    rig_step(&rig, 2.0 * step_s);
    before = rig.state->joints.velocity[0];
    rig_step(&rig, 0.02);
    bool is_driven = gear->ratio * -0.5 * torque - gear->friction * fabs(gear->ratio) < 0.0;
    double share = is_driven ? 1.0 / gear->efficiency : gear->efficiency;
    a = acceleration(place, gear, -0.5 * torque, share, 1.0);
    gained = rig.state->joints.velocity[0] - before;
    cr_expect_float_eq(gained, 0.02 * a, 1e-6 * fabs(0.02 * a),
                       "%s, gear %d, %g ms, slows down: %.9g, expected %.9g", place->name,
                       (int)(gear - gears), 1e3 * step_s, gained, 0.02 * a);
    rig_close(&rig);
}

Test(gear_losses, a_rotor_is_accelerated_before_the_gear)
{
    static const double steps[] = {0.5e-3, 1e-3, 2e-3};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t j = 0; j < sizeof gears / sizeof *gears; j++) {
            for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
                expect_drives(&places[i], &gears[j], steps[k]);
            }
        }
    }
}

/* A load that falls turns a rotor that nothing holds: all that the rotor gets has passed the gear.
 */
Test(gear_losses, a_load_that_drives_a_rotor_pays_for_the_gear)
{
    for (size_t i = 0; i < sizeof gears / sizeof *gears; i++) {
        const struct gear *gear = &gears[i];
        struct mechanism_rig rig;
        struct place lift = {"lift",
                             "<RigidObject name='cart' mass='50'><position z='50'/>"
                             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
                             "<Joint name='j' type='slider' child='cart'/>",
                             50};
        open_motor(&rig, &lift, gear, 1e-3);
        rig_put(&rig, "m/drive/current", 0.0);
        rig_step(&rig, 0.05);
        double before = rig.state->joints.velocity[0];
        rig_step(&rig, 0.5);
        double behind = gear->rotor * gear->ratio * gear->ratio / gear->efficiency;
        double friction = gear->friction * fabs(gear->ratio) / gear->efficiency;
        double expected = -0.5 * (50.0 * G - friction) / (50.0 + behind);
        double gained = rig.state->joints.velocity[0] - before;
        cr_expect_float_eq(gained, expected, 1e-6 * fabs(expected), "gear %d: %.9g, expected %.9g",
                           (int)i, gained, expected);
        rig_close(&rig);
    }
}

/* What the motor gave is in the bodies, in the rotor and in the heat of the gear. */
Test(gear_losses, no_energy_comes_from_a_gear)
{
    for (size_t i = 0; i < sizeof gears / sizeof *gears; i++) {
        struct mechanism_rig rig;
        struct dpl_audit *audit;
        struct dpl_audit_balance balance;
        open_motor(&rig, &places[0], &gears[i], 1e-3);
        cr_assert_eq(dpl_audit_create(rig.world, &audit), 0);
        for (int k = 0; k < 2000; k++) {
            rig_put(&rig, "m/drive/current", k % 400 < 200 ? 1.0 : -1.0);
            dpl_world_step(rig.world, 1);
            dpl_audit_step(audit);
        }
        cr_expect_not(dpl_audit_fails(audit), "gear %d", (int)i);
        dpl_audit_balance(audit, 0, &balance);
        cr_expect(gears[i].efficiency == 1.0 || balance.lost > 0.05 * balance.scale,
                  "gear %d: %g J of %g J are lost", (int)i, balance.lost, balance.scale);
        dpl_audit_destroy(audit);
        rig_close(&rig);
    }
}

/* A motor whose back-EMF stops its joint within a fraction of a step. It reaches its idle speed. */
Test(gear_losses, a_light_joint_reaches_the_idle_speed_of_its_motor)
{
    static const double inertias[] = {1e-7, 1e-5, 1e-3}, steps[] = {0.5e-3, 2e-3, 10e-3};
    static const char *const inductances[] = {"", "L='1e-6'"};
    for (size_t i = 0; i < 18; i++) {
        struct mechanism_rig rig;
        char text[1024];
        double inertia = inertias[i % 3], step_s = steps[i / 3 % 3];
        snprintf(text, sizeof text,
                 "<mechanism><RigidObject name='disc' mass='1'><position z='5'/>"
                 "<inertia xx='%g' yy='%g' zz='%g'/></RigidObject>"
                 "<Joint name='j' type='hinge' child='disc'/>"
                 "<Motor name='drive' joint='j' type='dc' R='0.5' k='0.05' damping='1e-4' %s>"
                 "<gear ratio='10'/></Motor></mechanism>",
                 inertia, inertia, inertia, inductances[i / 9]);
        rig_open(&rig, text, step_s);
        rig_put(&rig, "m/drive/voltage", 6.0);
        rig_step(&rig, 1.0);
        double idle = 6.0 * 0.05 / (0.05 * 0.05 + 0.5 * 1e-4) / 10.0;
        cr_expect_float_eq(rig.state->joints.velocity[0], idle, 1e-5 * idle,
                           "%g kg m^2, %g ms, %s: %.9g rad/s, expected %.9g", inertia, 1e3 * step_s,
                           inductances[i / 9], rig.state->joints.velocity[0], idle);
        rig_close(&rig);
    }
}
