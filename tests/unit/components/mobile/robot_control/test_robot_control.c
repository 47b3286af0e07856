/* SPDX-License-Identifier: Apache-2.0 */
/* RobotControl through services only: its data ports are open. */
#include <string.h>

#include "probe.h"

static void expect_at_the_waypoint(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct probe_reading now = probe_odometry(from, PROBE_BASE);
    cr_assert_eq(now.err, 0);
    double left = hypot(now.pose.x - 0.5, now.pose.y);
    cr_assert_lt(left, 0.2, "%g m from the waypoint", left);
    cr_assert_lt(fabs(now.twist.linear), 0.01);
}

Test(robot_control, drives_to_its_waypoint_asking_services_only)
{
    static const struct bench_step steps[] = {{15.0, expect_at_the_waypoint}};
    const char *folder = bench_make_folder();
    struct bench bench = {PROBE_BENCH("patrol_by_service.xml"), .duration_s = 15.1,
                          .out_dir = folder, BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    double reached = bench_summary(folder, "RobotControl.waypoints_reached");
    bench_remove_folder(folder);
    cr_assert_eq(reached, 1.0, "%g", reached);
}

static void expect_standing(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct probe_reading now = probe_odometry(from, PROBE_BASE);
    cr_assert_lt(hypot(now.pose.x, now.pose.y), 0.01, "%g %g", now.pose.x, now.pose.y);
}

Test(robot_control, stands_still_without_scans)
{
    static const struct bench_step steps[] = {{3.0, expect_standing}};
    struct bench bench = {PROBE_BENCH("patrol_by_service.xml"),
                          .sets = {"LaserScanner.SilentTo=100"}, .duration_s = 3.1,
                          BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

Test(robot_control, says_what_is_wrong_with_its_waypoints_and_radii)
{
    struct bench bench = {.file = UNIT "/components/mobile/data/patrol_by_service.xml",
                          .sets = {"RobotControl.Waypoints=1 2; 3"},
                          .duration_s = 1.0};
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "Waypoints: character 7"), "%s", bench_error());
    bench.sets[0] = "RobotControl.SafeRadius=0.1";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "SafeRadius"), "%s", bench_error());
}
