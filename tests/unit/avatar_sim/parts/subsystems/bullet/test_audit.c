/* SPDX-License-Identifier: Apache-2.0 */
#include "mechanism_rig.h"

#include <math.h>

#include <doppel/math/gravity.h>
#include <doppel/sim/audit.h>

#define G DPL_STANDARD_GRAVITY_M_S2

/* Runs with an audit from now on; the balance `i` at its end. */
static struct dpl_audit_balance audited(struct mechanism_rig *rig, double seconds, size_t i,
                                        bool *ret_fails, double *ret_joint_work)
{
    struct dpl_audit *audit;
    struct dpl_audit_balance balance;
    struct dpl_audit_joint joint = {0};
    dpl_ns end = dpl_world_now(rig->world) + dpl_ns_from_s(seconds);
    cr_assert_eq(dpl_audit_create(rig->world, &audit), 0);
    while (dpl_world_now(rig->world) < end) {
        dpl_world_step(rig->world, 1);
        dpl_audit_step(audit);
    }
    cr_assert_lt(i, dpl_audit_count(audit));
    dpl_audit_balance(audit, i, &balance);
    if (ret_fails) {
        *ret_fails = dpl_audit_fails(audit);
    }
    if (ret_joint_work) {
        cr_assert(dpl_audit_joint(audit, i, 0, &joint));
        *ret_joint_work = joint.work;
        cr_expect_not(dpl_audit_joint(audit, i, 1, &joint));
    }
    dpl_audit_destroy(audit);
    return balance;
}

/* ---- channels ---- */

#define TURNING                                                                                    \
    "<RigidObject name='a' mass='2'><position x='1' z='50'/>"                                      \
    "<inertia xx='0.1' yy='0.2' zz='0.3' x='0.5'/><velocity x='3' wz='4'/></RigidObject>"

Test(audit, energies_of_a_body_are_those_of_its_centre_of_mass_and_its_turn)
{
    struct mechanism_rig rig;
    rig_open(&rig, TURNING, 1e-3);
    /* the centre of mass, 0.5 m along x, has 4 rad/s * 0.5 m along y besides */
    cr_expect_float_eq(rig_number(&rig, "m/a/kinetic_energy"),
                       0.5 * 2 * (3 * 3 + 2 * 2) + 0.5 * 0.3 * 4 * 4, 1e-12);
    cr_expect_float_eq(rig_number(&rig, "m/a/potential_energy"), 2 * G * 50, 1e-9);
    double acceleration[6];
    rig_get(&rig, "m/a/acceleration", acceleration);
    cr_expect_eq(acceleration[2], 0.0, "nothing was accelerated yet");
    rig_step(&rig, 0.2);
    rig_get(&rig, "m/a/acceleration", acceleration);
    cr_expect_float_eq(acceleration[2], -G, 1e-9, "%.9g", acceleration[2]);
    /* its frame goes round the centre: w^2 r */
    cr_expect_float_eq(hypot(acceleration[0], acceleration[1]), 4 * 4 * 0.5, 1e-3);
    rig_close(&rig);
}

Test(audit, a_load_counts_with_its_body)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='3'><position z='2'/>"
             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
             "<Joint name='rail' type='slider' child='a'><frame><position z='2'/></frame></Joint>"
             "<Motor name='load' type='ballast' body='a' limit='9' start='1' z='0.5'/></mechanism>",
             1e-3);
    cr_expect_float_eq(rig_number(&rig, "m/a/potential_energy"), G * (3 * 2 + 1 * 2.5), 1e-9);
    rig_close(&rig);
}

/* ---- balances ---- */

Test(audit, a_free_body_keeps_its_momentum_and_loses_what_the_stepper_says)
{
    struct mechanism_rig rig;
    bool fails;
    rig_open(&rig, TURNING, 1e-3);
    struct dpl_audit_balance b = audited(&rig, 1.0, 0, &fails, NULL);
    cr_expect(b.momentum.is_told);
    cr_expect_lt(b.momentum.linear, 1e-10, "%g", b.momentum.linear);
    cr_expect_lt(b.momentum.about, 1e-10, "%g", b.momentum.about);
    cr_expect_eq(b.momentum.until, DPL_S);
    /* after a second the step has it g dt t / 2 lower than the parabola */
    cr_expect_float_eq(b.lost, 2 * G * (G * 1e-3 * 1.0 / 2), 1e-6, "%g", b.lost);
    cr_expect_not(fails);
    rig_close(&rig);
}

