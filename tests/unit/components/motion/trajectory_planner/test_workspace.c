/* SPDX-License-Identifier: Apache-2.0 */
/* The soft ellipsoid: its level, the deflection law against the motion it is made of, and the two
 * policies after an excursion. */
#include <criterion/criterion.h>

#include "machine.h"

Test(traj_workspace, level_is_one_on_the_surface_and_grows_outwards)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_motion at = machine_at(0.25, 0.0);
    cr_assert_float_eq(dpl_traj_ellipsoid_level(&config.workspace.hard, at.y), 1.0, 1e-15);
    cr_assert_float_eq(dpl_traj_ellipsoid_level(&config.workspace.soft, at.y), 1.0 / (0.85 * 0.85),
                       1e-14);
    cr_assert_eq(dpl_traj_ellipsoid_level(&config.workspace.hard, machine_centre), 0.0);
    at.y[5] = 0.0524;
    cr_assert_float_eq(dpl_traj_ellipsoid_level(&config.workspace.hard, at.y), 2.0, 1e-14);
}

static void advance(struct dpl_traj_motion *motion, const double *y)
{
    for (int i = 0; i < DPL_SIX; i++) {
        motion->d[i] = y[i] - motion->y[i];
        motion->y[i] = y[i];
    }
}

/* How deep the machine gets when it reaches the surface at 0.2 m/s, by ticks of `period_s`. */
static double penetration(double period_s)
{
    struct dpl_traj_config config = machine_config(1.0);
    double deepest = 0.0;
    struct dpl_traj_motion motion = machine_at(0.85 * 0.25, 0.2 * period_s);
    struct dpl_traj_motion r = machine_at(0.3, 0.0);
    dpl_traj_axes_set(&config.axes, period_s, machine_accel);
    for (int k = 0; k * period_s < 3.0; k++) {
        double y[DPL_SIX];
        dpl_traj_deflect(&config.workspace, &config.axes, &motion, r.y, y);
        advance(&motion, y);
        deepest = fmax(deepest, motion.y[0] - 0.85 * 0.25);
    }
    cr_assert_float_eq(motion.y[0], 0.85 * 0.25, 1e-9, "comes to rest at the surface");
    return deepest;
}

Test(traj_workspace, deflection_penetrates_as_a_critically_damped_system_does)
{
    double theory = 0.2 / (exp(1.0) * 15.0);
    cr_assert_float_eq(penetration(1e-4), theory, 0.005 * theory);
    double ours = penetration(0.0025);
    cr_assert(ours < theory && ours > 0.9 * theory, "%g of %g", ours, theory);
}

Test(traj_workspace, deflection_slides_along_the_surface_to_the_exit_point)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_motion motion = machine_at(0.85 * 0.25, 0.0), r = machine_at(0.2, 0.0);
    double y[DPL_SIX];
    r.y[1] = 0.12;
    double scale = 1.0 / sqrt(dpl_traj_ellipsoid_level(&config.workspace.soft, r.y));
    cr_assert_lt(scale, 1.0);
    for (int k = 0; k < 2000; k++) {
        dpl_traj_deflect(&config.workspace, &config.axes, &motion, r.y, y);
        advance(&motion, y);
    }
    cr_assert_float_eq(motion.y[0], 0.2 * scale, 1e-9);
    cr_assert_float_eq(motion.y[1], 0.12 * scale, 1e-9);
    cr_assert_float_eq(motion.y[2], machine_centre[2], 1e-12);
}

Test(traj_workspace, deflection_keeps_every_acceleration_limit)
{
    struct dpl_traj_config config = machine_config(0.1);
    struct dpl_traj_motion motion = machine_at(0.2, 0.005), r = machine_at(500.0, 0.0);
    double y[DPL_SIX];
    r.y[4] = -300.0;
    dpl_traj_deflect(&config.workspace, &config.axes, &motion, r.y, y);
    for (int i = 0; i < DPL_SIX; i++) {
        double change = y[i] - motion.y[i] - motion.d[i];
        cr_assert_leq(fabs(change), config.axes.step_max[i] * (1.0 + 1e-9));
    }
}

