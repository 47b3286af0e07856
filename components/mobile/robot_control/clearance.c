/* SPDX-License-Identifier: Apache-2.0 */
/* Exact contact of a disc with points on straight and circular paths. */
#include "clearance.h"

#define STRAIGHT_BELOW 1e-3 /* curvature in 1/m */

double dpl_nav_nearest(const struct dpl_nav_points *points, double none_m, size_t *ret_index)
{
    double best = none_m * none_m;
    size_t index = points->count;
    for (size_t i = 0; i < points->count; i++) {
        double d2 = points->x[i] * points->x[i] + points->y[i] * points->y[i];
        if (d2 < best) {
            best = d2;
            index = i;
        }
    }
    if (ret_index) {
        *ret_index = index;
    }
    return sqrt(best);
}

static double straight(double x, double y, double radius, double limit)
{
    double half2 = radius * radius - y * y;
    if (half2 <= 0.0 || x <= 0.0) {
        return limit;
    }
    double distance = x - sqrt(half2);
    return distance < 0.0 ? 0.0 : distance < limit ? distance : limit;
}

/* For a left arc of turning radius `turn` around (0, turn). `d` is the point's distance from this
 * centre. */
static double on_arc(double x, double y, double turn, double d, double radius)
{
    double cos_half = (turn * turn + d * d - radius * radius) / (2.0 * turn * d);
    double half = cos_half >= 1.0 ? 0.0 : cos_half <= -1.0 ? DPL_PI : acos(cos_half);
    double angle = atan2(x, turn - y) - half;
    return turn * (angle < 0.0 ? angle + 2.0 * DPL_PI : angle);
}

double dpl_nav_free_arc(const struct dpl_nav_points *points, double radius_m, double curvature,
                        bool backwards, double limit_m)
{
    double mirror_x = backwards ? -1.0 : 1.0, mirror_y = curvature < 0.0 ? -1.0 : 1.0;
    bool is_straight = fabs(curvature) < STRAIGHT_BELOW;
    double turn = is_straight ? 0.0 : 1.0 / fabs(curvature);
    double reach = limit_m + radius_m, radius2 = radius_m * radius_m;
    double inner = turn > radius_m ? turn - radius_m : 0.0, outer = turn + radius_m;
    for (size_t i = 0; i < points->count; i++) {
        double x = points->x[i] * mirror_x, y = points->y[i] * mirror_y;
        double d2 = x * x + y * y;
        if (d2 < radius2) {
            if (x > 0.0) {
                return 0.0;
            }
            continue;
        }
        if (d2 >= reach * reach) {
            continue;
        }
        if (is_straight) {
            limit_m = straight(x, y, radius_m, limit_m);
            continue;
        }
        double c2 = x * x + (turn - y) * (turn - y);
        if (c2 <= inner * inner || c2 >= outer * outer) {
            continue;
        }
        limit_m = fmin(limit_m, on_arc(x, y, turn, sqrt(c2), radius_m));
        reach = limit_m + radius_m;
    }
    return limit_m;
}

double dpl_nav_stopping_distance(double speed, double reaction_s, double deceleration)
{
    return speed * reaction_s + speed * speed / (2.0 * deceleration);
}

double dpl_nav_admissible_speed(double distance_m, double reaction_s, double deceleration)
{
    if (!(distance_m > 0.0)) {
        return 0.0;
    }
    double lost = deceleration * reaction_s;
    return sqrt(lost * lost + 2.0 * deceleration * distance_m) - lost;
}
