/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the smooth correction, against formulas of their own: rotation matrices, and the closed
 * form of a first-order decay. */
#include "correction.h"

#include <criterion/criterion.h>

#define DT 0.01

static struct dpl_sync_correction correction;
static const struct dpl_pose2 far_out = {5.0, -2.0, 0.7}; /* the robot by its odometry */

static void start(void)
{
    dpl_sync_correction_init(&correction, 0.3);
    dpl_sync_correction_start(&correction, (struct dpl_pose2){0.0, 0.0, 0.0}, 7, NULL);
}

/* The pose of the odometry's frame for which a robot at `odometry` stands at `pose`. */
static struct dpl_pose2 frame_for(struct dpl_pose2 pose, struct dpl_pose2 odometry)
{
    double turn = pose.theta - odometry.theta;
    return (struct dpl_pose2){pose.x - (cos(turn) * odometry.x - sin(turn) * odometry.y),
                              pose.y - (sin(turn) * odometry.x + cos(turn) * odometry.y), turn};
}

/* A step forward, left and round, seen by the robot at `from`. */
static struct dpl_pose2 moved(struct dpl_pose2 from, struct dpl_pose2 by)
{
    return (struct dpl_pose2){from.x + cos(from.theta) * by.x - sin(from.theta) * by.y,
                              from.y + sin(from.theta) * by.x + cos(from.theta) * by.y,
                              from.theta + by.theta};
}

static double distance(struct dpl_pose2 a, struct dpl_pose2 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static bool step(struct dpl_pose2 odometry, int n)
{
    bool jumped = false;
    for (int i = 0; i < n; i++) {
        jumped = dpl_sync_correction_step(&correction, odometry, DT) || jumped;
    }
    return jumped;
}

static struct dpl_pose2 followed(struct dpl_pose2 odometry)
{
    return dpl_sync_correction_apply(&correction, odometry);
}

TestSuite(correction, .init = start);

Test(correction, begins_at_what_the_localizer_says_unless_a_frame_held_before)
{
    struct dpl_pose2 target = {1.0, 2.0, 0.1}, before = {0.95, 2.0, 0.1};
    dpl_sync_correction_start(&correction, target, 0, NULL);
    cr_assert_lt(distance(correction.smooth, target), 1e-12);
    dpl_sync_correction_start(&correction, target, 0, &before);
    cr_assert_lt(distance(correction.smooth, before), 1e-12);
}

Test(correction, a_small_residual_fades_in_the_robots_frame_with_its_time_constant)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.008, -0.006, 0.01});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    cr_assert_not(step(far_out, 30));
    double left = exp(-0.3 / 0.3);
    struct dpl_pose2 now = followed(far_out);
    cr_assert_float_eq(distance(now, aim), 0.010 * left, 1e-5, "%g", distance(now, aim));
    cr_assert_float_eq(aim.theta - now.theta, 0.01 * left, 1e-5);
    step(far_out, 600);
    cr_assert_lt(distance(followed(far_out), aim), 1e-8);
}

Test(correction, moves_no_faster_than_it_may)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.12, 0.16, 0.5});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    struct dpl_pose2 before = far_out;
    for (int i = 0; i < 100; i++) {
        cr_assert_not(dpl_sync_correction_step(&correction, far_out, DT));
        struct dpl_pose2 now = followed(far_out);
        cr_assert_leq(distance(now, before), 0.05 * DT + 1e-9);
        cr_assert_leq(fabs(now.theta - before.theta), 5.0 * DPL_PI / 180.0 * DT + 1e-9);
        before = now;
    }
    cr_assert_float_eq(distance(before, far_out), 0.05, 1e-6, "straight, at full speed, for 1 s");
    cr_assert_float_eq(before.theta - far_out.theta, 5.0 * DPL_PI / 180.0, 1e-9);
}

/* A turn of the frame about its origin, 5.4 m away, that leaves the robot in place: only the
 * robot's own turn is to be made up for. */
Test(correction, does_not_swing_the_robot_about_the_origin_of_its_odometry)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.0, 0.0, 0.05});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    for (int i = 0; i < 200; i++) {
        dpl_sync_correction_step(&correction, far_out, DT);
        cr_assert_lt(distance(followed(far_out), far_out), 1e-9);
    }
    cr_assert_float_eq(followed(far_out).theta, aim.theta, 1e-3);
}

/* Each step of the followed pose is the odometry's own, and the bounded correction. */
Test(correction, a_robot_that_drives_meanwhile_moves_smoothly)
{
    struct dpl_pose2 odometry = far_out;
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.1, 0.1, -0.1});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    struct dpl_pose2 before = followed(odometry);
    for (int i = 0; i < 1000; i++) {
        odometry = moved(odometry, (struct dpl_pose2){0.2 * DT, 0.0, 0.3 * DT});
        dpl_sync_correction_step(&correction, odometry, DT);
        struct dpl_pose2 now = followed(odometry);
        cr_assert_leq(distance(now, before), 0.25 * DT + 1e-9);
        before = now;
    }
    struct dpl_pose2 there = dpl_sync_correction_unsmoothed(&correction, before);
    cr_assert_lt(distance(before, there), 1e-6, "caught up");
}

Test(correction, knows_where_the_localizer_has_a_robot_that_is_followed_elsewhere)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.2, 0.0, 0.1});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    struct dpl_pose2 there = dpl_sync_correction_unsmoothed(&correction, followed(far_out));
    cr_assert_lt(distance(there, aim), 1e-9);
    cr_assert_float_eq(there.theta, aim.theta, 1e-9);
}

