/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of obstacles outside of the laser's view. A point leaves the view once, so each part of a
 * surface is stored about once. Because odometry drifts, points are dropped after some time and
 * beyond some distance. */
#include "obstacle_memory.h"

#include <math.h>

#define REMEMBER_WITHIN_M 1.2
#define REMEMBER_S        60.0 /* outside the field of view */
#define UNSEEN_S          1.5  /* inside it, but hidden or without a range */
#define SAME_POINT_M      0.02
#define HIDDEN_BY_M       0.06

enum visibility { OUTSIDE_VIEW, NOT_ANSWERED, SEEN };

void dpl_nav_memory_clear(struct dpl_nav_memory *memory)
{
    memory->fresh.count = 0;
    memory->count = 0;
}

/* Whether the scan could have seen the point (x, y), given in the laser's frame. */
static enum visibility visibility_of(const struct dpl_nav_scan *scan, double x, double y)
{
    double turns = (atan2(y, x) - scan->start_rad) / (2.0 * DPL_PI);
    double sweep = (turns - floor(turns)) * 2.0 * DPL_PI;
    double index =
        scan->step_rad > 0.0 ? sweep / scan->step_rad : (2.0 * DPL_PI - sweep) / -scan->step_rad;
    if (!(index <= (double)(scan->count - 1))) {
        return OUTSIDE_VIEW;
    }
    double range = (double)scan->ranges_m[(size_t)index], distance = sqrt(x * x + y * y);
    if (!(range >= scan->range_min_m) || distance < scan->range_min_m) {
        return NOT_ANSWERED;
    }
    return range < distance - HIDDEN_BY_M ? NOT_ANSWERED : SEEN;
}

struct keeper {
    const struct dpl_nav_scan *scan;
    struct dpl_pose2 laser, robot;
};

static bool is_worth_keeping(const struct keeper *keeper, double x, double y, double seen_s)
{
    double dx = x - keeper->robot.x, dy = y - keeper->robot.y;
    double age = keeper->scan->stamp_s - seen_s;
    if (!(age <= REMEMBER_S) || dx * dx + dy * dy > REMEMBER_WITHIN_M * REMEMBER_WITHIN_M) {
        return false;
    }
    struct dpl_pose2 p = dpl_pose2_relative(keeper->laser, (struct dpl_pose2){x, y, 0.0});
    enum visibility visibility = visibility_of(keeper->scan, p.x, p.y);
    return visibility == OUTSIDE_VIEW || (visibility == NOT_ANSWERED && age < UNSEEN_S);
}

static bool is_known(const struct dpl_nav_memory *memory, double x, double y)
{
    for (size_t i = 0; i < memory->count; i++) {
        if (fabs(memory->x[i] - x) < SAME_POINT_M && fabs(memory->y[i] - y) < SAME_POINT_M) {
            return true;
        }
    }
    return false;
}

static void remember(struct dpl_nav_memory *memory, double x, double y, double seen_s)
{
    if (memory->count < DPL_NAV_MAX_REMEMBERED) {
        memory->x[memory->count] = x;
        memory->y[memory->count] = y;
        memory->seen_s[memory->count] = seen_s;
        memory->count++;
    }
}

void dpl_nav_memory_update(struct dpl_nav_memory *memory, const struct dpl_nav_scan *scan,
                           const struct dpl_nav_beams *beams, struct dpl_pose2 robot)
{
    struct keeper keeper = {scan, dpl_pose2_compose(robot, scan->mount), robot};
    size_t before = memory->count;
    memory->count = 0;
    for (size_t i = 0; i < before; i++) {
        double x = memory->x[i], y = memory->y[i], seen_s = memory->seen_s[i];
        if (is_worth_keeping(&keeper, x, y, seen_s)) {
            remember(memory, x, y, seen_s);
        }
    }
    for (size_t i = 0; i < memory->fresh.count; i++) {
        double x = memory->fresh.x[i], y = memory->fresh.y[i];
        if (is_worth_keeping(&keeper, x, y, memory->fresh_s) && !is_known(memory, x, y)) {
            remember(memory, x, y, memory->fresh_s);
        }
    }
    dpl_nav_points_from_scan(&memory->fresh, scan, beams, keeper.laser);
    memory->fresh_s = scan->stamp_s;
}

void dpl_nav_memory_around(const struct dpl_nav_memory *memory, struct dpl_pose2 origin,
                           double reach_m, struct dpl_nav_points *ret_points)
{
    ret_points->count = 0;
    double c = cos(origin.theta), s = sin(origin.theta);
    for (size_t i = 0; i < memory->count; i++) {
        double dx = memory->x[i] - origin.x, dy = memory->y[i] - origin.y;
        if (dx * dx + dy * dy < reach_m * reach_m) {
            dpl_nav_points_add(ret_points, c * dx + s * dy, -s * dx + c * dy);
        }
    }
    dpl_nav_points_append_relative(ret_points, &memory->fresh, origin, reach_m);
}

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
