/* SPDX-License-Identifier: Apache-2.0 */
/* What is calibrated. */
#ifndef LOCALIZER_PARAMETERS_H
#define LOCALIZER_PARAMETERS_H

#include <stdbool.h>

#define LOCALIZER_USUAL_CORRELATION 5.0
/* In this order in all arrays. */
enum localizer_parameter {
    LOCALIZER_SCALE_LEFT,  /* true over measured travel of the left wheel */
    LOCALIZER_SCALE_RIGHT, /* the same of the right wheel */
    LOCALIZER_AXLE_SCALE,  /* true over nominal distance of the wheels */
    LOCALIZER_TIME_OFFSET, /* s: a scan was made this long before its stamp says */
    LOCALIZER_MOUNT_X,     /* m: true mount of the laser minus the one of the scan's message */
    LOCALIZER_MOUNT_Y,
    LOCALIZER_MOUNT_YAW,  /* rad: the same for the direction of the laser's middle beam */
    LOCALIZER_RANGE_BIAS, /* m: measured range = bias + (1 + scale) * true range */
    LOCALIZER_RANGE_SCALE,
    LOCALIZER_N_PARAMETERS,
};

enum localizer_calibrate {
    LOCALIZER_CALIBRATE_ON,       /* estimated, and may drift (random walk) */
    LOCALIZER_CALIBRATE_IDENTIFY, /* estimated as constants */
    LOCALIZER_CALIBRATE_FROZEN,   /* taken from `initial` as exact */
    LOCALIZER_CALIBRATE_OFF,      /* nominal, as exact: scales 1, the others 0 */
};

struct localizer_calibration {
    double value[LOCALIZER_N_PARAMETERS], sigma[LOCALIZER_N_PARAMETERS];
    bool
        identified[LOCALIZER_N_PARAMETERS]; /* sigma <= 1/3 of the initial one, or given as exact */
};

#endif
