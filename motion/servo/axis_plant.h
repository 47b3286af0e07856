/* SPDX-License-Identifier: Apache-2.0 */
/* One linear axis to be driven: torque lag, a motor with Coulomb and viscous friction, a ball screw
 * that may give, the load, end stops. Pure logic and deterministic; neither allocates nor blocks.
 */
#ifndef MOTION_SERVO_AXIS_PLANT_H
#define MOTION_SERVO_AXIS_PLANT_H

/* Masses and stiffness as seen along the axis. */
struct dpl_axis_plant_config {
    double motor_kg;           /* rotor and screw, reduced to the axis; above 0 */
    double load_kg;            /* carriage and what it carries; 0 allowed with a rigid screw */
    double lag_s;              /* time constant from commanded to given effort; 0: none */
    double coulomb_n;          /* friction at the motor, with the smoothing below */
    double viscous_n_s_m;      /* friction at the motor that grows with its speed */
    double friction_speed_m_s; /* Coulomb friction is coulomb_n * tanh(speed / this) */
    double screw_n_m;          /* stiffness between motor and load; 0: rigid */
    double screw_n_s_m;        /* its damping */
    double effort_max_n;       /* the command is clamped to this; 0: no limit */
    double low_m, high_m;      /* the load's end stops, without rebound; both 0: none */
};

struct dpl_axis_plant {
    double motor_position_m, motor_velocity_m_s; /* what an encoder on the motor sees */
    double load_position_m, load_velocity_m_s;   /* equal to the motor's with a rigid screw */
    double effort_n;                             /* given now, after the lag */
};

/* 0, or -EINVAL: a number is not finite or negative, motor_kg is 0, a screw that gives has no load,
 * friction has no speed, the stops are not in order, or a step of `step_s` would need more
 * substeps than the plant makes (4096). */
int dpl_axis_plant_check(const struct dpl_axis_plant_config *config, double step_s);

/* At rest at `position_m`, no effort, the screw relaxed. */
void dpl_axis_plant_reset(struct dpl_axis_plant *plant, double position_m);

/* Advances by `step_s` under a constant commanded effort. Exact for a rigid axis without friction;
 * otherwise in as many equal substeps as resolve the fastest of friction and screw. A command that
 * is not finite is taken as 0. `config` has passed the check. */
void dpl_axis_plant_step(const struct dpl_axis_plant_config *config, struct dpl_axis_plant *plant,
                         double effort_command_n, double step_s);

#endif
