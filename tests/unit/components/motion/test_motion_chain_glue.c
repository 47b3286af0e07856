/* SPDX-License-Identifier: Apache-2.0 */
/* What planner, path and kinematics say to bad properties, open ports and unreachable poses. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>

#include "chain.h"
#include "hexa_ik.h"
#include "pose6.h"

#define NEAR(value, expected, tolerance)                                                           \
    cr_assert_float_eq(value, expected, tolerance, "%.12g, not %.12g", value, (double)(expected))

static void assert_refused(enum chain_member member, const char *name, const char *text,
                           const char *says)
{
    chain_prepare();
    int err = chain_accepts(member, name, text);
    cr_assert_eq(err ? err : chain_start(), -EINVAL, "%s=%s", name, text);
    cr_assert_not_null(strstr(chain_error.text, says), "%s", chain_error.text);
}

Test(motion_chain_glue, says_which_property_is_wrong)
{
    assert_refused(CHAIN_PLANNER, "Centre", "0 0 0.54", "Centre");
    assert_refused(CHAIN_PLANNER, "HardSemiAxes", "1 1 1 1 1 1; 1", "HardSemiAxes");
    assert_refused(CHAIN_PLANNER, "HardSemiAxes", "1 1 1 1 1 -1", "HardSemiAxes: -1 of yaw");
    assert_refused(CHAIN_PLANNER, "AccelerationLimits", "1 1 1 1 1 x", "AccelerationLimits");
    assert_refused(CHAIN_PLANNER, "Home", "1 0 0.54 0 0 0", "home");
    assert_refused(CHAIN_PLANNER, "Home", "home", "Home");
    assert_refused(CHAIN_PLANNER, "SpeedLimits", "1 1 1", "SpeedLimits");
    assert_refused(CHAIN_PLANNER, "SpeedLimits", "1", "expected six numbers");
    assert_refused(CHAIN_PLANNER, "HardSemiAxes", "0.25 0.15", "expected six numbers");
    assert_refused(CHAIN_PATH, "AccelerationLimits", "1 1 1 1 1", "AccelerationLimits");
    assert_refused(CHAIN_PATH, "AccelerationLimits", "1 1 1 1 1 0", "AccelerationLimits");
}

Test(motion_chain_glue, needs_a_period_of_planner_and_path)
{
    for (int member = CHAIN_PLANNER; member <= CHAIN_PATH; member++) {
        chain_prepare();
        cr_assert_eq(chain_start(), 0);
        struct dpl_component *c = chain_member(member);
        cr_assert_eq(c->class_->ops->period_changed(c, 0), 0);
        cr_assert_eq(c->class_->ops->start(c, &chain_error), -EINVAL);
        cr_assert_not_null(strstr(chain_error.text, "periodic"));
    }
}

Test(motion_chain_glue, switches_stages_off)
{
    chain_prepare();
    chain_set(CHAIN_PLANNER, "Sync", "false");
    chain_set(CHAIN_PLANNER, "Saturation", "false");
    chain_set(CHAIN_PLANNER, "Guard", "false");
    cr_assert_eq(chain_start(), 0);
    chain.axes_on = true;
    chain.has_reference = true;
    chain_run(16);
    chain_command(DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE);
    chain.reference[0] = 0.01;
    chain_run(8);
    NEAR(chain_export(CHAIN_PLANNER, "pose_x"), 0.01, 0.0);
    cr_assert_gt(chain_export(CHAIN_PLANNER, "greatest_acceleration_share"), 100.0);
}

Test(motion_chain_glue, follows_its_reference_without_a_state_machine_above)
{
    chain_prepare();
    chain.has_command = chain.axes_known = false;
    cr_assert_eq(chain_start(), 0);
    chain.axes_on = chain.has_reference = true;
    chain.reference[0] = 0.02;
    chain_run(3 * 1600);
    const Doppel__MeasuredPose *pose = chain_newest(CHAIN_KINEMATICS, KINEMATICS_MEASURED);
    NEAR(pose->pose->x, 0.02, 1e-9);
}

Test(motion_chain_glue, starts_with_the_first_motion_where_the_axes_cannot_be_seen)
{
    chain_prepare();
    chain.axes_known = false;
    cr_assert_eq(chain_start(), 0);
    chain.axes_on = true;
    chain_run(16);
    cr_assert_eq(chain_export(CHAIN_PATH, "following"), 0.0);
    chain_command(DOPPEL__MACHINE_STATE__MACHINE_HOMING);
    chain_run(16);
    cr_assert_eq(chain_export(CHAIN_PATH, "following"), 1.0);
    chain_command(DOPPEL__MACHINE_STATE__MACHINE_STOPPED);
    chain_run(16);
    cr_assert_eq(chain_export(CHAIN_PATH, "following"), 1.0);
    chain.axes_on = false;
    chain_run(16);
    cr_assert_eq(chain_export(CHAIN_PATH, "following"), 0.0);
}

Test(motion_chain_glue, plans_from_the_measured_pose_without_a_path)
{
    chain_prepare();
    chain.path_is_open = true;
    cr_assert_eq(chain_start(), 0);
    chain_run(8);
    const Doppel__PlannedPose *pose = chain_newest(CHAIN_PLANNER, PLANNER_POSE);
    cr_assert_not_null(pose);
    NEAR(pose->pose->z, 0.54, 1e-9);
    uint64_t sequence = pose->sequence;
    chain_run(4);
    cr_assert_eq(((const Doppel__PlannedPose *)chain_newest(CHAIN_PLANNER, PLANNER_POSE))->sequence,
                 sequence + 1);
}

Test(motion_chain_glue, takes_the_pose_for_the_axes_without_kinematics)
{
    chain_prepare();
    chain.has_kinematics = false;
    cr_assert_eq(chain_start(), 0);
    chain_run(2);
    const Doppel__AxisReference *reference = chain_newest(CHAIN_PATH, PATH_REFERENCE);
    NEAR(reference->position[2], 0.54, 1e-9);
}

Test(motion_chain_glue, counts_poses_that_cannot_be_reached_and_holds)
{
    const char *everything = "5 5 5 5 5 5";
    chain_prepare();
    chain_set(CHAIN_PLANNER, "HardSemiAxes", everything);
    cr_assert_eq(chain_start(), 0);
    chain_run(8);
    chain.axes_on = true;
    chain_run(16);
    chain.target[2] = 1.5;
    chain_command(DOPPEL__MACHINE_STATE__MACHINE_POSITION);
    chain_run(3 * 1600);
    cr_assert_gt(chain_export(CHAIN_PATH, "map_faults"), 0.0);
    cr_assert_gt(chain_export(CHAIN_KINEMATICS, "ik_refused"), 0.0);
    cr_assert_eq(chain.log_lines, 1);
    const Doppel__AxisReference *reference = chain_newest(CHAIN_PATH, PATH_REFERENCE);
    for (int i = 0; i < 6; i++) {
        cr_assert(isfinite(reference->position[i]));
        cr_assert_eq(reference->velocity[i], 0.0);
    }
}

/* ---- kinematics ---- */

