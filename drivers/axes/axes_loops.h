/* SPDX-License-Identifier: Apache-2.0 */
/* The six loops (motion/servo) of a driver of bare motors: their properties, closing and opening
 * them with the modes of axes_motion, and cycles that come late or not at all. Pure apart from the
 * field table. */
#ifndef AXES_AXES_LOOPS_H
#define AXES_AXES_LOOPS_H

#include <doppel/field.h>

#include "axes_motion.h"
#include "servo_loop.h"

/* After a longer time without a reading the loops were open: no motor keeps its effort for as long
 * (DPL_LINK_AXIS_SILENCE), and a mean speed over it says nothing about the speed now. */
#define AXES_LOOPS_GAP_S 0.02

struct axes_loops_properties {
    struct dpl_servo_config servo; /* what the table has of it; the rest is derived */
    double axis_kg, effort_limit_n, friction_n;
};

/* Rows for a driver's property table; `base` is the struct axes_loops_properties in `struct_`. */
#define AXES_LOOPS_FIELDS(struct_, base)                                                           \
    DPL_NUMBER(struct_, base.servo.kp, "Kp", "1/s", "120", 0.0, 10000.0,                           \
               "position error to velocity"),                                                      \
        DPL_NUMBER(struct_, base.servo.kv, "Kv", "1/s", "400", 0.0, 100000.0,                      \
                   "velocity error to acceleration"),                                              \
        DPL_NUMBER(struct_, base.servo.ki, "Ki", "1/s^2", "2000", 0.0, 1e7,                        \
                   "integral of the velocity error"),                                              \
        DPL_NUMBER(struct_, base.servo.kt, "Kt", "1/s", "50", 0.0, 10000.0,                        \
                   "how fast the integral gives way at the limit of the effort; 0: it winds up"),  \
        DPL_NUMBER(struct_, base.servo.velocity_feedforward, "VelocityFeedforward", NULL, "1",     \
                   0.0, 1.0, "share of the reference's velocity"),                                 \
        DPL_NUMBER(struct_, base.servo.acceleration_feedforward, "AccelerationFeedforward", NULL,  \
                   "1", 0.0, 1.0, "share of the reference's acceleration"),                        \
        DPL_NUMBER(struct_, base.friction_n, "FrictionForce", "N", "60", 0.0, 100000.0,            \
                   "Coulomb friction that the loops compensate; 0: none"),                         \
        DPL_NUMBER(struct_, base.servo.friction_speed_m_s, "FrictionSpeed", "m/s", "0.001", 1e-6,  \
                   1.0, "at which tanh(1) of it is given"),                                        \
        DPL_NUMBER(struct_, base.axis_kg, "AxisMass", "kg", "70", 0.001, 1e5,                      \
                   "what an axis moves: makes the loop's acceleration an effort"),                 \
        DPL_NUMBER(struct_, base.effort_limit_n, "EffortLimit", "N", "2800", 0.001, 1e7,           \
                   "largest effort that is asked of a motor")

/* What an axis tells in a cycle. */
struct axes_loops_reading {
    double position_m, velocity_m_s;
    double passed_s; /* since the reading of the cycle before; 0: it is that one */
};

struct axes_loops {
    struct dpl_servo_config config;
    double axis_kg;
    struct dpl_servo servos[DPL_AXES_N];
    bool closed;                /* in the newest step */
    double asked_n[DPL_AXES_N]; /* of the motors until the next step; 0 while the loops are open */
    int64_t n_limited;          /* loops that wanted more than the limit of the effort */
};

void axes_loops_init(struct axes_loops *loops, const struct axes_loops_properties *properties);

/* Once a cycle of `period_s`, after axes_motion_step: the loops are closed while there is torque,
 * and opened else. An axis is taken over as fast as it moves. After a gap (AXES_LOOPS_GAP_S) the
 * loops go on from there too, with what they had integrated. */
void axes_loops_step(struct axes_loops *loops, const struct axes_motion *motion,
                     const struct axes_loops_reading readings[DPL_AXES_N], double period_s);

/* No effort is asked for from now on. */
void axes_loops_open(struct axes_loops *loops);

#endif
