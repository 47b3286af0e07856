/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's experiment on one axis: impulses of force through filter, model, path and servo,
 * against the exact answer of the same model; and what the chain does to each frequency. */
#ifndef TRANSPARENCY_CHAIN_H
#define TRANSPARENCY_CHAIN_H

#include <stdbool.h>

#include "axis_plant.h"
#include "response.h"
#include "servo_loop.h"

/* The axis behind the path. */
struct chain_axis {
    struct dpl_servo_config servo;
    struct dpl_axis_plant_config plant;
    int output_delay;  /* cycles from the position that the servo took to its effect, 0 to 2 */
    int measure_delay; /* cycles from the axis to what is recorded, 0 or 1: forward kinematics */
};

struct chain_spec {
    double natural_hz; /* of the model */
    bool filtered;
    bool semi_implicit;            /* the model by semi-implicit Euler steps instead of exactly */
    const struct chain_axis *axis; /* borrowed; NULL: the path's reference is the output */
};

/* The specification's servo, a rigid axis with a lag of 0.3 ms, and one cycle for the forward
 * kinematics. Its numbers need two cycles of output delay (one to compute, one to send) where it
 * says one. */
struct chain_axis chain_axis_default(void);

/* Runs the impulses, each in a window of its own and begun at each of the four ticks of a move.
 * Returns 0 or a negative errno. */
int chain_measure(const struct chain_spec *spec, struct chain_response *ret_response);

/* A random force: Gaussian, 10 N, white at the servo rate or behind a low-pass of order 4. */
struct chain_random {
    double band_hz; /* of the low-pass; 0: white */
    double delay_s; /* by which the ideal answer is moved to be compared */
    int n_ticks;
};

/* The root mean square of the chain's answer to it less the ideal one, over that of the ideal one.
 * Returns 0 or a negative errno. */
int chain_random_error(const struct chain_spec *spec, const struct chain_random *random,
                       double *ret_share);

#endif
