/* SPDX-License-Identifier: Apache-2.0 */
/* Converts inputs into known points of the surroundings. */
#include "navigator_parts.h"

/* A pose that moves faster than this multiple of the limits has jumped. */
#define JUMP_FACTOR 5.0
#define JUMP_M      0.3
#define JUMP_RAD    0.6
/* How long a point counts that was told. */
#define TOLD_S      20.0
/* Scans in a row that show something, until a laser that was blind is believed again. */
#define SEEN_AGAIN  3

/* After a jump, all positions from old poses are invalid. */
static void forget_places(struct dpl_nav *nav)
{
    nav->history.count = 0;
    dpl_nav_memory_clear(&nav->memory);
    nav->told = (struct dpl_nav_told){0};
    dpl_nav_map_clear(&nav->map);
    dpl_nav_visits_clear(&nav->wander.visits);
    dpl_nav_recovery_rest(&nav->recovery);
    nav->recovery.active = false;
    nav->has_scan = nav->has_goal = nav->has_heading = false;
    nav->turning = 0;
    nav->retreat_m = 0.0;
}

static bool has_jumped(const struct dpl_nav *nav, const struct dpl_nav_input *input)
{
    struct dpl_pose2 before;
    if (!pose_history_at(&nav->history, input->now_s, &before)) {
        return false;
    }
    double elapsed = fmax(input->now_s - nav->last_now_s, nav->config.period_s);
    double far_m = JUMP_M + JUMP_FACTOR * nav->limits.linear_m_s * elapsed;
    double far_rad = JUMP_RAD + JUMP_FACTOR * nav->limits.angular_rad_s * elapsed;
    return dpl_pose2_distance(before, input->pose) > far_m ||
           fabs(dpl_wrap_angle(before.theta - input->pose.theta)) > far_rad;
}

/* At least one of a hundred beams: a covered laser may have a beam that returns by chance. */
static bool shows_something(const struct dpl_nav_scan *scan)
{
    size_t returned = 0;
    for (size_t i = 0; i < scan->count; i++) {
        double range = (double)scan->ranges_m[i];
        returned += range > 0.0 && range >= scan->range_min_m && range <= scan->range_max_m;
    }
    return returned > 0 && 100 * returned >= scan->count;
}

/* A laser that is covered or broken sends scans that look like a place without obstacles. */
bool dpl__nav_is_blind(const struct dpl_nav *nav)
{
    double after_s = nav->config.blind_after_s;
    bool long_ago = !nav->has_returned || nav->scan_stamp_s - nav->returned_s >= after_s;
    return nav->has_scan && after_s > 0.0 && long_ago;
}

static void add_scan(struct dpl_nav *nav, const struct dpl_nav_scan *scan)
{
    struct dpl_pose2 robot;
    if (!pose_history_at(&nav->history, scan->stamp_s, &robot)) {
        return;
    }
    bool was_blind = nav->has_returned && dpl__nav_is_blind(nav);
    nav->n_shown = shows_something(scan) ? nav->n_shown + 1 : 0;
    if (nav->n_shown >= (was_blind ? SEEN_AGAIN : 1)) {
        nav->returned_s = scan->stamp_s;
        nav->has_returned = true;
    }
    dpl_nav_beams_prepare(&nav->beams, scan);
    dpl_nav_memory_update(&nav->memory, scan, &nav->beams, robot);
    if (nav->config.mode == DPL_NAV_WAYPOINTS) {
        dpl_nav_map_update(&nav->map, scan, &nav->beams, dpl_pose2_compose(robot, scan->mount),
                           &nav->memory.fresh);
        for (size_t i = 0; i < nav->told.count; i++) {
            dpl_nav_map_mark(&nav->map, nav->told.x[i], nav->told.y[i]);
        }
    }
    double end = scan->start_rad + (double)(scan->count - 1) * scan->step_rad;
    nav->view_left_rad = fmin(fmax(scan->start_rad, end) + scan->mount.theta, DPL_PI);
    nav->view_right_rad = fmax(fmin(scan->start_rad, end) + scan->mount.theta, -DPL_PI);
    nav->scan_stamp_s = scan->stamp_s;
    nav->has_scan = true;
    nav->has_heading = false;
}

bool dpl__nav_perceive(struct dpl_nav *nav, const struct dpl_nav_input *input)
{
    if (!isfinite(input->now_s) || !input->pose_valid || !dpl_pose2_is_finite(input->pose)) {
        return false;
    }
    if (nav->has_time && (input->now_s < nav->last_now_s || has_jumped(nav, input))) {
        forget_places(nav);
    }
    pose_history_add(&nav->history, input->now_s, input->pose);
    nav->has_time = true;
    nav->last_now_s = input->now_s;
    const struct dpl_nav_scan *scan = &input->scan;
    if (!dpl_nav_scan_is_usable(scan)) {
        return false;
    }
    /* A stamp in the future counts as fresh only up to one period, for clock skew. */
    double age = input->now_s - scan->stamp_s;
    if (age > nav->config.stale_after_s || age < -nav->config.stale_after_s) {
        return false;
    }
    if (!nav->has_scan || scan->stamp_s != nav->scan_stamp_s) {
        add_scan(nav, scan);
    }
    return nav->has_scan && !dpl__nav_is_blind(nav);
}

struct dpl_pose2 dpl__nav_fill_around(struct dpl_nav *nav, const struct dpl_nav_input *input)
{
    struct dpl_twist2 twist = input->twist;
    if (!isfinite(twist.linear) || !isfinite(twist.angular)) {
        twist = nav->last;
    }
    double turn = dpl_clamp(twist.angular, -nav->limits.angular_rad_s, nav->limits.angular_rad_s) *
                  nav->limits.latency_s;
    double way = dpl_clamp(twist.linear, -nav->limits.linear_m_s, nav->limits.linear_m_s) *
                 nav->limits.latency_s;
    struct dpl_pose2 advance = {way * cos(turn / 2.0), way * sin(turn / 2.0), turn};
    struct dpl_pose2 pose = dpl_pose2_compose(input->pose, advance);
    dpl_nav_memory_around(&nav->memory, pose, DPL_NAV_REACH_M + 0.5, &nav->around);
    dpl_nav_told_age(&nav->told, input->now_s);
    dpl_nav_told_around(&nav->told, pose, DPL_NAV_REACH_M + 0.5, &nav->around);
    return pose;
}

void dpl_nav_add_points(struct dpl_nav *nav, double stamp_s, const double *x, const double *y,
                        size_t n)
{
    struct dpl_pose2 robot;
    if (!pose_history_at(&nav->history, stamp_s, &robot)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct dpl_pose2 at = dpl_pose2_compose(robot, (struct dpl_pose2){x[i], y[i], 0.0});
        dpl_nav_told_add(&nav->told, at.x, at.y, stamp_s + TOLD_S);
    }
}
