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
    dpl_ns step; /* of the loop and the plant */
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

struct drive_motor {
    struct drive_motor_config config;
    /* may be read */
    enum drive_motor_mode mode;
    struct dpl_axis_plant plant;
    struct drive_motor_reference reference;
    /* set by the caller */
    bool blocked;     /* something holds the axis */
    double ramp_m_s2; /* of stopping, above 0 */
    /* private */
    struct dpl_servo servo;
    struct drive_motor_reference from, to; /* at `since`, and one interpolation period later */
    dpl_ns now, since, period;
    double force_n;
};

/* Loop at 4 kHz, an axis of 20 kg with some friction. */
struct drive_motor_config drive_motor_config_default(void);

void drive_motor_init(struct drive_motor *motor, const struct drive_motor_config *config,
                      double position_m, dpl_ns now);

/* Torque on, holding where the axis is; or off. */
void drive_motor_enable(struct drive_motor *motor, bool enabled);

/* A target to be reached one `period` from `now`, which may be a little past, moving at
 * velocity_m_s there; `force_n` is added to what the loop gives. Beyond that the axis goes on at
 * this velocity for another period, then to rest on the ramp. */
void drive_motor_aim(struct drive_motor *motor, const struct drive_motor_reference *target,
                     double force_n, dpl_ns period, dpl_ns now);

/* From now on to rest on the ramp. */
void drive_motor_stop(struct drive_motor *motor);
/* Whether the ramp has ended. */
bool drive_motor_stands(const struct drive_motor *motor);

/* Lets time pass; after a gap of more than a second the rest is skipped. */
void drive_motor_advance(struct drive_motor *motor, dpl_ns now);

/* Where the encoder is at `now`, within a step of the newest advance. */
double drive_motor_position(const struct drive_motor *motor, dpl_ns now);

#endif
