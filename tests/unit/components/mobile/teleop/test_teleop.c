/* SPDX-License-Identifier: Apache-2.0 */
/* Teleop in whole runs: a mock operator drives the avatar. */
#include <stdio.h>

#include "probe.h"

static double run(const char *script, const char *property, double duration_s, double *ret_times)
{
    const char *folder = bench_make_folder();
    char text[128];
    snprintf(text, sizeof text, "Teleop.Script=%s", script);
    struct bench bench = {
        .file = PROFILES "/apps/teleop.xml",
        .sets = {"Teleop.ApiName=mock", text, "WheelController.ApiName=mock", property},
        .duration_s = duration_s,
        .out_dir = folder};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    double way_m = bench_summary(folder, "WheelController.distance_m");
    *ret_times = bench_summary(folder, "Teleop.times_held");
    cr_assert_eq(bench_summary(folder, "Teleop.refused"), 0.0);
    bench_remove_folder(folder);
    return way_m;
}

Test(teleop, drives_while_the_switch_is_held_and_no_longer)
{
    double times, way_m = run("1 1 0; 3", "Teleop.MaximumVelocity=0.15", 6.0, &times);
    cr_assert_float_eq(way_m, 0.3, 0.03, "%g m", way_m);
    cr_assert_eq(times, 1.0);
}

Test(teleop, counts_how_often_the_switch_was_pressed)
{
    double times, way_m = run("1 1 0; 2; 3 -0.5 0; 4", NULL, 6.0, &times);
    cr_assert(way_m > 0.2 && way_m < 0.45, "%g m", way_m);
    cr_assert_eq(times, 2.0);
}

Test(teleop, keeps_its_limit_of_speed)
{
    double times, way_m = run("0 1 0; 4", "Teleop.MaximumVelocity=0.1", 5.0, &times);
    cr_assert_float_eq(way_m, 0.4, 0.03, "%g m", way_m);
}

Test(teleop, refuses_a_script_that_is_none)
{
    struct bench bench = {
        .file = PROFILES "/apps/teleop.xml",
        .sets = {"Teleop.ApiName=mock", "WheelController.ApiName=mock", "Teleop.Script=1 2 0"},
        .duration_s = 1.0};
    cr_assert_neq(bench_create_error(&bench), 0);
}
