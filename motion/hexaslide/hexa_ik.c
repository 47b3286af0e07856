/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse kinematics: one square root per leg. */
#include "hexa_ik.h"

#include <errno.h>

#include "hexa_frame.h"

/* Per leg: D, its component along the rail, and the discriminant L^2 - |D|^2 + (u.D)^2. */
struct legs {
    double to_joint[3][DPL_AXES_N];
    double along[DPL_AXES_N], discriminant[DPL_AXES_N];
};

static void measure(const struct dpl_hexa_geometry *g, const struct dpl__hexa_frame *frame,
                    const double *pose, struct legs *legs)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        double x = pose[0] + frame->arm[0][i] - g->rail_m[0][i];
        double y = pose[1] + frame->arm[1][i] - g->rail_m[1][i];
        double z = pose[2] + frame->arm[2][i] - g->rail_m[2][i];
        double along = x * g->axis[0][i] + y * g->axis[1][i] + z * g->axis[2][i];
        legs->to_joint[0][i] = x;
        legs->to_joint[1][i] = y;
        legs->to_joint[2][i] = z;
        legs->along[i] = along;
        legs->discriminant[i] =
            g->link_m[i] * g->link_m[i] - (x * x + y * y + z * z) + along * along;
    }
}

/* The comparison is written so that NaN is a fault. */
static unsigned faults(const struct dpl_hexa_geometry *g, const struct legs *legs)
{
    unsigned mask = 0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        double least = g->reserve * g->link_m[i];
        mask |= (unsigned)!(legs->discriminant[i] >= least * least) << i;
    }
    return mask;
}

int dpl_hexa_ik(const struct dpl_hexa_geometry *geometry, const double *pose, double *ret_q_m)
{
    struct dpl__hexa_frame frame;
    struct legs legs;
    dpl__hexa_frame_set(geometry, pose, &frame);
    measure(geometry, &frame, pose, &legs);
    if (faults(geometry, &legs) != 0) {
        return -EDOM;
    }
    for (int i = 0; i < DPL_AXES_N; i++) {
        ret_q_m[i] = legs.along[i] + geometry->branch[i] * sqrt(legs.discriminant[i]);
    }
    return 0;
}

unsigned dpl_hexa_ik_faults(const struct dpl_hexa_geometry *geometry, const double *pose)
{
    struct dpl__hexa_frame frame;
    struct legs legs;
    dpl__hexa_frame_set(geometry, pose, &frame);
    measure(geometry, &frame, pose, &legs);
    return faults(geometry, &legs);
}

bool dpl_hexa_branch_ok(const struct dpl_hexa_geometry *geometry, const double *pose,
                        const double *q_m)
{
    struct dpl__hexa_frame frame;
    struct legs legs;
    dpl__hexa_frame_set(geometry, pose, &frame);
    measure(geometry, &frame, pose, &legs);
    for (int i = 0; i < DPL_AXES_N; i++) {
        if (!(geometry->branch[i] * (legs.along[i] - q_m[i]) < 0.0)) {
            return false;
        }
    }
    return true;
}

int dpl_hexa_jacobian(const struct dpl_hexa_geometry *geometry, const double *pose,
                      double ret_rate[DPL_SIX][DPL_AXES_N])
{
    struct dpl__hexa_frame frame;
    struct legs legs;
    dpl__hexa_frame_set(geometry, pose, &frame);
    measure(geometry, &frame, pose, &legs);
    if (faults(geometry, &legs) != 0) {
        return -EDOM;
    }
    /* |link| constant: link . dP = (link . u) dq, and link . u is -branch * sqrt(discriminant). */
    double w[3][DPL_AXES_N];
    for (int i = 0; i < DPL_AXES_N; i++) {
        double lean = -geometry->branch[i] * sqrt(legs.discriminant[i]);
        double q = legs.along[i] - lean;
        for (int c = 0; c < 3; c++) {
            w[c][i] = (legs.to_joint[c][i] - q * geometry->axis[c][i]) / lean;
        }
    }
    dpl__hexa_project(&frame, w, ret_rate);
    return 0;
}

int dpl_hexa_reach(const struct dpl_hexa_geometry *geometry, const double *pose, double *ret_m)
{
    double q_m[DPL_AXES_N];
    int error = dpl_hexa_ik(geometry, pose, q_m);
    if (error) {
        return error;
    }
    struct dpl__hexa_frame frame;
    struct legs legs;
    dpl__hexa_frame_set(geometry, pose, &frame);
    measure(geometry, &frame, pose, &legs);
    for (int i = 0; i < DPL_AXES_N; i++) {
        ret_m[i] = legs.along[i] - q_m[i];
    }
    return 0;
}
