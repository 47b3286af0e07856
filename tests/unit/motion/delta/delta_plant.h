/* SPDX-License-Identifier: Apache-2.0 */
/* A delta that moves: its forward dynamics are made of the exact torques. */
#ifndef DELTA_PLANT_H
#define DELTA_PLANT_H

#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/linear.h>

#include "delta_dynamics.h"

struct plant {
    struct dpl_delta delta;
    double q[3], qd[3];
};

static inline void plant_torque(const struct plant *plant, const double *qdd, double *ret_torque)
{
    struct dpl_delta_motion motion = {0};
    memcpy(motion.q, plant->q, sizeof motion.q);
    memcpy(motion.qd, plant->qd, sizeof motion.qd);
    memcpy(motion.qdd, qdd, sizeof motion.qdd);
    cr_assert_eq(dpl_delta_motion_of_platform(&plant->delta, &motion), 0);
    cr_assert_eq(dpl_delta_torque(&plant->delta, &motion, ret_torque), 0);
}

/* A step, semi-implicit. torque = M qdd + h: column k of M is the torque for 1 rad/s^2 of joint k,
 * without h. */
static inline void plant_move(struct plant *plant, const double *torque, double step_s)
{
    double h[3], rows[3][4], qdd[3];
    plant_torque(plant, (const double[3]){0, 0, 0}, h);
    for (int k = 0; k < 3; k++) {
        double one[3] = {k == 0, k == 1, k == 2}, column[3];
        plant_torque(plant, one, column);
        for (int i = 0; i < 3; i++) {
            rows[i][k] = column[i] - h[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        rows[i][3] = torque[i] - h[i];
    }
    cr_assert_eq(dpl_eliminate(&rows[0][0], 3, 4, 1e-12), 0);
    for (int i = 2; i >= 0; i--) {
        qdd[i] = rows[i][3];
        for (int k = i + 1; k < 3; k++) {
            qdd[i] -= rows[i][k] * qdd[k];
        }
        qdd[i] /= rows[i][i];
    }
    for (int i = 0; i < 3; i++) {
        plant->qd[i] += step_s * qdd[i];
        plant->q[i] += step_s * plant->qd[i];
    }
}

#endif