static int call(unsigned method, const void *request, void *response)
{
    struct dpl_component *c = chain_member(CHAIN_KINEMATICS);
    return c->class_->ports[KINEMATICS_SERVICE].methods[method](c, KINEMATICS_SERVICE, request,
                                                                response);
}

static int inverse(const double *pose, size_t room, double *ret_axes)
{
    Doppel__Pose6 request = DOPPEL__POSE6__INIT;
    Doppel__Axes response = DOPPEL__AXES__INIT;
    dpl_pose6_set(&request, pose);
    response.position = ret_axes;
    response.n_position = room;
    int err = call(DPL_KINEMATICS_INVERSE, &request, &response);
    cr_assert(err < 0 || response.n_position == 6);
    return err;
}

static int forward(const double *axes, size_t n, double *ret_pose)
{
    double position[6];
    memcpy(position, axes, sizeof position);
    Doppel__Axes request = DOPPEL__AXES__INIT;
    Doppel__Pose6 response = DOPPEL__POSE6__INIT;
    request.position = position;
    request.n_position = n;
    int err = call(DPL_KINEMATICS_FORWARD, &request, &response);
    dpl_pose6_get(&response, ret_pose);
    return err;
}

Test(motion_chain_glue, answers_both_ways)
{
    const double pose[6] = {
        0.1, -0.05, 0.58, 0.0349065850398866, -0.0523598775598299, 0.0174532925199433};
    const double expected[6] = {0.875543644828, -0.565201310840, 0.614561179586,
                                0.945697354849, -0.565880634821, 0.647043811675};
    double axes[6], back[6];
    chain_prepare();
    cr_assert_eq(chain_start(), 0);
    cr_assert_eq(inverse(pose, 6, axes), 0);
    for (int i = 0; i < 6; i++) {
        NEAR(axes[i], expected[i], 1e-11);
    }
    cr_assert_eq(forward(axes, 6, back), 0);
    for (int i = 0; i < 6; i++) {
        NEAR(back[i], pose[i], 1e-9);
    }
}

