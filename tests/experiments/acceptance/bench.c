/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a tick: the whole synchronization with recorded inputs of one run. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

#include <doppel/system_clock.h>

static double seconds(void)
{
    return dpl_ns_to_s(dpl_monotonic_now());
}

static double bench_plant(struct dpl_mock_plant *plant)
{
    struct mismatch mismatch;
    mismatch_draw(&mismatch, MISMATCH_MIX, 1);
    if (dpl_mock_plant_init(plant, &mismatch.real) != 0) {
        return 0.0;
    }
    dpl_mock_plant_command(plant, 0.0, 0.15, 0.3);
    double from = seconds();
    dpl_mock_plant_advance(plant, 100.0);
    return (seconds() - from) / 100e3;
}

/* A tick updates the synchronization only: poses follow a circle, so that every branch of the
 * learning runs. */
static double bench_sync(struct dpl_sync *sync, double period_s)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    struct dpl_sync_output output;
    const int n = 20000;
    config.period_s = period_s;
    config.align = DPL_SYNC_ALIGN_NONE;
    if (dpl_sync_init(sync, &config) != 0) {
        return 0.0;
    }
    double from = seconds();
    for (int i = 0; i < n; i++) {
        double t = i * period_s, a = 0.3 * t;
        struct dpl_pose2 pose = {0.5 * sin(a), 0.5 - 0.5 * cos(a), dpl_wrap_angle(a)};
        struct dpl_sync_input input = {.now_s = t,
                                       .real = {true, pose, t - 0.02},
                                       .avatar = {true, pose, t - 0.01},
                                       .has_command = true,
                                       .command = {0.15, 0.3}};
        dpl_sync_step(sync, &input, &output);
    }
    return (seconds() - from) / n;
}

void bench_print(void)
{
    struct dpl_sync *sync = malloc(sizeof *sync);
    struct dpl_mock_plant *plant = malloc(sizeof *plant);
    if (sync && plant) {
        printf("bench  plant: %.0f ns per simulated ms\n", 1e9 * bench_plant(plant));
        printf("bench  sync step: %.1f us at 100 ms, %.1f us at 20 ms, %.1f us at 10 ms\n",
               1e6 * bench_sync(sync, 0.1), 1e6 * bench_sync(sync, 0.02),
               1e6 * bench_sync(sync, 0.01));
        printf("bench  state: sync %zu bytes, plant %zu bytes\n", sizeof *sync, sizeof *plant);
    }
    free(sync);
    free(plant);
}
