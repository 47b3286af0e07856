/* SPDX-License-Identifier: Apache-2.0 */
/* How far scans have pulled the pose from odometry over the last metre. Each step may be small: a
 * robot that is pushed slowly, or a pose that slides along where the plan looks the same. A
 * calibrated robot's odometry does not err so. (A sum that forgets, against its own deviation.) */
#ifndef INTEGRITY_DRIFT_H
#define INTEGRITY_DRIFT_H

#include <stdbool.h>

#include <doppel/math/geometry.h>

struct drift {
    double pulled[3];       /* m, m, rad: in the plan */
    double variance[2];     /* m^2, rad^2: of noise */
    double systematic[2];   /* m, rad: of what is not known of the wheels */
    struct dpl_pose2 laser; /* at the scan before */
    bool has_laser;
};

/* What odometry may err by between two scans. */
struct drift_step {
    double way_m;
    double variance[2];   /* m^2, rad^2 */
    double systematic[2]; /* m, rad */
};

/* The next scan is the first. */
void drift_forget(struct drift *drift);

/* `laser` is the estimated one, `moved` by odometry since the scan before; sigma: of one scan.
 * True: pulled by more than odometry and scans explain. */
bool drift_scan(struct drift *drift, struct dpl_pose2 laser, struct dpl_pose2 moved,
                const struct drift_step *step, const double sigma[2]);

#endif
