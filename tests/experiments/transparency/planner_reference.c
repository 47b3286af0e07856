/* SPDX-License-Identifier: Apache-2.0 */
/* The references, in units of the hard semi-axes around the centre. */
#include "planner_reference.h"

#include <math.h>

#include <doppel/math/geometry.h>

#define PERIOD_S 0.0025

const char *const planner_reference_names[] = {
    [PLANNER_REFERENCE_NOISE] = "noise 3H",          [PLANNER_REFERENCE_STEPS] = "steps 2H",
    [PLANNER_REFERENCE_WALK] = "random walk",        [PLANNER_REFERENCE_SPIKES] = "spikes 5H",
    [PLANNER_REFERENCE_BURSTS] = "NaN/inf bursts",   [PLANNER_REFERENCE_SWEEP] = "sine sweep 2H",
    [PLANNER_REFERENCE_TRIANGLE] = "triangle 1.5H",  [PLANNER_REFERENCE_MIX] = "random mix",
    [PLANNER_REFERENCE_IN_LIMIT] = "in-limit sines",
};

const double planner_machine_centre[] = {0.0, 0.0, 0.540, 0.0, 0.0, 0.0};
const double planner_machine_hard[] = {
    0.25, 0.15, 0.15, 5.0 * (DPL_PI / 180.0), 8.0 * (DPL_PI / 180.0), 3.0 * (DPL_PI / 180.0)};
const double planner_machine_accel[] = {10.0, 10.0, 10.0, 20.0, 20.0, 20.0};

void planner_machine_config(struct dpl_traj_config *ret_config, double scale, unsigned stages)
{
    double accel[DPL_SIX];
    for (int i = 0; i < DPL_SIX; i++) {
        accel[i] = scale * planner_machine_accel[i];
    }
    dpl_traj_config_set(ret_config, planner_machine_centre, planner_machine_hard, accel);
    ret_config->stages = stages;
}

struct planner_reference planner_reference_begin(enum planner_reference_kind kind, uint64_t seed)
{
    return (struct planner_reference){
        .kind = kind, .now = kind, .random = dpl_random_seeded(seed, (uint64_t)kind)};
}

static double seconds(const struct planner_reference *reference)
{
    return reference->tick * PERIOD_S;
}

/* Together small enough on all axes for the soft ellipsoid, and slow enough for a tenth of the
 * machine's accelerations. */
static void sines(const struct planner_reference *reference, double *ret_x)
{
    for (int i = 0; i < DPL_SIX; i++) {
        double hz = 0.5 - 0.07 * i;
        ret_x[i] = 0.2 * sin(2.0 * DPL_PI * hz * seconds(reference) + i);
    }
}

static void uniform(struct planner_reference *reference, double size, double *ret_x)
{
    for (int i = 0; i < DPL_SIX; i++) {
        ret_x[i] = dpl_random_uniform(&reference->random, -size, size);
    }
}

static void walk(struct planner_reference *reference, double *ret_x)
{
    for (int i = 0; i < DPL_SIX; i++) {
        double x = reference->held[i] + 0.03 * dpl_random_normal(&reference->random);
        reference->held[i] = x > 3.0 ? 6.0 - x : x < -3.0 ? -6.0 - x : x;
        ret_x[i] = reference->held[i];
    }
}

static void spikes(struct planner_reference *reference, double *ret_x)
{
    sines(reference, ret_x);
    if (dpl_random_uniform(&reference->random, 0.0, 1.0) < 0.005) {
        uniform(reference, 5.0, ret_x);
    }
}

static void bursts(struct planner_reference *reference, double *ret_x)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300};
    sines(reference, ret_x);
    double change = reference->burst ? 0.02 : 0.002;
    if (dpl_random_uniform(&reference->random, 0.0, 1.0) < change) {
        reference->burst = !reference->burst;
    }
    if (reference->burst) {
        uint64_t draw = dpl_random_u64(&reference->random);
        ret_x[draw % DPL_SIX] = bad[(draw >> 8) % 4];
    }
}

/* The frequency increases linearly, so the phase is its integral; all axes pass the centre at the
 * same time. */
static void sweep(const struct planner_reference *reference, double *ret_x)
{
    double t = fmod(seconds(reference), 100.0);
    double phase = 2.0 * DPL_PI * (0.05 * t + 0.5 * 0.0295 * t * t);
    for (int i = 0; i < DPL_SIX; i++) {
        ret_x[i] = (i % 2 == 0 ? 2.0 : -2.0) * sin(phase);
    }
}

static void triangle(const struct planner_reference *reference, double *ret_x)
{
    for (int i = 0; i < DPL_SIX; i++) {
        double cycle = (0.4 + 0.1 * i) * seconds(reference) + 0.25;
        ret_x[i] = 1.5 * (1.0 - 4.0 * fabs(cycle - floor(cycle) - 0.5));
    }
}

static void steps(struct planner_reference *reference, double *ret_x)
{
    if (reference->tick % 200 == 0) {
        uniform(reference, 2.0, reference->held);
    }
    dpl_traj_copy(ret_x, reference->held);
}

static void play(struct planner_reference *reference, double *ret_x)
{
    switch (reference->now) {
    case PLANNER_REFERENCE_NOISE: uniform(reference, 3.0, ret_x); return;
    case PLANNER_REFERENCE_STEPS: steps(reference, ret_x); return;
    case PLANNER_REFERENCE_WALK: walk(reference, ret_x); return;
    case PLANNER_REFERENCE_SPIKES: spikes(reference, ret_x); return;
    case PLANNER_REFERENCE_BURSTS: bursts(reference, ret_x); return;
    case PLANNER_REFERENCE_SWEEP: sweep(reference, ret_x); return;
    case PLANNER_REFERENCE_TRIANGLE: triangle(reference, ret_x); return;
    default: sines(reference, ret_x); return;
    }
}

void planner_reference_next(struct planner_reference *reference, double *ret_pose)
{
    if (reference->kind == PLANNER_REFERENCE_MIX && reference->tick >= reference->until) {
        uint64_t draw = dpl_random_u64(&reference->random);
        reference->now = (enum planner_reference_kind)(draw % PLANNER_REFERENCE_MIX);
        reference->until = reference->tick + 100 + (uint32_t)((draw >> 32) % 1900);
    }
    double x[DPL_SIX];
    play(reference, x);
    for (int i = 0; i < DPL_SIX; i++) {
        ret_pose[i] = planner_machine_centre[i] + planner_machine_hard[i] * x[i];
    }
    reference->tick++;
}
