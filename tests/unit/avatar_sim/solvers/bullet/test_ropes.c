/* SPDX-License-Identifier: Apache-2.0 */
/* Ropes over a sheave, at 2 ms, against closed forms. */
#include "lift_rig.h"
#include "saved_world.h"

#include <stdlib.h>

static const double step_s = 2e-3;

/* ---- held sheave ---- */

static void swings(int floor, double load, double expected_hz)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(floor, load);
    lift.from_rest[0] = -1e-3;
    lift_open(&rig, &lift, step_s);
    lift_hold(&rig);
    double hz = lift_frequency(&rig, &rig.state->joints.velocity[CAR_RAIL], 20.0);
    double closed = sqrt(lift_stiffness(&lift, 0) / lift.car) / (2.0 * DPL_PI);
    cr_expect_float_eq(closed, expected_hz, 1e-4 * expected_hz, "closed form %.6g", closed);
    cr_expect_float_eq(hz, closed, 1e-3 * closed, "floor %d, %g kg: %.6g Hz, expected %.6g", floor,
                       load, hz, closed);
    rig_close(&rig);
}

Test(ropes, a_car_on_a_held_sheave_swings_as_its_leg_says)
{
    swings(0, 0.0, 2.8790);
    swings(0, 630.0, 2.1534);
    swings(5, 0.0, 3.7766);
    swings(5, 630.0, 2.8247);
    swings(11, 0.0, 10.2734);
    swings(11, 630.0, 7.6841);
}

static void stretches(int floor, double load, double expected_mm)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(floor, load);
    lift.from_rest[0] = 0.01;
    lift.damping = 0.5;
    lift_open(&rig, &lift, step_s);
    lift_hold(&rig);
    rig_step(&rig, 10.0);
    double leg = lift_axle - rig.state->bodies.position[CAR][2];
    cr_expect_float_eq(1e3 * (leg - lift.free[0]), expected_mm, 6e-4, "floor %d: %.5g mm", floor,
                       1e3 * (leg - lift.free[0]));
    cr_expect_float_eq(rig_number(&rig, "m/rope/tension"), lift.car * G, 1e-6);
    cr_expect_float_eq(rig_number(&rig, "m/rope/tension_child"), 1115.0 * G, 1e-6);
    rig_close(&rig);
}

Test(ropes, a_leg_stretches_by_what_hangs_on_it)
{
    stretches(0, 0.0, 29.969);
    stretches(0, 630.0, 53.570);
    stretches(5, 0.0, 17.417);
    stretches(11, 0.0, 2.354);
    stretches(11, 630.0, 4.207);
}

Test(ropes, damping_is_a_share_of_the_critical_one)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(0, 0.0);
    lift.from_rest[0] = -1e-3;
    lift.damping = 0.03;
    lift_open(&rig, &lift, step_s);
    lift_hold(&rig);
    double rest = lift_axle - lift.free[0] - lift.car * G / lift_stiffness(&lift, 0);
    double highest = 0.0, hz = 2.8790, share = 0.03;
    rig_step(&rig, 4.6 / hz);
    for (int i = 0; i < 200; i++) { /* the fifth swing up is 4.5 periods behind the start */
        dpl_world_step(rig.world, 1);
        highest = fmax(highest, rig.state->bodies.position[CAR][2] - rest);
    }
    double expected = 1e-3 * exp(-2.0 * DPL_PI * share * 5.5 / sqrt(1.0 - share * share));
    cr_expect_float_eq(highest, expected, 0.02 * expected, "%.6g, expected %.6g", highest,
                       expected);
    rig_close(&rig);
}

/* ---- free sheave ---- */

