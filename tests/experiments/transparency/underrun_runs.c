/* SPDX-License-Identifier: Apache-2.0 */
/* Section 4 of the specification: a planner that stops for some time while the machine moves. The
 * planner's brake synthesises the missing poses; the reference of the axes must stay within the
 * limits. */
#include "acceptance.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path.h"
#include "planner.h"

#define TWO_PI    6.283185307179586
#define SERVO_S   0.625e-3
#define ACCEL     10.0
#define AMPLITUDE 0.05
#define SETTLED   1600 /* periods: after the synchronisation */
#define SINE_HZ   1.0

static const double home[DPL_SIX] = {0.0, 0.0, 0.54, 0.0, 0.0, 0.0};

struct rig {
    double amplitude_m; /* of the reference */
    struct dpl_traj_planner planner;
    struct dpl_path path;
    struct dpl_axis_reference last;
    double reference[DPL_SIX]; /* the newest */
    double acceleration;       /* largest, of the curve */
    double velocity_step;      /* largest, from tick to tick, including the part of the time base */
    long tick;
};

static void brake(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                  double ret_pose[DPL_SIX])
{
    dpl_traj_planner_brake(context, ret_pose);
}

static int open_rig(struct rig *rig, double amplitude_m)
{
    static const double hard[DPL_SIX] = {0.25, 0.15, 0.15, 0.0873, 0.1396, 0.0524};
    static const double accel[DPL_SIX] = {ACCEL, ACCEL, ACCEL, ACCEL, ACCEL, ACCEL};
    struct dpl_traj_config config;
    struct dpl_path_config path = {.servo_period_s = SERVO_S,
                                   .time_base = dpl_time_base_default(),
                                   .brake = {brake, &rig->planner}};
    *rig = (struct rig){.amplitude_m = amplitude_m};
    dpl_traj_config_set(&config, home, hard, accel);
    int r = dpl_traj_planner_init(&rig->planner, &config);
    r = r == 0 ? dpl_traj_planner_start(&rig->planner, home) : r;
    return r == 0 ? dpl_path_reset(&rig->path, &path, home) : r;
}

static int plan(struct rig *rig)
{
    double last[2][DPL_SIX], pose[DPL_SIX];
    struct dpl_traj_reference reference = {.stamp = rig->tick * (dpl_ns)625000};
    if (!dpl_pose_buffer_admits(&rig->path.buffer)) {
        return 0;
    }
    memcpy(reference.pose, home, sizeof reference.pose);
    reference.pose[0] += rig->amplitude_m * sin(TWO_PI * SINE_HZ * SERVO_S * (double)rig->tick);
    memcpy(rig->reference, reference.pose, sizeof rig->reference);
    uint64_t sequence = dpl_pose_buffer_resume(&rig->path.buffer, last);
    dpl_traj_planner_step(&rig->planner, &reference, reference.stamp, NULL, pose);
    return dpl_pose_buffer_write(&rig->path.buffer, sequence, pose);
}

static int run(struct rig *rig, int periods, bool planning)
{
    int r = 0;
    for (int k = 0; r == 0 && k < 4 * periods; k++, rig->tick++) {
        struct dpl_axis_reference reference;
        r = planning && k % 4 == 0 ? plan(rig) : 0;
        r = r == 0 ? dpl_path_step(&rig->path, &reference) : r;
        rig->acceleration = fmax(rig->acceleration, fabs(reference.acceleration[0]));
        rig->velocity_step =
            fmax(rig->velocity_step, fabs(reference.velocity[0] - rig->last.velocity[0]));
        rig->last = reference;
    }
    return r;
}

/* Periods until the wanted distance, and until the reference is followed exactly again. */
static int recover(struct rig *rig, int ret_periods[2])
{
    int r = 0, distance = -1, aligned = -1;
    for (int k = 1; r == 0 && aligned < 0 && k < 4000; k++) {
        r = run(rig, 1, true);
        bool there = dpl_pose_buffer_distance(&rig->path.buffer) == 2 && rig->path.moving;
        distance = distance < 0 && there ? k : distance;
        aligned = distance >= 0 &&
                          memcmp(rig->planner.motion.y, rig->reference, sizeof rig->reference) == 0
                      ? k
                      : -1;
    }
    ret_periods[0] = distance;
    ret_periods[1] = aligned;
    return r;
}

