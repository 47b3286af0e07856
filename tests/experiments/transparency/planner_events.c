/* SPDX-License-Identifier: Apache-2.0 */
/* The planner on one axis: the synchronisation ramp, the effects of disturbances of the reference,
 * and a reference that leaves the soft ellipsoid. */
#include "planner_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/geometry.h>

/* The sine on x with the disturbances, at its falling zero crossing. The specification gives
 * neither its frequency nor its phase; of all single sines from 3 to 60 mm and 0.05 to 1.6 Hz this
 * one is nearest to its three deviations that depend on it. */
#define SINE_M     0.0051
#define SINE_HZ    0.785
#define EVENT_TICK 1600
#define N_TICKS    3200

struct event {
    const char *name;
    int n;         /* duration in ticks; 0: without end */
    double offset; /* added, m */
    bool zero;     /* the reference drops to 0 */
    bool nan;      /* the reference is NaN */
    /* published value, and the tolerance; 0: not compared */
    double deviation_m, deviation_within_m;
    double realign_s; /* published */
};

/* Published with two digits, so the tolerance is 5 % plus half a unit of the last digit. A spike
 * causes exactly one step of the largest acceleration. */
static const struct event events[] = {
    {.name = "one-sample spike 50 mm",
     .n = 1,
     .offset = 0.05,
     .deviation_m = 62.5e-6,
     .deviation_within_m = 0.5e-6,
     .realign_s = 0.0075},
    {.name = "drop to 0, 10 samples",
     .n = 10,
     .zero = true,
     .deviation_m = 0.23e-3,
     .deviation_within_m = 0.0115e-3,
     .realign_s = 0.66},
    {.name = "drop to 0, 200 samples",
     .n = 200,
     .zero = true,
     .deviation_m = 5.1e-3,
     .deviation_within_m = 0.255e-3,
     .realign_s = 1.61},
    {.name = "NaN, 100 samples",
     .n = 100,
     .nan = true,
     .deviation_m = 4.9e-3,
     .deviation_within_m = 0.245e-3,
     .realign_s = 0.59},
    {.name = "persistent step 50 mm", .offset = 0.05, .realign_s = 0.85},
    {.name = "persistent step 150 mm", .offset = 0.15, .realign_s = 0.85},
};

struct outcome {
    double deviation, overshoot, realign_s;
};

/* The reference on x at a tick, with the disturbance, and without it. */
static double disturbed(const struct event *event, double sine, int since, double *ret_target)
{
    bool on = since >= 0 && (event->n == 0 || since < event->n);
    *ret_target = event->n == 0 && on ? sine + event->offset : sine;
    if (!on) {
        return sine;
    }
    if (event->nan) {
        return (double)NAN;
    }
    return event->zero ? 0.0 : sine + event->offset;
}

static struct outcome run_event(const struct dpl_traj_config *config, const struct event *event,
                                double amplitude)
{
    struct dpl_traj_planner planner;
    struct outcome outcome = {0};
    dpl_traj_planner_init(&planner, config);
    dpl_traj_planner_start(&planner, planner_machine_centre);
    for (int k = 0; k < N_TICKS; k++) {
        struct dpl_traj_reference r = {.stamp = 2500000 * (dpl_ns)k};
        int since = k - EVENT_TICK;
        double y[DPL_SIX], target;
        double sine = -amplitude * sin(2.0 * DPL_PI * SINE_HZ * since * 0.0025);
        dpl_traj_copy(r.pose, planner_machine_centre);
        r.pose[0] = disturbed(event, sine, since, &target);
        dpl_traj_planner_step(&planner, &r, r.stamp, NULL, y);
        if (since >= 0) {
            outcome.deviation = fmax(outcome.deviation, fabs(y[0] - target));
            outcome.overshoot = fmax(outcome.overshoot, y[0] - target);
            outcome.realign_s = y[0] != target ? (since + 1) * 0.0025 : outcome.realign_s;
        }
    }
    return outcome;
}

static void events_on_the_sine(void)
{
    struct dpl_traj_config config;
    char name[96];
    planner_machine_config(&config, 1.0, DPL_TRAJ_ALL_STAGES);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        const struct event *event = &events[i];
        struct outcome outcome = run_event(&config, event, SINE_M);
        snprintf(name, sizeof name, "%s: %s mm", event->name,
                 event->n != 0 ? "largest deviation" : "overshoot");
        if (event->n != 0) {
            row_near(name, 1e3 * outcome.deviation, 1e3 * event->deviation_m,
                     1e3 * event->deviation_within_m);
        } else {
            row_at_most(name, 1e3 * outcome.overshoot, 0.0, "");
        }
        snprintf(name, sizeof name, "%s: identical again after s", event->name);
        row_at_most(name, outcome.realign_s, event->realign_s + 1e-9, "");
    }
}

/* With a tenth of the acceleration, from a reference at rest. Without the curve the axis speeds up
 * until v = (kp/kd) e and then brakes past the reference: with v^2/2 = step - e at 1 m/s2 the
 * overshoot is step - 2 e = 58.6 mm, and half a tick's travel more. */
