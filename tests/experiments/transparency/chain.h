/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiment on one axis: impulses of force through filter, model, path and servo,
 * compared with the exact answer of the same model; and the frequency response of the chain. */
#ifndef TRANSPARENCY_CHAIN_H
#define TRANSPARENCY_CHAIN_H

#include <stdbool.h>

#include "axis_plant.h"
#include "response.h"
#include "servo_loop.h"

/* The axis after the path. */
struct chain_axis {
    struct dpl_servo_config servo;
    struct dpl_axis_plant_config plant;
    int output_delay;  /* cycles from the position measured by the servo to the effect of its
                          command, 0 to 2 */
    int measure_delay; /* cycles from the axis to the recorded value, 0 or 1: forward kinematics */
};

struct chain_spec {
    double natural_hz; /* of the model */
    bool filtered;
    /* the model with semi-implicit Euler steps instead of exact ones */
    bool semi_implicit;
    const struct chain_axis *axis; /* borrowed; NULL: the path's reference is the output */
};

/* The specification's servo, a rigid axis with a lag of 0.3 ms, and one cycle for the forward
 * kinematics. Its results need two cycles of output delay (one to compute, one to send), although
 * it states one. */
struct chain_axis chain_axis_default(void);

/* Runs the impulses, each in its own window and started at each of the four ticks of a move.
 * Returns 0 or a negative errno. */
int chain_measure(const struct chain_spec *spec, struct chain_response *ret_response);

/* A random force: Gaussian, 10 N, white at the servo rate or after a low-pass of order 4. */
struct chain_random {
    double band_hz; /* of the low-pass; 0: white */
    double delay_s; /* delay of the ideal answer for the comparison */
    int n_ticks;
};

/* The root mean square of the chain's answer minus the ideal one, divided by that of the ideal one.
 * Returns 0 or a negative errno. */
int chain_random_error(const struct chain_spec *spec, const struct chain_random *random,
                       double *ret_share);

#endif
