/* SPDX-License-Identifier: Apache-2.0 */
/* Computed torque on a delta whose forward dynamics are made of the exact torques. */
#include "delta_control.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "delta_plant.h"

static const double step_s = 1e-4; /* of the plant */
enum { STEPS_A_CYCLE = 5 };        /* of the controller: 2 kHz */

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
        plant_move(plant, torque, step_s);
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
        {0.9, -0.5, 200, 1, 0, "joint range"},        {0.1525, -0.9, 200, 1, 0, "out of reach"},
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