static void braking_variant(void)
{
    struct dpl_traj_config config;
    const struct event *step = &events[5];
    planner_machine_config(&config, 0.1, DPL_TRAJ_ALL_STAGES);
    struct outcome with = run_event(&config, step, 0.0);
    config.saturation.braking = false;
    struct outcome without = run_event(&config, step, 0.0);
    row_near("step 150 mm, 1 m/s2, no braking curve: overshoot mm", 1e3 * without.overshoot, 58.6,
             1.0);
    row_at_most("step 150 mm, 1 m/s2, braking curve: overshoot mm", 1e3 * with.overshoot, 0.0, "");
    row_near("step 150 mm, 1 m/s2, no braking curve: identical after s", without.realign_s, 1.995,
             0.1);
    row_near("step 150 mm, 1 m/s2, braking curve: identical after s", with.realign_s, 0.970, 0.15);
}

/* A ramp over 0.1 m in 2 s; x of every output in `ret_x`. Returns the first identical tick. */
static int ramp(double *ret_x, int n, double drift_m_s)
{
    struct dpl_traj_config config;
    struct dpl_traj_planner planner;
    int first = 0;
    planner_machine_config(&config, 1.0, DPL_TRAJ_ALL_STAGES);
    dpl_traj_planner_init(&planner, &config);
    dpl_traj_planner_start(&planner, planner_machine_centre);
    for (int k = 0; k < n; k++) {
        struct dpl_traj_reference r = {.stamp = 2500000 * (dpl_ns)k};
        double y[DPL_SIX];
        dpl_traj_copy(r.pose, planner_machine_centre);
        r.pose[0] += 0.1 + drift_m_s * 0.0025 * k;
        dpl_traj_planner_step(&planner, &r, r.stamp, NULL, y);
        first = memcmp(y, r.pose, sizeof y) != 0 ? 0 : first == 0 ? k + 1 : first;
        ret_x[k] = y[0];
    }
    return first;
}

static void largest(const double *x, int n, double *ret_speed, double *ret_accel, bool *ret_rises)
{
    double before = 0.0, d = 0.0;
    *ret_speed = *ret_accel = 0.0;
    *ret_rises = true;
    for (int k = 0; k < n; k++) {
        double next = x[k] - before;
        *ret_speed = fmax(*ret_speed, fabs(next) / 0.0025);
        *ret_accel = fmax(*ret_accel, fabs(next - d) / (0.0025 * 0.0025));
        *ret_rises &= next >= 0.0;
        before = x[k];
        d = next;
    }
}

void planner_rows_sync(void)
{
    enum { N = 1000 };
    double x[N], speed, accel;
    bool rises;
    int first = ramp(x, N, 0.0);
    largest(x, N, &speed, &accel, &rises);
    row_near("ramp 0.1 m in 2 s: peak speed m/s", speed, 0.09375, 0.5e-5);
    row_near("ramp 0.1 m in 2 s: peak acceleration m/s2", accel, 0.14434, 0.5e-5);
    row_near("ramp 0.1 m in 2 s: first identical tick", first, 800.0, 0.0);
    row_holds("ramp towards a standing reference is monotone", rises);
    first = ramp(x, N, 0.02);
    largest(x, N, &speed, &accel, &rises);
    row_near("ramp, reference at 0.02 m/s: first identical tick", first, 800.0, 0.0);
    row_at_most("ramp, reference at 0.02 m/s: peak acceleration m/s2", accel, 0.5, "");
}

void planner_rows_events(void)
{
    events_on_the_sine();
    braking_variant();
}

/* 0.25 Hz on x with a soft level of 1.79 at its peaks: it crosses the surface twice in each
 * direction every 4 s. */
void planner_rows_excursion(void)
{
    struct dpl_traj_config config;
    struct dpl_traj_planner planner;
    double level = 0.0, amplitude = 0.85 * planner_machine_hard[0] * sqrt(1.79);
    int n_guard = 0, n_returns = 0;
    bool identical = false;
    planner_machine_config(&config, 1.0, DPL_TRAJ_ALL_STAGES);
    dpl_traj_planner_init(&planner, &config);
    dpl_traj_planner_start(&planner, planner_machine_centre);
    for (int k = 0; k < 40000; k++) {
        struct dpl_traj_reference r = {.stamp = 2500000 * (dpl_ns)k};
        struct dpl_traj_trace trace;
        double y[DPL_SIX];
        dpl_traj_copy(r.pose, planner_machine_centre);
        r.pose[0] += amplitude * sin(2.0 * DPL_PI * 0.25 * k * 0.0025);
        dpl_traj_planner_step(&planner, &r, r.stamp, &trace, y);
        level = fmax(level, dpl_traj_ellipsoid_level(&config.workspace.soft, y));
        n_guard += (trace.acted & DPL_TRAJ_GUARD) != 0;
        bool now = memcmp(y, r.pose, sizeof y) == 0;
        n_returns += now && !identical;
        identical = now;
    }
    row_at_most("excursion to soft level 1.79: soft level of output", level, 1.061, "");
    row_at_most("excursion: ticks in which the guard braked", n_guard, 0.0, "");
    row_at_least("excursion: returns to identical output in 25 periods", n_returns, 49.0, "");
}