static void report(const char *what, const struct rig *rig, const int periods[2])
{
    char name[80];
    double step = rig->velocity_step / SERVO_S, speed = TWO_PI * SINE_HZ * AMPLITUDE;
    printf("    %s: %d synthesised; distance 2 after %d, bit-identical after %d periods\n", what,
           (int)rig->path.buffer.n_synthesised, periods[0], periods[1]);
    snprintf(name, sizeof name, "%s: acceleration over its limit", what);
    row_at_most(name, rig->acceleration / ACCEL, 1.0 + 1e-9, "");
    snprintf(name, sizeof name, "%s: the same with the time base's share", what);
    row_at_most(name, step / ACCEL, 1.0 + 0.005 * speed / SERVO_S / ACCEL, "");
    snprintf(name, sizeof name, "%s: distance and alignment come back", what);
    row_holds(name, periods[0] > 0 && periods[1] > 0);
}

static int stall(const char *what, int periods)
{
    struct rig rig;
    int recovery[2], r = open_rig(&rig, AMPLITUDE);
    r = r == 0 ? run(&rig, SETTLED, true) : r;
    r = r == 0 ? run(&rig, periods, false) : r;
    bool at_rest = !rig.path.moving;
    r = r == 0 ? recover(&rig, recovery) : r;
    if (r < 0) {
        return r;
    }
    report(what, &rig, recovery);
    if (periods > 100) {
        char name[80];
        snprintf(name, sizeof name, "%s: at rest before the planner comes back", what);
        row_holds(name, at_rest);
    }
    return 0;
}

/* Pauses of every length up to 100 ms, each at another phase of the sine. */
static int many_stalls(void)
{
    struct rig rig;
    int recovery[2], r = open_rig(&rig, AMPLITUDE);
    r = r == 0 ? run(&rig, SETTLED, true) : r;
    for (int length = 1; r == 0 && length <= 40; length++) {
        r = run(&rig, length, false);
        r = r == 0 ? run(&rig, 200 + 7 * length, true) : r;
    }
    r = r == 0 ? recover(&rig, recovery) : r;
    if (r == 0) {
        report("stalls of 1 to 40 periods", &rig, recovery);
        row_at_most("stalls of 1 to 40 periods: overruns", (double)rig.path.buffer.n_overruns, 0.0,
                    "");
    }
    return r;
}

/* Whether the reference is followed exactly again does not depend on the brake but on the rate of
 * change of the reference's acceleration: the planner's saturation control follows it with an
 * error. */
static int larger_sines(void)
{
    printf("  for the record: 12.5 ms of stall in larger sines of 1 Hz\n");
    for (int k = 5; k <= 10; k++) {
        struct rig rig;
        int recovery[2], r = open_rig(&rig, 0.01 * k);
        r = r == 0 ? run(&rig, SETTLED, true) : r;
        r = r == 0 ? run(&rig, 5, false) : r;
        r = r == 0 ? recover(&rig, recovery) : r;
        if (r < 0) {
            return r;
        }
        printf("    %.2f m, jerk %5.2f m/s3: bit-identical after %d periods (-1: not in 10 s)\n",
               0.01 * k, 0.01 * k * pow(TWO_PI * SINE_HZ, 3.0), recovery[1]);
    }
    return 0;
}

int acceptance_underrun(void)
{
    puts("Section 4  underrun: 0.05 m, 1 Hz, acceleration limit 10 m/s2");
    int r = stall("stall of 12.5 ms", 5);
    r = r == 0 ? stall("stall of 1 s", 400) : r;
    r = r == 0 ? many_stalls() : r;
    return r == 0 ? larger_sines() : r;
}
