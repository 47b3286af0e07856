/* SPDX-License-Identifier: Apache-2.0 */
/* What a calibration takes from a recording, and the Localizer over it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/math/geometry.h>

#include "raycast.h"
#include "recorded_run.h"
#include "replay.h"

#define AXLE_M 0.23

/* ---- a robot between four walls, which turns and drives in an S ---- */

enum { BEAMS = 180, SAMPLES_A_SCAN = 5 };

#define SAMPLE_S 0.02

static const struct dpl_raycast_outline walls[] = {
    {-3.0, -2.0, 6.0, 0.0, 0.0, 0},
    {3.0, -2.0, 0.0, 4.0, 0.0, 1},
    {3.0, 2.0, -6.0, 0.0, 0.0, 2},
    {-3.0, 2.0, 0.0, -4.0, 0.0, 3},
};

static double range_to_walls(double x, double y, double angle)
{
    double c = cos(angle), s = sin(angle);
    double along_x = c > 0.0 ? (3.0 - x) / c : c < 0.0 ? (-3.0 - x) / c : 1e9;
    double along_y = s > 0.0 ? (2.0 - y) / s : s < 0.0 ? (-2.0 - y) / s : 1e9;
    return fmin(along_x, along_y);
}

static void add_scan(struct recorded_run *run, double time_s, struct dpl_pose2 pose)
{
    const double step = 2.0 * DPL_PI / BEAMS;
    struct recorded_scan scan = {.time_s = time_s, .start_angle = -DPL_PI, .step_angle = step};
    cr_assert_eq(recording_add_scan(&run->scans, &scan), 0);
    for (int i = 0; i < BEAMS; i++) {
        double angle = pose.theta - DPL_PI + i * step;
        cr_assert_eq(recording_add_range(&run->scans, range_to_walls(pose.x, pose.y, angle)), 0);
    }
}

/* Encoders that count as if the wheels were of their nominal size. Scans are stamped late. */
static struct recorded_run drive(const double scale[2], double axle_scale, double late_s)
{
    enum { N = 3000 };
    struct recorded_run run = {.has_trace = true, .n = N};
    struct dpl_pose2 pose = {-0.5, 0.3, 0.4};
    double left = 0.0, right = 0.0;
    run.samples = calloc(N, sizeof *run.samples);
    cr_assert_not_null(run.samples);
    for (int i = 0; i < N; i++) {
        double t = i * SAMPLE_S, w = 0.8 * sin(0.9 * t), v = 0.15 * cos(0.4 * t);
        run.samples[i] = (struct drive_sample){t, v, w, t, left / scale[0], right / scale[1]};
        if (i % SAMPLES_A_SCAN == 0) {
            add_scan(&run, t + late_s, pose);
        }
        double turn = w * SAMPLE_S, way = v * SAMPLE_S;
        left += way - 0.5 * turn * axle_scale * AXLE_M;
        right += way + 0.5 * turn * axle_scale * AXLE_M;
        pose.x += way * cos(pose.theta + 0.5 * turn);
        pose.y += way * sin(pose.theta + 0.5 * turn);
        pose.theta = dpl_wrap_angle(pose.theta + turn);
    }
    return run;
}

static struct localizer_config config_between_walls(void)
{
    struct localizer_config config;
    localizer_config_init(&config);
    config.outlines = walls;
    config.n_outlines = config.n_objects = sizeof walls / sizeof *walls;
    config.axle_m = AXLE_M;
    config.calibrate = LOCALIZER_CALIBRATE_IDENTIFY;
    config.start = (struct dpl_pose2){-0.5, 0.3, 0.4};
    return config;
}

Test(replay, finds_wheels_axle_and_delay_in_a_recording)
{
    const double scale[2] = {0.97, 1.02};
    struct recorded_run run = drive(scale, 1.015, 0.03);
    struct localizer_config config = config_between_walls();
    struct replay_result found;
    cr_assert_eq(replay(&run, &config, 0.02, 20.0, &found), 0);
    cr_assert(found.fits);
    cr_assert_float_eq(found.calibration.value[LOCALIZER_SCALE_LEFT], 0.97, 0.002);
    cr_assert_float_eq(found.calibration.value[LOCALIZER_SCALE_RIGHT], 1.02, 0.002);
    cr_assert_float_eq(found.calibration.value[LOCALIZER_AXLE_SCALE], 1.015, 0.003);
    cr_assert_float_eq(found.calibration.value[LOCALIZER_TIME_OFFSET], 0.03, 0.003);
    cr_assert_float_eq(found.duration_s, 59.98, 1e-9);
    recorded_run_finish(&run);
}

Test(replay, tells_that_the_scans_do_not_fit)
{
    struct recorded_run run = drive((const double[]){1.0, 1.0}, 1.0, 0.0);
    struct localizer_config config = config_between_walls();
    struct replay_result found;
    for (size_t i = 0; i < run.scans.n_ranges; i++) { /* another room, that changes each scan */
        run.scans.ranges[i] = (float)(0.5 + 0.4 * sin(0.37 * (double)i));
    }
    cr_assert_eq(replay(&run, &config, 0.02, 20.0, &found), 0);
    cr_assert_not(found.fits);
    recorded_run_finish(&run);
}

