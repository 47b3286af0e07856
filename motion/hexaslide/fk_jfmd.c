/* SPDX-License-Identifier: Apache-2.0 */
/* JFMD: the Jacobian by forward differences, one evaluation of the residuals for each pose
 * component. */
#include "fk_descent.h"

#include <string.h>

static void differences(struct dpl__fk_problem *problem, const struct dpl__fk_point *point,
                        double ret_column[DPL_SIX][DPL_AXES_N])
{
    struct dpl__fk_point near;
    double h = problem->options->difference;
    near.frame = point->frame;
    for (int j = 0; j < DPL_SIX; j++) {
        memcpy(near.pose, point->pose, sizeof near.pose);
        near.pose[j] += h;
        /* The difference that was actually added: h after rounding. */
        double per_added = 1.0 / (near.pose[j] - point->pose[j]);
        if (j < 3) {
            dpl__fk_measure(problem, &near); /* translated, not rotated */
        } else {
            dpl__fk_evaluate(problem, &near);
        }
        for (int i = 0; i < DPL_AXES_N; i++) {
            ret_column[j][i] = (near.residual[i] - point->residual[i]) * per_added;
        }
    }
}

int dpl_hexa_fk_jfmd(const struct dpl_hexa_geometry *geometry,
                     const struct dpl_hexa_fk_options *options, const double *q_m, double *pose,
                     struct dpl_hexa_fk_report *report)
{
    struct dpl__fk_problem problem; /* the descent sets the other fields */
    problem.geometry = geometry;
    problem.options = options;
    return dpl__fk_descend(&problem, differences, q_m, pose, report);
}
