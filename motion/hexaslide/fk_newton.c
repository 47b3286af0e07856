/* SPDX-License-Identifier: Apache-2.0 */
/* Newton: df_i = link_i / L_i . dP_i, so the Jacobian costs less than one evaluation. */
#include "fk_descent.h"

static void closed_form(struct dpl__fk_problem *problem, const struct dpl__fk_point *point,
                        double ret_column[DPL_SIX][DPL_AXES_N])
{
    double direction[3][DPL_AXES_N];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < DPL_AXES_N; i++) {
            direction[c][i] = 2.0 * problem->scale[i] * point->link[c][i];
        }
    }
    dpl__hexa_project(&point->frame, direction, ret_column);
}

int dpl_hexa_fk_newton(const struct dpl_hexa_geometry *geometry,
                       const struct dpl_hexa_fk_options *options, const double *q_m, double *pose,
                       struct dpl_hexa_fk_report *report)
{
    struct dpl__fk_problem problem; /* the descent sets the other fields */
    problem.geometry = geometry;
    problem.options = options;
    return dpl__fk_descend(&problem, closed_form, q_m, pose, report);
}
