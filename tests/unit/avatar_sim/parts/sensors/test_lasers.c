/* SPDX-License-Identifier: Apache-2.0 */
/* A laser of a robot in a world: timing, limits, resolution, noise, and what it sees of others. */
#include <errno.h>
#include <math.h>

#include <doppel/math/geometry.h>

#include "robot_world.h"

TestSuite(lasers, .init = robot_world_begin, .fini = robot_world_end);

static void build(struct scene_robot *robot)
{
    cr_assert_eq(scene_add(model, robot, NULL), 0);
}

static void run(void)
{
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    dpl_world_enable_laser(world, 0, true);
    dpl_world_step(world, 25);
}

static struct dpl_world_scan scan_now(void)
{
    struct dpl_world_scan scan;
    cr_assert_eq(dpl_world_get_scan(world, 0, &scan), 0);
    return scan;
}

static void add_box(double x, double y)
{
    struct dpl_sim_obstacle box = scene_box(x, y, 1.0);
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &box, NULL), 0);
}

Test(lasers, front_beam_measures_the_box_ahead_from_the_mount)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    build(&robot);
    add_box(3.0, 0.0);
    run();
    struct dpl_world_scan scan = scan_now();
    cr_assert_eq(scan.n, 1081);
    cr_assert_float_eq((double)scan.ranges_m[540], 2.4, 1e-3);
    cr_assert_eq(scan.ranges_m[0], 0.0f, "nothing behind");
}

static double ahead(void)
{
    return (double)scan_now().ranges_m[540];
}

/* A pane of glass, and a box behind it. */
static void see_through(int layers)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    struct dpl_sim_obstacle pane = scene_box(1.0, 0.0, 0.1);
    robot.lasers[0].layers = layers;
    pane.transparent = true;
    build(&robot);
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &pane, NULL), 0);
    add_box(3.0, 0.0);
    run();
    cr_assert_float_eq(ahead(), 2.4, 1e-3, "%g m", ahead());
}

Test(lasers, see_through_what_is_transparent)
{
    see_through(0);
}

Test(lasers, with_layers_see_through_what_is_transparent)
{
    see_through(1);
}

Test(lasers, do_not_see_what_stops_their_robot)
{
    see_through(0);
    dpl_world_set_motor(world, 0, 0.3 / scene_wheel_radius);
    dpl_world_set_motor(world, 1, 0.3 / scene_wheel_radius);
    dpl_world_step(world, 5000);
    struct dpl_world_robot truth;
    dpl_world_get_robot(world, 0, &truth);
    cr_assert_eq(truth.contacts, 1);
    cr_assert_float_eq(truth.pose.x, 0.75, 0.01, "stopped by the pane at %g m", truth.pose.x);
    cr_assert_float_eq(ahead(), 1.65, 0.01, "%g m", ahead());
}

Test(lasers, measure_at_multiples_of_their_period_once_enabled)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    build(&robot);
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    struct dpl_world_scan scan;
    dpl_world_step(world, 30);
    cr_assert_eq(dpl_world_get_scan(world, 0, &scan), -EAGAIN);
    dpl_world_enable_laser(world, 0, true);
    dpl_world_step(world, 19);
    cr_assert_eq(dpl_world_get_scan(world, 0, &scan), -EAGAIN);
    dpl_world_step(world, 1);
    scan = scan_now();
    cr_assert_eq(scan.stamp, 50 * DPL_MS);
    cr_assert_eq(scan.sequence, 1);
    dpl_world_step(world, 1000);
    scan = scan_now();
    cr_assert_eq(scan.stamp, 1050 * DPL_MS);
    cr_assert_eq(scan.sequence, 41);
}

Test(lasers, ranges_outside_the_limits_are_no_measurement)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.lasers[0].min_range = 2.41;
    build(&robot);
    add_box(3.0, 0.0);
    run();
    cr_assert_eq(scan_now().ranges_m[540], 0.0f);
    cr_assert_gt(scan_now().ranges_m[540 + 40], 2.41f, "slanted beams are longer");
}

Test(lasers, ranges_come_in_steps_of_the_resolution)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.lasers[0].resolution = 0.25;
    build(&robot);
    add_box(3.0, 0.0);
    run();
    cr_assert_eq(scan_now().ranges_m[540], 2.5f);
}

