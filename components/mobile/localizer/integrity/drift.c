/* SPDX-License-Identifier: Apache-2.0 */
#include "drift.h"

#define FORGETS_M  1.0
#define DEVIATIONS 4.0
#define SCANS      2.0 /* deviations of one scan: they repeat their errors */
#define LEAST_M    0.05
#define LEAST_RAD  0.035

void drift_forget(struct drift *drift)
{
    *drift = (struct drift){.has_laser = false};
}

static void add(struct drift *drift, struct dpl_pose2 laser, struct dpl_pose2 moved,
                const struct drift_step *step)
{
    struct dpl_pose2 expected = dpl_pose2_compose(drift->laser, moved);
    const double pulled[3] = {laser.x - expected.x, laser.y - expected.y,
                              dpl_wrap_angle(laser.theta - expected.theta)};
    double keep = exp(-step->way_m / FORGETS_M);
    for (int i = 0; i < 3; i++) {
        drift->pulled[i] = keep * drift->pulled[i] + pulled[i];
    }
    for (int i = 0; i < 2; i++) {
        drift->variance[i] = keep * keep * drift->variance[i] + step->variance[i];
        drift->systematic[i] = keep * drift->systematic[i] + step->systematic[i];
    }
}

static double bound(const struct drift *drift, int i, double sigma, double least)
{
    double usual = DEVIATIONS * sqrt(drift->variance[i]) + drift->systematic[i] + SCANS * sigma;
    return fmax(least, usual);
}

bool drift_scan(struct drift *drift, struct dpl_pose2 laser, struct dpl_pose2 moved,
                const struct drift_step *step, const double sigma[2])
{
    if (drift->has_laser) {
        add(drift, laser, moved, step);
    }
    drift->laser = laser;
    drift->has_laser = true;
    return hypot(drift->pulled[0], drift->pulled[1]) > bound(drift, 0, sigma[0], LEAST_M) ||
           fabs(drift->pulled[2]) > bound(drift, 1, sigma[1], LEAST_RAD);
}