Test(correction, jumps_beyond_the_safe_radius_and_counts_it)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.0, 0.31, 0.0});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    cr_assert(step(far_out, 1));
    cr_assert_lt(distance(followed(far_out), aim), 1e-9);
    cr_assert_eq(correction.relocations, 1);
    cr_assert_not(step(far_out, 10));
    cr_assert_eq(correction.relocations, 1);
}

Test(correction, jumps_when_the_robot_turned_too_far)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.0, 0.0, 0.62});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, true);
    cr_assert(step(far_out, 1));
}

Test(correction, tells_what_the_last_relocation_was)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.4, -0.3, 0.62});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 8, true);
    cr_assert(step(far_out, 1));
    cr_assert_eq(correction.relocations, 1);
    cr_assert_float_eq(correction.jump.x, 0.4, 1e-9);
    cr_assert_float_eq(correction.jump.y, -0.3, 1e-9);
    cr_assert_float_eq(correction.jump.theta, 0.62, 1e-9);
}

Test(correction, a_pose_that_is_found_where_it_was_followed_is_no_relocation)
{
    struct dpl_pose2 guess = moved(far_out, (struct dpl_pose2){6.4, 0.0, 0.0});
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.01, 0.0, 0.01});
    dpl_sync_correction_aim(&correction, frame_for(guess, far_out), 8, false);
    cr_assert_not(step(far_out, 10));
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 9, true);
    step(far_out, 10);
    cr_assert_lt(distance(followed(far_out), aim), 1e-9);
    cr_assert_eq(correction.relocations + correction.strayed, 0);
}

Test(correction, jumps_once_for_each_relocation_however_small)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.05, 0.0, 0.0});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 8, true);
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 8, true);
    cr_assert(step(far_out, 1));
    cr_assert_lt(distance(followed(far_out), aim), 1e-9);
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 8, true);
    cr_assert_not(step(far_out, 1));
    cr_assert_eq(correction.relocations, 1);
}

/* Of a Localizer that does not know where the robot is. */
Test(correction, follows_no_guess_that_jumps_until_it_is_known)
{
    struct dpl_pose2 aim = moved(far_out, (struct dpl_pose2){0.05, 0.0, 0.0});
    dpl_sync_correction_aim(&correction, frame_for(aim, far_out), 7, false);
    cr_assert_not(step(far_out, 500));
    cr_assert_lt(distance(followed(far_out), aim), 1e-3, "what drifts is followed");
    struct dpl_pose2 guess = moved(far_out, (struct dpl_pose2){6.4, 0.0, 0.0});
    dpl_sync_correction_aim(&correction, frame_for(guess, far_out), 7, false);
    cr_assert_not(step(far_out, 100));
    dpl_sync_correction_aim(&correction, frame_for(guess, far_out), 8, false);
    cr_assert_not(step(far_out, 100));
    cr_assert_lt(distance(followed(far_out), aim), 1e-3);
    cr_assert_eq(correction.relocations, 0);
    dpl_sync_correction_aim(&correction, frame_for(guess, far_out), 9, true);
    cr_assert(step(far_out, 1));
    cr_assert_eq(correction.relocations, 1, "once, however often it was guessed");
    cr_assert_lt(distance(followed(far_out), guess), 1e-9);
}

Test(correction, a_guess_that_ends_where_it_began_is_no_relocation)
{
    struct dpl_pose2 guess = moved(far_out, (struct dpl_pose2){6.4, 0.0, 0.0});
    dpl_sync_correction_aim(&correction, frame_for(guess, far_out), 7, false);
    cr_assert_not(step(far_out, 10));
    dpl_sync_correction_aim(&correction, frame_for(far_out, far_out), 7, true);
    cr_assert_not(step(far_out, 10));
    cr_assert_eq(correction.relocations, 0);
}

/* Drives the odometry on at `way` a step; the Localizer has a scan of the robot at `robot` every
 * tenth step. Returns the largest distance of the followed pose from the robot in the last half. */
static double spin(struct dpl_pose2 robot, struct dpl_pose2 way, int n)
{
    struct dpl_pose2 odometry = far_out;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        odometry = moved(odometry, way);
        if (i % 10 == 9) {
            dpl_sync_correction_aim(&correction, frame_for(robot, odometry), 7, true);
        }
        cr_assert_not(dpl_sync_correction_step(&correction, odometry, DT));
        most = i < n / 2 ? 0.0 : fmax(most, distance(followed(odometry), robot));
    }
    return most;
}

/* Four times as fast as a residual may fade. */
Test(correction, stays_with_a_robot_whose_wheels_spin)
{
    double most = spin(far_out, (struct dpl_pose2){0.2 * DT, 0.0, 0.0}, 3000);
    cr_assert_lt(most, 0.03, "%g m", most);
    cr_assert_eq(correction.relocations + correction.strayed, 0);
}

Test(correction, stays_with_a_robot_that_does_not_turn)
{
    double most = spin(far_out, (struct dpl_pose2){0.0, 0.0, 0.5 * DT}, 3000);
    cr_assert_lt(most, 0.03, "%g m", most);
    cr_assert_eq(correction.relocations + correction.strayed, 0);
}

/* A robot that is carried slowly and whose wheels stand: no step of C is a jump. */
Test(correction, counts_what_it_cannot_follow_as_no_relocation)
{
    struct dpl_pose2 robot = far_out;
    bool jumped = false;
    for (int i = 0; i < 500; i++) {
        robot.x += 0.15 * DT;
        dpl_sync_correction_aim(&correction, frame_for(robot, far_out), 7, true);
        jumped = step(far_out, 1) || jumped;
    }
    cr_assert(jumped);
    cr_assert_eq(correction.relocations, 0);
    cr_assert_gt(correction.strayed, 0);
}