#define RAIL(more)                                                                                 \
    "<mechanism><RigidObject name='a' mass='1'><position z='1'/>"                                  \
    "<inertia xx='1' yy='1' zz='1'/></RigidObject>"                                                \
    "<Joint name='rail' type='slider' child='a' " more "</mechanism>"
#define LEVEL "<frame><position z='1'/></frame><axis x='1' z='0'/>"

/* 400 N/m and 1 kg: w = 20 rad/s. */
Test(audit, a_spring_gives_back_what_it_takes)
{
    struct mechanism_rig rig;
    bool fails;
    rig_open(&rig, RAIL(">" LEVEL "<spring stiffness='400' rest='0.1'/></Joint>"), 1e-3);
    struct dpl_audit_balance b = audited(&rig, 10.0, 0, &fails, NULL);
    cr_expect_float_eq(b.first.springs, 2.0, 1e-12);
    cr_expect_float_eq(b.scale, 2.0, 0.03);
    cr_expect_lt(b.rise, 0.011 * 2 * 2, "w dt / 2 up and down: %g", b.rise);
    cr_expect_gt(b.rise, 0.005 * 2);
    cr_expect_not(b.momentum.is_told);
    cr_expect_not(fails);
    rig_close(&rig);
}

Test(audit, a_spring_too_stiff_for_its_step_is_found)
{
    struct mechanism_rig rig;
    bool fails;
    rig_open(&rig, RAIL(">" LEVEL "<spring stiffness='4.2e6' rest='0.001'/></Joint>"), 1e-3);
    struct dpl_audit_balance b = audited(&rig, 0.1, 0, &fails, NULL);
    cr_expect(fails, "%g J of %g J", b.rise, b.scale);
    rig_close(&rig);
    /* the same one with a step that it needs */
    rig_open(&rig, RAIL(">" LEVEL "<spring stiffness='4.2e6' rest='0.001'/></Joint>"), 2e-5);
    b = audited(&rig, 0.1, 0, &fails, NULL);
    cr_expect_not(fails, "%g J of %g J", b.rise, b.scale);
    rig_close(&rig);
}

Test(audit, what_is_not_a_number_is_found)
{
    struct mechanism_rig rig;
    bool fails;
    rig_open(&rig, RAIL(">" LEVEL "<spring stiffness='1e9' rest='0.001'/></Joint>"), 1e-3);
    audited(&rig, 1.0, 0, &fails, NULL);
    cr_expect(fails);
    rig_close(&rig);
}

Test(audit, the_work_of_a_drive_is_what_it_accelerates)
{
    struct mechanism_rig rig;
    double work;
    rig_open(&rig, RAIL(">" LEVEL "</Joint><Motor joint='rail' type='force'/>"), 1e-3);
    rig_put(&rig, "m/rail/force", 2.0);
    struct dpl_audit_balance b = audited(&rig, 1.0, 0, NULL, &work);
    cr_expect_float_eq(b.now.kinetic, 2.0, 1e-9);
    cr_expect_float_eq(b.work, 2.0, 1e-9, "%.12g", b.work);
    cr_expect_eq(work, b.work);
    cr_expect_float_eq(b.lost, 0.0, 1e-9);
    cr_expect_lt(b.rise, 1e-9);
    rig_close(&rig);
}

Test(audit, friction_loses_force_times_way)
{
    struct mechanism_rig rig;
    rig_open(&rig, RAIL("friction='0.5'>" LEVEL "</Joint><Motor joint='rail' type='force'/>"),
             1e-3);
    rig_put(&rig, "m/rail/force", 2.0);
    struct dpl_audit_balance b = audited(&rig, 1.0, 0, NULL, NULL);
    double way = rig_number(&rig, "m/rail/position");
    cr_expect_float_eq(b.lost, 0.5 * way, 2e-3, "%g, expected %g", b.lost, 0.5 * way);
    cr_expect_lt(b.rise, 1e-9);
    rig_close(&rig);
}

