/* SPDX-License-Identifier: Apache-2.0 */
/* Counts laps. */
#include "lap.h"

static void start(struct lap *lap, struct dpl_pose2 pose, dpl_ns stamp)
{
    lap->started = true;
    lap->line = pose;
    lap->last = (struct dpl_pose2){0};
    lap->last_stamp = stamp;
    lap->began = stamp;
}

static void finish_lap(struct lap *lap, double lap_s, dpl_ns crossing)
{
    lap->laps++;
    lap->last_s = lap_s;
    lap->best_s = lap->laps == 1 ? lap_s : fmin(lap->best_s, lap_s);
    lap->began = crossing;
}

bool lap_update(struct lap *lap, const struct lap_rules *rules, struct dpl_pose2 pose, dpl_ns stamp)
{
    if (!lap->started) {
        start(lap, pose, stamp);
        return false;
    }
    struct dpl_pose2 before = lap->last, now = dpl_pose2_relative(lap->line, pose);
    dpl_ns before_stamp = lap->last_stamp;
    lap->last = now;
    lap->last_stamp = stamp;
    if (before.x >= 0.0 || now.x < 0.0) {
        return false;
    }
    double part = -before.x / (now.x - before.x); /* of the step, until the line */
    double y = before.y + part * (now.y - before.y);
    dpl_ns crossing = before_stamp + dpl_ns_from_s(part * dpl_ns_to_s(stamp - before_stamp));
    double lap_s = dpl_ns_to_s(crossing - lap->began);
    if (fabs(y) > rules->line_width_m / 2.0 || lap_s < rules->minimum_s) {
        return false;
    }
    finish_lap(lap, lap_s, crossing);
    return true;
}
