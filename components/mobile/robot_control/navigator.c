/* SPDX-License-Identifier: Apache-2.0 */
/* The navigator's step: perceive, choose a direction, drive. */
#include "navigator.h"
#include "clearance.h"
#include "navigator_parts.h"

#include <errno.h>
#include <string.h>

#define NOTHING_NEAR_M 5.0
#define AVOID_RAD      0.26 /* from this detour on, the state is DPL_NAV_AVOID */

static const char *const state_names[] = {
    [DPL_NAV_DRIVE] = "drive",     [DPL_NAV_AVOID] = "avoid", [DPL_NAV_TURN] = "turn",
    [DPL_NAV_RECOVER] = "recover", [DPL_NAV_STALE] = "stale", [DPL_NAV_HALTED] = "halted",
    [DPL_NAV_ARRIVED] = "arrived",
};

const char *dpl_nav_state_name(enum dpl_nav_state state)
{
    return (size_t)state < sizeof state_names / sizeof state_names[0] ? state_names[state] : "?";
}

struct dpl_nav_config dpl_nav_config_default(void)
{
    return (struct dpl_nav_config){
        .robot_radius_m = 0.20,
        .safe_radius_m = 0.30,
        .max_linear_m_s = 0.2,
        .max_angular_rad_s = 0.7,
        .linear_acceleration_m_s2 = 0.5,
        .angular_acceleration_rad_s2 = 2.0,
        .period_s = 0.1,
        .latency_s = 0.15,
        .stale_after_s = 0.3,
        .blind_after_s = 1.0,
        .mode = DPL_NAV_WANDER,
        .route = {.tolerance_m = 0.15, .patience_s = 60.0},
        .seed = 1,
    };
}

/* False for NaN. */
static bool is_positive(double value)
{
    return value > 0.0 && value < 1e6;
}

static bool is_valid_route(const struct dpl_nav_route_config *route)
{
    if (route->count > DPL_NAV_MAX_WAYPOINTS || !is_positive(route->tolerance_m) ||
        !is_positive(route->patience_s)) {
        return false;
    }
    for (size_t i = 0; i < route->count; i++) {
        if (!isfinite(route->waypoints[i].x) || !isfinite(route->waypoints[i].y)) {
            return false;
        }
    }
    return true;
}

static bool is_valid(const struct dpl_nav_config *config)
{
    return is_positive(config->robot_radius_m) && is_positive(config->safe_radius_m) &&
           config->safe_radius_m >= config->robot_radius_m && is_positive(config->max_linear_m_s) &&
           is_positive(config->max_angular_rad_s) &&
           is_positive(config->linear_acceleration_m_s2) &&
           is_positive(config->angular_acceleration_rad_s2) && is_positive(config->period_s) &&
           config->latency_s >= 0.0 && config->latency_s < 10.0 &&
           is_positive(config->stale_after_s) && config->blind_after_s >= 0.0 &&
           (config->mode == DPL_NAV_WANDER || config->mode == DPL_NAV_WAYPOINTS) &&
           is_valid_route(&config->route);
}

int dpl_nav_init(struct dpl_nav *nav, const struct dpl_nav_config *config)
{
    if (!is_valid(config)) {
        return -EINVAL;
    }
    memset(nav, 0, sizeof *nav);
    nav->config = *config;
    nav->limits = (struct dpl_nav_limits){
        .radius_m = config->robot_radius_m,
        .safe_radius_m = config->safe_radius_m,
        .linear_m_s = config->max_linear_m_s,
        .angular_rad_s = config->max_angular_rad_s,
        .linear_m_s2 = config->linear_acceleration_m_s2,
        .angular_rad_s2 = config->angular_acceleration_rad_s2,
        .period_s = config->period_s,
        .latency_s = config->latency_s,
    };
    nav->config.route.speed_m_s = config->max_linear_m_s;
    dpl_nav_wander_init(&nav->wander, config->seed);
    dpl_nav_recovery_init(&nav->recovery, config->seed);
    dpl_nav_route_init(&nav->route, &nav->config.route);
    return 0;
}

static enum dpl_nav_state moving_state(const struct dpl_nav *nav, struct dpl_pose2 pose)
{
    if (nav->recovery.active) {
        return DPL_NAV_RECOVER;
    }
    if (nav->turning != 0) {
        return DPL_NAV_TURN;
    }
    double bearing = atan2(nav->goal.y - pose.y, nav->goal.x - pose.x);
    double detour = fabs(dpl_wrap_angle(nav->heading_rad - bearing));
    return nav->way_is_free && detour < AVOID_RAD ? DPL_NAV_DRIVE : DPL_NAV_AVOID;
}

/* The time of standing does not count for stuck detection or for the time limit of a waypoint. */
static void stand(struct dpl_nav *nav)
{
    dpl_nav_recovery_rest(&nav->recovery);
    dpl_nav_route_pause(&nav->route, nav->config.period_s);
    nav->last = (struct dpl_twist2){0.0, 0.0};
    nav->turning = 0;
}

static enum dpl_nav_state decide(struct dpl_nav *nav, const struct dpl_nav_input *input)
{
    bool knows = dpl__nav_perceive(nav, input);
    nav->around.count = 0;
    if (!knows) {
        stand(nav);
        return input->halt ? DPL_NAV_HALTED : DPL_NAV_STALE;
    }
    struct dpl_pose2 pose = dpl__nav_fill_around(nav, input);
    if (input->halt) {
        stand(nav);
        return DPL_NAV_HALTED;
    }
    if (!dpl__nav_steer(nav, pose, input->now_s)) {
        stand(nav);
        return DPL_NAV_ARRIVED;
    }
    nav->last = dpl__nav_pilot(nav, pose);
    return moving_state(nav, pose);
}

void dpl_nav_slowed(struct dpl_nav *nav, struct dpl_twist2 command)
{
    nav->last = command;
}

void dpl_nav_step(struct dpl_nav *nav, const struct dpl_nav_input *input,
                  struct dpl_nav_output *ret_output)
{
    enum dpl_nav_state state = decide(nav, input);
    *ret_output = (struct dpl_nav_output){
        .command = nav->last,
        .state = state,
        .nearest_m = dpl_nav_nearest(&nav->around, NOTHING_NEAR_M, NULL),
        .goal = nav->recovery.active ? nav->recovery.way_out : nav->goal,
        .has_goal = nav->recovery.active || nav->has_goal,
        .waypoint = nav->route.index,
        .reached = nav->route.reached,
        .abandoned = nav->route.abandoned,
        .is_blind = dpl__nav_is_blind(nav),
    };
}
