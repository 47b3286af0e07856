/* SPDX-License-Identifier: Apache-2.0 */
/* Computed torque on a delta whose forward dynamics are made of the exact torques. */
#include "delta_control.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/linear.h>

static const double step_s = 1e-4; /* of the plant */
enum { STEPS_A_CYCLE = 5 };        /* of the controller: 2 kHz */

struct plant {
    struct dpl_delta delta;
    double q[3], qd[3];
};

static void torque_for(const struct plant *plant, const double *qdd, double *ret_torque)
{
    struct dpl_delta_motion motion = {0};
    memcpy(motion.q, plant->q, sizeof motion.q);
    memcpy(motion.qd, plant->qd, sizeof motion.qd);
    memcpy(motion.qdd, qdd, sizeof motion.qdd);
    cr_assert_eq(dpl_delta_motion_of_platform(&plant->delta, &motion), 0);
    cr_assert_eq(dpl_delta_torque(&plant->delta, &motion, ret_torque), 0);
}

/* torque = M qdd + h: column k of M is the torque for 1 rad/s^2 of joint k, without h. */
static void move(struct plant *plant, const double *torque)
{
    double h[3], rows[3][4], qdd[3];
    torque_for(plant, (const double[3]){0, 0, 0}, h);
    for (int k = 0; k < 3; k++) {
        double one[3] = {k == 0, k == 1, k == 2}, column[3];
        torque_for(plant, one, column);
        for (int i = 0; i < 3; i++) {
            rows[i][k] = column[i] - h[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        rows[i][3] = torque[i] - h[i];
    }
    cr_assert_eq(dpl_eliminate(&rows[0][0], 3, 4, 1e-12), 0);
    for (int i = 2; i >= 0; i--) {
        qdd[i] = rows[i][3];
        for (int k = i + 1; k < 3; k++) {
            qdd[i] -= rows[i][k] * qdd[k];
        }
        qdd[i] /= rows[i][i];
    }
    for (int i = 0; i < 3; i++) {
        plant->qd[i] += step_s * qdd[i];
        plant->q[i] += step_s * plant->qd[i];
    }
}

static struct dpl_delta_control some_control(void)
{
    return (struct dpl_delta_control){
        .delta = dpl_delta_reference,
        .path = dpl_pick_place_reference,
        .bandwidth_rad_s = 200.0,
        .approach_s = 1.0,
    };
}

/* Largest error of a joint from `from_s` to `to_s`. */
static double run(const struct dpl_delta_control *control, struct plant *plant, double from_s,
                  double to_s)
{
    double worst = 0.0, torque[3] = {0};
    for (long i = 0; i < lround(to_s / step_s); i++) {
        struct dpl_delta_motion reference;
        double at_s = (double)i * step_s;
        if (i % STEPS_A_CYCLE == 0) {
            cr_assert_eq(dpl_delta_control_reference(control, at_s, &reference), 0);
            cr_assert_eq(dpl_delta_control_torque(control, &reference, plant->q, plant->qd, torque),
                         0);
        }
        for (int k = 0; k < 3 && i % STEPS_A_CYCLE == 0 && at_s >= from_s; k++) {
            worst = fmax(worst, fabs(plant->q[k] - reference.q[k]));
        }
        move(plant, torque);
    }
    return worst;
}

Test(delta_control, follows_the_path_from_level_arms)
{
    struct dpl_delta_control control = some_control();
    struct plant plant = {.delta = control.delta};
    cr_assert_eq(dpl_delta_control_start(&control, plant.q, NULL), 0);
    double worst = run(&control, &plant, 0.0, 2.2);
    cr_assert_leq(worst, 5e-4, "%g rad", worst);
    cr_assert_geq(worst, 1e-6, "the plant was asked");
}

Test(delta_control, takes_an_error_of_the_start_away)
{
    struct dpl_delta_control control = some_control();
    struct plant plant = {.delta = control.delta};
    cr_assert_eq(dpl_delta_control_start(&control, plant.q, NULL), 0);
    plant.q[0] = 0.05;
    plant.q[2] = -0.03;
    double worst = run(&control, &plant, 0.1, 1.0);
    cr_assert_leq(worst, 5e-4, "%g rad", worst);
}

Test(delta_control, wrong_masses_are_an_error_that_stays_small)
{
    struct dpl_delta_control control = some_control();
    struct plant plant = {.delta = control.delta};
    plant.delta.payload_kg = 0.25;
    cr_assert_eq(dpl_delta_control_start(&control, plant.q, NULL), 0);
    double worst = run(&control, &plant, 0.0, 2.2);
    cr_assert(worst > 1e-3 && worst < 2e-2, "%g rad", worst);
}

Test(delta_control, approach_meets_the_path_without_a_jump)
{
    struct dpl_delta_control control = some_control();
    struct dpl_delta_motion before, after;
    cr_assert_eq(dpl_delta_control_start(&control, (const double[3]){0.1, 0.4, -0.2}, NULL), 0);
    cr_assert_eq(dpl_delta_control_reference(&control, 1.0 - 1e-7, &before), 0);
    cr_assert_eq(dpl_delta_control_reference(&control, 1.0, &after), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(before.q[i], after.q[i], 1e-9);
        cr_assert_float_eq(before.qd[i], after.qd[i], 1e-4);
        cr_assert_float_eq(before.qdd[i], after.qdd[i], 1e-2);
    }
}

Test(delta_control, refuses_what_it_cannot_do)
{
    static const double level[3];
    const struct {
        double x, z, bandwidth_rad_s, approach_s, q0;
        const char *what;
    } rows[] = {
        {0.9, -0.5, 200, 1, 0, "joint range"},       {0.1525, -0.9, 200, 1, 0, "out of reach"},
        {0.1525, -0.5, 0, 1, 0, "bandwidth"},         {0.1525, -0.5, 200, -1, 0, "approach"},
        {0.1525, -0.5, 200, 1, (double)NAN, "whole"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dpl_delta_control control = some_control();
        const char *what = "";
        double q[3];
        memcpy(q, level, sizeof q);
        q[0] = rows[i].q0;
        control.path.place_m[0] = rows[i].x;
        control.path.place_m[2] = control.path.pick_m[2] = rows[i].z;
        control.bandwidth_rad_s = rows[i].bandwidth_rad_s;
        control.approach_s = rows[i].approach_s;
        cr_assert_eq(dpl_delta_control_start(&control, q, &what), -EINVAL, "row %zu", i);
        cr_assert_not_null(strstr(what, rows[i].what), "row %zu: %s", i, what);
    }
}
