/* SPDX-License-Identifier: Apache-2.0 */
/* How a differential drive answers to its commands, from a recording of both: each wheel takes the
 * commanded speed after a latency, slews to it with an acceleration, follows with a lag of first
 * order, and travels `gain` times that. It is the model of the wheel motors of a world
 * (avatar_sim/parts/actuators/wheel_motor.c). Pure; SI units.
 *
 * The fit minimizes the squared error of the measured travel over short windows
 * (output-error identification, Ljung, System Identification, 2nd ed., section 7.2), by
 * Levenberg and Marquardt's method with robust weights, from several starts. */
#ifndef DOPPEL_CALIBRATE_DRIVE_FIT_H
#define DOPPEL_CALIBRATE_DRIVE_FIT_H

#include <stdbool.h>
#include <stddef.h>

enum { DRIVE_LEFT, DRIVE_RIGHT, DRIVE_N_WHEELS };

enum drive_parameter {
    DRIVE_GAIN_LEFT, /* measured over commanded travel */
    DRIVE_GAIN_RIGHT,
    DRIVE_LATENCY, /* s */
    DRIVE_LAG,     /* s */
    DRIVE_RAMP,    /* s to change the speed of a wheel by 1 m/s: 1 / acceleration */
    DRIVE_N_PARAMETERS,
};

struct drive_sample {
    double time_s;          /* of the command, which holds until the next sample */
    double linear;          /* commanded, m/s */
    double angular;         /* rad/s */
    double measured_s;      /* of the travel; not later than time_s */
    double left_m, right_m; /* unwrapped travel */
};

struct drive_config {
    double axle_m;       /* from commands to wheels: the nominal one */
    double max_linear;   /* m/s: commands are clamped */
    double max_angular;  /* rad/s */
    double acceleration; /* m/s^2: nominal; where the fit starts */
};

struct drive_fit {
    double value[DRIVE_N_PARAMETERS];
    double sigma[DRIVE_N_PARAMETERS];
    double correlation[DRIVE_N_PARAMETERS][DRIVE_N_PARAMETERS]; /* of their errors */
    /* Sigma is at most a third of that before the fit, that of the ramp also of the ramp, unless it
     * is short; and the quarters of the recording agree. Without the ramp the others hold for the
     * nominal one. */
    bool identified[DRIVE_N_PARAMETERS];
    double rms_m; /* of the travel over a window */
    size_t n_windows;
};

/* Before the fit: how far the parameters may be from 1, 1, 50 ms, 50 ms, and the duration of a ramp
 * from that with the nominal acceleration (as a ratio). */
extern const double drive_prior_sigma[DRIVE_N_PARAMETERS];

/* Times of the samples increase. 0; -ENODATA: less than 5 s in which the base moves; -ENOMEM.
 * Allocates, takes about two seconds for an hour of samples. */
int drive_fit(const struct drive_sample *samples, size_t n, const struct drive_config *config,
              struct drive_fit *ret_fit);

#endif