Test(motion_chain_glue, says_what_it_cannot_answer)
{
    const double high[6] = {0.0, 0.0, 3.0}, beyond_the_rails[6] = {3.0, 0.0, 0.54};
    double axes[6] = {0.0}, back[6];
    chain_prepare();
    cr_assert_eq(chain_start(), 0);
    cr_assert_eq(inverse(dpl_hexa_reference.home, 5, axes), -ENOSPC);
    cr_assert_eq(inverse(high, 6, axes), -EDOM);
    cr_assert_eq(inverse(beyond_the_rails, 6, axes), -EDOM);
    cr_assert_eq(forward(axes, 5, back), -EINVAL);
    cr_assert_eq(forward((const double[6]){9.0, -9.0}, 6, back), -EDOM);
}

Test(motion_chain_glue, says_once_that_it_finds_no_pose_and_goes_on_when_there_is_one)
{
    double axes[6];
    chain_prepare();
    cr_assert_eq(chain_start(), 0);
    chain_run(8);
    memcpy(axes, chain.axes, sizeof axes);
    chain.axes[0] += 2.0;
    chain_run(8);
    const Doppel__MeasuredPose *pose = chain_newest(CHAIN_KINEMATICS, KINEMATICS_MEASURED);
    cr_assert_not(pose->valid);
    cr_assert_eq(chain_export(CHAIN_KINEMATICS, "fk_failures"), 8.0);
    cr_assert_eq(chain.log_lines, 1);
    memcpy(chain.axes, axes, sizeof axes);
    chain_run(1);
    pose = chain_newest(CHAIN_KINEMATICS, KINEMATICS_MEASURED);
    cr_assert(pose->valid);
    NEAR(pose->pose->z, 0.54, 1e-9);
}

Test(motion_chain_glue, takes_its_geometry_from_a_robot_model)
{
    double axes[6], moved[6], pose[6];
    chain_prepare();
    chain.machine_home_x = 0.5;
    cr_assert_eq(chain_start(), 0, "%s", chain_error.text);
    memcpy(pose, dpl_hexa_reference.home, sizeof pose);
    pose[0] += 0.5;
    cr_assert_eq(inverse(pose, 6, moved), 0);
    chain_prepare();
    chain_set(CHAIN_KINEMATICS, "Robot", "");
    chain.machine_error = -ENOENT;
    cr_assert_eq(chain_start(), 0, "%s", chain_error.text);
    cr_assert_eq(inverse(dpl_hexa_reference.home, 6, axes), 0);
    for (int i = 0; i < 6; i++) {
        NEAR(moved[i], axes[i], 1e-12);
    }
}

Test(motion_chain_glue, does_not_begin_without_a_usable_robot_model)
{
    chain_prepare();
    chain.machine_error = -ENOENT;
    cr_assert_eq(chain_start(), -ENOENT);
    chain_prepare();
    chain.machine_home_x = (double)NAN;
    cr_assert_eq(chain_start(), -EINVAL);
    cr_assert_not_null(strstr(chain_error.text, "finite"));
}

Test(motion_chain_glue, finds_the_same_pose_with_either_solver)
{
    double pose[2][6];
    for (int i = 0; i < 2; i++) {
        chain_prepare();
        chain_set(CHAIN_KINEMATICS, "Solver", i == 0 ? "newton" : "jfmd");
        cr_assert_eq(chain_start(), 0);
        chain.axes[0] += 0.002;
        chain_run(4);
        const Doppel__MeasuredPose *found = chain_newest(CHAIN_KINEMATICS, KINEMATICS_MEASURED);
        cr_assert(found->valid);
        dpl_pose6_get(found->pose, pose[i]);
    }
    for (int i = 0; i < 6; i++) {
        NEAR(pose[0][i], pose[1][i], 1e-8);
    }
    cr_assert_gt(chain_export(CHAIN_KINEMATICS, "solved"), 0.0);
}
