/* SPDX-License-Identifier: Apache-2.0 */
/* The control loop of a delta robot with encoders and table motors: from counts to currents. */
#ifndef DELTA_LOOP_H
#define DELTA_LOOP_H

#include <stdbool.h>

#include "delta_control.h"
#include "encoder_counts.h"
#include "motor_table.h"

/* What differs from path to robot is measured after the approach: joints in rad, torque in Nm. */
struct delta_errors {
    double square_sum, max; /* of the joints */
    double correction_sum;  /* squares of what the feedback adds to the torque at an arm */
    long n;                 /* joints */
};

struct delta_loop {
    struct dpl_delta_control control;
    struct dpl_encoder_gear encoder;
    struct dpl_motor_table motor;
    double period_s;
    double filter; /* share of the newest difference in the speed, 0 to 1 */
    /* state */
    bool is_started;
    int32_t counts[DPL_DELTA_ARMS];
    double q[DPL_DELTA_ARMS], qd[DPL_DELTA_ARMS];
    struct dpl_delta_motion reference;
    struct delta_errors errors;
};

/* A loop for the reference robot at rest: encoders of 20000 counts a turn of the motor, its table,
 * bandwidth 200 rad/s, approach 1 s. Change what differs, then start. */
void delta_loop_init(struct delta_loop *loop, double period_s);

/* Takes the counts at rest as the start. Counts are 0 where arms are level. 0, or -EINVAL with
 * `*reterr_what` (static text). */
int delta_loop_start(struct delta_loop *loop, const int32_t *counts, const char **reterr_what);

/* The currents of the motors, in A, for the counts at a time since the start, in s. 0; -EDOM or
 * -ERANGE: the robot is not where a delta can be, and all currents are 0. */
int delta_loop_step(struct delta_loop *loop, double at_s, const int32_t *counts,
                    double *ret_currents_a);

#endif
