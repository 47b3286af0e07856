/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the motion of a machine, one cycle at a time. */
#include "judge.h"

#include <math.h>
#include <string.h>

/* Path and axes receive a change of the command in different cycles of the same time. */
#define PLACED_GRACE (5 * DPL_MS)

static bool equal(const double *a, const double *b)
{
    return memcmp(a, b, DPL_SIX * sizeof a[0]) == 0;
}

static bool finite6(const double *v)
{
    bool finite = true;
    for (int i = 0; i < DPL_SIX; i++) {
        finite &= isfinite(v[i]) != 0;
    }
    return finite;
}

static void break_limit(struct motion_judge *judge, dpl_ns at, struct motion_break broken)
{
    if (judge->first_break.limit == LIMIT_NONE && at >= judge->task.from) {
        judge->first_break = broken;
        judge->first_break.at_s = dpl_ns_to_s(at);
    }
}

/* Level of a pose that may be nearer to the centre by `slack`; NULL: no slack. */
static double level_of(const struct motion_limits *limits, const double *pose, const double *slack)
{
    double level = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double off = fabs(pose[i] - limits->centre[i]);
        off = slack ? fmax(off - slack[i], 0.0) : off;
        level += (off / limits->hard[i]) * (off / limits->hard[i]);
    }
    return level;
}

/* ---- planned poses -------------------------------------------------------------------------- */

static void check_acceleration(struct motion_judge *judge, dpl_ns at, const double *seconds)
{
    const struct motion_limits *limits = &judge->limits;
    int axis = 0;
    judge->accel_ratio = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double step = limits->accel_max[i] * limits->move_s * limits->move_s;
        double ratio = fabs(seconds[i]) / step;
        if (ratio > judge->accel_ratio) {
            judge->accel_ratio = ratio;
            axis = i;
        }
    }
    if (at >= judge->task.from && judge->accel_ratio > judge->worst_accel_ratio) {
        judge->worst_accel_ratio = judge->accel_ratio;
        judge->worst_axis = axis;
    }
    if (!(judge->accel_ratio <= 1.0 + MOTION_ACCEL_ROUNDING)) {
        break_limit(judge, at,
                    (struct motion_break){LIMIT_ACCELERATION, axis, judge->accel_ratio, 0.0});
    }
}

static void check_level(struct motion_judge *judge, dpl_ns at, const double *pose)
{
    if (!finite6(pose)) {
        break_limit(judge, at, (struct motion_break){LIMIT_NOT_FINITE, -1, 0.0, 0.0});
        return;
    }
    judge->level = level_of(&judge->limits, pose, NULL);
    if (at >= judge->task.from) {
        judge->worst_level = fmax(judge->worst_level, judge->level);
    }
    if (judge->level > 1.0) {
        break_limit(judge, at, (struct motion_break){LIMIT_PLANNED, -1, judge->level, 0.0});
    }
}

/* Compares the newest pose with the newest reference: whether they are equal, since when, and their
 * difference. */
static void compare(struct motion_judge *judge, const struct motion_tick *tick)
{
    const double *pose = tick->path.last;
    bool same = tick->has_reference && equal(pose, tick->reference);
    if (same && !judge->same) {
        judge->same_since = tick->at;
    }
    judge->same = same;
    if (!judge->faulted || !tick->has_reference) {
        return;
    }
    judge->differed |= !same;
    for (int i = 0; i < DPL_SIX; i++) {
        judge->deviation[i] = fmax(judge->deviation[i], fabs(pose[i] - tick->reference[i]));
    }
}

static void check_poses(struct motion_judge *judge, const struct motion_tick *tick)
{
    const struct motion_chain *chain = &judge->chain;
    for (int i = 0; i < chain->n_new; i++) {
        check_acceleration(judge, tick->at, chain->seconds[i]);
        check_level(judge, tick->at, chain->poses[i]);
    }
    const struct chain_report *path = &tick->path;
    judge->n_poses += chain->n_new;
    judge->speed = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        judge->speed =
            fmax(judge->speed, fabs(path->last[i] - path->before[i]) / judge->limits.move_s);
    }
    if (!equal(path->last, path->before)) {
        judge->changed_at = tick->at;
    }
    compare(judge, tick);
}

/* A placement is allowed only while the axes do not follow. */
static void check_placement(struct motion_judge *judge, const struct motion_tick *tick)
{
    judge->n_placed++;
    judge->same = false;
    judge->speed = 0.0;
    if (judge->axes_follow && tick->at - judge->axes_off_since > PLACED_GRACE) {
        break_limit(judge, tick->at, (struct motion_break){LIMIT_JUMP, -1, 0.0, 0.0});
    }
}

static void check_path(struct motion_judge *judge, const struct motion_tick *tick)
{
    bool first = !judge->chain.known;
    switch (motion_chain_add(&judge->chain, &tick->path)) {
    case CHAIN_SAME: break;
    case CHAIN_GROWN: check_poses(judge, tick); break;
    case CHAIN_PLACED:
        if (!first) {
            check_placement(judge, tick);
        }
        break;
    case CHAIN_JUMPED:
        break_limit(judge, tick->at, (struct motion_break){LIMIT_JUMP, -1, 0.0, 0.0});
        break;
    case CHAIN_MISSED: judge->n_missed++; break;
    }
    judge->n_synthesised = tick->synthesised - judge->synthesised_then;
    if (judge->faulted) {
        judge->greatest_factor = fmax(judge->greatest_factor, tick->factor);
        judge->least_factor = fmin(judge->least_factor, tick->factor);
    }
}

/* ---- the machine ---------------------------------------------------------------------------- */