Test(audit, a_brake_is_a_loss_and_no_drive)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             RAIL(">" LEVEL "</Joint><Motor joint='rail' type='force'/>"
                  "<Motor name='brake' joint='rail' type='brake' torque='10'/>"),
             1e-3);
    rig_put(&rig, "m/rail/force", 30.0);
    struct dpl_audit_balance b = audited(&rig, 1.0, 0, NULL, NULL);
    double way = rig_number(&rig, "m/rail/position");
    cr_assert_gt(way, 1.0, "the brake slips: %g", way);
    cr_expect_float_eq(b.work, 30.0 * way, 2e-3 * b.work);
    cr_expect_float_eq(b.lost, 10.0 * way, 2e-3 * b.work);
    rig_close(&rig);
}

Test(audit, a_rotor_has_energy_too)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='1'><position z='1'/>"
             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
             "<Joint name='pin' type='hinge' child='a'><frame><position z='1'/></frame></Joint>"
             "<Motor joint='pin' type='dc' R='1' L='1 mH' k='0.1'><gear ratio='10'/>"
             "<rotor inertia='0.05'/></Motor></mechanism>",
             1e-3);
    rig_put(&rig, "m/pin/voltage", 12.0);
    struct dpl_audit_balance b = audited(&rig, 2.0, 0, NULL, NULL);
    double speed = rig_number(&rig, "m/pin/velocity");
    cr_assert_gt(speed, 1.0);
    cr_expect_float_eq(b.now.kinetic, 0.5 * (1 + 100 * 0.05) * speed * speed, 1e-9);
    cr_expect_float_eq(b.lost, 0.0, 1e-9 + 1e-6 * b.work, "%g of %g", b.lost, b.work);
    rig_close(&rig);
}

Test(audit, a_load_brings_its_energy_along)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='3'><position z='2'/>"
             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
             "<Joint name='rail' type='slider' child='a'><frame><position z='2'/></frame>"
             "<spring stiffness='500' damping='50'/></Joint>"
             "<Motor name='load' type='ballast' body='a' limit='9'/></mechanism>",
             1e-3);
    rig_step(&rig, 5.0);
    rig_put(&rig, "m/load/mass", 4.0);
    struct dpl_audit_balance b = audited(&rig, 5.0, 0, NULL, NULL);
    double z = 2.0 - 3 * G / 500;
    cr_expect_float_eq(b.loaded, 4 * G * z, 1e-6, "%.9g, expected %.9g", b.loaded, 4 * G * z);
    /* it sinks at once: half of the way's energy is in the spring, half is damped away */
    cr_expect_float_eq(b.lost, 0.5 * (4 * G) * (4 * G) / 500, 1e-4, "%g", b.lost);
    cr_expect_lt(b.rise, 0.03);
    rig_close(&rig);
}

Test(audit, ropes_and_belts_hold_energy)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='2'><position z='9'/>"
             "<inertia xx='1' yy='1' zz='1'/></RigidObject>"
             "<Joint name='rope' type='rope' child='a'><frame><position z='10'/></frame>"
             "<childFrame/><rope ea='1000' free='1' damping='0.2'/></Joint></mechanism>",
             1e-3);
    struct dpl_audit_balance b = audited(&rig, 20.0, 0, NULL, NULL);
    double stretch = 2 * G / 1000;
    cr_expect_float_eq(b.now.ropes, 0.5 * 1000 * stretch * stretch, 1e-6, "%g", b.now.ropes);
    cr_expect_float_eq(b.lost, 0.5 * 1000 * stretch * stretch, 1e-3 * b.scale + 1e-3);
    cr_expect_not(b.momentum.is_told, "a rope holds it, too");
    rig_close(&rig);
}

