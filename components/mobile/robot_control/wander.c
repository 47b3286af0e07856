/* SPDX-License-Identifier: Apache-2.0 */
/* Goal selection of wandering. */
#include "wander.h"

#include <string.h>

#define WEIGHT_FREE   1.0
#define WEIGHT_NEW    1.6
#define WEIGHT_TURN   0.5
#define WEIGHT_CHANCE 0.25
#define FREE_ENOUGH_M 3.0
#define FARTHEST_M    3.5
#define KEEP_OFF_M    0.15
#define PROBE_STEP_M  0.5

void dpl_nav_wander_init(struct dpl_nav_wander *wander, uint64_t seed)
{
    wander->random = dpl_random_seeded(seed, 1);
    dpl_nav_visits_clear(&wander->visits);
}

/* Mean novelty of the cells in a direction, without the place where the robot is. */
static double novelty_along(const struct dpl_nav_wander *wander, struct dpl_pose2 pose,
                            double length, double now_s)
{
    double sum = 0.0, count = 0.0;
    for (double s = PROBE_STEP_M; s <= length; s += PROBE_STEP_M) {
        sum += dpl_nav_visits_novelty(&wander->visits, pose.x + s * cos(pose.theta),
                                      pose.y + s * sin(pose.theta), now_s);
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.0;
}

bool dpl_nav_wander_choose(struct dpl_nav_wander *wander, const struct dpl_nav_sectors *sectors,
                           const struct dpl_nav_outlook *outlook, struct dpl_pose2 *ret_goal)
{
    double best = -HUGE_VAL;
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        double angle = dpl_nav_sector_angle(i), length = fmin(sectors->free_m[i], FARTHEST_M);
        double chance = dpl_random_uniform(&wander->random, 0.0, WEIGHT_CHANCE);
        if (fabs(angle) > outlook->view_rad) {
            length = fmin(length, outlook->behind_m);
        }
        if (length < outlook->need_m) {
            continue;
        }
        struct dpl_pose2 ray = outlook->pose;
        ray.theta += angle;
        double score = WEIGHT_FREE * fmin(length / FREE_ENOUGH_M, 1.0) +
                       WEIGHT_NEW * novelty_along(wander, ray, length, outlook->now_s) -
                       WEIGHT_TURN * fabs(angle) / DPL_PI + chance;
        if (score > best) {
            best = score;
            double reach = fmax(length - KEEP_OFF_M, outlook->need_m);
            *ret_goal =
                (struct dpl_pose2){ray.x + reach * cos(ray.theta), ray.y + reach * sin(ray.theta),
                                   dpl_wrap_angle(ray.theta)};
        }
    }
    return best > -HUGE_VAL;
}

/* ---- visits ---- */

#define FORGET_S 240.0 /* time constant after which a place can be visited again */
#define FAR_CELL 1e8   /* keeps the conversion to an integer defined */

static int32_t cell_of(double metres)
{
    return (int32_t)floor(dpl_clamp(metres / DPL_NAV_VISIT_CELL_M, -FAR_CELL, FAR_CELL));
}

static unsigned slot_of(int32_t cell)
{
    return (unsigned)cell % DPL_NAV_VISIT_CELLS;
}

void dpl_nav_visits_clear(struct dpl_nav_visits *visits)
{
    memset(visits, 0, sizeof *visits);
}

void dpl_nav_visits_mark(struct dpl_nav_visits *visits, double x, double y, double now_s)
{
    int32_t i = cell_of(x), j = cell_of(y);
    visits->cells[slot_of(i)][slot_of(j)] =
        (struct dpl_nav_visit){.i = i, .j = j, .last_s = now_s, .used = true};
}

double dpl_nav_visits_novelty(const struct dpl_nav_visits *visits, double x, double y, double now_s)
{
    int32_t i = cell_of(x), j = cell_of(y);
    const struct dpl_nav_visit *cell = &visits->cells[slot_of(i)][slot_of(j)];
    if (!cell->used || cell->i != i || cell->j != j) {
        return 1.0;
    }
    return 1.0 - exp(-fmax(now_s - cell->last_s, 0.0) / FORGET_S);
}