/* Squares of the angular frequencies of car, sheave and counterweight: the lower one first. */
static void modes(const struct lift *lift, double ret[2])
{
    double a = lift_stiffness(lift, 0), b = lift_stiffness(lift, 1);
    double m = lift->car, w = lift->counterweight, s = lift_moment / (lift_radius * lift_radius);
    /* det(K - x M) = -m s w x (x^2 - p x + q) */
    double p = a / m + (a + b) / s + b / w;
    double q = a * b * (m + s + w) / (m * s * w);
    double root = sqrt(p * p / 4.0 - q);
    ret[0] = p / 2.0 - root;
    ret[1] = p / 2.0 + root;
}

static void rings(int floor, double load, int mode, double expected_hz)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(floor, load);
    double squares[2], a = lift_stiffness(&lift, 0), b = lift_stiffness(&lift, 1);
    modes(&lift, squares);
    double x = squares[mode], closed = sqrt(x) / (2.0 * DPL_PI), size = 1e-4;
    /* The shape of the mode: each end against the sheave. */
    lift.from_rest[0] = size * (a / (a - lift.car * x) - 1.0);
    lift.from_rest[1] = -size * (b / (b - lift.counterweight * x) - 1.0);
    double larger = fmax(fabs(lift.from_rest[0]), fabs(lift.from_rest[1]));
    for (int i = 0; i < 2; i++) {
        lift.from_rest[i] *= size / larger;
    }
    lift_open(&rig, &lift, step_s);
    lift_balance(&rig, &lift);
    double hz = lift_frequency(&rig, &rig.state->joints.velocity[SHEAVE], 20.0);
    cr_expect_float_eq(closed, expected_hz, 1e-4 * expected_hz, "closed form %.6g", closed);
    cr_expect_float_eq(hz, closed, 5e-3 * closed, "floor %d, %g kg: %.6g Hz, expected %.6g", floor,
                       load, hz, closed);
    /* What is missing is the step's: an explicit step of frequency f gives asin(pi f dt)/(pi dt).
     */
    double own = asin(DPL_PI * closed * step_s) / (DPL_PI * step_s);
    cr_expect_float_eq(hz, own, 1e-3 * closed, "floor %d, %g kg: %.6g Hz, of the step %.6g", floor,
                       load, hz, own);
    rig_close(&rig);
}

Test(ropes, car_sheave_and_counterweight_swing_in_two_modes)
{
    rings(0, 630.0, 0, 3.0149);
    rings(0, 630.0, 1, 21.933);
    rings(0, 0.0, 0, 3.5416);
    rings(0, 0.0, 1, 21.938);
    rings(5, 630.0, 0, 3.1270);
    rings(5, 630.0, 1, 11.0225);
    rings(11, 630.0, 0, 3.0652);
    rings(11, 630.0, 1, 21.573);
}

static double energy_of(const struct mechanism_rig *rig, const struct lift *lift, double free_sum)
{
    const struct dpl_sim_joints *joints = &rig->state->joints;
    double turn = lift_radius * joints->position[SHEAVE];
    double leg[2] = {lift->free[0] - turn, lift->free[1] + turn}, sum = 0.0;
    const double mass[2] = {lift->car, lift->counterweight};
    cr_assert_float_eq(leg[0] + leg[1], free_sum, 1e-9);
    for (int i = 0; i < 2; i++) {
        double z = rig->state->bodies.position[i][2], v = rig->state->bodies.velocity[i][2];
        double stretch = fmax(0.0, lift_axle - z - leg[i]);
        sum += mass[i] * (v * v / 2.0 + G * z) + lift_ea / leg[i] * stretch * stretch / 2.0;
    }
    double w = joints->velocity[SHEAVE];
    return sum + lift_moment * w * w / 2.0;
}

Test(ropes, a_rope_that_does_not_slip_keeps_the_energy)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(5, 315.0); /* balanced */
    lift.from_rest[0] = 0.02;
    lift_open(&rig, &lift, step_s);
    double first = energy_of(&rig, &lift, 41.2), least = first, most = first;
    double swing = lift_stiffness(&lift, 0) * 0.02 * 0.02 / 2.0; /* J that go to and fro */
    for (int i = 0; i < 30000; i++) {
        dpl_world_step(rig.world, 1);
        double energy = energy_of(&rig, &lift, 41.2);
        least = fmin(least, energy);
        most = fmax(most, energy);
    }
    cr_expect_lt(most - least, 0.15 * swing, "%.3g J of %.3g", most - least, swing);
    cr_expect_float_eq(energy_of(&rig, &lift, 41.2), first, 0.15 * swing);
    rig_close(&rig);
}