Test(lasers, noise_has_its_deviation_and_dropouts_their_share)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    robot.lasers[0].noise = 0.02;
    robot.lasers[0].dropout = 0.1;
    robot.lasers[0].steps = 1000000 / 10;
    robot.lasers[0].first = 0;
    robot.lasers[0].last = 2000;
    robot.lasers[0].front = 1000;
    build(&robot);
    add_box(3.0, 0.0);
    run();
    struct dpl_world_scan scan = scan_now();
    static double exact[DPL_SIM_BEAMS_MAX];
    dpl_world_measure_exact(world, 0, exact);
    double sum = 0.0;
    int n = 0;
    for (size_t i = 0; i < scan.n; i++) {
        if (scan.ranges_m[i] > 0.0f) {
            sum += pow((double)scan.ranges_m[i] - exact[i], 2.0);
            n++;
        }
    }
    cr_assert_float_eq(sqrt(sum / n), 0.02, 0.002);
    cr_assert_float_eq(1.0 - (double)n / (double)scan.n, 0.1, 0.03);
}

Test(lasers, robot_sees_the_other_but_not_itself)
{
    struct scene_robot robot = scene_robot("a", 0.0, 0.0);
    build(&robot);
    robot = scene_robot("b", 2.0, 0.0);
    build(&robot);
    run();
    cr_assert_float_eq((double)scan_now().ranges_m[540], 1.7, 1e-3);
    cr_assert_eq(scan_now().ranges_m[0], 0.0f);
    dpl_world_set_pose(world, 1, (struct dpl_pose2){5.0, 0.0, 0.0});
    dpl_world_step(world, 25);
    cr_assert_float_eq((double)scan_now().ranges_m[540], 4.7, 1e-3);
}

Test(lasers, solids_below_the_plane_of_the_laser_are_not_seen)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    build(&robot);
    struct dpl_sim_obstacle low = scene_box(3.0, 0.0, 1.0);
    low.shape.size_z = 0.1;
    low.shape.z = 0.05;
    cr_assert_eq(dpl_sim_model_add_obstacle(model, &low, NULL), 0);
    run();
    cr_assert_eq(scan_now().ranges_m[540], 0.0f);
}

Test(lasers, with_layers_see_other_robots_but_not_their_own)
{
    struct scene_robot robot = scene_robot("r", 0.0, 0.0), other = scene_robot("other", 2.0, 0.0);
    robot.lasers[0].layers = 3;
    for (int i = 0; i < 3; i++) {
        robot.lasers[0].elevation[i] = 0.05 * (i - 1);
    }
    build(&robot);
    other.lasers[0].name[0] = 's';
    build(&other);
    run();
    struct dpl_world_scan scan = scan_now();
    cr_assert_eq(scan.n, 3 * 1081);
    double ahead = (double)scan.ranges_m[1081 + 540];
    cr_assert_float_eq(ahead, 1.7, 2e-3, "%g: from 0.1 to 2 - 0.2 m", ahead);
    cr_assert_float_eq((double)scan.ranges_m[540], 1.7 / cos(0.05), 2e-3, "below its top");
    cr_assert_eq(scan.ranges_m[2 * 1081 + 540], 0.0f, "over it");
}

/* The scenery is put in place once a step: what is placed between steps is seen nevertheless. */
Test(lasers, exact_measurement_between_steps_sees_what_was_just_placed)
{
    static double planar[DPL_SIM_BEAMS_MAX], layered[DPL_SIM_BEAMS_MAX];
    struct scene_robot robot = scene_robot("r", 0.0, 0.0), other = scene_robot("b", 2.0, 0.0);
    robot.lasers[0].layers = 1;
    build(&robot);
    build(&other);
    run();
    double scanned = (double)scan_now().ranges_m[540];
    dpl_world_measure_exact(world, 0, layered);
    cr_assert_float_eq(scanned, layered[540], 1e-3);
    dpl_ns placed_at = dpl_world_now(world);
    dpl_world_set_pose(world, 1, (struct dpl_pose2){5.0, 0.0, DPL_PI});
    dpl_world_measure_exact(world, 0, layered);
    dpl_world_measure_exact(world, 1, planar);
    cr_assert_eq(dpl_world_now(world), placed_at);
    cr_assert_float_eq(layered[540], scanned + 3.0, 1e-3, "%g m", layered[540]);
    cr_assert_float_eq(planar[540], 4.7, 1e-3, "%g m", planar[540]);
    dpl_world_step(world, 25);
    scanned = (double)scan_now().ranges_m[540];
    cr_assert_gt(scanned, 4.5, "%g m", scanned);
    dpl_world_measure_exact(world, 0, layered);
    cr_assert_float_eq(scanned, layered[540], 1e-3, "%g, exact %g m", scanned, layered[540]);
}
