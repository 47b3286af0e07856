/* SPDX-License-Identifier: Apache-2.0 */
/* Goals, and the direction of travel towards them. */
#include "clearance.h"
#include "navigator_parts.h"

#define TIGHT_MARGIN_M 0.03 /* around the body, when the safe radius does not fit */
#define LOOK_M         0.8  /* required free travel in a direction */
#define MOST_RAD       1.3  /* largest detour when wandering */
#define CLEAR_RAD      0.45 /* below this detour, the tight direction is not used */
#define GOAL_REACHED_M 0.30
#define BLOCKED_S      0.5
#define PROGRESS_M     0.10 /* the distance to a goal must decrease by this ... */
#define PROGRESS_S     5.0  /* ... within this time */
#define WANDER_NEED_M  0.5
#define BEHIND_M       0.8 /* assumed free travel in directions that the laser does not see */
#define AHEAD_M        2.0 /* along a planned path */
#define PLAN_S         1.0
#define PLAN_AGAIN_S   0.4
#define PLACE_NEAR_M   0.4
#define CREEP_M        0.3 /* required free travel on a planned path with little room */
#define UNREACHABLE_S  5.0
#define TIGHT_M        0.02
#define DETOUR         1.3
#define CLOSE_AHEAD_M  0.45
#define CLOSED_S       90.0
#define WAY_BLOCKED_S  2.0 /* time after which a planned path without progress is closed */

static void survey(struct dpl_nav *nav)
{
    double nearest = dpl_nav_nearest(&nav->around, DPL_NAV_REACH_M, NULL);
    double tight = nav->limits.radius_m + TIGHT_MARGIN_M;
    /* With an obstacle inside of the safe radius, the radius decreases to the distance of the
     * obstacle, so that the robot can move away. */
    double wide = dpl_clamp(nearest - 0.01, tight, nav->limits.safe_radius_m);
    tight = dpl_clamp(nearest - 0.01, dpl_nav_hard_radius(&nav->limits, 0.0), tight);
    dpl_nav_bearings_build(&nav->bearings, &nav->around);
    dpl_nav_sectors_build(&nav->wide, &nav->bearings, wide, LOOK_M);
    dpl_nav_sectors_build(&nav->tight, &nav->bearings, tight, DPL_NAV_REACH_M);
}

static void set_heading(struct dpl_nav *nav, struct dpl_pose2 pose, double direction)
{
    nav->heading_rad = dpl_wrap_angle(pose.theta + direction);
    nav->has_heading = true;
}

/* Direction towards a point `distance` away in direction `wish`: a wide direction if one has enough
 * free travel, otherwise a tight one. */
static bool find_way(struct dpl_nav *nav, struct dpl_pose2 pose, double wish, double distance)
{
    struct dpl_nav_steering request = {
        .wish_rad = wish,
        .last_rad = dpl_wrap_angle(nav->heading_rad - pose.theta),
        .need_m = fmin(distance, LOOK_M),
        .most_rad = MOST_RAD,
    };
    double wide = 0.0, tight = 0.0;
    bool has_wide = dpl_nav_sectors_steer(&nav->wide, &request, &wide);
    double detour = fabs(dpl_wrap_angle(wide - wish));
    if (has_wide && detour < CLEAR_RAD) {
        set_heading(nav, pose, wide);
        return true;
    }
    bool has_tight = dpl_nav_sectors_steer(&nav->tight, &request, &tight);
    if (has_tight && (!has_wide || fabs(dpl_wrap_angle(tight - wish)) < detour - CLEAR_RAD)) {
        set_heading(nav, pose, tight);
        return true;
    }
    if (has_wide) {
        set_heading(nav, pose, wide);
    }
    return has_wide;
}

static void wander_goal(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    struct dpl_nav_outlook outlook = {
        .pose = pose,
        .now_s = now_s,
        .need_m = WANDER_NEED_M,
        .view_rad = fmin(nav->view_left_rad, -nav->view_right_rad),
        .behind_m = BEHIND_M,
    };
    nav->has_goal = dpl_nav_wander_choose(&nav->wander, &nav->tight, &outlook, &nav->goal);
    nav->goal_m = HUGE_VAL;
    nav->blocked_s = 0.0;
    if (!nav->has_goal) {
        dpl_nav_recovery_begin(&nav->recovery, &nav->tight, pose, now_s);
    }
}

/* Whether a goal is blocked or its distance does not decrease. */
static bool is_hopeless(struct dpl_nav *nav, double distance, double now_s)
{
    if (distance < nav->goal_m - PROGRESS_M) {
        nav->goal_m = distance;
        nav->goal_until_s = now_s + PROGRESS_S;
    }
    return nav->blocked_s > BLOCKED_S || now_s > nav->goal_until_s;
}

/* Wandering: from goal to goal. A goal that is given up counts as visited, so that it is not chosen
 * again soon. */
static void steer_wander(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    double distance = dpl_pose2_distance(nav->goal, pose);
    if (nav->has_goal && is_hopeless(nav, distance, now_s)) {
        dpl_nav_visits_mark(&nav->wander.visits, nav->goal.x, nav->goal.y, now_s);
        nav->has_goal = false;
    }
    if (!nav->has_goal || distance < GOAL_REACHED_M) {
        wander_goal(nav, pose, now_s);
    }
    if (!nav->has_goal) {
        return;
    }
    struct dpl_pose2 goal = dpl_pose2_relative(pose, nav->goal);
    nav->way_is_free = find_way(nav, pose, atan2(goal.y, goal.x), hypot(goal.x, goal.y));
}

