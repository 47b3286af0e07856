/* SPDX-License-Identifier: Apache-2.0 */
/* What planning costs: a tick of the planner while it changes nothing, while its stages act, and a
 * servo tick of the path with its inverse kinematics. The row to beat: the paper's 50 us for all of
 * it. Means over many ticks, the best of several rounds. Prints, and judges nothing but that the
 * planner was in the state that the row says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/math/geometry.h>

#include "brake.h"
#include "hexa_ik.h"
#include "path.h"
#include "planner.h"

#define N_TICKS  400000
#define N_ROUNDS 5
#define PERIOD   (2500 * DPL_US)
#define PAPER_NS 50e3

static struct dpl_traj_reference references[N_TICKS];
static struct dpl_traj_axes brake_axes;

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Sines of `size` times the half-ranges, at about `hz`. */
static void move(double size, double hz)
{
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    for (int k = 0; k < N_TICKS; k++) {
        references[k].stamp = PERIOD * k;
        for (int j = 0; j < DPL_SIX; j++) {
            double angle = 2.0 * DPL_PI * hz * (1.0 + 0.1 * j) * 0.0025 * k + j;
            references[k].pose[j] = g->home[j] + size * g->half_range[j] * sin(angle);
        }
    }
}

static void start_planner(struct dpl_traj_planner *planner)
{
    static const double accel_max[DPL_SIX] = {10.0, 10.0, 10.0, 20.0, 20.0, 20.0};
    const struct dpl_hexa_geometry *g = &dpl_hexa_reference;
    struct dpl_traj_config config;
    dpl_traj_config_set(&config, g->home, g->half_range, accel_max);
    brake_axes = config.axes;
    if (dpl_traj_planner_init(planner, &config) != 0 ||
        dpl_traj_planner_start(planner, g->home) != 0) {
        fprintf(stderr, "bench_motion_planner: the planner does not start\n");
        exit(1);
    }
}

/* The ramp at the begin is left out. */
static double plan_ns(unsigned *ret_acted)
{
    struct dpl_traj_planner planner;
    struct dpl_traj_trace trace;
    double pose[DPL_SIX];
    const int ramp = 4000;
    start_planner(&planner);
    *ret_acted = 0;
    for (int k = 0; k < ramp; k++) {
        dpl_traj_planner_step(&planner, &references[k], references[k].stamp, NULL, pose);
    }
    double before = now_ns();
    for (int k = ramp; k < N_TICKS; k++) {
        dpl_traj_planner_step(&planner, &references[k], references[k].stamp, &trace, pose);
        *ret_acted |= trace.acted;
    }
    return (now_ns() - before) / (N_TICKS - ramp);
}

static void brake_next(void *context, const double *pose, const double *step, double *ret_pose)
{
    struct dpl_traj_motion motion;
    (void)context;
    memcpy(motion.y, pose, sizeof motion.y);
    memcpy(motion.d, step, sizeof motion.d);
    dpl_traj_brake_step(&brake_axes, &motion, ret_pose);
}

static int to_axes(void *context, const double *pose, double *ret_axes)
{
    return dpl_hexa_ik(context, pose, ret_axes);
}

/* A write every fourth tick, of references that need no planner. */
static double path_ns(unsigned *ret_acted)
{
    struct dpl_hexa_geometry geometry = dpl_hexa_reference;
    struct dpl_path path;
    struct dpl_axis_reference reference;
    const struct dpl_path_config config = {.servo_period_s = 0.000625,
                                           .time_base = dpl_time_base_default(),
                                           .brake = {.next = brake_next},
                                           .map = {.to_axes = to_axes, .context = &geometry}};
    if (dpl_path_reset(&path, &config, references[0].pose) != 0) {
        fprintf(stderr, "bench_motion_planner: the path does not start\n");
        exit(1);
    }
    double before = now_ns();
    for (int k = 0; k < N_TICKS; k++) {
        if (k % 4 == 0) {
            dpl_pose_buffer_write(&path.buffer, (uint64_t)k / 4, references[k / 4].pose);
        }
        dpl_path_step(&path, &reference);
    }
    double ns = (now_ns() - before) / N_TICKS;
    *ret_acted = path.n_map_faults > 0 || path.buffer.n_synthesised > 0 ? 1u : 0u;
    return ns;
}

static const struct row {
    const char *name;
    double size, hz;
    double (*measure)(unsigned *ret_acted);
    bool acts;
    double target_ns; /* 0: none */
} rows[] = {
    {"planner, transparent", 0.2, 0.5, plan_ns, false, 100.0},
    {"planner, at its limits", 2.0, 2.0, plan_ns, true, 0.0},
    {"path, a servo tick", 0.2, 0.5, path_ns, false, 0.0},
};

int main(void)
{
    int failures = 0;
    printf("%-26s %9s %9s %14s\n", "a tick of", "ns", "target", "times faster");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        double best = 1e300;
        unsigned acted = 0;
        start_planner(&(struct dpl_traj_planner){0});
        move(row->size, row->hz);
        for (int round = 0; round < N_ROUNDS; round++) {
            best = fmin(best, row->measure(&acted));
        }
        char target[16] = "-";
        if (row->target_ns > 0.0) {
            snprintf(target, sizeof target, "%.0f", row->target_ns);
        }
        printf("%-26s %9.1f %9s %14.0f\n", row->name, best, target, PAPER_NS / best);
        if ((acted != 0) != row->acts) {
            fprintf(stderr, "bench_motion_planner: '%s' is not what was measured\n", row->name);
            failures++;
        }
    }
    return failures;
}
