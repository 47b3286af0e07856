/* SPDX-License-Identifier: Apache-2.0 */
#include "told.h"

#include <math.h>

static const double same_point_m = 0.05;

static bool is_near(const struct dpl_nav_told *told, size_t i, double x, double y)
{
    return fabs(told->x[i] - x) < same_point_m && fabs(told->y[i] - y) < same_point_m;
}

void dpl_nav_told_add(struct dpl_nav_told *told, double x, double y, double until_s)
{
    if (!isfinite(x) || !isfinite(y)) {
        return;
    }
    for (size_t i = 0; i < told->count; i++) {
        if (is_near(told, i, x, y)) {
            told->until_s[i] = fmax(told->until_s[i], until_s);
            return;
        }
    }
    size_t at = told->count < DPL_NAV_MAX_TOLD ? told->count++ : told->next;
    told->next = (at + 1) % DPL_NAV_MAX_TOLD;
    told->x[at] = x;
    told->y[at] = y;
    told->until_s[at] = until_s;
}

void dpl_nav_told_age(struct dpl_nav_told *told, double now_s)
{
    size_t n = 0;
    for (size_t i = 0; i < told->count; i++) {
        if (told->until_s[i] >= now_s) {
            told->x[n] = told->x[i];
            told->y[n] = told->y[i];
            told->until_s[n++] = told->until_s[i];
        }
    }
    if (n < told->count) {
        told->count = n;
        told->next = 0; /* the first is the oldest */
    }
}

void dpl_nav_told_around(const struct dpl_nav_told *told, struct dpl_pose2 origin, double reach_m,
                         struct dpl_nav_points *points)
{
    for (size_t i = 0; i < told->count; i++) {
        struct dpl_pose2 at =
            dpl_pose2_relative(origin, (struct dpl_pose2){told->x[i], told->y[i], 0.0});
        if (at.x * at.x + at.y * at.y < reach_m * reach_m) {
            dpl_nav_points_add(points, at.x, at.y);
        }
    }
}
