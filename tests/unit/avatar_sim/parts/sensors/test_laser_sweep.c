/* SPDX-License-Identifier: Apache-2.0 */
/* Lasers that turn, and true lasers with errors: beams at their own instants from where the robot
 * was then, biased ranges, a mount that is off. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/sim/load.h>
#include <doppel/sim/state.h>

#include "robot_world.h"
#include "saved_world.h"

enum { BEAMS = 1081, STEPS = 1440, FRONT = 540 };

static const double wall_x = 3.0;

TestSuite(laser_sweep, .init = robot_world_begin, .fini = robot_world_end);

/* A robot before a long wall. */
static struct scene_robot robot_before_wall(double scan_time)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    struct dpl_sim_obstacle wall = {
        .shape = {.kind = DPL_SIM_BOX,
                  .x = wall_x + 0.5,
                  .z = 0.5,
                  .size_x = 1.0,
                  .size_y = 200.0,
                  .size_z = 1.0},
        .friction = 0.5,
    };
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &wall, NULL), 0);
    robot.lasers[0].rate_hz = 10.0;
    robot.lasers[0].scan_time = scan_time;
    return robot;
}

static void run(struct scene_robot *robot)
{
    cr_assert_eq(scene_add(model, robot, NULL), 0);
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    dpl_world_enable_laser(world, 0, true);
}

static bool has_scan(void)
{
    struct dpl_world_scan scan;
    return dpl_world_get_scan(world, 0, &scan) == 0;
}

static struct dpl_world_scan scan_now(void)
{
    struct dpl_world_scan scan;
    cr_assert_eq(dpl_world_get_scan(world, 0, &scan), 0);
    return scan;
}

static struct dpl_pose2 pose_now(void)
{
    const struct dpl_sim_state *state = dpl_world_state(world);
    return dpl_sim_body_pose2(state, state->robots[0].first_body);
}

/* To the wall from a laser 0.1 m before the axle. 0: the beam looks away, or too far. */
static double to_wall(struct dpl_pose2 robot, size_t beam, double max_range)
{
    double angle = robot.theta + ((double)beam - FRONT) * 2.0 * DPL_PI / STEPS;
    double range = (wall_x - robot.x - 0.1 * cos(robot.theta)) / cos(angle);
    return cos(angle) > 0.0 && range < max_range ? range : 0.0;
}

/* ---- turning ---- */

Test(laser_sweep, a_scan_of_80_ms_is_there_after_its_last_beam_and_stamped_in_its_middle)
{
    struct scene_robot robot = robot_before_wall(0.08);
    run(&robot);
    /* 1081 of 1440 beams: the last one 30 ms after the middle at 100 ms. */
    dpl_world_step(world, 129);
    cr_assert_not(has_scan());
    dpl_world_step(world, 1);
    cr_assert_eq(scan_now().stamp, 100 * DPL_MS);
    cr_assert_eq(scan_now().sequence, 1);
    dpl_world_step(world, 1000);
    cr_assert_eq(scan_now().stamp, 1100 * DPL_MS);
    cr_assert_eq(scan_now().sequence, 11);
}

Test(laser_sweep, one_that_stands_still_turns_once_from_scan_to_scan_when_told)
{
    struct scene_robot robot = robot_before_wall(0.0);
    run(&robot);
    dpl_world_turn_laser(world, 0, true);
    /* 1081 of 1440 beams: the last one 37.5 ms after the middle at 100 ms. */
    dpl_world_step(world, 136);
    cr_assert_not(has_scan());
    dpl_world_step(world, 2);
    cr_assert_eq(scan_now().stamp, 100 * DPL_MS);
    dpl_world_turn_laser(world, 0, false);
    dpl_world_step(world, 62);
    cr_assert_eq(scan_now().stamp, 200 * DPL_MS, "at one instant again");
}

Test(laser_sweep, one_whose_model_turns_cannot_be_told_not_to)
{
    struct scene_robot robot = robot_before_wall(0.08);
    run(&robot);
    dpl_world_turn_laser(world, 0, false);
    dpl_world_step(world, 129);
    cr_assert_not(has_scan());
    dpl_world_step(world, 1);
    cr_assert_eq(scan_now().stamp, 100 * DPL_MS);
}

