/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer is told: a sample of odometry, a scan. */
#ifndef LOCALIZER_MEASUREMENTS_H
#define LOCALIZER_MEASUREMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

/* One sample. Travel is unwrapped, since any start, and rolls on by the driver's numbers. */
struct localizer_odometry {
    double stamp_s;
    double left_m, right_m;
    bool has_gyro;
    double gyro_rad; /* unwrapped turn of the base, counter-clockwise, since any start */
};

/* One scan. Borrowed for the call. */
struct localizer_scan {
    double stamp_s; /* of the middle of the sweep, late by the time offset */
    size_t n;
    const float *ranges; /* [n] m. No return: 0, NaN, or outside of range_min .. range_max */
    double start_angle, step_angle; /* beam i points to start_angle + i * step_angle */
    double range_min, range_max;
    struct dpl_pose2 mount; /* nominal, in base */
};

#endif
