/* SPDX-License-Identifier: Apache-2.0 */
/* The power side of an emulated drive: interpolation between two targets, its loop, its motor and
 * axis. Pure: times are arguments, the caller owns the struct. */
#ifndef EMULATE_DRIVE_MOTOR_H
#define EMULATE_DRIVE_MOTOR_H

#include <stdbool.h>

#include <doppel/time.h>

#include "axis_plant.h"
#include "servo_loop.h"

struct drive_motor_config {
    struct dpl_servo_config servo;
    struct dpl_axis_plant_config plant;
    dpl_ns step;          /* of the loop and the plant */
    double speed_max_m_s; /* largest speed of the motor; above 0 */
};

enum drive_motor_mode {
    DRIVE_MOTOR_FREE,    /* no torque */
    DRIVE_MOTOR_FOLLOWS, /* follows the targets */
    DRIVE_MOTOR_STOPS,   /* on a ramp, then holds */
};

/* The reference at a time. */
struct drive_motor_reference {
    double position_m, velocity_m_s;
};

/* A target for one period later. */
struct drive_motor_target {
    double position_m;
    bool is_straight; /* on a straight line from the current position; velocity_m_s is not used */
    double velocity_m_s; /* at the target */
    double force_n;      /* added to the result of the loop */
};

struct drive_motor {
    struct drive_motor_config config;
    /* may be read */
    enum drive_motor_mode mode;
    struct dpl_axis_plant plant;
    struct drive_motor_reference reference; /* of the loop, never faster than the limit */
    double wanted_m;                        /* the position that the targets give */
    bool is_slowed; /* the reference is behind the targets, because of its limit */
    /* set by the caller */
    bool blocked;           /* the axis is blocked */
    double ramp_m_s2;       /* for missing targets, above 0 */
    double speed_limit_m_s; /* above 0; the motor's own limit applies too */
    /* private */
    struct dpl_servo servo;
    struct drive_motor_reference from, to; /* at `since`, and one interpolation period later */
    dpl_ns now, since, period;
    double beyond_m_s; /* after `to`, when no target has arrived */
    double slope_m_s;  /* of the straight line from the previous target to the newest */
    double force_n, stop_m_s2;
};

/* Loop at 4 kHz, an axis of 20 kg with some friction, 2000 N and 2 m/s; no end stops. */
struct drive_motor_config drive_motor_config_default(void);

void drive_motor_init(struct drive_motor *motor, const struct drive_motor_config *config,
                      double position_m, dpl_ns now);

/* Switches the torque on, holding the position of the axis; or off. */
void drive_motor_enable(struct drive_motor *motor, bool enabled);

/* Sets a target for one `period` after `now`; `now` may be slightly in the past. If no further
 * target arrives, the axis continues for another period and then comes to rest on its ramp. It
 * continues with the target's velocity; without one with the slower of the newest two straight
 * lines, if both have the same direction, so that it stays at a target after standstill. */
void drive_motor_aim(struct drive_motor *motor, const struct drive_motor_target *target,
                     dpl_ns period, dpl_ns now);

/* From now on comes to rest on this ramp, starting with the current speed of the axis, independent
 * of the reference; then it holds its position. The motor's force limits the ramp: HUGE_VAL uses
 * this limit. */
void drive_motor_stop(struct drive_motor *motor, double ramp_m_s2);
/* Whether it has come to rest after a stop, or has no torque. */
bool drive_motor_stands(const struct drive_motor *motor);

/* Advances the time; after a pause of more than a second the remaining time is skipped. */
void drive_motor_advance(struct drive_motor *motor, dpl_ns now);

/* The position of the encoder at `now`, within a step of the newest advance. */
double drive_motor_position(const struct drive_motor *motor, dpl_ns now);

#endif
