/* SPDX-License-Identifier: Apache-2.0 */
/* Robots from URDF move as mechanics says. */
#include <stdlib.h>

#include <doppel/math/gravity.h>

#include "saved_world.h"
#include "urdf_rig.h"

static struct mechanism_rig rig;

static void end(void)
{
    rig_close(&rig);
}

TestSuite(urdf_world, .fini = end);

/* The arithmetic-geometric mean gives the period of a pendulum of any swing exactly. */
static double exact_period(double small, double swing)
{
    double a = 1.0, b = cos(swing / 2.0);
    while (fabs(a - b) > 1e-15) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return small / a;
}

Test(urdf_world, pendulum_has_its_period)
{
    struct dpl_sim_import_options options = urdf_usual;
    const double swing = 0.3;
    options.joints = "pivot=0.3";
    urdf_open(&rig, "pendulum.urdf", &options, (struct dpl_pose2){0});
    /* The tensor of the file is turned by 0.5 about z: about y it is xx sin^2 + yy cos^2. */
    double about = 0.02 * pow(sin(0.5), 2.0) + 0.03 * pow(cos(0.5), 2.0) + 1.5 * 0.3 * 0.3;
    double expected =
        exact_period(2.0 * DPL_PI * sqrt(about / (1.5 * DPL_STANDARD_GRAVITY_M_S2 * 0.3)), swing);
    double before = urdf_position(&rig, "pivot"), now = 0.0, first = 0.0, last = 0.0;
    int n = -1;
    for (int i = 1; n < 10; i++) {
        dpl_world_step(rig.world, 1);
        double at = urdf_position(&rig, "pivot");
        if (before > 0.0 && at <= 0.0) {
            now = (i - 1 + before / (before - at)) * 1e-3;
            first = ++n == 0 ? now : first;
            last = now;
        }
        before = at;
    }
    cr_assert_leq(fabs((last - first) / 10.0 - expected), 1e-3 * expected,
                  "period %.6f s, expected %.6f s", (last - first) / 10.0, expected);
}

Test(urdf_world, mimics_follow_and_load_their_leader)
{
    struct dpl_sim_import_options options = urdf_usual;
    options.fixed_base = true;
    options.z = 1.0;
    urdf_open(&rig, "gripper.urdf", &options, (struct dpl_pose2){0});
    urdf_put(&rig, "r/drive/setpoint", 0.5);
    for (int i = 0; i < 3000; i++) {
        dpl_world_step(rig.world, 1);
        double q = urdf_position(&rig, "drive");
        cr_assert_leq(fabs(urdf_position(&rig, "parallel") - q), 1e-6);
        cr_assert_leq(fabs(urdf_position(&rig, "level") + q), 1e-6);
        cr_assert_leq(fabs(urdf_position(&rig, "slide") - (0.01 - 0.05 * q)), 1e-6);
    }
    cr_assert_leq(fabs(urdf_position(&rig, "drive") - 0.5), 1e-6);
    /* Virtual work: heights of the crank and the rocker 0.05 cos q, of coupler and finger
     * 0.1 cos q. */
    double m = 0.1 * 0.05 + 0.1 * 0.05 + 0.1 * 0.1 + 0.05 * 0.1;
    double torque = -DPL_STANDARD_GRAVITY_M_S2 * m * sin(0.5);
    double found = rig.state->joints.effort[urdf_joint(&rig, "drive")];
    cr_assert_leq(fabs(found - torque), 1e-6, "%.9f N m, expected %.9f", found, torque);
}

/* Wheels of radius 0.1 m at 3 rad/s: 0.3 m/s along where the robot looks. */
static void drive_along(double yaw)
{
    urdf_open(&rig, "base.urdf", &urdf_usual, (struct dpl_pose2){0.0, 0.0, yaw});
    urdf_put(&rig, "r/left_wheel_joint/setpoint", 3.0);
    urdf_put(&rig, "r/right_wheel_joint/setpoint", 3.0);
    rig_step(&rig, 1.0);
    const double *p = rig.state->bodies.position[rig_body(&rig, "base_link")];
    double x = p[0], y = p[1];
    rig_step(&rig, 2.0);
    double along = (p[0] - x) * cos(yaw) + (p[1] - y) * sin(yaw);
    double across = (p[1] - y) * cos(yaw) - (p[0] - x) * sin(yaw);
    cr_assert_leq(fabs(along - 0.6), 1e-4, "%.6f m along", along);
    cr_assert_leq(fabs(across), 1e-3, "%.6f m across", across);
}

Test(urdf_world, base_drives_along_x)
{
    drive_along(0.0);
}

Test(urdf_world, base_drives_along_y)
{
    drive_along(DPL_PI / 2.0);
}

Test(urdf_world, base_drives_aslant)
{
    drive_along(0.6);
}

