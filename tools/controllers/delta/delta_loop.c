/* SPDX-License-Identifier: Apache-2.0 */
/* Counts to angles and speeds, computed torque, torques to currents. */
#include "delta_loop.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Torque of the motor for its current, from its data sheet. */
static const struct {
    double current_a, torque_nm;
} motor_rows[] = {
    {0.0, 0.0},   {2.0, 0.120},  {4.0, 0.240},  {6.0, 0.358},
    {8.0, 0.468}, {10.0, 0.560}, {12.0, 0.630},
};

void delta_loop_init(struct delta_loop *loop, double period_s)
{
    *loop = (struct delta_loop){
        .control = {.delta = dpl_delta_reference,
                    .path = dpl_pick_place_reference,
                    .bandwidth_rad_s = 200.0,
                    .approach_s = 1.0},
        .encoder = {.counts_per_turn = 20000, .gear = dpl_delta_reference.gear},
        .period_s = period_s,
        .filter = 0.4,
    };
    for (size_t i = 0; i < sizeof motor_rows / sizeof motor_rows[0]; i++) {
        dpl_motor_table_add(&loop->motor, motor_rows[i].current_a, motor_rows[i].torque_nm, 0.0,
                            NULL);
    }
}

int delta_loop_start(struct delta_loop *loop, const int32_t *counts, const char **reterr_what)
{
    loop->encoder.gear = loop->control.delta.gear;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        loop->counts[i] = counts[i];
        loop->q[i] = dpl_encoder_angle_between(&loop->encoder, 0, counts[i]);
        loop->qd[i] = 0.0;
    }
    loop->is_started = true;
    return dpl_delta_control_start(&loop->control, loop->q, reterr_what);
}

static void read_counts(struct delta_loop *loop, const int32_t *counts)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double way = dpl_encoder_angle_between(&loop->encoder, loop->counts[i], counts[i]);
        loop->counts[i] = counts[i];
        loop->q[i] += way;
        loop->qd[i] += loop->filter * (way / loop->period_s - loop->qd[i]);
    }
}

static void measure(struct delta_loop *loop, const double *torque, const double *feed_forward)
{
    struct delta_errors *errors = &loop->errors;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double error = loop->q[i] - loop->reference.q[i];
        double correction = torque[i] - feed_forward[i];
        errors->square_sum += error * error;
        errors->max = fmax(errors->max, fabs(error));
        errors->correction_sum += correction * correction;
        errors->n++;
    }
}

int delta_loop_step(struct delta_loop *loop, double at_s, const int32_t *counts,
                    double *ret_currents_a)
{
    const struct dpl_delta_control *control = &loop->control;
    double torque[DPL_DELTA_ARMS], feed_forward[DPL_DELTA_ARMS];
    read_counts(loop, counts);
    int err = dpl_delta_control_reference(control, at_s, &loop->reference);
    err =
        err ? err : dpl_delta_control_torque(control, &loop->reference, loop->q, loop->qd, torque);
    err = err ? err : dpl_delta_torque(&control->delta, &loop->reference, feed_forward);
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double at_motor = err ? 0.0 : torque[i] / control->delta.gear;
        double speed = loop->qd[i] * control->delta.gear;
        ret_currents_a[i] = err ? 0.0 : dpl_motor_current(&loop->motor, at_motor, speed);
    }
    if (!err && at_s >= control->approach_s) {
        measure(loop, torque, feed_forward);
    }
    return err;
}
