/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of both solvers of the forward kinematics. Internal to this folder. */
#ifndef DPL_FK_DESCENT_H
#define DPL_FK_DESCENT_H

#include "hexa_fk.h"
#include "hexa_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The residuals f_i = (|P_i - b_i - q_i u_i|^2 - L_i^2) / (2 L_i) at a pose, and the intermediate
 * values. */
struct dpl__fk_point {
    double pose[DPL_SIX];
    struct dpl__hexa_frame frame;
    double link[3][DPL_AXES_N]; /* from slider to joint, m */
    double residual[DPL_AXES_N];
    double norm; /* of the residuals */
};

struct dpl__fk_problem {
    const struct dpl_hexa_geometry *geometry;
    const struct dpl_hexa_fk_options *options;
    /* set by the descent: */
    double slider[3][DPL_AXES_N]; /* b + q u */
    double scale[DPL_AXES_N];     /* 1 / (2 L) */
    int evaluations;
};

/* df_i/dx_j at a point, column by column: `ret_column[j][i]`. */
typedef void dpl__fk_jacobian(struct dpl__fk_problem *problem, const struct dpl__fk_point *point,
                              double ret_column[DPL_SIX][DPL_AXES_N]);

/* Evaluates the residuals at ret_point->pose, which the caller has set. */
void dpl__fk_evaluate(struct dpl__fk_problem *problem, struct dpl__fk_point *ret_point);

/* As dpl__fk_evaluate, when ret_point->frame is already set for the angles of the pose. */
void dpl__fk_measure(struct dpl__fk_problem *problem, struct dpl__fk_point *point);

/* Damped Newton descent with a given Jacobian; the caller has set the geometry and the options of
 * the problem. The rest is as for dpl_hexa_fk_solver. */
int dpl__fk_descend(struct dpl__fk_problem *problem, dpl__fk_jacobian *jacobian, const double *q_m,
                    double *pose, struct dpl_hexa_fk_report *report);

/* Solves A x = b. A is given by columns, column j at `column[j]`; A and b are overwritten.
 * Gauss-Jordan with column pivoting by magnitude; rows are not swapped. False, with invalid x, when
 * a pivot is below 1e-12 of the largest entry of A, or not a number. */
bool dpl__fk_solve(double column[DPL_SIX][DPL_AXES_N], double *right, double *ret_x);

#ifdef __cplusplus
}
#endif

#endif