Test(urdf_world, base_turns_on_the_spot)
{
    urdf_open(&rig, "base.urdf", &urdf_usual, (struct dpl_pose2){0});
    urdf_put(&rig, "r/left_wheel_joint/setpoint", -1.0);
    urdf_put(&rig, "r/right_wheel_joint/setpoint", 1.0);
    rig_step(&rig, 0.5);
    rig_step(&rig, 1.0);
    double rate = rig.state->bodies.angular[rig_body(&rig, "base_link")][2];
    double expected = 2.0 * 0.1 / 0.34; /* rim over track */
    cr_assert_leq(fabs(rate - expected), 0.01 * expected, "%.5f rad/s, expected %.5f", rate,
                  expected);
}

Test(urdf_world, arm_reaches_its_setpoints_and_holds)
{
    static const char *const names[] = {"pan", "lift", "elbow", "roll", "bend", "turn"};
    static const double goals[] = {1.0, -1.2, 0.9, -0.5, 0.7, 2.0};
    struct dpl_sim_import_options options = urdf_usual;
    options.fixed_base = true;
    urdf_open(&rig, "six_axis.urdf", &options, (struct dpl_pose2){0});
    for (int i = 0; i < 6; i++) {
        char path[64];
        snprintf(path, sizeof path, "r/%s/setpoint", names[i]);
        urdf_put(&rig, path, goals[i]);
    }
    rig_step(&rig, 4.0);
    for (int i = 0; i < 6; i++) {
        double at = urdf_position(&rig, names[i]);
        cr_assert_leq(fabs(at - goals[i]), 1e-5, "%s is at %.8f", names[i], at);
    }
}

Test(urdf_world, stop_is_where_the_limit_is)
{
    struct dpl_sim_import_options options = urdf_usual;
    options.fixed_base = true;
    options.drive = DPL_IMPORT_DRIVE_EFFORT;
    urdf_open(&rig, "six_axis.urdf", &options, (struct dpl_pose2){0});
    urdf_put(&rig, "r/pan/force", 20.0);
    rig_step(&rig, 4.0);
    cr_assert_leq(fabs(urdf_position(&rig, "pan") - 2.9), 2e-3, "at %.6f",
                  urdf_position(&rig, "pan"));
}

Test(urdf_world, two_runs_are_equal_bit_by_bit)
{
    struct mechanism_rig other;
    struct dpl_sim_import_options options = urdf_usual;
    options.joints = "lift=-0.4 elbow=0.5";
    urdf_open(&rig, "six_axis.urdf", &options, (struct dpl_pose2){0});
    urdf_open(&other, "six_axis.urdf", &options, (struct dpl_pose2){0});
    rig_step(&rig, 1.5);
    rig_step(&other, 1.5);
    size_t n = rig.objects.mechanism.n_bodies;
    cr_assert_eq(memcmp(rig.state->bodies.position, other.state->bodies.position,
                        n * sizeof *rig.state->bodies.position),
                 0);
    rig_close(&other);
}

Test(urdf_world, snapshot_of_mimics_goes_on_as_the_run)
{
    struct dpl_sim_import_options options = urdf_usual;
    options.z = 0.5;
    urdf_open(&rig, "gripper.urdf", &options, (struct dpl_pose2){0});
    urdf_put(&rig, "r/drive/setpoint", 0.6);
    rig_step(&rig, 0.2);
    struct saved_world saved = world_saved(rig.world);
    double first[5][3], second[5][3];
    rig_step(&rig, 0.4);
    memcpy(first, rig.state->bodies.position, sizeof first);
    world_back(rig.world, &saved);
    rig_step(&rig, 0.4);
    memcpy(second, rig.state->bodies.position, sizeof second);
    cr_assert_eq(memcmp(first, second, sizeof first), 0);
    free(saved.bytes);
}

Test(urdf_world, tool_goes_with_its_link)
{
    struct dpl_sim_import_options options = urdf_usual;
    struct dpl_world_channels *channels = NULL;
    struct dpl_diag diag = {0};
    struct dpl_pose3 tool;
    dpl_ns stamp = 0;
    options.fixed_base = true;
    urdf_open(&rig, "six_axis.urdf", &options, (struct dpl_pose2){2.0, 1.0, 0.4});
    urdf_put(&rig, "r/lift/setpoint", -0.8);
    rig_step(&rig, 1.0);
    cr_assert_eq(dpl_world_channels_create(rig.world, &channels), 0);
    struct dpl_channel_want want = {.path = "r/tool/pose", .type = &dpl_channel_pose};
    int channel = dpl_world_channels_find(channels, &want, &diag);
    cr_assert_geq(channel, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_get(channels, (size_t)channel, &tool, &stamp), 0);
    struct dpl_vector3 expected =
        rig_point(&rig, rig_body(&rig, "flange"), (struct dpl_vector3){0.01, 0.02, 0.1});
    cr_assert_leq(fabs(tool.position.x - expected.x) + fabs(tool.position.y - expected.y) +
                      fabs(tool.position.z - expected.z),
                  1e-12);
    dpl_world_channels_destroy(channels);
}
