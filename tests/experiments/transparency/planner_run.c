/* SPDX-License-Identifier: Apache-2.0 */
/* The runs: second differences are computed from the outputs, not from the planner's own state. */
#include "planner_run.h"

#include <math.h>
#include <string.h>

#define SEED       4
#define RAMP_TICKS 800 /* of the defaults: 2 s */

/* The path from the outputs: the moves' path at the three newest poses, the segments' path at the
 * newest three of its control points, half a move apart. */
struct served {
    double pose[3][DPL_SIX], control[4][DPL_SIX], path[3][DPL_SIX];
    double worst[DPL_SIX], worst_pose[DPL_SIX];
};

static void shift(double (*rows)[DPL_SIX], int n, const double *newest)
{
    memmove(rows[0], rows[1], sizeof rows[0] * (size_t)(n - 1));
    dpl_traj_copy(rows[n - 1], newest);
}

static double second_difference(double (*rows)[DPL_SIX], int i)
{
    return fabs((rows[2][i] - rows[1][i]) - (rows[1][i] - rows[0][i]));
}

/* Adds one control point of the cubic B-spline: its path at the previous knot. */
static void serve(struct served *served, const struct dpl_traj_config *config,
                  const double *control, struct planner_run *run)
{
    double path[DPL_SIX];
    shift(served->control, 4, control);
    for (int i = 0; i < DPL_SIX; i++) {
        path[i] =
            (served->control[1][i] + 4.0 * served->control[2][i] + served->control[3][i]) / 6.0;
    }
    shift(served->path, 3, path);
    for (int i = 0; i < DPL_SIX; i++) {
        double accel = 4.0 * second_difference(served->path, i) / config->axes.step_max[i];
        served->worst[i] = fmax(served->worst[i], accel);
        run->served_accel = fmax(run->served_accel, accel);
    }
    run->served_level =
        fmax(run->served_level, dpl_traj_ellipsoid_level(&config->workspace.hard, path));
}

static void check_pose(struct served *served, const struct dpl_traj_config *config,
                       const double *pose, struct planner_run *run)
{
    double boundary[DPL_SIX], middle[DPL_SIX];
    shift(served->pose, 3, pose);
    for (int i = 0; i < DPL_SIX; i++) {
        double a = served->pose[0][i], b = served->pose[1][i], c = served->pose[2][i];
        boundary[i] = 0.5 * (a + b);
        middle[i] = 0.125 * (a + 6.0 * b + c);
        double accel = second_difference(served->pose, i) / config->axes.step_max[i];
        served->worst_pose[i] = fmax(served->worst_pose[i], accel);
        run->accel = fmax(run->accel, accel);
    }
    serve(served, config, boundary, run);
    serve(served, config, middle, run);
}

static struct served served_begin(void)
{
    struct served served = {0};
    for (int k = 0; k < 4; k++) {
        dpl_traj_copy(served.pose[k % 3], planner_machine_centre);
        dpl_traj_copy(served.control[k], planner_machine_centre);
        dpl_traj_copy(served.path[k % 3], planner_machine_centre);
    }
    return served;
}

static bool all_finite(const double *pose)
{
    bool good = true;
    for (int i = 0; i < DPL_SIX; i++) {
        good &= isfinite(pose[i]) != 0;
    }
    return good;
}

static void check_point(struct planner_run *run, const struct dpl_traj_config *config,
                        const double *y)
{
    run->n_bad += !all_finite(y);
    run->hard_level = fmax(run->hard_level, dpl_traj_ellipsoid_level(&config->workspace.hard, y));
    run->soft_level = fmax(run->soft_level, dpl_traj_ellipsoid_level(&config->workspace.soft, y));
}

/* Restarts a planner that has stopped permanently, as an operator would. */
static void restart_if_waiting(struct dpl_traj_planner *planner)
{
    bool waits = planner->mode == DPL_TRAJ_FAULT || planner->workspace.phase == DPL_TRAJ_WAITING;
    if (waits && dpl_traj_planner_at_rest(planner)) {
        dpl_traj_planner_restart(planner);
    }
}

struct planner_run planner_run(const struct dpl_traj_config *config,
                               enum planner_reference_kind kind, uint32_t n)
{
    struct planner_run run = {0};
    struct dpl_traj_planner planner;
    struct planner_reference reference = planner_reference_begin(kind, SEED);
    struct served served = served_begin();
    if (dpl_traj_planner_init(&planner, config) != 0 ||
        dpl_traj_planner_start(&planner, planner_machine_centre) != 0) {
        run.n_bad = run.n_differ = n;
        return run;
    }
    for (uint32_t k = 0; k < n + RAMP_TICKS; k++) {
        struct dpl_traj_reference r = {.stamp = 2500000 * (dpl_ns)k};
        struct dpl_traj_trace trace;
        double y[DPL_SIX];
        planner_reference_next(&reference, r.pose);
        restart_if_waiting(&planner);
        dpl_traj_planner_step(&planner, &r, r.stamp, &trace, y);
        check_pose(&served, config, y, &run);
        run.n_guard += (trace.acted & DPL_TRAJ_GUARD) != 0;
        check_point(&run, config, y);
        if ((trace.acted & DPL_TRAJ_SYNC) == 0) {
            run.n_differ += memcmp(r.pose, y, sizeof y) != 0;
            run.n_compared++;
        }
    }
    for (int i = 0; i < DPL_SIX; i++) {
        run.served_over_poses = fmax(run.served_over_poses, served.worst[i] / served.worst_pose[i]);
    }
    return run;
}

void planner_run_worst(struct planner_run *worst, const struct planner_run *run)
{
    worst->hard_level = fmax(worst->hard_level, run->hard_level);
    worst->soft_level = fmax(worst->soft_level, run->soft_level);
    worst->accel = fmax(worst->accel, run->accel);
    worst->served_accel = fmax(worst->served_accel, run->served_accel);
    worst->served_over_poses = fmax(worst->served_over_poses, run->served_over_poses);
    worst->served_level = fmax(worst->served_level, run->served_level);
    worst->n_bad += run->n_bad;
    worst->n_differ += run->n_differ;
    worst->n_compared += run->n_compared;
    worst->n_guard += run->n_guard;
}
