/* SPDX-License-Identifier: Apache-2.0 */
/* The lap counter alone: poses in, laps out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lap.h"

static const struct lap_rules rules = {.line_width_m = 1.0, .minimum_s = 2.0};

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

/* A robot on a circle of radius 0.5 m, `lap_s` per lap, with a pose every 50 ms. */
static struct lap drive_circle(struct dpl_pose2 start, double lap_s, double duration_s)
{
    struct lap lap = {0};
    for (int i = 0; i * 0.05 <= duration_s; i++) {
        double t_s = i * 0.05, angle = 2.0 * DPL_PI * t_s / lap_s;
        struct dpl_pose2 on_circle = {0.5 * sin(angle), 0.5 - 0.5 * cos(angle), angle};
        lap_update(&lap, &rules, dpl_pose2_compose(start, on_circle), t_s);
    }
    return lap;
}

static void times_a_lap_finer_than_the_samples(void)
{
    struct lap lap = drive_circle((struct dpl_pose2){0}, 15.708, 40.0);
    check(lap.laps == 2, "two laps");
    check(fabs(lap.best_s - 15.708) < 1e-4, "15.708 s, to 0.1 ms");
}

static void does_not_care_where_and_how_the_line_lies(void)
{
    struct lap lap = drive_circle((struct dpl_pose2){3.0, -2.0, 2.5}, 15.708, 40.0);
    check(lap.laps == 2, "two laps across another line");
    check(fabs(lap.last_s - 15.708) < 1e-4, "their time");
}

static void ignores_noise_on_the_line(void)
{
    check(drive_circle((struct dpl_pose2){0}, 1.5, 1.9).laps == 0, "too short for a lap");
}

static void ignores_a_crossing_beside_the_line(void)
{
    struct lap lap = {0};
    const struct dpl_pose2 path[] = {{0.0, 0.0, 0.0}, {-1.0, 0.6, 0.0}, {1.0, 0.6, 0.0}};
    for (int i = 0; i < 3; i++) {
        check(!lap_update(&lap, &rules, path[i], 10.0 * i), "a crossing beside the line");
    }
}

int main(void)
{
    times_a_lap_finer_than_the_samples();
    does_not_care_where_and_how_the_line_lies();
    ignores_noise_on_the_line();
    ignores_a_crossing_beside_the_line();
    puts("lap: 4 tests passed");
    return 0;
}