/* Plans a wide path if its detour is not long, otherwise a path with little more room than the body
 * needs, otherwise one that may be too narrow. */
static void plan(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    struct dpl_nav_plan_request request = {
        .robot = pose,
        .goal = nav->goal,
        .radius_m = nav->limits.radius_m + TIGHT_M,
        .ahead_m = AHEAD_M,
        .now_s = now_s,
    };
    struct dpl_nav_plan wide;
    nav->planned_s = now_s;
    nav->has_plan = dpl_nav_plan(&nav->planner, &nav->map, &request, &nav->plan);
    if (!nav->has_plan) {
        request.radius_m = nav->limits.radius_m - TIGHT_M;
        nav->has_plan = dpl_nav_plan(&nav->planner, &nav->map, &request, &nav->plan);
        return;
    }
    request.radius_m = nav->limits.safe_radius_m;
    if (dpl_nav_plan(&nav->planner, &nav->map, &request, &wide) &&
        wide.length_m < DETOUR * nav->plan.length_m + AHEAD_M) {
        nav->plan = wide;
    }
}

/* Adds a barrier ahead of the robot, so that other plans avoid this place. */
static void close_way(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    if (nav->config.mode != DPL_NAV_WAYPOINTS || !nav->has_plan) {
        return;
    }
    double bearing = atan2(nav->plan.place.y - pose.y, nav->plan.place.x - pose.x);
    double ahead = fmin(CLOSE_AHEAD_M, dpl_pose2_distance(nav->plan.place, pose));
    dpl_nav_map_add_barrier(&nav->map, pose.x + ahead * cos(bearing), pose.y + ahead * sin(bearing),
                            now_s + CLOSED_S);
    nav->blocked_s = 0.0;
    nav->planned_s = -HUGE_VAL;
}

/* True if a new plan is needed: the place is near, or the map may have changed. */
static bool needs_plan(const struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    return now_s >= nav->planned_s + PLAN_S || now_s < nav->planned_s ||
           (nav->has_plan && now_s >= nav->planned_s + PLAN_AGAIN_S &&
            dpl_pose2_distance(nav->plan.place, pose) < PLACE_NEAR_M);
}

static bool steer_waypoints(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    bool is_new = dpl_nav_route_step(&nav->route, pose, now_s) != DPL_NAV_ROUTE_GOING;
    const struct dpl_nav_waypoint *waypoint = dpl_nav_route_goal(&nav->route);
    is_new = is_new || !nav->has_goal;
    nav->has_goal = waypoint != NULL;
    if (!waypoint) {
        return false;
    }
    nav->goal = (struct dpl_pose2){waypoint->x, waypoint->y, 0.0};
    if (nav->blocked_s > WAY_BLOCKED_S) {
        close_way(nav, pose, now_s);
    }
    if (is_new || needs_plan(nav, pose, now_s)) {
        plan(nav, pose, now_s);
    }
    nav->unreachable_s = nav->has_plan ? 0.0 : nav->unreachable_s + nav->config.period_s;
    if (nav->unreachable_s > UNREACHABLE_S) {
        nav->unreachable_s = 0.0;
        nav->has_goal = false;
        dpl_nav_route_abandon(&nav->route);
        return true;
    }
    struct dpl_pose2 goal = dpl_pose2_relative(pose, nav->has_plan ? nav->plan.place : nav->goal);
    double wish = atan2(goal.y, goal.x), distance = hypot(goal.x, goal.y);
    nav->way_is_free =
        find_way(nav, pose, wish, distance) || find_way(nav, pose, wish, fmin(distance, CREEP_M));
    return true;
}

static void steer_out(struct dpl_nav *nav, struct dpl_pose2 pose)
{
    struct dpl_pose2 goal = dpl_pose2_relative(pose, nav->recovery.way_out);
    double wish = atan2(goal.y, goal.x);
    nav->way_is_free = find_way(nav, pose, wish, hypot(goal.x, goal.y));
    if (!nav->way_is_free) {
        set_heading(nav, pose, wish);
    }
}

bool dpl__nav_steer(struct dpl_nav *nav, struct dpl_pose2 pose, double now_s)
{
    dpl_nav_visits_mark(&nav->wander.visits, pose.x, pose.y, now_s);
    nav->blocked_s = nav->way_is_free ? 0.0 : nav->blocked_s + nav->config.period_s;
    if (nav->has_heading) {
        return nav->config.mode == DPL_NAV_WANDER || nav->has_goal;
    }
    survey(nav);
    bool was_recovering = nav->recovery.active;
    if (dpl_nav_recovery_is_stuck(&nav->recovery, pose, now_s)) {
        close_way(nav, pose, now_s);
        dpl_nav_recovery_begin(&nav->recovery, &nav->tight, pose, now_s);
    }
    if (dpl_nav_recovery_step(&nav->recovery, pose, now_s)) {
        steer_out(nav, pose);
        return true;
    }
    if (was_recovering) {
        nav->has_goal = false;
    }
    if (nav->config.mode == DPL_NAV_WAYPOINTS) {
        return steer_waypoints(nav, pose, now_s);
    }
    steer_wander(nav, pose, now_s);
    if (nav->recovery.active) {
        steer_out(nav, pose);
    }
    return true;
}