Test(laser_sweep, at_rest_it_measures_what_a_laser_that_does_not_turn_measures)
{
    static float turning[BEAMS], standing[BEAMS];
    for (int i = 0; i < 2; i++) {
        struct scene_robot robot = robot_before_wall(i ? 0.1 : 0.0);
        robot.start.theta = 0.3;
        run(&robot);
        dpl_world_step(world, 300);
        memcpy(i ? turning : standing, scan_now().ranges_m, sizeof turning);
        robot_world_end();
        world = NULL;
        robot_world_begin();
    }
    for (int i = 0; i < BEAMS; i++) {
        cr_assert_float_eq((double)turning[i], (double)standing[i], 1e-4, "beam %d: %g and %g", i,
                           (double)turning[i], (double)standing[i]);
    }
}

/* Every beam against a formula from the poses that the robot had around its instant. */
Test(laser_sweep, each_beam_of_a_driving_robot_is_cast_from_where_it_was_then)
{
    enum { MILLISECONDS = 1000 };
    static struct dpl_pose2 poses[MILLISECONDS + 1];
    struct scene_robot robot = robot_before_wall(0.1);
    run(&robot);
    dpl_world_set_motor(world, 0, 4.0);
    dpl_world_set_motor(world, 1, 12.0); /* 0.5 m/s, 1.7 rad/s */
    poses[0] = pose_now();
    for (int i = 1; i <= MILLISECONDS; i++) {
        dpl_world_step(world, 1);
        poses[i] = pose_now();
    }
    struct dpl_world_scan scan = scan_now();
    int n_seen = 0;
    double moved = 0.0;
    for (size_t i = 0; i < BEAMS; i++) {
        double at_ms = (double)scan.stamp / 1e6 + ((double)i - 0.5 * BEAMS) * 100.0 / STEPS;
        int before = (int)floor(at_ms);
        const struct dpl_pose2 *a = &poses[before], *b = &poses[before + 1];
        double share = at_ms - before, turn = dpl_wrap_angle(b->theta - a->theta);
        struct dpl_pose2 then = {a->x + share * (b->x - a->x), a->y + share * (b->y - a->y),
                                 a->theta + share * turn};
        double range = to_wall(then, i, 20.0);
        if (range > 0.0) {
            cr_assert_float_eq((double)scan.ranges_m[i], range, 1e-4, "beam %zu", i);
            moved = fmax(moved, fabs(range - to_wall(poses[scan.stamp / DPL_MS], i, 30.0)));
            n_seen++;
        }
    }
    cr_assert_gt(n_seen, 200);
    cr_assert_gt(moved, 0.05, "only %g m from a scan of one instant", moved);
}

Test(laser_sweep, a_laser_that_is_turned_on_in_a_sweep_begins_with_the_next_one)
{
    struct scene_robot robot = robot_before_wall(0.1);
    run(&robot);
    dpl_world_enable_laser(world, 0, false);
    dpl_world_step(world, 90);
    dpl_world_enable_laser(world, 0, true);
    dpl_world_step(world, 140);
    cr_assert_not(has_scan());
    dpl_world_step(world, 10);
    cr_assert_eq(scan_now().stamp, 200 * DPL_MS);
}

Test(laser_sweep, a_restored_snapshot_in_a_sweep_gives_the_same_scan)
{
    struct scene_robot robot = robot_before_wall(0.1);
    robot.lasers[0].noise = 0.01;
    run(&robot);
    dpl_world_set_motor(world, 0, 4.0);
    dpl_world_step(world, 185);
    struct saved_world saved = world_saved(world);
    static float first[BEAMS];
    dpl_world_step(world, 100);
    memcpy(first, scan_now().ranges_m, sizeof first);
    world_back(world, &saved);
    dpl_world_step(world, 100);
    cr_assert_eq(memcmp(first, scan_now().ranges_m, sizeof first), 0);
    free(saved.bytes);
}

