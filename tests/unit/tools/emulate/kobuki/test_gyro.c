/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/emulate/kobuki/gyro.h against the formulas of its random walks. */
#include "gyro.h"

#include <criterion/criterion.h>
#include <math.h>

#define RUNS    400
#define SAMPLES 500
#define PERIOD  (20 * DPL_MS)
#define SECONDS 10.0

struct end {
    double heading, rate;
};

/* After SECONDS at a true rate. */
static struct end drive(const struct gyro_config *config, double true_rate)
{
    struct gyro gyro;
    struct end end = {0};
    gyro_init(&gyro, config);
    for (int i = 0; i <= SAMPLES; i++) {
        end = (struct end){true_rate * dpl_ns_to_s(i * PERIOD), true_rate};
        gyro_measure(&gyro, i * PERIOD, &end.heading, &end.rate);
    }
    return end;
}

/* The standard deviations over RUNS seeds, at rest. */
static struct end spread(struct gyro_config config)
{
    struct end sum = {0};
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        config.seed = seed;
        struct end end = drive(&config, 0.0);
        sum.heading += end.heading * end.heading;
        sum.rate += end.rate * end.rate;
    }
    return (struct end){sqrt(sum.heading / RUNS), sqrt(sum.rate / RUNS)};
}

Test(gyro, without_errors_measures_the_truth)
{
    struct end end = drive(&(struct gyro_config){.seed = 1}, 0.3);
    cr_assert_float_eq(end.heading, 3.0, 1e-12);
    cr_assert_float_eq(end.rate, 0.3, 1e-12);
}

Test(gyro, noise_lets_the_heading_wander_with_the_root_of_time)
{
    const double density = 3.5e-4;
    struct end end = spread((struct gyro_config){.noise = density});
    double heading = density * sqrt(SECONDS), rate = density / sqrt(dpl_ns_to_s(PERIOD));
    cr_assert_float_eq(end.heading / heading, 1.0, 0.12, "%g", end.heading / heading);
    cr_assert_float_eq(end.rate / rate, 1.0, 0.12, "%g", end.rate / rate);
}

Test(gyro, a_wandering_bias_turns_the_heading_with_the_power_three_halves_of_time)
{
    const double wander = 1e-4;
    struct end end = spread((struct gyro_config){.wander = wander});
    double heading = wander * sqrt(SECONDS * SECONDS * SECONDS / 3.0);
    cr_assert_float_eq(end.heading / heading, 1.0, 0.12, "%g", end.heading / heading);
    cr_assert_float_eq(end.rate / (wander * sqrt(SECONDS)), 1.0, 0.12);
}

Test(gyro, bias_and_scale_are_what_was_asked)
{
    struct end end = drive(&(struct gyro_config){.bias = 0.002, .scale = 0.01}, 0.5);
    cr_assert_float_eq(end.heading, 1.01 * 0.5 * SECONDS + 0.002 * SECONDS, 1e-9);
    cr_assert_float_eq(end.rate, 1.01 * 0.5 + 0.002, 1e-12);
}

Test(gyro, one_seed_gives_the_same_numbers_and_another_gives_others)
{
    struct gyro_config config = {.noise = 3e-4, .wander = 1e-4, .seed = 5};
    double first = drive(&config, 0.1).heading;
    cr_assert_eq(drive(&config, 0.1).heading, first);
    config.seed = 6;
    cr_assert_neq(drive(&config, 0.1).heading, first);
}
