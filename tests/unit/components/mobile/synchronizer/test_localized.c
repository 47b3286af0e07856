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
        .level_m = 0.004,
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

/* Its base has lost its link and stops by itself: no pose comes that tells it. */
Test(localized, while_no_pose_comes_the_interval_grows_and_the_fidelity_falls)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.command = (struct dpl_twist2){0.2, 0.0};
    go_on(3.0);
    double fidelity = output.status.fidelity, within = output.status.error_limit;
    cr_assert_gt(fidelity, 0.98, "%g", fidelity);
    cr_assert_lt(within, 0.01, "%g m", within);
    struct dpl_pose2 stopped = odometry;
    double last_s = input.now_s;
    for (int i = 0; i < 18; i++) {
        input.now_s += DT;
        avatar = driven(avatar, drive);
        input.avatar = (struct dpl_sync_pose_input){true, avatar, input.now_s, 0};
        dpl_sync_step(&sync_, &input, &output);
        drive = output.drive[output.n_drive - 1];
        double true_m = dpl_pose2_distance(avatar, stopped), age_s = input.now_s - last_s;
        bool overdue = age_s > 2.0 * DT + DT / 2.0; /* before, the next pose may be on its way */
        cr_assert(!overdue || output.status.error_limit >= true_m, "%g s: %g < %g m", age_s,
                  output.status.error_limit, true_m);
        cr_assert_leq(output.status.fidelity, fidelity, "%g s", age_s);
        fidelity = output.status.fidelity;
    }
    cr_assert_eq(output.status.state, DPL_SYNC_STALE);
    cr_assert_lt(fidelity, 0.7, "%g", fidelity);
    go_on(3.0); /* it drives on from there */
    cr_assert_eq(output.status.state, DPL_SYNC_OK);
    cr_assert_lt(output.status.error_limit, 0.02, "%g m", output.status.error_limit);
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
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
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
    cr_assert_eq(output.status.fidelity, 0.0);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
}

Test(localized, what_no_localizer_can_say_is_not_heard)
{
    start_with(DPL_SYNC_ADAPTIVE, true);
    input.localization.correction.x = (double)NAN;
    go_on(3.0);
    cr_assert_eq(output.status.state, DPL_SYNC_UNKNOWN);
    cr_assert_not(output.status.localized);
    cr_assert(isfinite(output.status.position_error));
}

#define SLOW_TICKS 8 /* 0.4 s */

struct following {
    double distance_mm; /* RMS, from the robot */
    double lead_mm;     /* mean of the last half of each drive, ahead of the robot */
    double room_m;      /* most that the interval reaches beyond the published distance */
};

static bool is_steady(int i)
{
    return i % 80 >= 20 && i % 80 < 40;
}

/* Goes and stops, up to 0.2 m/s in ramps; commands reach the real robot after SLOW_TICKS. Judged
 * after 20 s. */
static struct following follow_a_slow_robot(enum dpl_sync_slow_answer told)
{
    double sent[SLOW_TICKS] = {0.0}, square = 0.0;
    struct dpl_twist2 real = {0.0, 0.0};
    struct following following = {0.0, 0.0, 0.0};
    start_with(DPL_SYNC_ADAPTIVE, true);
    sync_.config.slow_answer = told;
    for (int i = 0; i < 800; i++) {
        real.linear += dpl_clamp(sent[i % SLOW_TICKS] - real.linear, -0.5 * DT, 0.5 * DT);
        odometry = driven(odometry, real);
        avatar = driven(avatar, drive);
        input.command.linear = sent[i % SLOW_TICKS] = i % 80 < 40 ? 0.2 : 0.0;
        input.now_s += DT;
        input.real = (struct dpl_sync_pose_input){true, odometry, input.now_s, 0};
        input.avatar = (struct dpl_sync_pose_input){true, avatar, input.now_s, 0};
        dpl_sync_step(&sync_, &input, &output);
        drive = output.drive[output.n_drive - 1];
        if (i < 400) {
            continue;
        }
        double room_m = output.status.error_limit - output.status.position_error;
        square += distance_mm() * distance_mm();
        following.lead_mm +=
            is_steady(i) ? 1e3 * dpl_pose2_relative(truth(), avatar).x / 100.0 : 0.0;
        following.room_m = fmax(following.room_m, room_m);
    }
    following.distance_mm = sqrt(square / 400.0);
    return following;
}

/* Scans and wheels agree in time: it is where they say. But nobody said so, and a robot that is
 * 0.36 s ahead of its poses would be 72 mm further: the interval reaches there. */
Test(localized, a_robot_that_answers_late_is_where_its_poses_are_and_perhaps_ahead)
{
    struct following following = follow_a_slow_robot(DPL_SYNC_SLOW_AUTO);
    cr_assert_lt(following.distance_mm, 15.0, "%g mm", following.distance_mm);
    cr_assert_gt(following.room_m, 0.072, "%g m", following.room_m);
    cr_assert_lt(following.room_m, 0.144, "%g m", following.room_m);
}

/* The poses of this robot are not late: who says so has an avatar that is ahead while it drives. */
Test(localized, where_the_user_says_what_is_late_there_is_no_doubt)
{
    struct following following = follow_a_slow_robot(DPL_SYNC_SLOW_COMMANDS);
    cr_assert_lt(following.distance_mm, 15.0, "%g mm", following.distance_mm);
    cr_assert_lt(fabs(following.lead_mm), 5.0, "%g mm", following.lead_mm);
    cr_assert_lt(following.room_m, 0.015, "%g m", following.room_m);
    following = follow_a_slow_robot(DPL_SYNC_SLOW_POSES);
    cr_assert_gt(following.lead_mm, 30.0, "%g mm", following.lead_mm);
    cr_assert_lt(following.room_m, 0.030, "%g m",
                 following.room_m); /* no pose tells the last 0.36 s */
}
