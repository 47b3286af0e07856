/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment on the whole machine as pure logic: six filters and models, planner, buffer,
 * blended moves, inverse kinematics each half move, cubic B-spline, six servo axes, forward
 * kinematics each servo tick. */
#ifndef TRANSPARENCY_MACHINE_CHAIN_H
#define TRANSPARENCY_MACHINE_CHAIN_H

#include <stdint.h>

#include "chain.h"

struct machine_spec {
    double natural_hz; /* of the model */
    int excited;       /* degree of freedom that the impulses act on */
    double newtons;    /* of the impulses' 1 N: N, or Nm for a rotation */
    /* borrowed: of each of the six, including the masses of its plant */
    const struct chain_axis *axis;
};

struct machine_result {
    struct chain_response response; /* of the excited degree of freedom */
    double deflection;              /* largest of the ideal answer, m or rad */
    double crosstalk; /* largest answer of another degree of freedom, divided by that of the excited
                         one, angles times 0.25 m */
    double accel_m_s2;          /* largest command of the servo on an axis */
    uint64_t n_acted, n_faults; /* planner ticks in which a stage acted; kinematics faults */
};

/* Runs the impulses as chain_measure does, after the planner's ramp at rest. Returns 0 or a
 * negative errno. */
int machine_measure(const struct machine_spec *spec, struct machine_result *ret_result);

#endif
