/* SPDX-License-Identifier: Apache-2.0 */
/* Positions, velocities and accelerations of a delta. */
#include "delta_kinematics.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <doppel/math/linear.h>

#include "delta_chain.h"
#include "delta_vector.h"

/* ---- inverse kinematics ---- */

/* |p - E(q)| = L2 is a cos q + b sin q + c = 0. */
struct reach {
    double a, b, c;
};

static struct reach reach_of(const struct dpl_delta *delta, const double *p, int arm)
{
    const double *e = dpl_delta_azimuth[arm];
    double out = delta->base_radius_m - delta->platform_radius_m - (e[0] * p[0] + e[1] * p[1]);
    double side = e[0] * p[1] - e[1] * p[0];
    double l1 = delta->arm_m, l2 = delta->rod_m;
    return (struct reach){
        .a = 2.0 * l1 * out,
        .b = 2.0 * l1 * p[2],
        .c = out * out + side * side + p[2] * p[2] + l1 * l1 - l2 * l2,
    };
}

/* Written so that NaN is not reached. */
static bool reached(struct reach r)
{
    double h = hypot(r.a, r.b);
    return h > 0.0 && isfinite(h) && fabs(r.c) <= h;
}

unsigned dpl_delta_ik_faults(const struct dpl_delta *delta, const double *p)
{
    unsigned mask = 0;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        mask |= (unsigned)!reached(reach_of(delta, p, i)) << i;
    }
    return mask;
}

int dpl_delta_ik(const struct dpl_delta *delta, const double *p, double *ret_q)
{
    if (dpl_delta_ik_faults(delta, p) != 0) {
        return -EDOM;
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        /* Cosine and sine of q times h^2. A square root keeps more digits than acos near the limit
         * of reach. */
        struct reach r = reach_of(delta, p, i);
        double h = hypot(r.a, r.b);
        double root = sqrt((h - r.c) * (h + r.c));
        double turn = r.b <= 0.0 ? root : -root;
        ret_q[i] = atan2(-r.b * r.c + r.a * turn, -r.a * r.c - r.b * turn);
    }
    return 0;
}

/* ---- forward kinematics ---- */

/* The point is above or below the centre of the circle through the three elbows. */
int dpl_delta_fk(const struct dpl_delta *delta, const double *q, double *ret_p)
{
    struct dpl__delta_triangle elbows;
    dpl__delta_triangle_set(delta, q, &elbows);
    const double *b = elbows.b, *c = elbows.c, *n = elbows.n;
    double to_b[3], to_c[3];
    dpl__delta_cross(n, b, to_c);
    dpl__delta_cross(c, n, to_b);
    double nn = dpl__delta_dot(n, n), bb = dpl__delta_dot(b, b), cc = dpl__delta_dot(c, c);
    double centre[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = (cc * to_c[k] + bb * to_b[k]) / (2.0 * nn);
    }
    double height2 = delta->rod_m * delta->rod_m - dpl__delta_dot(centre, centre);
    if (!(nn > 0.0 && height2 >= 0.0) || n[2] == 0.0) {
        return -EDOM;
    }
    double height = copysign(sqrt(height2 / nn), n[2]);
    for (int k = 0; k < 3; k++) {
        ret_p[k] = elbows.first[k] + centre[k] - height * n[k];
    }
    return 0;
}

/* ---- derivatives ---- */

int dpl_delta_jacobian(const struct dpl_delta *delta, const double *p, const double *q,
                       double ret_jacobian[3][DPL_DELTA_ARMS])
{
    struct dpl__delta_chains chains;
    int error = dpl__delta_chains_set(delta, p, q, &chains);
    if (error) {
        return error;
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        for (int k = 0; k < 3; k++) {
            ret_jacobian[k][i] = chains.inverse[i][k] * chains.lever[i];
        }
    }
    return 0;
}

int dpl_delta_condition(const struct dpl_delta *delta, const double *p, const double *q,
                        double *ret_condition)
{
    double jacobian[3][DPL_DELTA_ARMS], columns[9];
    int error = dpl_delta_jacobian(delta, p, q, jacobian);
    if (error) {
        return error;
    }
    for (int i = 0; i < 9; i++) {
        columns[i] = jacobian[i % 3][i / 3];
    }
    double ratio = dpl_conditioning(columns, 3);
    if (!(ratio > 0.0)) {
        return -ERANGE;
    }
    *ret_condition = 1.0 / ratio;
    return 0;
}

/* |v - qd d|^2: the centripetal part of the second derivative of the rod's length. */
static double swing2(const struct dpl__delta_chains *chains, int arm, const double *v, double qd)
{
    double relative[3];
    for (int k = 0; k < 3; k++) {
        relative[k] = v[k] - qd * chains->slope[arm][k];
    }
    return dpl__delta_dot(relative, relative);
}

int dpl_delta_motion_of_joints(const struct dpl_delta *delta, struct dpl_delta_motion *motion)
{
    struct dpl__delta_chains chains;
    double q[DPL_DELTA_ARMS];
    int error = dpl_delta_ik(delta, motion->p, q);
    error = error ? error : dpl__delta_chains_set(delta, motion->p, q, &chains);
    if (error) {
        return error;
    }
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        const double *n = chains.rod[i];
        double qd = dpl__delta_dot(n, motion->v) / chains.lever[i];
        motion->q[i] = q[i];
        motion->qd[i] = qd;
        motion->qdd[i] = (dpl__delta_dot(n, motion->a) + swing2(&chains, i, motion->v, qd) -
                          dpl__delta_dot(n, chains.bend[i]) * qd * qd) /
                         chains.lever[i];
    }
    return 0;
}

/* The sum of the columns of the inverse: solves n_i . x = rates_i. */
static void solve(const struct dpl__delta_chains *chains, const double *rates, double *ret_x)
{
    for (int k = 0; k < 3; k++) {
        ret_x[k] = rates[0] * chains->inverse[0][k] + rates[1] * chains->inverse[1][k] +
                   rates[2] * chains->inverse[2][k];
    }
}

int dpl_delta_motion_of_platform(const struct dpl_delta *delta, struct dpl_delta_motion *motion)
{
    struct dpl__delta_chains chains;
    double p[3], rates[DPL_DELTA_ARMS];
    int error = dpl_delta_fk(delta, motion->q, p);
    error = error ? error : dpl__delta_chains_set(delta, p, motion->q, &chains);
    if (error) {
        return error;
    }
    memcpy(motion->p, p, sizeof p);
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        rates[i] = chains.lever[i] * motion->qd[i];
    }
    solve(&chains, rates, motion->v);
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double qd = motion->qd[i];
        rates[i] = chains.lever[i] * motion->qdd[i] +
                   dpl__delta_dot(chains.rod[i], chains.bend[i]) * qd * qd -
                   swing2(&chains, i, motion->v, qd);
    }
    solve(&chains, rates, motion->a);
    return 0;
}
