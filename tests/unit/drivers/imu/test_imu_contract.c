/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of device class imu (doppel/drv/imu.h), checked on every driver that runs without
 * hardware: alone, and as HIL over two of them. Each unit turns at 0.5 rad/s: the mock is told to,
 * that of the avatar is on a robot that a script turns. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/imu.h>
#include <doppel/math/geometry.h>

#include "bench.h"

#define TURN_RAD_S 0.5

static const struct imu_case {
    const char *name;
    const char *sets[5];
} cases[] = {
    {"mock", {"Imu.ApiName=mock", "Imu.TurnRate=0.5"}},
    {"avatar", {"Imu.ApiName=avatar"}},
    {"hil over mock and avatar",
     {"Imu.ApiName=hil", "Imu.HardwareDriver=mock", "Imu.SimulationDriver=avatar",
      "Imu.hardware.TurnRate=0.5"}},
    {"hil over avatar and mock",
     {"Imu.ApiName=hil", "Imu.HardwareDriver=avatar", "Imu.SimulationDriver=mock",
      "Imu.simulation.TurnRate=-9"}},
};

static const char *current;
static struct dpl_imu_sample last;
static int n_measured;
static double turned_rad, force_m_s2; /* sums: of yaw, and of specific force upwards */

static void measure(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(from);
    struct dpl_imu_sample sample;
    cr_assert_eq(dpl_imu_execute(device, tick), 0, "%s", current);
    cr_assert_eq(dpl_imu_read(device, &sample), 0, "%s", current);
    if (!sample.valid || sample.sequence == last.sequence) {
        return;
    }
    cr_assert_eq(sample.sequence, last.sequence + 1, "%s", current);
    cr_assert(sample.stamp <= tick->now && (!last.valid || sample.stamp > last.stamp), "%s",
              current);
    double step = dpl_wrap_angle(sample.yaw_rad - last.yaw_rad);
    turned_rad += last.valid ? step : 0.0;
    force_m_s2 += sample.acceleration_m_s2[2];
    last = sample;
    n_measured++;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    measure(self, tick);
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class imu_bench = {
    .name = "ImuBench", .ops = &ops, .device_class = DPL_IMU_CLASS};

static void on_all(const struct bench_step *steps, size_t n_steps, double duration_s)
{
    for (size_t i = 0; i < DPL_COUNT(cases); i++) {
        struct bench bench = {.file = UNIT "/drivers/imu/data/turning.xml",
                              .duration_s = duration_s,
                              .instead = &imu_bench,
                              .steps = steps,
                              .n_steps = n_steps};
        memcpy(bench.sets, cases[i].sets, sizeof cases[i].sets);
        current = cases[i].name;
        last = (struct dpl_imu_sample){.valid = false};
        n_measured = 0;
        turned_rad = force_m_s2 = 0.0;
        cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s: %s", current, bench_error());
    }
}

static void expect_a_hundred_a_second(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert(n_measured >= 198 && n_measured <= 201, "%s: %d in 2 s", current, n_measured);
}

Test(imu_contract, gives_each_measurement_once_in_order_at_its_rate)
{
    static const struct bench_step steps[] = {{2.0, expect_a_hundred_a_second}};
    on_all(steps, DPL_COUNT(steps), 2.1);
}

static void forget(struct dpl_component *from, const struct dpl_tick *tick)
{
    n_measured = 0;
    turned_rad = force_m_s2 = 0.0;
}

static void expect_the_turn(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_float_eq(last.rate_rad_s[2], TURN_RAD_S, 0.02, "%s: %g rad/s", current,
                       last.rate_rad_s[2]);
    cr_assert_float_eq(last.rate_rad_s[0], 0.0, 0.05, "%s", current);
    cr_assert_float_eq(turned_rad, 3.0 * TURN_RAD_S, 0.03, "%s: %g rad", current, turned_rad);
    cr_assert_float_eq(force_m_s2 / n_measured, 9.80665, 0.02, "%s: %g m/s^2", current,
                       force_m_s2 / n_measured);
    cr_assert(fabs(last.roll_rad) < 0.02 && fabs(last.pitch_rad) < 0.02, "%s", current);
}

Test(imu_contract, feels_a_turn_at_a_known_rate_and_gravity)
{
    static const struct bench_step steps[] = {{1.5, forget}, {4.5, expect_the_turn}};
    on_all(steps, DPL_COUNT(steps), 4.6);
}

/* Of a unit that is tilted the vertical has parts along all its axes. */
static void expect_the_tilt(struct dpl_component *from, const struct dpl_tick *tick)
{
    const double roll = 0.3, pitch = -0.2, g = 9.80665;
    const double *force = last.acceleration_m_s2;
    cr_assert_float_eq(force[0], -g * sin(pitch), 1e-9);
    cr_assert_float_eq(force[1], g * cos(pitch) * sin(roll), 1e-9);
    cr_assert_float_eq(force[2], g * cos(pitch) * cos(roll), 1e-9);
    cr_assert_float_eq(last.rate_rad_s[1], TURN_RAD_S * cos(pitch) * sin(roll), 1e-9);
    cr_assert_eq(last.roll_rad, roll);
    cr_assert_eq(last.pitch_rad, pitch);
}

static void expect_silence(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_eq(n_measured, 0);
}

Test(imu_contract, the_mock_is_tilted_and_silent_when_it_is_told)
{
    static const struct bench_step steps[] = {
        {0.5, expect_the_tilt}, {1.05, forget}, {1.9, expect_silence}};
    struct bench bench = {.file = UNIT "/drivers/imu/data/turning.xml",
                          .sets = {"Imu.ApiName=mock", "Imu.TurnRate=0.5", "Imu.Roll=0.3",
                                   "Imu.Pitch=-0.2", "Imu.SilentFrom=1", "Imu.SilentTo=2"},
                          .duration_s = 2.0,
                          .instead = &imu_bench,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

Test(imu_contract, a_robot_without_the_unit_is_an_error_with_what_was_asked_for)
{
    struct bench bench = {.file = UNIT "/drivers/imu/data/turning.xml",
                          .sets = {"Imu.ApiName=avatar", "Imu.ImuName=imx"},
                          .duration_s = 0.1,
                          .instead = &imu_bench};
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "avatar/imx/rate"), "%s", bench_error());
}
