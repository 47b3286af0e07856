/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the synchronization with a Localizer: an ideal avatar that does at once what it is told,
 * and a real robot whose odometry's frame is wherever the test puts it. */
#include "sync.h"

#include <criterion/criterion.h>

#define DT 0.05

static struct dpl_sync sync_;
static struct dpl_sync_input input;
static struct dpl_sync_output output;
static struct dpl_pose2 odometry, avatar;
static struct dpl_twist2 drive; /* of the avatar */
static int n_puts;

static void start_with(enum dpl_sync_strategy strategy, bool place_on_return)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    config.strategy = strategy;
    config.period_s = DT;
    config.place_on_return = place_on_return;
    cr_assert_eq(dpl_sync_init(&sync_, &config), 0);
    input = (struct dpl_sync_input){.now_s = 10.0, .has_command = true};
    input.localization = (struct dpl_sync_localization){
        .expected = true,
        .valid = true,
        .state = DPL_SYNC_LOCALIZER_TRACKING,
        .covariance = {1e-6, 0.0, 1e-6, 0.0, 0.0, 1e-6},
        .agreement = 0.9,
        .avatar_agreement = (double)NAN,
        .scan_age_s = 0.05,
    };
    odometry = avatar = (struct dpl_pose2){0.0, 0.0, 0.0};
    drive = (struct dpl_twist2){0.0, 0.0};
    n_puts = 0;
}

static struct dpl_pose2 driven(struct dpl_pose2 pose, struct dpl_twist2 twist)
{
    double middle = pose.theta + twist.angular * DT / 2.0;
    return (struct dpl_pose2){pose.x + twist.linear * DT * cos(middle),
                              pose.y + twist.linear * DT * sin(middle),
                              dpl_wrap_angle(pose.theta + twist.angular * DT)};
}

static void go_on(double duration_s)
{
    for (int i = 0; i < (int)lround(duration_s / DT); i++) {
        input.now_s += DT;
        odometry = driven(odometry, input.command);
        avatar = driven(avatar, drive);
        input.real = (struct dpl_sync_pose_input){true, odometry, input.now_s, 0};
        input.avatar = (struct dpl_sync_pose_input){true, avatar, input.now_s, 0};
        input.placing = DPL_SYNC_PLACED;
        dpl_sync_step(&sync_, &input, &output);
        if (output.has_set_pose) {
            avatar = output.set_pose;
            n_puts++;
        }
        drive = output.drive[output.n_drive - 1];
    }
}

static struct dpl_pose2 truth(void)
{
    return dpl_pose2_compose(input.localization.correction, odometry);
}

static double distance_mm(void)
{
    return 1e3 * dpl_pose2_distance(avatar, truth());
}

Test(localized, the_avatar_is_put_where_the_robot_is_found_at_the_start_once)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.localization.correction = (struct dpl_pose2){1.7, 0.3, 2.0};
    input.command = (struct dpl_twist2){0.15, 0.2};
    go_on(0.1);
    cr_assert_eq(n_puts, 1);
    go_on(10.0);
    cr_assert_eq(n_puts, 1);
    cr_assert_lt(distance_mm(), 15.0, "%g mm", distance_mm());
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_eq(output.status.relocations, 0, "it was nowhere before");
    cr_assert_lt(output.status.max_position_error, 0.05, "the way there is no error of following");
    cr_assert_eq(output.status.real.jumps + output.status.real.outliers, 0);
}

Test(localized, a_robot_that_is_found_elsewhere_takes_the_avatar_along)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.command = (struct dpl_twist2){0.15, -0.2};
    go_on(5.0);
    cr_assert_eq(n_puts, 0);
    input.localization.correction = (struct dpl_pose2){-3.0, 1.0, 1.0};
    input.localization.relocations = 1;
    go_on(DT);
    cr_assert_eq(n_puts, 1);
    cr_assert_lt(distance_mm(), 1.0);
    go_on(10.0);
    cr_assert_eq(n_puts, 1);
    cr_assert_lt(distance_mm(), 15.0, "%g mm", distance_mm());
    cr_assert_eq(output.status.relocations, 1);
    cr_assert_eq(output.status.teleports, 1);
    cr_assert_eq(output.status.real.jumps + output.status.real.outliers, 0);
}

Test(localized, a_guess_moves_no_avatar_until_it_is_decided)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    go_on(3.0);
    input.localization.state = DPL_SYNC_LOCALIZER_AMBIGUOUS;
    input.localization.correction.x = 2.0;
    input.localization.relocations = 1;
    go_on(0.5);
    input.localization.correction.x = -2.0;
    input.localization.relocations = 2;
    go_on(0.5);
    cr_assert_eq(n_puts, 0);
    cr_assert_eq(output.status.fidelity, 0.0);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
    cr_assert_eq(output.status.relocations, 0, "it is not found");
    cr_assert_lt(dpl_pose2_distance(avatar, (struct dpl_pose2){0}), 1e-2, "nor followed");
    input.localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    go_on(DT);
    cr_assert_eq(n_puts, 1);
    cr_assert_eq(output.status.relocations, 1);
    go_on(1.0);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_lt(distance_mm(), 1.0);
}

