/* SPDX-License-Identifier: Apache-2.0 */
/* Order, arrival and time limits of waypoints. */
#include "waypoints.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- waypoints of a profile ---- */

static const char *skip(const char *at, const char *what)
{
    return at + strspn(at, what);
}

/* Decimal and finite; strtod accepts more formats. */
static const char *read_number(const char *at, double *ret_value)
{
    char *end;
    double value = strtod(at, &end);
    bool decimal = at + strspn(at, "+-.0123456789eE") == end;
    if (end == at || !decimal || !isfinite(value) || !(*end == '\0' || strchr(" \t\r\n;", *end))) {
        return NULL;
    }
    *ret_value = value;
    return end;
}

int dpl_nav_waypoints_parse(struct dpl_nav_route_config *route, const char *text,
                            size_t *ret_offset)
{
    route->count = 0;
    for (const char *at = skip(text, " \t\r\n;"); *at; at = skip(at, " \t\r\n;")) {
        struct dpl_nav_waypoint *waypoint = &route->waypoints[route->count];
        *ret_offset = (size_t)(at - text);
        if (route->count == DPL_NAV_MAX_WAYPOINTS) {
            return -EINVAL;
        }
        at = read_number(at, &waypoint->x);
        at = at ? skip(at, " \t\r\n") : NULL;
        *ret_offset = at ? (size_t)(at - text) : *ret_offset;
        at = at ? read_number(at, &waypoint->y) : NULL;
        at = at ? skip(at, " \t\r\n") : NULL;
        if (!at) {
            return -EINVAL;
        }
        *ret_offset = (size_t)(at - text);
        if (*at && *at != ';') {
            return -EINVAL;
        }
        route->count++;
    }
    return 0;
}