Test(traj_workspace, resume_ends_with_the_reference_inside)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_workspace workspace;
    struct dpl_traj_motion motion = machine_at(0.2, 0.0), r = machine_at(0.22, 0.0);
    double y[DPL_SIX] = {0};
    dpl_traj_workspace_begin(&workspace);
    cr_assert_eq(
        dpl_traj_workspace_step(&workspace, &config.workspace, &config.axes, &motion, r.y, y),
        DPL_TRAJ_NEW_STEP);
    cr_assert_eq(workspace.phase, DPL_TRAJ_DEFLECTING);
    r = machine_at(0.21, 0.0);
    y[0] = 77.0;
    cr_assert_eq(
        dpl_traj_workspace_step(&workspace, &config.workspace, &config.axes, &motion, r.y, y),
        DPL_TRAJ_LEFT_ALONE);
    cr_assert_eq(workspace.phase, DPL_TRAJ_INSIDE);
    cr_assert_eq(y[0], 77.0, "nothing is written");
}

/* A sine that leaves the soft ellipsoid, for 20 s: how often it came out as it went in. */
static int excursion(struct dpl_traj_planner *planner, double *ret_level)
{
    int n_identical = 0;
    *ret_level = 0.0;
    for (int k = 0; k < 8000; k++) {
        struct dpl_traj_reference r = {.stamp = 0};
        double y[DPL_SIX];
        dpl_traj_copy(r.pose, machine_centre);
        r.pose[0] += 0.28 * sin(2.0 * 3.14159265358979 * 0.25 * k * 0.0025);
        dpl_traj_planner_step(planner, &r, 0, NULL, y);
        *ret_level = fmax(*ret_level, dpl_traj_ellipsoid_level(&planner->config.workspace.soft, y));
        n_identical += k >= 4000 && y[0] == r.pose[0];
    }
    return n_identical;
}

Test(traj_workspace, resume_follows_again_bit_for_bit)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner;
    double level;
    cr_assert_eq(dpl_traj_planner_init(&planner, &config), 0);
    cr_assert_eq(dpl_traj_planner_start(&planner, machine_centre), 0);
    cr_assert_gt(excursion(&planner, &level), 1000);
    cr_assert(level > 1.0 && level < 1.07, "%g", level);
}

Test(traj_workspace, return_home_ends_at_rest_at_home_until_a_restart)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_planner planner;
    double level;
    config.workspace.policy = DPL_TRAJ_RETURN_HOME;
    cr_assert_eq(dpl_traj_planner_init(&planner, &config), 0);
    cr_assert_eq(dpl_traj_planner_start(&planner, machine_centre), 0);
    cr_assert_lt(excursion(&planner, &level), 10);
    cr_assert_lt(level, 1.07);
    cr_assert_eq(planner.workspace.phase, DPL_TRAJ_WAITING);
    cr_assert(dpl_traj_planner_at_rest(&planner));
    cr_assert_arr_eq(planner.motion.y, config.workspace.home, sizeof planner.motion.y);
    cr_assert_eq(dpl_traj_planner_restart(&planner), 0);
    cr_assert_eq(planner.workspace.phase, DPL_TRAJ_INSIDE);
    struct dpl_traj_reference r = {.stamp = 0};
    dpl_traj_copy(r.pose, machine_centre);
    r.pose[1] += 0.05;
    for (int k = 0; k < 800; k++) {
        double y[DPL_SIX];
        dpl_traj_planner_step(&planner, &r, 0, NULL, y);
        cr_assert(k < 799 ? y[1] < 0.05 : y[1] == 0.05, "through the ramp");
    }
}

Test(traj_workspace, return_home_does_not_chase_a_spike)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_workspace workspace;
    struct dpl_traj_motion motion = machine_at(0.05, 100e-6), spike = machine_at(0.0, 0.0);
    config.workspace.policy = DPL_TRAJ_RETURN_HOME;
    spike.y[1] = 0.7;
    dpl_traj_workspace_begin(&workspace);
    for (int k = 0; k < 1000; k++) {
        double y[DPL_SIX];
        const double *r = k == 0 ? spike.y : machine_centre;
        dpl_traj_workspace_step(&workspace, &config.workspace, &config.axes, &motion, r, y);
        advance(&motion, y);
        cr_assert_eq(motion.y[1], 0.0);
        cr_assert_lt(motion.y[0], 0.0502);
    }
    cr_assert_eq(workspace.phase, DPL_TRAJ_WAITING);
    cr_assert_eq(motion.y[0], 0.0);
}
