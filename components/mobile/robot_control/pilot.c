/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the direction of travel: turns on the spot for a large deviation, otherwise drives
 * arcs. */
#include "clearance.h"
#include "navigator_parts.h"

#define TURN_FROM_RAD  1.0 /* turn on the spot from this deviation on ... */
#define TURN_UNTIL_RAD 0.2 /* ... until this deviation */
#define HEADING_GAIN   1.5 /* rad/s per rad */
#define STEADY_BELOW   0.02
#define SLOW_NEAR      0.45 /* part of the speed that remains with an obstacle at the body */
#define EASE_M_S       0.03
#define EASE_BELOW_M   0.03 /* distance to the body below which a turning robot moves away */
#define EASE_ROOM_M    0.05
#define LONGEST_EASE_M 0.10

/* +1 or -1 while the robot turns on the spot. The direction does not change before the turn is
 * complete. */
static int turning_for(int turning, double error)
{
    if (turning == 0) {
        return fabs(error) > TURN_FROM_RAD ? (error > 0.0 ? 1 : -1) : 0;
    }
    if (fabs(error) < TURN_UNTIL_RAD) {
        return 0;
    }
    /* After half a turn, the direction of the error is the shorter way again. */
    return fabs(error) < DPL_PI / 2.0 ? (error > 0.0 ? 1 : -1) : turning;
}

/* Fastest turn that still allows to stop at the wanted heading. */
static double turn_rate(const struct dpl_nav_limits *limits, double error)
{
    double braking = sqrt(limits->angular_rad_s2 * fabs(error));
    double rate = fmin(fmin(HEADING_GAIN * fabs(error), braking), limits->angular_rad_s);
    return fabs(error) < STEADY_BELOW ? 0.0 : copysign(rate, error);
}

static double cruise_speed(const struct dpl_nav *nav, double error, double nearest)
{
    const struct dpl_nav_limits *limits = &nav->limits;
    double room = fmax(limits->safe_radius_m - limits->radius_m, 1e-3);
    double open = dpl_clamp((nearest - limits->radius_m) / room, 0.0, 1.0);
    double straight = dpl_clamp(1.25 - fabs(error) / TURN_FROM_RAD, 0.15, 1.0);
    return limits->linear_m_s * straight * (SLOW_NEAR + (1.0 - SLOW_NEAR) * open);
}

/* A disc that turns about its centre touches nothing, but unequal wheels shift the centre. If an
 * obstacle is too near, the robot moves backwards or forwards, if there is known free space. */
static double ease(const struct dpl_nav *nav)
{
    size_t index;
    double radius = nav->limits.radius_m, nearest;
    nearest = dpl_nav_nearest(&nav->near, radius + EASE_BELOW_M, &index);
    if (index >= nav->near.count) {
        return 0.0;
    }
    bool backwards = nav->near.x[index] > 0.0;
    double across = fabs(nav->near.y[index]);
    if (across > 0.9 * nearest || (backwards && nav->retreat_m <= 0.0)) {
        return 0.0;
    }
    double free_m = dpl_nav_free_arc(&nav->near, radius + 0.01, 0.0, backwards, 2.0 * EASE_ROOM_M);
    return free_m < EASE_ROOM_M ? 0.0 : backwards ? -EASE_M_S : EASE_M_S;
}

struct dpl_twist2 dpl__nav_pilot(struct dpl_nav *nav, struct dpl_pose2 pose)
{
    double error = dpl_wrap_angle(nav->heading_rad - pose.theta);
    nav->turning = turning_for(nav->turning, error);
    if (nav->turning * error < 0.0) {
        error += nav->turning * 2.0 * DPL_PI;
    }
    dpl_nav_points_select(&nav->near, &nav->around, dpl_nav_window_reach(&nav->limits));
    double nearest = dpl_nav_nearest(&nav->near, nav->limits.safe_radius_m, NULL);
    struct dpl_twist2 wish = {0.0, turn_rate(&nav->limits, error)};
    if (nav->turning == 0 && (nav->way_is_free || nav->recovery.active)) {
        wish.linear = cruise_speed(nav, error, nearest);
    }
    struct dpl_twist2 present = {fmax(nav->last.linear, 0.0), nav->last.angular};
    struct dpl_nav_choice choice = dpl_nav_window_choose(&nav->limits, &nav->near, present, wish);
    if (choice.twist.linear < 1e-3) {
        choice.twist.linear = ease(nav);
    }
    nav->retreat_m =
        dpl_clamp(nav->retreat_m + choice.twist.linear * nav->limits.period_s, 0.0, LONGEST_EASE_M);
    return choice.twist;
}
