/* SPDX-License-Identifier: Apache-2.0 */
/* A laser that turns on the robot by more than a scan is matched over looks like a robot that was
 * carried away. But it is where odometry has it, and the gyro says that the robot has not turned.
 * So after a loss one more explanation is asked: the robot is where it is expected, and its laser
 * has turned. It is compared with the places that the search finds, by the scans that follow. */
#include "localizer_parts.h"

#define TURNS     45 /* one for each 8 deg: a scan is matched over more than half of that */
#define SLICE     4
#define GAP_RAD   0.05 /* between wheels and gyro since the last scan that fitted */
#define LEAST_RAD 0.035
#define BESIDE_M  0.10 /* and SIGMAS deviations of where odometry has it, at most */
#define SIGMAS    3.0
#define FOUND_M   0.05 /* deviations of what a search finds */
#define FOUND_RAD 0.03

void localizer__expect(struct localizer *l)
{
    l->expected = l->track.filter;
    l->expected_since_s = l->expected.time_s;
}

/* By the last scans that fitted, and by wheels and gyro since then. */
static struct loc_filter expected_at(const struct localizer *l, double at_s)
{
    struct loc_motion motion = {&l->history, true, 0};
    struct loc_filter expected = l->expected;
    loc_filter_advance(&expected, &motion, at_s);
    return expected;
}

/* Wheels and gyro say the same of the turn, as far back as the history goes. */
static bool knows_turn(const struct localizer *l, double at_s)
{
    struct loc_wheels wheels = loc_filter_wheels(&l->expected);
    struct loc_travel travel = loc_history_travel(&l->history, l->expected_since_s, at_s);
    double turn = (wheels.right * travel.right_m - wheels.left * travel.left_m) / wheels.axle_m;
    return travel.has_gyro && fabs(turn - travel.turn_rad) < GAP_RAD;
}

/* The place was known, and the mount is not given as exact. */
static bool may_have_turned(const struct localizer *l, double at_s)
{
    return l->settled && l->expected.p[LOC_STATE_MOUNT_YAW][LOC_STATE_MOUNT_YAW] > 0.0 &&
           knows_turn(l, at_s);
}

bool localizer__refine_turns(struct localizer *l)
{
    struct loc_observation observation =
        localizer__observe(l, &l->searched, loc_scan_every(&l->searched, LOCALIZER_REFINE_EVERY));
    double at_s = l->searched.stamp_s - l->expected.x[LOC_STATE_OFFSET];
    if (!may_have_turned(l, at_s)) {
        return true;
    }
    struct loc_filter expected = expected_at(l, at_s);
    for (int i = 0; i < SLICE && l->turns < TURNS - 1; i++) {
        double turned_rad = ++l->turns * 2.0 * DPL_PI / TURNS;
        loc_hypotheses_add_turned(&l->hypotheses, &expected, dpl_wrap_angle(turned_rad),
                                  &observation);
    }
    return l->turns == TURNS - 1;
}

bool localizer__take_turned_laser(struct localizer *l, struct loc_filter *found)
{
    if (!may_have_turned(l, found->time_s)) {
        return false;
    }
    struct loc_filter expected = expected_at(l, found->time_s);
    struct dpl_pose2 nominal = l->scan.mount, mount = loc_filter_mount(&expected, nominal);
    struct dpl_pose2 was = dpl_pose2_compose(loc_filter_pose(&expected), mount);
    struct dpl_pose2 is = loc_filter_laser(found, loc_filter_pose(found), nominal).pose;
    double turned_rad = dpl_wrap_angle(is.theta - was.theta);
    double sigma_m =
        sqrt(expected.p[LOC_STATE_X][LOC_STATE_X] + expected.p[LOC_STATE_Y][LOC_STATE_Y]);
    if (fabs(turned_rad) < LEAST_RAD || dpl_pose2_distance(was, is) > BESIDE_M + SIGMAS * sigma_m) {
        return false;
    }
    *found = expected;
    loc_filter_place(found, dpl_pose2_compose(is, dpl_pose2_relative(mount, (struct dpl_pose2){0})),
                     FOUND_M, FOUND_RAD);
    loc_course_take(found, mount, -turned_rad);
    return true;
}