Test(ropes, the_heavier_side_accelerates_all_three)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(5, 630.0);
    lift.damping = 0.03;
    lift_open(&rig, &lift, step_s);
    rig_step(&rig, 1.0);
    double sum = lift.car + lift.counterweight + lift_moment / (lift_radius * lift_radius);
    double acceleration = (lift.car - lift.counterweight) * G / sum;
    double down = -rig.state->joints.velocity[SHEAVE] * lift_radius;
    cr_expect_float_eq(down, acceleration, 0.03 * acceleration, "%.6g, expected %.6g", down,
                       acceleration);
    cr_expect_lt(rig.state->bodies.velocity[CAR][2], 0.0, "the heavier one sinks");
    cr_expect_gt(rig.state->bodies.velocity[COUNTERWEIGHT][2], 0.0);
    cr_expect_lt(rig.state->joints.position[SHEAVE], 0.0, "a positive turn lifts the parent");
    rig_close(&rig);
}

/* ---- the sheave's brake ---- */

/* From 1.6 m/s by 1650 N m: how far the sheave goes. It stands a little before what hangs on it, as
 * the ropes give way. */
static void stops(double load, double direction, double expected_m)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(5, load);
    lift.damping = 0.03;
    lift_open(&rig, &lift, step_s);
    const double *turn = &rig.state->joints.position[SHEAVE];
    for (int i = 0; i < 2500; i++) { /* up to speed in 4 s, without shaking the ropes much */
        double share = i < 2000 ? i / 2000.0 : 1.0;
        rig.state->joints.limit[SHEAVE] = 1e6;
        rig.state->joints.speed[SHEAVE] =
            direction * 1.6 / lift_radius * share * share * (3.0 - 2.0 * share);
        dpl_world_step(rig.world, 1);
    }
    double start = *turn;
    rig.state->joints.speed[SHEAVE] = 0.0;
    rig.state->joints.limit[SHEAVE] = 1650.0;
    rig_step(&rig, 4.0);
    double way = direction * lift_radius * (*turn - start);
    cr_expect_float_eq(way, expected_m - 0.01, 0.01, "%g kg, %g: %.6g m, expected %.6g", load,
                       direction, way, expected_m);
    cr_expect_float_eq(rig.state->joints.velocity[SHEAVE], 0.0, 1e-12, "it stands still");
    rig_close(&rig);
}

Test(ropes, a_brake_on_the_sheave_stops_all_three)
{
    stops(630.0, -1.0, 1.46917);
    stops(630.0, 1.0, 0.41239);
    stops(0.0, 1.0, 1.13470);
    stops(0.0, -1.0, 0.31850);
    stops(315.0, 1.0, 0.57070);
}

/* ---- slip ---- */

#define GRIP "slip='0.2' wrap='180 deg'"

static void slides(double car, double counterweight, double limit)
{
    struct mechanism_rig rig;
    struct lift lift = {
        .car = car,
        .counterweight = counterweight,
        .free = {20.0, 20.0},
        .damping = 0.03,
        .grip = GRIP,
    };
    lift_open(&rig, &lift, step_s);
    lift_hold(&rig);
    rig_step(&rig, 1.0);
    double tension[2] = {rig_number(&rig, "m/rope/tension"),
                         rig_number(&rig, "m/rope/tension_child")};
    double slip = rig_number(&rig, "m/rope/slip");
    double heavy = fmax(car, counterweight), light = fmin(car, counterweight);
    if (heavy < limit * light) {
        cr_expect_float_eq(slip, 0.0, 1e-12, "%g on %g kg slips %.3g m", car, counterweight, slip);
    } else {
        double ratio = fmax(tension[0], tension[1]) / fmin(tension[0], tension[1]);
        double expected = G * (heavy - limit * light) / (heavy + limit * light) / 2.0;
        cr_expect_float_eq(ratio, limit, 1e-9, "ratio %.9g", ratio);
        cr_expect_float_eq(fabs(slip), expected, 0.01 * expected, "%.6g m, expected %.6g", slip,
                           expected);
        cr_expect((slip < 0.0) == (car > counterweight), "towards the heavier side");
    }
    cr_expect_float_eq(rig.state->joints.position[SHEAVE], 0.0, 1e-12);
    rig_close(&rig);
}

