/* SPDX-License-Identifier: Apache-2.0 */
/* Model of one linear axis: torque lag, a motor with Coulomb and viscous friction, a ball screw,
 * rigid or elastic, the load, end stops. Pure logic and deterministic; does not allocate or
 * block. */
#ifndef MOTION_SERVO_AXIS_PLANT_H
#define MOTION_SERVO_AXIS_PLANT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Masses and stiffness, reduced to the axis. */
struct dpl_axis_plant_config {
    double motor_kg;           /* rotor and screw, reduced to the axis; above 0 */
    double load_kg;            /* carriage and payload; 0 allowed with a rigid screw */
    double lag_s;              /* time constant from commanded to actual effort; 0: none */
    double coulomb_n;          /* Coulomb friction at the motor, smoothed by friction_speed_m_s */
    double viscous_n_s_m;      /* viscous friction at the motor */
    double friction_speed_m_s; /* Coulomb friction is coulomb_n * tanh(speed / this) */
    double screw_n_m;          /* stiffness between motor and load; 0: rigid */
    double screw_n_s_m;        /* damping of the screw */
    double effort_max_n;       /* the command is clamped to this; 0: no limit */
    double low_m, high_m;      /* the load's end stops, without rebound; both 0: none */
};

struct dpl_axis_plant {
    double motor_position_m, motor_velocity_m_s; /* as an encoder on the motor measures them */
    double load_position_m, load_velocity_m_s;   /* equal to the motor's with a rigid screw */
    double effort_n;                             /* actual effort, after the lag */
};

/* 0, or -EINVAL: a number is not finite or negative, motor_kg is 0, an elastic screw has no load,
 * friction has no speed, the stops are not in order, or a step of `step_s` would need more substeps
 * than the plant makes (4096). */
int dpl_axis_plant_check(const struct dpl_axis_plant_config *config, double step_s);

/* At rest at `position_m`, no effort, the screw relaxed. */
void dpl_axis_plant_reset(struct dpl_axis_plant *plant, double position_m);

/* Advances by `step_s` with a constant commanded effort. Exact for a rigid axis without friction;
 * otherwise in equal substeps that resolve the shortest time constant of friction and screw. A
 * command that is not finite is replaced by 0. `config` must have passed the check. */
void dpl_axis_plant_step(const struct dpl_axis_plant_config *config, struct dpl_axis_plant *plant,
                         double effort_command_n, double step_s);

#ifdef __cplusplus
}
#endif

#endif
