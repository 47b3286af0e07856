/* SPDX-License-Identifier: Apache-2.0 */
/* The power side of an emulated drive: where it is told to be between two targets, its loop, its
 * motor and axis. Pure: times are arguments, the caller owns the struct. */
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
    double speed_max_m_s; /* that the motor can run at; above 0 */
};

enum drive_motor_mode {
    DRIVE_MOTOR_FREE,    /* no torque */
    DRIVE_MOTOR_FOLLOWS, /* the targets */
    DRIVE_MOTOR_STOPS,   /* on a ramp, then holds */
};

/* Where it is told to be at an instant. */
struct drive_motor_reference {
    double position_m, velocity_m_s;
};

/* What to reach one period later. */
struct drive_motor_target {
    double position_m;
    bool is_straight;    /* on a straight line from where it is, whatever velocity_m_s is */
    double velocity_m_s; /* there */
    double force_n;      /* added to what the loop gives */
};

struct drive_motor {
    struct drive_motor_config config;
    /* may be read */
    enum drive_motor_mode mode;
    struct dpl_axis_plant plant;
    struct drive_motor_reference reference; /* of the loop, never faster than the limit */
    double wanted_m;                        /* where the targets want the axis */
    bool is_slowed;                         /* the reference is behind them, at its limit */
    /* set by the caller */
    bool blocked;           /* something holds the axis */
    double ramp_m_s2;       /* when targets are missing, above 0 */
    double speed_limit_m_s; /* above 0; the motor's own counts too */
    /* private */
    struct dpl_servo servo;
    struct drive_motor_reference from, to; /* at `since`, and one interpolation period later */
    dpl_ns now, since, period;
    double beyond_m_s; /* behind `to`, when no target has come */
    double slope_m_s;  /* of the straight line from the target before to the newest */
    double force_n, stop_m_s2;
};

/* Loop at 4 kHz, an axis of 20 kg with some friction, 2000 N and 2 m/s; no end stops. */
struct drive_motor_config drive_motor_config_default(void);

void drive_motor_init(struct drive_motor *motor, const struct drive_motor_config *config,
                      double position_m, dpl_ns now);

/* Torque on, holding where the axis is; or off. */
void drive_motor_enable(struct drive_motor *motor, bool enabled);

/* A target to be reached one `period` from `now`, which may be a little past. Beyond that the axis
 * goes on for another period, then to rest on its ramp: at the target's velocity; without one at
 * the slower of the newest two straight lines, if both go the same way, so that a target after
 * standstill is where it stays. */
void drive_motor_aim(struct drive_motor *motor, const struct drive_motor_target *target,
                     dpl_ns period, dpl_ns now);

/* From now on to rest on this ramp, from the speed that the axis has, whatever the reference was;
 * then it holds there. No ramp is steeper than the motor's force makes it: HUGE_VAL is that one. */
void drive_motor_stop(struct drive_motor *motor, double ramp_m_s2);
/* Whether it has come to rest behind a stop, or has no torque. */
bool drive_motor_stands(const struct drive_motor *motor);

/* Lets time pass; after a gap of more than a second the rest is skipped. */
void drive_motor_advance(struct drive_motor *motor, dpl_ns now);

/* Where the encoder is at `now`, within a step of the newest advance. */
double drive_motor_position(const struct drive_motor *motor, dpl_ns now);

#endif
