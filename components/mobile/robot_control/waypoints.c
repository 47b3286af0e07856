/* SPDX-License-Identifier: Apache-2.0 */
/* Order, arrival and time limits of waypoints. */
#include "waypoints.h"

#define DETOUR 4.0

void dpl_nav_route_init(struct dpl_nav_route *route, const struct dpl_nav_route_config *config)
{
    *route = (struct dpl_nav_route){.config = config};
}

const struct dpl_nav_waypoint *dpl_nav_route_goal(const struct dpl_nav_route *route)
{
    return route->index < route->config->count ? &route->config->waypoints[route->index] : NULL;
}

static void advance(struct dpl_nav_route *route)
{
    route->index++;
    route->timed = false;
    if (route->config->loop && route->index >= route->config->count) {
        route->index = 0;
    }
}

void dpl_nav_route_abandon(struct dpl_nav_route *route)
{
    if (dpl_nav_route_goal(route)) {
        route->abandoned++;
        advance(route);
    }
}

enum dpl_nav_route_event dpl_nav_route_step(struct dpl_nav_route *route, struct dpl_pose2 pose,
                                            double now_s)
{
    const struct dpl_nav_waypoint *goal = dpl_nav_route_goal(route);
    if (!goal) {
        return DPL_NAV_ROUTE_DONE;
    }
    double distance = hypot(goal->x - pose.x, goal->y - pose.y);
    if (distance <= route->config->tolerance_m) {
        route->reached++;
        advance(route);
        return DPL_NAV_ROUTE_REACHED;
    }
    if (!route->timed) {
        route->timed = true;
        route->deadline_s =
            now_s + route->config->patience_s + DETOUR * distance / route->config->speed_m_s;
    }
    if (now_s >= route->deadline_s) {
        dpl_nav_route_abandon(route);
        return DPL_NAV_ROUTE_ABANDONED;
    }
    return DPL_NAV_ROUTE_GOING;
}

void dpl_nav_route_pause(struct dpl_nav_route *route, double duration_s)
{
    route->deadline_s += duration_s;
}
