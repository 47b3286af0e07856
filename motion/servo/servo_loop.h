/* SPDX-License-Identifier: Apache-2.0 */
/* Cascaded position and velocity loop of one axis with feed-forward, friction compensation and
 * anti-windup by back-calculation. Commands are accelerations: the caller multiplies by the mass
 * that the axis moves. Pure logic; neither allocates nor blocks. */
#ifndef MOTION_SERVO_SERVO_LOOP_H
#define MOTION_SERVO_SERVO_LOOP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Parameters of the loop. All may change between two steps. */
struct dpl_servo_config {
    double kp;                       /* position error to velocity, 1/s */
    double kv;                       /* velocity error to acceleration, 1/s */
    double ki;                       /* integral of the velocity error, 1/s2 */
    double kt;                       /* back-calculation, 1/s; 0: the integral winds up */
    double velocity_feedforward;     /* share of the reference's velocity, 0 to 1 */
    double acceleration_feedforward; /* share of the reference's acceleration, 0 to 1 */
    double friction_m_s2;            /* Coulomb friction over mass, to be compensated; 0: none */
    double friction_speed_m_s;       /* speed at which tanh(1) of it is compensated; above 0 */
    double accel_max_m_s2;           /* largest commanded acceleration; above 0 */
};

/* State between steps. */
struct dpl_servo {
    double integral_m_s2;
    double position_m; /* of the step before */
};

/* The commanded position at the time at which the axis' position was measured, with the exact
 * derivatives at that time. With a reference for one cycle later the axis would lead by one
 * cycle. */
struct dpl_servo_reference {
    double position_m, velocity_m_s, acceleration_m_s2;
};

/* Kp 120, Kv 400, Ki 2000, Kt 50, full feed-forward, no friction compensation, 40 m/s2. */
extern const struct dpl_servo_config dpl_servo_default;

/* Sets the state at rest at `position_m`, with the integral at 0. Call it whenever the loop is
 * closed again. */
void dpl_servo_reset(struct dpl_servo *servo, double position_m);

/* One cycle of `period_s` (above 0): returns the commanded acceleration, m/s2, within
 * accel_max_m_s2. The axis' speed is the difference of `position_m` to the step before, divided by
 * the period. A reference or position that is not finite returns 0 and does not change the
 * state. */
double dpl_servo_step(const struct dpl_servo_config *config, struct dpl_servo *servo,
                      double period_s, const struct dpl_servo_reference *reference,
                      double position_m);

#ifdef __cplusplus
}
#endif

#endif
