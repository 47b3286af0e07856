/* SPDX-License-Identifier: Apache-2.0 */
/* The six loops (motion/servo) of a driver for motors without own loops: their properties, closing
 * and opening them with the modes of axes_motion, and late or missing cycles. Pure apart from the
 * field table. */
#ifndef AXES_AXES_LOOPS_H
#define AXES_AXES_LOOPS_H

#include <doppel/field.h>

#include "axes_motion.h"
#include "servo_loop.h"

/* After a longer time without a reading the loops were open: no motor keeps its effort for this
 * time (DPL_LINK_AXIS_SILENCE), and a mean speed over this time is not the current speed. */
#define AXES_LOOPS_GAP_S 0.02

struct axes_loops_properties {
    struct dpl_servo_config servo; /* the members with rows in the table; the others are computed */
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
        DPL_NUMBER(                                                                                \
            struct_, base.servo.kt, "Kt", "1/s", "50", 0.0, 10000.0,                               \
            "rate at which the integral is reduced at the limit of the effort; 0: it winds up"),   \
        DPL_NUMBER(struct_, base.servo.velocity_feedforward, "VelocityFeedforward", NULL, "1",     \
                   0.0, 1.0, "share of the reference's velocity"),                                 \
        DPL_NUMBER(struct_, base.servo.acceleration_feedforward, "AccelerationFeedforward", NULL,  \
                   "1", 0.0, 1.0, "share of the reference's acceleration"),                        \
        DPL_NUMBER(struct_, base.friction_n, "FrictionForce", "N", "60", 0.0, 100000.0,            \
                   "Coulomb friction that the loops compensate; 0: none"),                         \
        DPL_NUMBER(struct_, base.servo.friction_speed_m_s, "FrictionSpeed", "m/s", "0.001", 1e-6,  \
                   1.0, "speed at which tanh(1) of it is applied"),                                \
        DPL_NUMBER(struct_, base.axis_kg, "AxisMass", "kg", "70", 0.001, 1e5,                      \
                   "moving mass of an axis: converts the loop's acceleration to an effort"),       \
        DPL_NUMBER(struct_, base.effort_limit_n, "EffortLimit", "N", "2800", 0.001, 1e7,           \
                   "largest effort of a motor")

/* Readings of an axis in a cycle. */
struct axes_loops_reading {
    double position_m, velocity_m_s;
    double passed_s; /* since the previous cycle's reading; 0: it is the same reading */
};

struct axes_loops {
    struct dpl_servo_config config;
    double axis_kg;
    struct dpl_servo servos[DPL_AXES_N];
    bool closed; /* in the newest step */
    /* effort for the motors until the next step; 0 while the loops are open */
    double asked_n[DPL_AXES_N];
    int64_t n_limited; /* number of loop results above the limit of the effort */
};

void axes_loops_init(struct axes_loops *loops, const struct axes_loops_properties *properties);

/* Call it once per cycle of `period_s`, after axes_motion_step: the loops are closed while there is
 * torque, and open otherwise. A loop starts with the current speed of its axis. After a gap
 * (AXES_LOOPS_GAP_S) the loops also continue from there, and keep their integrals. */
void axes_loops_step(struct axes_loops *loops, const struct axes_motion *motion,
                     const struct axes_loops_reading readings[DPL_AXES_N], double period_s);

/* Opens the loops: no effort from now on. */
void axes_loops_open(struct axes_loops *loops);

#endif
