/* SPDX-License-Identifier: Apache-2.0 */
/* Counts laps. */
#include "lap.h"

static void start(struct lap *lap, struct dpl_pose2 pose, double t_s)
{
    lap->started = true;
    lap->line = pose;
    lap->last = (struct dpl_pose2){0};
    lap->last_t_s = t_s;
    lap->began_s = t_s;
}

static void finish_lap(struct lap *lap, double lap_s, double crossing_s)
{
    lap->laps++;
    lap->last_s = lap_s;
    lap->best_s = lap->laps == 1 ? lap_s : fmin(lap->best_s, lap_s);
    lap->began_s = crossing_s;
}

bool lap_update(struct lap *lap, const struct lap_rules *rules, struct dpl_pose2 pose, double t_s)
{
    if (!lap->started) {
        start(lap, pose, t_s);
        return false;
    }
    struct dpl_pose2 before = lap->last, now = dpl_pose2_relative(lap->line, pose);
    double before_s = lap->last_t_s;
    lap->last = now;
    lap->last_t_s = t_s;
    if (before.x >= 0.0 || now.x < 0.0) {
        return false;
    }
    double part = -before.x / (now.x - before.x); /* of the step, until the line */
    double y = before.y + part * (now.y - before.y);
    double crossing_s = before_s + part * (t_s - before_s);
    double lap_s = crossing_s - lap->began_s;
    if (fabs(y) > rules->line_width_m / 2.0 || lap_s < rules->minimum_s) {
        return false;
    }
    finish_lap(lap, lap_s, crossing_s);
    return true;
}
