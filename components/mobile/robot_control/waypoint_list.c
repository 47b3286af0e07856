/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of waypoints. */
#include "waypoint_list.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
