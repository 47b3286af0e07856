/* SPDX-License-Identifier: Apache-2.0 */
/* Cascaded position and velocity loop of one axis with feed-forward, friction compensation and
 * anti-windup by back-calculation. Works in accelerations: the caller multiplies by the mass that
 * the axis moves. Pure logic; neither allocates nor blocks. */
#ifndef MOTION_SERVO_SERVO_LOOP_H
#define MOTION_SERVO_SERVO_LOOP_H

/* What the loop needs to know. All of it may change between two steps. */
struct dpl_servo_config {
    double kp;                       /* position error to velocity, 1/s */
    double kv;                       /* velocity error to acceleration, 1/s */
    double ki;                       /* integral of the velocity error, 1/s2 */
    double kt;                       /* back-calculation, 1/s; 0: the integral winds up */
    double velocity_feedforward;     /* share of the reference's velocity, 0 to 1 */
    double acceleration_feedforward; /* share of the reference's acceleration, 0 to 1 */
    double friction_m_s2;            /* Coulomb friction over mass, to be compensated; 0: none */
    double friction_speed_m_s;       /* speed at which tanh(1) of it is given; above 0 */
    double accel_max_m_s2;           /* largest commanded acceleration; above 0 */
};

/* What it keeps from step to step. */
struct dpl_servo {
    double integral_m_s2;
    double position_m; /* at the step before */
};

/* Where the axis shall be at the instant at which its position was taken, with the exact
 * derivatives there. A reference of a cycle later makes the axis lead by that cycle. */
struct dpl_servo_reference {
    double position_m, velocity_m_s, acceleration_m_s2;
};

/* Kp 120, Kv 400, Ki 2000, Kt 50, full feed-forward, no friction compensation, 40 m/s2. */
extern const struct dpl_servo_config dpl_servo_default;

/* At rest at `position_m`, nothing integrated. To be called whenever the loop is closed anew. */
void dpl_servo_reset(struct dpl_servo *servo, double position_m);

/* One cycle of `period_s` (above 0): the acceleration to command, m/s2, within accel_max_m_s2.
 * The axis' speed is the difference of `position_m` to the step before. A reference or position
 * that is not finite commands 0 and leaves the state. */
double dpl_servo_step(const struct dpl_servo_config *config, struct dpl_servo *servo,
                      double period_s, const struct dpl_servo_reference *reference,
                      double position_m);

#endif
