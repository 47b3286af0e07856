/* SPDX-License-Identifier: Apache-2.0 */
/* The platform at a pose: its rotation and the six joints. Internal to this folder; inline, because
 * all functions of the servo path begin with it. */
#ifndef DPL_HEXA_FRAME_H
#define DPL_HEXA_FRAME_H

#include <math.h>

#include "hexa_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpl__hexa_frame {
    double sin[3], cos[3];              /* of roll, pitch, yaw */
    double roll_axis[3], pitch_axis[3]; /* rotation axes of roll and pitch, unit vectors */
    double arm[3][DPL_AXES_N];          /* R a: from the tool centre point to the joint, m */
};

/* Computes the rest from the sines and cosines. */
static inline void dpl__hexa_frame_turn(const struct dpl_hexa_geometry *g,
                                        struct dpl__hexa_frame *frame)
{
    double sr = frame->sin[0], sp = frame->sin[1], sy = frame->sin[2];
    double cr = frame->cos[0], cp = frame->cos[1], cy = frame->cos[2];
    const double turn[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                               {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                               {-sp, cp * sr, cp * cr}};
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < DPL_AXES_N; i++) {
            frame->arm[c][i] = turn[c][0] * g->joint_m[0][i] + turn[c][1] * g->joint_m[1][i] +
                               turn[c][2] * g->joint_m[2][i];
        }
        frame->roll_axis[c] = turn[c][0];
    }
    frame->pitch_axis[0] = -sy;
    frame->pitch_axis[1] = cy;
    frame->pitch_axis[2] = 0.0;
}

/* Sine and cosine of three angles of at most a quarter of pi, by Taylor series up to the powers 17
 * and 18, where the remainder is below the rounding error. Even and odd terms are separate, so that
 * the three angles and both sums are computed in parallel. Takes a third of the time of the C
 * library's functions. */
static inline void dpl__hexa_sin_cos_small(const double *angle, double *ret_sin, double *ret_cos)
{
    for (int i = 0; i < 3; i++) {
        double x = angle[i], z = x * x, w = z * z;
        double s_even = -1.0 / 6.0 + w * (-1.0 / 5040.0 +
                                          w * (-1.0 / 39916800.0 + w * (-1.0 / 1307674368000.0)));
        double s_odd = 1.0 / 120.0 + w * (1.0 / 362880.0 +
                                          w * (1.0 / 6227020800.0 + w * (1.0 / 355687428096000.0)));
        double c_even = 1.0 / 24.0 + w * (1.0 / 40320.0 +
                                          w * (1.0 / 479001600.0 + w * (1.0 / 20922789888000.0)));
        double c_odd =
            -1.0 / 720.0 +
            w * (-1.0 / 3628800.0 + w * (-1.0 / 87178291200.0 + w * (-1.0 / 6402373705728000.0)));
        ret_sin[i] = x + x * z * (s_even + z * s_odd);
        ret_cos[i] = 1.0 - 0.5 * z + w * (c_even + z * c_odd);
    }
}

static inline void dpl__hexa_frame_set(const struct dpl_hexa_geometry *g, const double *pose,
                                       struct dpl__hexa_frame *ret_frame)
{
    const double small = 0.78539816339744831;
    const double *angle = pose + 3;
    if (fabs(angle[0]) <= small && fabs(angle[1]) <= small && fabs(angle[2]) <= small) {
        dpl__hexa_sin_cos_small(angle, ret_frame->sin, ret_frame->cos);
    } else {
        for (int i = 0; i < 3; i++) {
            ret_frame->sin[i] = sin(angle[i]);
            ret_frame->cos[i] = cos(angle[i]);
        }
    }
    dpl__hexa_frame_turn(g, ret_frame);
}

/* Rows of derivatives of |link| along the joints' motion: for each leg w . dP/dx_j, where w (3 x 6,
 * one coordinate a row) is a vector per leg and P its joint. `ret_row[j][i]`: pose component j,
 * leg i. */
static inline void dpl__hexa_project(const struct dpl__hexa_frame *frame, double w[3][DPL_AXES_N],
                                     double ret_row[DPL_SIX][DPL_AXES_N])
{
    const double *roll = frame->roll_axis, *pitch = frame->pitch_axis;
    for (int i = 0; i < DPL_AXES_N; i++) {
        double x = frame->arm[0][i], y = frame->arm[1][i], z = frame->arm[2][i];
        double mx = y * w[2][i] - z * w[1][i];
        double my = z * w[0][i] - x * w[2][i];
        double mz = x * w[1][i] - y * w[0][i];
        ret_row[0][i] = w[0][i];
        ret_row[1][i] = w[1][i];
        ret_row[2][i] = w[2][i];
        ret_row[3][i] = mx * roll[0] + my * roll[1] + mz * roll[2];
        ret_row[4][i] = mx * pitch[0] + my * pitch[1];
        ret_row[5][i] = mz;
    }
}

#ifdef __cplusplus
}
#endif

#endif