/* ---- poses and traces ---- */

Test(recorded_run, computes_the_ways_of_the_wheels_from_poses)
{
    struct recording scans = {0};
    double left = 0.0, right = 0.0, theta = 0.3;
    struct dpl_pose2 pose = {1.0, 2.0, theta};
    struct drive_sample *samples;
    size_t n;
    for (int i = 0; i < 20; i++) {
        struct recorded_scan scan = {.time_s = i, .odometry = pose};
        cr_assert_eq(recording_add_scan(&scans, &scan), 0);
        double turn = i % 3 == 0 ? 0.0 : 0.7, way = i % 5 == 0 ? -0.2 : 0.1; /* an arc */
        double chord = turn == 0.0 ? way : way * sin(0.5 * turn) / (0.5 * turn);
        pose.x += chord * cos(pose.theta + 0.5 * turn);
        pose.y += chord * sin(pose.theta + 0.5 * turn);
        pose.theta = dpl_wrap_angle(pose.theta + turn);
        left += i < 19 ? way - 0.5 * turn * AXLE_M : 0.0;
        right += i < 19 ? way + 0.5 * turn * AXLE_M : 0.0;
    }
    cr_assert_eq(recorded_run_read_poses(&scans, AXLE_M, &samples, &n), 0);
    cr_assert_eq(n, 20);
    cr_assert_float_eq(samples[19].left_m, left, 1e-9);
    cr_assert_float_eq(samples[19].right_m, right, 1e-9);
    cr_assert_eq(samples[19].measured_s, 19.0);
    free(samples);
    recording_finish(&scans);
}

static struct result trace_of(const char *text)
{
    struct result result = {.folder = "run"};
    char *copy = strdup(text);
    cr_assert_eq(table_parse(copy, &result.trace), 0);
    free(copy);
    return result;
}

/* The row of 0.01 repeats the odometry of 0.00, which was measured 4 ms earlier. */
Test(recorded_run, takes_the_time_at_which_odometry_was_measured)
{
    struct result result =
        trace_of("t,W.command_v,W.command_w,W.stamp_s,W.left_travel,W.right_travel\n"
                 "0.00,0.1,0.2,-0.004,1,2\n"
                 "0.01,0.1,0.2,-0.004,1,2\n"
                 "0.02,0.3,0.4,nan,3,4\n"
                 "0.03,0.3,0.4,0.026,3,4\n");
    struct drive_sample *samples;
    struct dpl_diag error = {0};
    size_t n;
    cr_assert_eq(recorded_run_read_trace(&result, "W", &samples, &n, &error), 0);
    cr_assert_eq(n, 3, "a row without a stamp is left out");
    cr_assert_float_eq(samples[1].measured_s, -0.004, 1e-12);
    cr_assert_float_eq(samples[2].measured_s, 0.026, 1e-12);
    cr_assert_float_eq(samples[2].left_m, 3.0, 1e-12);
    cr_assert_float_eq(samples[2].angular, 0.4, 1e-12);
    free(samples);
    table_finish(&result.trace);
}

Test(recorded_run, names_the_column_that_a_trace_lacks)
{
    struct result result = trace_of("t,W.command_v,W.command_w,W.left_travel,W.right_travel\n"
                                    "0.00,0.1,0.2,1,2\n");
    struct drive_sample *samples = NULL;
    struct dpl_diag error = {0};
    size_t n;
    cr_assert_eq(recorded_run_read_trace(&result, "W", &samples, &n, &error), -EINVAL);
    cr_assert(strstr(error.text, "W.stamp_s"), "%s", error.text);
    cr_assert_null(samples);
    table_finish(&result.trace);
}

Test(recorded_run, needs_the_axle_of_the_robot_that_wrote_the_log)
{
    char file[] = "/tmp/doppel-test-log-XXXXXX", read[256];
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    FILE *stream = fdopen(fd, "w");
    for (int row = 0; row < 3; row++) {
        fprintf(stream, "%d 0 %d %d", 100000 * row, 10 * row, 10 * row);
        for (int i = 4; i < 706; i++) {
            fputs(" 1000", stream);
        }
        fputc('\n', stream);
    }
    fclose(stream);
    struct recorded_run run;
    struct dpl_diag error = {0};
    cr_assert_lt(recorded_run_read(file, "W", AXLE_M, read, sizeof read, &run, &error), 0);
    cr_assert(strstr(error.text, "0.330 m apart"), "%s", error.text);
    cr_assert_eq(recorded_run_read(file, "W", 0.33, read, sizeof read, &run, &error), 0, "%s",
                 error.text);
    cr_assert_not(run.has_trace);
    cr_assert_eq(run.n, 3);
    recorded_run_finish(&run);
    unlink(file);
}