Test(audit, two_bodies_on_a_spring_keep_their_momentum_together)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='1'><position z='50'/>"
             "<inertia xx='0.01' yy='0.01' zz='0.01'/><velocity y='1'/></RigidObject>"
             "<RigidObject name='b' mass='3'><position x='1' z='50'/>"
             "<inertia xx='0.01' yy='0.01' zz='0.01'/></RigidObject>"
             "<Joint name='rope' type='rope' parent='a' child='b'><childFrame/>"
             "<rope ea='40' free='0.8' tensionOnly='false'/></Joint></mechanism>",
             1e-3);
    struct dpl_audit_balance b = audited(&rig, 2.0, 0, NULL, NULL);
    cr_expect(b.momentum.is_told);
    cr_expect_eq(b.momentum.until, 2 * DPL_S);
    cr_expect_lt(b.momentum.linear, 1e-10, "%g", b.momentum.linear);
    cr_expect_lt(b.momentum.about, 1e-10, "%g", b.momentum.about);
    rig_close(&rig);
}

Test(audit, momentum_is_told_until_something_touches)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<RigidObject name='a' mass='1'><position z='1'/><SphereShape radius='0.1'/>"
             "</RigidObject>",
             1e-3);
    struct dpl_audit_balance b = audited(&rig, 2.0, 0, NULL, NULL);
    double fall_s = sqrt(2 * 0.9 / G);
    cr_expect_float_eq(dpl_ns_to_s(b.momentum.until), fall_s, 0.01, "%g",
                       dpl_ns_to_s(b.momentum.until));
    cr_expect_lt(b.momentum.linear, 1e-10);
    cr_expect_float_eq(b.lost, 0.9 * G, 1e-2, "all of the fall: %g", b.lost);
    rig_close(&rig);
}

/* As closed_form's row: two rods of 0.5 m and 1 kg from level. */
Test(audit, a_double_pendulum_loses_what_its_own_sum_says)
{
    struct mechanism_rig rig;
    rig_open(&rig,
             "<mechanism><RigidObject name='a' mass='1'><position x='0.25' z='10'/>"
             "<inertia xx='1e-4' yy='0.0208333333333' zz='0.0208333333333'/></RigidObject>"
             "<RigidObject name='b' mass='1'><position x='0.75' z='10'/>"
             "<inertia xx='1e-4' yy='0.0208333333333' zz='0.0208333333333'/></RigidObject>"
             "<Joint name='upper' type='hinge' child='a'><frame><position z='10'/></frame>"
             "<axis y='1' z='0'/></Joint>"
             "<Joint name='lower' type='hinge' parent='a' child='b'>"
             "<frame><position x='0.25'/></frame><axis y='1' z='0'/></Joint></mechanism>",
             1e-3);
    struct dpl_audit_balance b = audited(&rig, 20.0, 0, NULL, NULL);
    double energy = 0.0;
    for (int k = 0; k < 2; k++) {
        const double *v = rig.state->bodies.velocity[k];
        double turn = rig.state->bodies.angular[k][1];
        energy += 0.5 * (v[0] * v[0] + v[2] * v[2]) + 0.5 * 0.25 / 12.0 * turn * turn +
                  G * (rig.state->bodies.position[k][2] - 10.0);
    }
    cr_expect_lt(fabs(energy), 0.1, "it keeps its energy but for half a step: %g", energy);
    cr_expect_float_eq(b.lost, -energy, 1e-9, "%.12g, expected %.12g", b.lost, -energy);
    rig_close(&rig);
}

/* ---- it only looks ---- */

Test(audit, a_world_with_an_audit_and_readers_is_equal_in_every_bit)
{
    static const char text[] =
        RAIL("friction='0.1'>" LEVEL "<spring stiffness='400' rest='0.1'/></Joint>");
    double values[2][8];
    for (int i = 0; i < 2; i++) {
        struct mechanism_rig rig;
        rig_open(&rig, text, 1e-3);
        if (i == 1) {
            double acceleration[6];
            audited(&rig, 1.0, 0, NULL, NULL);
            rig_get(&rig, "m/a/acceleration", acceleration);
        } else {
            rig_step(&rig, 1.0);
        }
        values[i][0] = rig.state->joints.position[0];
        values[i][1] = rig.state->joints.velocity[0];
        memcpy(&values[i][2], rig.state->bodies.position[0], 3 * sizeof(double));
        memcpy(&values[i][5], rig.state->bodies.velocity[0], 3 * sizeof(double));
        rig_close(&rig);
    }
    cr_expect_neq(values[0][0], 0.0);
    cr_expect_eq(memcmp(values[0], values[1], sizeof values[0]), 0);
}