/* The guess was wrong, and the robot is where the avatar has waited. */
Test(localized, a_relocation_back_puts_nothing)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    go_on(3.0);
    input.localization.state = DPL_SYNC_LOCALIZER_LOST;
    input.localization.correction.x = 0.5;
    input.localization.relocations = 1;
    go_on(DT);
    input.localization.state = DPL_SYNC_LOCALIZER_TRACKING;
    input.localization.correction.x = 0.0;
    input.localization.relocations = 2;
    go_on(1.0);
    cr_assert_eq(n_puts, 0);
    cr_assert_lt(distance_mm(), 20.0, "%g mm", distance_mm());
}

Test(localized, a_near_relocation_is_driven)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.command.linear = 0.15;
    go_on(3.0);
    input.localization.correction.y = 0.1;
    input.localization.relocations = 1;
    go_on(DT);
    cr_assert_gt(distance_mm(), 80.0);
    go_on(10.0);
    cr_assert_eq(n_puts, 0);
    cr_assert_lt(distance_mm(), 15.0, "%g mm", distance_mm());
}

Test(localized, where_only_wheels_may_move_the_avatar_it_is_not_put)
{
    start_with(DPL_SYNC_ADAPTIVE, false);
    input.localization.correction.x = 1.0;
    go_on(3.0);
    cr_assert_eq(n_puts, 0);
    start_with(DPL_SYNC_NONE, true);
    input.localization.correction.x = 1.0;
    go_on(3.0);
    cr_assert_eq(n_puts, 0);
}

/* Its wheels are 3 % smaller than its odometry takes them for, and one a little more; the Localizer
 * knows, and so the frame of the odometry drifts. */
Test(localized, follows_the_robot_and_not_its_odometry_that_drifts)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.command = (struct dpl_twist2){0.15, 0.1};
    struct dpl_pose2 really = {0.0, 0.0, 0.0};
    double most_mm = 0.0;
    for (int i = 0; i < 1200; i++) {
        really = driven(really, (struct dpl_twist2){0.97 * 0.15, 0.97 * 0.1 + 0.0065});
        struct dpl_pose2 by_odometry = driven(odometry, input.command);
        input.localization.correction = dpl_pose2_compose(
            really, dpl_pose2_relative(by_odometry, (struct dpl_pose2){0.0, 0.0, 0.0}));
        go_on(DT);
        cr_assert_lt(dpl_pose2_distance(truth(), really), 1e-9);
        most_mm = i < 100 ? 0.0 : fmax(most_mm, distance_mm());
    }
    cr_assert_lt(most_mm, 15.0, "%g mm", most_mm);
    cr_assert_gt(dpl_pose2_distance(odometry, really), 0.1, "what odometry alone would be off");
    cr_assert_eq(n_puts, 0);
}

/* The distance that is told is to where the robot is found, also before the avatar's robot has
 * got there. */
Test(localized, tells_the_distance_without_the_smoothing)
{
    start_with(DPL_SYNC_NONE, true);
    go_on(3.0);
    input.localization.correction.y = 0.2;
    go_on(DT);
    cr_assert_float_eq(output.status.position_error, 0.2, 5e-3, "%g", output.status.position_error);
    cr_assert_float_eq(output.status.real_pose.y, 0.2, 5e-3);
}

Test(localized, a_localizer_that_comes_late_takes_over_from_the_alignment_smoothly)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    avatar = (struct dpl_pose2){2.0, 1.0, 0.5};
    input.localization.valid = false;
    go_on(0.9);
    cr_assert_eq(output.status.state, DPL_SYNC_INIT, "it waits");
    go_on(2.0);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_lt(output.status.position_error, 1e-3, "aligned");
    cr_assert_not(output.status.localized);
    input.localization.valid = true;
    input.localization.correction = (struct dpl_pose2){2.1, 1.0, 0.5};
    input.command.linear = 0.1;
    go_on(10.0);
    cr_assert_eq(n_puts, 0);
    cr_assert_eq(output.status.relocations, 0);
    cr_assert_lt(distance_mm(), 20.0, "%g mm", distance_mm());
}

Test(localized, a_localizer_that_falls_silent_leaves_its_frame)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.localization.correction = (struct dpl_pose2){1.0, 2.0, 0.5};
    input.command.linear = 0.1;
    go_on(5.0);
    input.localization.valid = false;
    go_on(5.0);
    cr_assert_lt(distance_mm(), 15.0, "%g mm", distance_mm());
    cr_assert(isnan(output.status.fidelity));
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
}

Test(localized, what_no_localizer_can_say_is_not_heard)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.localization.correction.x = (double)NAN;
    go_on(3.0);
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_not(output.status.localized);
    cr_assert(isfinite(output.status.position_error));
}
