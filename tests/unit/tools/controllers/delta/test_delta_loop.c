/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a delta at 2 kHz, with counts for angles and a table between current and torque. */
#include "delta_loop.h"

#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include "delta_plant.h"

static const double period_s = 5e-4, step_s = 1e-4;
enum { STEPS_A_PERIOD = 5 };

static void read_plant(const struct plant *plant, const struct delta_loop *loop, int32_t *counts)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        counts[i] = dpl_encoder_read(&loop->encoder, plant->q[i]).count;
    }
}

/* The current as the motor takes it: in steps of 0.01 A. */
static double motor_torque(const struct delta_loop *loop, double current_a)
{
    return dpl_motor_torque(&loop->motor, 0.01 * floor(current_a / 0.01 + 0.5), 0.0);
}

static void run(struct delta_loop *loop, struct plant *plant, double seconds)
{
    for (long i = 0; i < lround(seconds / period_s); i++) {
        int32_t counts[DPL_DELTA_ARMS];
        double currents[DPL_DELTA_ARMS], torque[DPL_DELTA_ARMS];
        read_plant(plant, loop, counts);
        cr_assert_eq(delta_loop_step(loop, (double)i * period_s, counts, currents), 0);
        for (int k = 0; k < DPL_DELTA_ARMS; k++) {
            torque[k] = loop->control.delta.gear * motor_torque(loop, currents[k]);
        }
        for (int k = 0; k < STEPS_A_PERIOD; k++) {
            plant_move(plant, torque, step_s);
        }
    }
}

Test(delta_loop, follows_the_path_with_encoders_and_table_motors)
{
    struct delta_loop loop;
    struct plant plant = {.delta = dpl_delta_reference};
    int32_t counts[DPL_DELTA_ARMS];
    delta_loop_init(&loop, period_s);
    read_plant(&plant, &loop, counts);
    cr_assert_eq(delta_loop_start(&loop, counts, NULL), 0);
    run(&loop, &plant, 3.4); /* the approach and four cycles */
    double rms = sqrt(loop.errors.square_sum / (double)loop.errors.n);
    cr_assert_eq(loop.errors.n, 3 * 4800);
    cr_assert_leq(rms, 8e-4, "%g rad", rms);
    cr_assert_leq(loop.errors.max, 2e-3, "%g rad", loop.errors.max);
    cr_assert_geq(rms, 1e-6, "counts and currents are steps");
}

Test(delta_loop, starts_where_the_counters_are)
{
    struct delta_loop loop;
    delta_loop_init(&loop, period_s);
    cr_assert_eq(delta_loop_start(&loop, (const int32_t[]){80000, 0, -16000}, NULL), 0);
    cr_assert_float_eq(loop.q[0], 0.5 * DPL_PI, 1e-12);
    cr_assert_float_eq(loop.q[2], -0.1 * DPL_PI, 1e-12);
}

Test(delta_loop, gives_no_current_when_the_arms_stand_as_no_delta_can)
{
    struct delta_loop loop;
    double currents[DPL_DELTA_ARMS] = {1, 1, 1};
    const char *what = "";
    delta_loop_init(&loop, period_s);
    loop.control.delta.rod_m = 0.36; /* too short for three level arms */
    loop.control.path = (struct dpl_pick_place){.pick_m = {-0.01, 0.0, -0.46},
                                                .place_m = {0.01, 0.0, -0.46},
                                                .lift_m = 0.01,
                                                .way_s = 0.3,
                                                .lift_s = 0.1};
    cr_assert_eq(delta_loop_start(&loop, (const int32_t[]){53333, 53333, 53333}, &what), 0, "%s",
                 what);
    cr_assert_eq(delta_loop_step(&loop, 0.0, (const int32_t[]){53333, 53333, 53333}, currents), 0);
    cr_assert_eq(delta_loop_step(&loop, 0.0, (const int32_t[]){0, 0, 0}, currents), -EDOM);
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        cr_assert_eq(currents[i], 0.0);
    }
}