Test(ropes, a_rope_slips_at_the_ratio_of_its_grip)
{
    double limit = exp(0.2 * DPL_PI);
    cr_expect_float_eq(limit, 1.874, 1e-3);
    slides(1490.0, 800.0, limit); /* 1.8625 */
    slides(1510.0, 800.0, limit); /* 1.8875 */
    slides(3000.0, 800.0, limit);
    slides(800.0, 1490.0, limit);
    slides(800.0, 3000.0, limit);
}

Test(ropes, nothing_holds_a_rope_whose_other_side_is_slack)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(5, 0.0);
    lift.from_rest[1] = 10.0; /* the counterweight stands on something */
    lift.grip = GRIP;
    lift_open(&rig, &lift, step_s);
    lift_hold(&rig);
    rig.state->joints.limit[CW_RAIL] = 1e9;
    rig_step(&rig, 0.5);
    cr_expect_float_eq(rig.state->bodies.velocity[CAR][2], -0.5 * G, 0.05 * G, "%.6g m/s",
                       rig.state->bodies.velocity[CAR][2]);
    cr_expect_float_eq(rig_number(&rig, "m/rope/tension_child"), 0.0, 1e-9);
    rig_close(&rig);
}

/* ---- cut ---- */

Test(ropes, a_rope_that_is_cut_lets_both_ends_fall_for_good)
{
    struct mechanism_rig rig;
    struct lift lift = lift_at(0, 0.0);
    lift_open(&rig, &lift, step_s);
    lift_hold(&rig);
    rig_step(&rig, 0.2);
    struct saved_world saved = world_saved(rig.world);
    double z[2] = {rig.state->bodies.position[CAR][2],
                   rig.state->bodies.position[COUNTERWEIGHT][2]};
    lift_cut(&rig);
    rig_step(&rig, 0.4);
    double fallen = G * step_s * step_s * 200.0 * 201.0 / 2.0;
    cr_expect_float_eq(rig.state->bodies.position[CAR][2], z[0] - fallen, 1e-6);
    cr_expect_float_eq(rig.state->bodies.position[COUNTERWEIGHT][2], z[1] - fallen, 1e-6);
    cr_expect_float_eq(rig_number(&rig, "m/rope/tension"), 0.0, 1e-12);
    world_back(rig.world, &saved);
    rig_step(&rig, 0.4);
    cr_expect_float_eq(rig.state->bodies.position[CAR][2], z[0], 1e-6, "a snapshot has it whole");
    free(saved.bytes);
    rig_close(&rig);
}

Test(ropes, two_runs_are_equal_to_the_bit)
{
    double z[2][2];
    for (int run = 0; run < 2; run++) {
        struct mechanism_rig rig;
        struct lift lift = lift_at(3, 630.0);
        lift.from_rest[0] = 0.01;
        lift.damping = 0.03;
        lift.grip = GRIP;
        lift_open(&rig, &lift, step_s);
        rig_step(&rig, 3.0);
        z[run][0] = rig.state->bodies.position[CAR][2];
        z[run][1] = rig.state->joints.position[SHEAVE];
        rig_close(&rig);
    }
    cr_expect_arr_eq(z[0], z[1], sizeof z[0]);
}
