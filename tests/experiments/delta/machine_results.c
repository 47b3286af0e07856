/* SPDX-License-Identifier: Apache-2.0 */
/* See machine_results.h. */
#include "machine_results.h"

#include <math.h>
#include <stdio.h>

#include <doppel/math/vector3.h>

static const double erp = 0.8; /* of the solver: the share of a gap that it closes in a step */

void results_add(struct sums *sums, double value)
{
    sums->square += value * value;
    sums->max = fmax(sums->max, fabs(value));
    sums->n++;
}

static double rms(const struct sums *sums)
{
    return sqrt(sums->square / (double)(sums->n > 0 ? sums->n : 1));
}

/* How much further apart than the rod is long its joints are: at the elbow and at the platform. */
static double gap_of(const struct machine *machine, const struct dpl_delta *delta, int rod,
                     const struct dpl_pose3 *platform)
{
    struct dpl_pose3 elbow = machine_pose(machine, machine->rod[rod]);
    const double *e = dpl_delta_azimuth[rod / 2];
    double side = rod % 2 ? delta->half_pair_m : -delta->half_pair_m;
    struct dpl_vector3 on_platform = {delta->platform_radius_m * e[0] - side * e[1],
                                      delta->platform_radius_m * e[1] + side * e[0], 0.0};
    struct dpl_vector3 joint = dpl_vector3_add(
        platform->position, dpl_quaternion_turn(platform->orientation, on_platform));
    return dpl_vector3_length(dpl_vector3_minus(joint, elbow.position)) - delta->rod_m;
}

/* Speed of the lower end of a rod against its upper end, the fastest of the three. */
static double end_speed(const struct dpl_delta *delta, const struct dpl_delta_motion *motion)
{
    double most = 0.0;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        const double *e = dpl_delta_azimuth[i];
        double out = -delta->arm_m * sin(motion->q[i]) * motion->qd[i];
        double down = -delta->arm_m * cos(motion->q[i]) * motion->qd[i];
        double way[3] = {motion->v[0] - e[0] * out, motion->v[1] - e[1] * out, motion->v[2] - down};
        most = fmax(most, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
    return most;
}

void results_measure(const struct machine *machine, const struct dpl_delta_control *control,
                     const struct dpl_delta_motion *reference, const double *q,
                     struct results *results)
{
    struct dpl_pose3 base = machine_pose(machine, machine->base);
    struct dpl_pose3 platform = machine_pose(machine, machine->platform);
    struct dpl_vector3 p = dpl_vector3_minus(platform.position, base.position);
    double at[3] = {p.x, p.y, p.z}, ik[DPL_DELTA_ARMS], off = 0.0;
    for (int rod = 0; rod < RODS; rod++) {
        results_add(&results->gap, gap_of(machine, &control->delta, rod, &platform));
    }
    bool reached = dpl_delta_ik(&control->delta, at, ik) == 0;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        results_add(&results->kinematics, reached ? q[i] - ik[i] : (double)INFINITY);
        results_add(&results->joint, q[i] - reference->q[i]);
        off += (at[i] - reference->p[i]) * (at[i] - reference->p[i]);
    }
    results_add(&results->platform, sqrt(off));
    results_add(&results->tilt, 2.0 * hypot(platform.orientation.x, platform.orientation.y));
    double v = end_speed(&control->delta, reference) * machine->dt;
    results->law_m = fmax(results->law_m, v * v / (2.0 * control->delta.rod_m * erp));
}

static bool print_row(const char *what, const char *unit, double value, double limit)
{
    bool holds = value <= limit;
    printf("%-44s %12.4g  %-5s %10.3g  %s\n", what, value, unit, limit, holds ? "ok" : "MISSED");
    return holds;
}

int results_print(const struct results *r, const struct machine *machine)
{
    double scale = machine->dt / 5e-4; /* errors of the integrator grow with the step */
    bool all = true;
    printf("%g s of pick and place, steps of %g ms\n", dpl_ns_to_s(dpl_world_now(machine->world)),
           1e3 * machine->dt);
    printf("%-44s %12s  %-5s %10s\n", "", "measured", "", "limit");
    all &= print_row("length of a rod from joint to joint, error", "um", 1e6 * r->gap.max,
                     1.15e6 * r->law_m);
    all &= print_row("joints against kinematics of the platform", "rad", r->kinematics.max,
                     1.5e-5 * scale * scale);
    all &= print_row("joints against the path, rms", "rad", rms(&r->joint), 2e-4 * scale);
    all &= print_row("joints against the path, max", "rad", r->joint.max, 5e-4 * scale);
    all &=
        print_row("platform against the path, rms", "um", 1e6 * rms(&r->platform), 100.0 * scale);
    all &= print_row("tilt of the platform, max", "rad", r->tilt.max, 1e-9);
    all &= print_row("torque that the feedback adds, rms", "Nm", rms(&r->correction),
                     0.02 * fmax(1.0, 1.5 * scale - 0.5));
    all &= print_row("energy from nowhere", "mJ/s", 1e3 * r->audit_j_s,
                     5.0 * fmax(1.0, 2 * scale - 1));
    all &= print_row("the same by the audit of the world", "mJ/s", 1e3 * r->world_j_s,
                     5.0 * fmax(1.0, 2 * scale - 1));
    return all ? 0 : 1;
}