static void check_measured(struct motion_judge *judge, const struct motion_tick *tick)
{
    if (!finite6(tick->measured)) {
        break_limit(judge, tick->at, (struct motion_break){LIMIT_NOT_FINITE, -1, 0.0, 0.0});
        return;
    }
    bool stirs = false;
    for (int i = 0; i < DPL_SIX; i++) {
        stirs |= fabs(tick->measured[i] - judge->anchor[i]) > judge->task.rest[i];
    }
    if (stirs) {
        memcpy(judge->anchor, tick->measured, sizeof judge->anchor);
        judge->moved_at = tick->at;
    }
    judge->level_measured = level_of(&judge->limits, tick->measured, NULL);
    if (tick->at >= judge->task.from) {
        judge->worst_level_measured = fmax(judge->worst_level_measured, judge->level_measured);
    }
    if (level_of(&judge->limits, tick->measured, judge->limits.slack) > 1.0) {
        break_limit(judge, tick->at,
                    (struct motion_break){LIMIT_MEASURED, -1, judge->level_measured, 0.0});
    }
}

static void check_axes(struct motion_judge *judge, const struct motion_tick *tick)
{
    const struct motion_limits *limits = &judge->limits;
    judge->axes_follow = tick->axes_on && tick->axes_asked;
    judge->sees_platform = tick->has_measured;
    if (!judge->axes_follow) {
        judge->axes_off_since = tick->at;
    }
    for (int i = 0; limits->has_travel && tick->has_axes && i < DPL_AXES_N; i++) {
        double q = tick->axes_m[i];
        if (!(q >= limits->low_m[i] && q <= limits->high_m[i])) {
            break_limit(judge, tick->at, (struct motion_break){LIMIT_TRAVEL, i, q, 0.0});
        }
    }
}

/* Called before the first pose that the fault may have changed. */
static void record_fault(struct motion_judge *judge, const struct motion_tick *tick)
{
    if (judge->faulted || tick->at < judge->task.fault_at) {
        return;
    }
    judge->faulted = true;
    judge->speed_then = judge->speed;
    judge->same_then = judge->same && tick->at - judge->same_since >= judge->task.same_for;
    judge->synthesised_then = tick->synthesised;
    judge->greatest_factor = judge->least_factor = tick->factor;
    if (tick->has_measured) {
        memcpy(judge->measured_then, tick->measured, sizeof judge->measured_then);
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static enum motion_verdict settle(struct motion_judge *judge, dpl_ns settled_at, dpl_ns lasted,
                                  dpl_ns needed)
{
    static const enum motion_verdict good[] = {
        [MOTION_RECOVERS] = MOTION_RECOVERED,
        [MOTION_RESTS] = MOTION_AT_REST,
        [MOTION_STOPS_AXES] = MOTION_AXES_STOPPED,
    };
    static const enum motion_verdict bad[] = {
        [MOTION_RECOVERS] = MOTION_NOT_RECOVERED,
        [MOTION_RESTS] = MOTION_NOT_AT_REST,
        [MOTION_STOPS_AXES] = MOTION_AXES_NOT_STOPPED,
    };
    const struct motion_task *task = &judge->task;
    dpl_ns took = settled_at > task->fault_at ? settled_at - task->fault_at : 0;
    judge->settled_s = dpl_ns_to_s(took);
    return lasted >= needed && took <= task->within ? good[task->expect] : bad[task->expect];
}

static enum motion_verdict outcome(struct motion_judge *judge, dpl_ns now)
{
    const struct motion_task *task = &judge->task;
    dpl_ns still = judge->moved_at;
    switch (task->expect) {
    case MOTION_RECOVERS: {
        dpl_ns since = judge->differed ? judge->same_since : task->fault_at;
        return settle(judge, since, judge->same ? now - since : -1, task->same_for);
    }
    case MOTION_RESTS:
        still = judge->changed_at > still ? judge->changed_at : still;
        return settle(judge, still, judge->axes_follow ? now - still : -1, task->rest_for);
    case MOTION_STOPS_AXES:
        return settle(judge, still, judge->axes_follow ? -1 : now - still, task->rest_for);
    }
    return MOTION_UNDECIDED;
}

static enum motion_verdict decide(struct motion_judge *judge, const struct motion_tick *tick)
{
    const struct motion_task *task = &judge->task;
    double way2 = 0.0;
    for (int i = 0; i < 3; i++) {
        double way = judge->anchor[i] - judge->measured_then[i];
        way2 += way * way;
    }
    judge->way_m = sqrt(way2);
    enum motion_verdict verdict = outcome(judge, tick->at);
    if (judge->first_break.limit != LIMIT_NONE) {
        return MOTION_LIMIT_BROKEN;
    }
    if (judge->n_missed > 0 || judge->n_poses == 0 || !judge->sees_platform) {
        return MOTION_BLIND;
    }
    if (judge->speed_then < task->moving || !judge->same_then) {
        return MOTION_NOT_READY;
    }
    bool good = verdict <= MOTION_AXES_STOPPED;
    bool mode = task->end_mode < 0 || task->end_mode == tick->planner_mode;
    return good && !mode ? MOTION_WRONG_MODE : verdict;
}

enum motion_verdict motion_judge_step(struct motion_judge *judge, const struct motion_tick *tick)
{
    if (judge->verdict != MOTION_UNDECIDED) {
        return judge->verdict;
    }
    record_fault(judge, tick);
    check_axes(judge, tick);
    if (tick->has_path) {
        check_path(judge, tick);
    }
    if (tick->has_measured) {
        check_measured(judge, tick);
    }
    if (tick->at >= judge->task.end) {
        judge->verdict = decide(judge, tick);
    }
    return judge->verdict;
}
