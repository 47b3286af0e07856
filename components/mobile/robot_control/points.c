/* SPDX-License-Identifier: Apache-2.0 */
/* Converts ranges to points, with thinning. */
#include "points.h"

/* Neighbours closer than this spacing are merged; it is smaller at short range, where the robot may
 * pass closely. */
#define NEAR_RANGE_M   0.5
#define NEAR_SPACING_M 0.008
#define SPACING_GROWTH 0.03

bool dpl_nav_scan_is_usable(const struct dpl_nav_scan *scan)
{
    return scan->ranges_m && scan->count > 0 && scan->count <= DPL_NAV_MAX_BEAMS &&
           isfinite(scan->start_rad) && isfinite(scan->step_rad) && scan->step_rad != 0.0 &&
           isfinite(scan->range_min_m) && isfinite(scan->range_max_m) &&
           scan->range_min_m < scan->range_max_m && dpl_pose2_is_finite(scan->mount) &&
           isfinite(scan->stamp_s);
}

void dpl_nav_beams_prepare(struct dpl_nav_beams *beams, const struct dpl_nav_scan *scan)
{
    if (beams->count == scan->count && beams->start_rad == scan->start_rad &&
        beams->step_rad == scan->step_rad) {
        return;
    }
    beams->count = scan->count;
    beams->start_rad = scan->start_rad;
    beams->step_rad = scan->step_rad;
    for (size_t i = 0; i < scan->count; i++) {
        double angle = scan->start_rad + (double)i * scan->step_rad;
        beams->c[i] = cos(angle);
        beams->s[i] = sin(angle);
    }
}

bool dpl_nav_points_add(struct dpl_nav_points *points, double x, double y)
{
    if (points->count >= DPL_NAV_MAX_POINTS) {
        return false;
    }
    points->x[points->count] = x;
    points->y[points->count] = y;
    points->count++;
    return true;
}

static double spacing_at(double range, double growth)
{
    return NEAR_SPACING_M + (range > NEAR_RANGE_M ? (range - NEAR_RANGE_M) * growth : 0.0);
}

/* Steps of thinning for a scan with too many points; each drops more, far points first. */
static const struct thinning {
    double growth, farthest_m;
} thinnings[] = {
    {SPACING_GROWTH, HUGE_VAL}, {0.09, HUGE_VAL}, {0.09, 4.0}, {0.09, 2.0}, {0.09, 1.0}};

/* Fills `points` in the laser's frame; false if there was no room for all. */
static bool thin(struct dpl_nav_points *points, const struct dpl_nav_scan *scan,
                 const struct dpl_nav_beams *beams, const struct thinning *thinning)
{
    double farthest = fmin(scan->range_max_m, thinning->farthest_m);
    double anchor_x = 0.0, anchor_y = 0.0, nearest = 0.0, merge = -1.0;
    points->count = 0;
    for (size_t i = 0; i < scan->count; i++) {
        double range = (double)scan->ranges_m[i];
        if (!(range >= scan->range_min_m && range <= farthest)) {
            continue;
        }
        double x = range * beams->c[i], y = range * beams->s[i];
        double dx = x - anchor_x, dy = y - anchor_y;
        if (merge > 0.0 && dx * dx + dy * dy < merge * merge) {
            if (range < nearest) {
                nearest = range;
                points->x[points->count - 1] = x;
                points->y[points->count - 1] = y;
            }
            continue;
        }
        if (!dpl_nav_points_add(points, x, y)) {
            return false;
        }
        anchor_x = x;
        anchor_y = y;
        nearest = range;
        merge = spacing_at(range, thinning->growth);
    }
    return true;
}

static void transform(struct dpl_nav_points *points, struct dpl_pose2 frame)
{
    double c = cos(frame.theta), s = sin(frame.theta);
    for (size_t i = 0; i < points->count; i++) {
        double x = points->x[i], y = points->y[i];
        points->x[i] = frame.x + c * x - s * y;
        points->y[i] = frame.y + s * x + c * y;
    }
}

void dpl_nav_points_from_scan(struct dpl_nav_points *points, const struct dpl_nav_scan *scan,
                              const struct dpl_nav_beams *beams, struct dpl_pose2 laser)
{
    const size_t n = sizeof thinnings / sizeof thinnings[0];
    for (size_t i = 0; i < n && !thin(points, scan, beams, &thinnings[i]); i++) {
    }
    transform(points, laser);
}

void dpl_nav_points_append_relative(struct dpl_nav_points *to, const struct dpl_nav_points *from,
                                    struct dpl_pose2 origin, double reach_m)
{
    double c = cos(origin.theta), s = sin(origin.theta), reach2 = reach_m * reach_m;
    for (size_t i = 0; i < from->count; i++) {
        double dx = from->x[i] - origin.x, dy = from->y[i] - origin.y;
        if (dx * dx + dy * dy < reach2 &&
            !dpl_nav_points_add(to, c * dx + s * dy, -s * dx + c * dy)) {
            return;
        }
    }
}

void dpl_nav_points_select(struct dpl_nav_points *to, const struct dpl_nav_points *from,
                           double reach_m)
{
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        double x = from->x[i], y = from->y[i];
        if (x * x + y * y < reach_m * reach_m) {
            dpl_nav_points_add(to, x, y);
        }
    }
}
