/* SPDX-License-Identifier: Apache-2.0 */
/* The synchronisation coefficient: peak speed and acceleration of its laws, and when it is over. */
#include <string.h>

#include <criterion/criterion.h>

#include "machine.h"

struct peaks {
    double speed, accel;
    int first_identical; /* tick, counted from 1; 0: never */
    bool monotone;
};

/* 1000 ticks from the centre to 0.1 m beside it. */
static struct peaks ramp(const struct dpl_traj_config *config, double drift_m_s)
{
    struct dpl_traj_sync sync;
    struct peaks peaks = {.monotone = true};
    double before = 0.0, d = 0.0;
    dpl_traj_sync_begin(&sync, machine_centre);
    for (int k = 0; k < 1000; k++) {
        struct dpl_traj_motion r = machine_at(0.1 + drift_m_s * 0.0025 * k, 0.0), y = r;
        bool acts = dpl_traj_sync_step(&sync, &config->sync, &config->axes, r.y, y.y);
        double next = y.y[0] - before;
        peaks.speed = fmax(peaks.speed, next / 0.0025);
        peaks.accel = fmax(peaks.accel, fabs(next - d) / (0.0025 * 0.0025));
        peaks.monotone = peaks.monotone && next >= 0.0;
        peaks.first_identical = acts ? 0 : peaks.first_identical ? peaks.first_identical : k + 1;
        before = y.y[0];
        d = next;
    }
    return peaks;
}

Test(traj_sync, quintic_law_has_the_peaks_of_theory)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct peaks peaks = ramp(&config, 0.0);
    cr_assert_float_eq(peaks.speed, 0.09375, 5e-6);
    cr_assert_float_eq(peaks.accel, 0.14434, 5e-6);
    cr_assert(peaks.monotone);
}

Test(traj_sync, is_over_at_exactly_the_tick_that_the_duration_gives)
{
    struct dpl_traj_config config = machine_config(1.0);
    cr_assert_eq(ramp(&config, 0.0).first_identical, 800);
    config.sync.duration_s = 0.7;
    cr_assert_eq(ramp(&config, 0.0).first_identical, 280);
    config.sync.duration_s = 0.0026;
    config.sync.accel_share = 1.0;
    cr_assert_eq(ramp(&config, 0.0).first_identical, 97, "sqrt(5.7735 * 0.1/10) s");
}

Test(traj_sync, does_not_jump_when_the_reference_moves_meanwhile)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct peaks peaks = ramp(&config, 0.02);
    cr_assert_eq(peaks.first_identical, 800);
    cr_assert_lt(peaks.accel, 0.2);
}

Test(traj_sync, linear_law_begins_with_a_step_of_velocity)
{
    struct dpl_traj_config config = machine_config(1.0);
    config.sync.law = DPL_TRAJ_SYNC_LINEAR;
    struct peaks peaks = ramp(&config, 0.0);
    cr_assert_float_eq(peaks.speed, 0.05, 1e-9);
    cr_assert_float_eq(peaks.accel, 0.05 / 0.0025, 1e-6);
    cr_assert_eq(peaks.first_identical, 800);
}

Test(traj_sync, takes_longer_where_the_acceleration_would_be_too_high)
{
    struct dpl_traj_config config = machine_config(0.01);
    struct peaks peaks;
    double duration = sqrt(5.773502691896258 * 0.1 / (0.5 * 0.1));
    struct dpl_traj_motion to = machine_at(0.1, 0.0);
    uint32_t n = dpl_traj_sync_ticks(&config.sync, &config.axes, machine_centre, to.y);
    cr_assert_eq(n, (uint32_t)ceil(duration / 0.0025));
    peaks = ramp(&config, 0.0);
    cr_assert_lt(peaks.accel, 0.0501);
}

Test(traj_sync, survives_a_reference_that_is_no_number)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_motion to = machine_at((double)INFINITY, 0.0);
    cr_assert_eq(dpl_traj_sync_ticks(&config.sync, &config.axes, machine_centre, to.y), 1000000000);
    to = machine_at((double)NAN, 0.0);
    cr_assert_eq(dpl_traj_sync_ticks(&config.sync, &config.axes, machine_centre, to.y), 800);
}