Test(laser_sweep, a_turn_longer_than_the_time_from_scan_to_scan_is_refused)
{
    struct scene_robot robot = robot_before_wall(0.101);
    struct dpl_diag error = {0};
    cr_assert_eq(scene_add(model, &robot, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "scan_time_ms 101"), "%s", error.text);
}

/* ---- errors of a true laser ---- */

Test(laser_sweep, ranges_have_their_bias_and_scale)
{
    for (int i = 0; i < 2; i++) {
        struct scene_robot robot = robot_before_wall(i ? 0.1 : 0.0);
        robot.lasers[0].range_bias = -0.02;
        robot.lasers[0].range_scale = 0.01;
        run(&robot);
        dpl_world_step(world, 300);
        cr_assert_float_eq((double)scan_now().ranges_m[FRONT], -0.02 + 1.01 * 2.9, 1e-3);
        cr_assert_float_eq((double)scan_now().ranges_m[FRONT + 240],
                           -0.02 + 1.01 * 2.9 / cos(DPL_PI / 3.0), 1e-3);
        robot_world_end();
        world = NULL;
        robot_world_begin();
    }
}

Test(laser_sweep, a_mount_that_is_off_turns_and_shifts_the_scan)
{
    struct scene_robot robot = robot_before_wall(0.0);
    robot.lasers[0].off_x = 0.03;
    robot.lasers[0].off_yaw = 10.0 * 2.0 * DPL_PI / STEPS;
    run(&robot);
    dpl_world_step(world, 150);
    cr_assert_float_eq((double)scan_now().ranges_m[FRONT - 10], 2.87, 1e-3);
    cr_assert_float_eq((double)scan_now().ranges_m[FRONT], 2.87 / cos(10.0 * 2.0 * DPL_PI / STEPS),
                       1e-3);
    cr_assert_float_eq(dpl_world_laser(world, 0)->x, 0.1, 1e-12, "nominal");
}

/* ---- files ---- */

static const struct dpl_sim_laser *load(const char *attributes)
{
    char file[] = "/tmp/doppel-sweep-XXXXXX";
    FILE *to = fdopen(mkstemp(file), "w");
    struct dpl_diag error = {0};
    fprintf(
        to,
        "<world name='t'><ground/><robot name='r' model='%s/robots/kobuki_urg.xml' %s/></world>",
        PROFILES, attributes);
    fclose(to);
    dpl_sim_model_destroy(model);
    cr_assert_eq(dpl_sim_load_world(file, 1, NULL, &model, &error), 0, "%s", error.text);
    unlink(file);
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    return dpl_world_laser(world, 0);
}

Test(laser_sweep, a_world_changes_the_laser_of_its_robot)
{
    const struct dpl_sim_laser *laser =
        load("laser_scan_time_ms='90' laser_range_bias_m='-5 mm' laser_range_scale='0.01' "
             "laser_dx='20 mm' laser_dy='-10 mm' laser_dyaw='2 deg'");
    cr_assert_float_eq(laser->scan_time, 0.09, 1e-12);
    cr_assert_float_eq(laser->range_bias, -0.005, 1e-12);
    cr_assert_float_eq(laser->range_scale, 0.01, 1e-12);
    cr_assert_float_eq(laser->off_x, 0.02, 1e-12);
    cr_assert_float_eq(laser->off_y, -0.01, 1e-12);
    cr_assert_float_eq(laser->off_yaw, 2.0 * DPL_PI / 180.0, 1e-12);
    cr_assert_float_eq(laser->noise, 0.003, 1e-12, "the model's");
}

Test(laser_sweep, a_laser_has_no_errors_and_does_not_turn_unless_it_is_told)
{
    const struct dpl_sim_laser *laser = load("");
    cr_assert_eq(laser->scan_time, 0.0);
    cr_assert_eq(laser->range_bias, 0.0);
    cr_assert_eq(laser->range_scale, 0.0);
    cr_assert_eq(laser->off_x, 0.0);
}
