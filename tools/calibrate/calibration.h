/* SPDX-License-Identifier: Apache-2.0 */
/* What `doppel calibrate` knows about one run: what its application starts from, what the Localizer
 * and the fit of the drive found, and what of it counts as identified. */
#ifndef DOPPEL_CALIBRATE_CALIBRATION_H
#define DOPPEL_CALIBRATE_CALIBRATION_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/diag.h>

#include "drive_fit.h"

struct dpl_app;
struct dpl_component_class;

/* In the order of the Localizer's calibration. */
enum calibration_parameter {
    CALIBRATION_SCALE_LEFT,
    CALIBRATION_SCALE_RIGHT,
    CALIBRATION_AXLE_SCALE,
    CALIBRATION_TIME_OFFSET, /* s */
    CALIBRATION_MOUNT_X,     /* m */
    CALIBRATION_MOUNT_Y,
    CALIBRATION_MOUNT_YAW,  /* rad */
    CALIBRATION_RANGE_BIAS, /* m */
    CALIBRATION_RANGE_SCALE,
    CALIBRATION_N_PARAMETERS,
};

/* How one of them is printed, and where it comes from and goes to. */
struct calibration_row {
    const char *name;              /* for people */
    const char *exported;          /* by the Localizer, its deviation as NAME_sigma */
    const char *sigma_property;    /* of the Localizer: the deviation before */
    const char *unit, *shown_unit; /* of the number here; as shown and written. NULL: none */
    double floor;      /* no smaller deviation is written: what estimates of real robots reach */
    bool is_factor;    /* a new value is the old one times this, otherwise their sum */
    bool is_absolute;  /* the Localizer's number contains the old value */
    bool is_needed;    /* exit code 4 if it is not identified */
    const char *needs; /* the motion that shows it */
};

extern const struct calibration_row calibration_rows[CALIBRATION_N_PARAMETERS];

/* A property of a component: "LaserScanner" and "X"; name NULL: there is none. */
struct calibration_property {
    const char *component, *side; /* side: "hardware." or "" */
    const char *name;
    double value; /* now, in the unit of `calibration_rows` */
};

/* Where results go to. Texts are of the application, or static. */
struct calibration_target {
    const char *localizer; /* name of the component */
    const struct dpl_component_class *localizer_class;
    const char *wheels; /* name of the component whose odometry it gets */
    struct calibration_property values[CALIBRATION_N_PARAMETERS];
    double sigma[CALIBRATION_N_PARAMETERS]; /* before */
    struct drive_config drive;
    /* The avatar's robot in the application's world; NULL: the drive is not written, why_no_robot
     * says the reason. */
    const char *robot, *why_no_robot;
    bool has_acceleration; /* the avatar's driver has the property Acceleration */
};

/* What was found. NAN: not known. */
struct calibration_findings {
    double value[CALIBRATION_N_PARAMETERS], sigma[CALIBRATION_N_PARAMETERS];
    bool is_lost;     /* the scans did not fit the world, at the end or for long: nothing of the
                       * Localizer counts */
    double unknown_s; /* since when until the end the pose is not known; NAN: it is */
    double agreement; /* share of the beams that fitted, mean of the second half */
    /* The robot was found elsewhere at `forgot_until_s`, and what was learnt after `forgot_from_s`
     * (NAN: since the start) does not count. Of several times the last one. */
    bool has_forgotten;
    double forgot_from_s, forgot_until_s;
    bool has_drive;
    struct drive_fit drive;
    double duration_s, distance_m; /* of the run */
};

/* Finds the Localizer of an application and what is connected to it. -EINVAL with reterr: there is
 * none, or more than one; it has no odometry; or its driver's odometry cannot be calibrated. */
int calibration_find(const struct dpl_app *app, struct calibration_target *ret_target,
                     struct dpl_diag *reterr);

bool calibration_is_identified(const struct calibration_target *target,
                               const struct calibration_findings *findings,
                               enum calibration_parameter parameter);

/* Whether all that are needed are identified. */
bool calibration_is_complete(const struct calibration_target *target,
                             const struct calibration_findings *findings);

/* Whether anything of odometry and laser is identified: else there is no binding to write. */
bool calibration_has_any(const struct calibration_target *target,
                         const struct calibration_findings *findings);

/* Whether anything of the avatar's robot is known. */
bool calibration_has_any_drive(const struct calibration_target *target,
                               const struct calibration_findings *findings);

/* The value that the next run starts from: the present one with what was found. */
double calibration_new_value(const struct calibration_target *target,
                             const struct calibration_findings *findings,
                             enum calibration_parameter parameter);

/* Attributes of a world's robot that answers to commands as the real one. NAN: not identified. */
struct calibration_robot {
    double wheel_scale_left, wheel_scale_right, axle_scale, latency_ms, lag_ms, acceleration;
};

/* How sure the first five of them are. */
enum { CALIBRATION_N_DRAWN = 5 };
struct calibration_drawn {
    const char *name; /* of the attribute */
    double value, sigma;
    /* With those before it: known of latency and lag. The Localizer tells of none. */
    double correlations[CALIBRATION_N_DRAWN];
};

/* Those that are identified: their number. */
size_t calibration_drawn(const struct calibration_target *target,
                         const struct calibration_findings *findings,
                         struct calibration_drawn ret_drawn[CALIBRATION_N_DRAWN]);

struct calibration_robot calibration_robot(const struct calibration_target *target,
                                           const struct calibration_findings *findings);

/* Without two dashes in a row, so that it may stand in a comment of a profile. Table of all
 * parameters, with value, deviation, value before, and the verdict; then what motion would show
 * what is not identified. Each line begins with `begin`. */
void calibration_print(FILE *stream, const char *begin, const struct calibration_target *target,
                       const struct calibration_findings *findings);

/* What a file says about itself. */
struct calibration_origin {
    const char *name;    /* of the binding */
    const char *command; /* that made it */
};

/* Writes a binding profile with the calibration of odometry and laser: what is identified, and the
 * deviations. */
void calibration_write(FILE *stream, const struct calibration_origin *origin,
                       const struct calibration_target *target,
                       const struct calibration_findings *findings);

/* Writes a binding profile that changes the avatar's robot; target->robot is not NULL. */
void calibration_write_drive(FILE *stream, const struct calibration_origin *origin,
                             const struct calibration_target *target,
                             const struct calibration_findings *findings);

#endif
