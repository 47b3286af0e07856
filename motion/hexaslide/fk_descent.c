/* SPDX-License-Identifier: Apache-2.0 */
/* The descent of both solvers: a Newton step, shortened until the residuals decrease. */
#include "fk_descent.h"

#include <errno.h>
#include <string.h>

const struct dpl_hexa_fk_options dpl_hexa_fk_defaults = {
    .tolerance_m = 1e-10,
    .least_damping = 1e-4,
    .difference = 1e-7,
    .max_iterations = 20,
    .fence = 3.0,
};

static const char *const outcome_names[] = {
    [DPL_HEXA_FK_CONVERGED] = "converged",
    [DPL_HEXA_FK_NOT_FINITE] = "sliders or start are not finite",
    [DPL_HEXA_FK_SINGULAR] = "singular",
    [DPL_HEXA_FK_NO_DESCENT] = "no descent: no pose near the start has these sliders",
    [DPL_HEXA_FK_TOO_LONG] = "too many iterations",
    [DPL_HEXA_FK_OTHER_MODE] = "another assembly mode",
};

const char *dpl_hexa_fk_outcome_name(enum dpl_hexa_fk_outcome outcome)
{
    return outcome_names[outcome];
}

void dpl__fk_evaluate(struct dpl__fk_problem *problem, struct dpl__fk_point *ret_point)
{
    dpl__hexa_frame_set(problem->geometry, ret_point->pose, &ret_point->frame);
    dpl__fk_measure(problem, ret_point);
}

void dpl__fk_measure(struct dpl__fk_problem *problem, struct dpl__fk_point *point)
{
    const struct dpl_hexa_geometry *g = problem->geometry;
    const double *pose = point->pose;
    double square[DPL_AXES_N];
    for (int i = 0; i < DPL_AXES_N; i++) {
        double x = pose[0] + point->frame.arm[0][i] - problem->slider[0][i];
        double y = pose[1] + point->frame.arm[1][i] - problem->slider[1][i];
        double z = pose[2] + point->frame.arm[2][i] - problem->slider[2][i];
        double excess = x * x + y * y + z * z - g->link_m[i] * g->link_m[i];
        double residual = excess * problem->scale[i];
        point->link[0][i] = x;
        point->link[1][i] = y;
        point->link[2][i] = z;
        point->residual[i] = residual;
        square[i] = residual * residual;
    }
    point->norm = sqrt((square[0] + square[1]) + (square[2] + square[3]) + (square[4] + square[5]));
    problem->evaluations++;
}

/* Checks the legs' branches at the point; as dpl_hexa_branch_ok, but uses the platform frame that
 * is already computed. */
static bool own_branches(const struct dpl_hexa_geometry *g, const struct dpl__fk_point *point)
{
    bool ok = true;
    for (int i = 0; i < DPL_AXES_N; i++) {
        double lean = point->link[0][i] * g->axis[0][i] + point->link[1][i] * g->axis[1][i] +
                      point->link[2][i] * g->axis[2][i];
        ok &= g->branch[i] * lean < 0.0;
    }
    return ok;
}

static bool inside_fence(const struct dpl_hexa_geometry *g, double fence, const double *pose)
{
    bool ok = true;
    for (int j = 0; j < DPL_SIX; j++) {
        ok &= fabs(pose[j] - g->home[j]) <= fence * g->half_range[j];
    }
    return ok || fence <= 0.0;
}

/* Sets `next` from `at` along `step`, halving the step until the residuals decrease. False: they
 * never do. */
static bool advance(struct dpl__fk_problem *problem, const double *step,
                    const struct dpl__fk_point *at, struct dpl__fk_point *next)
{
    for (double part = 1.0; part >= problem->options->least_damping; part *= 0.5) {
        for (int j = 0; j < DPL_SIX; j++) {
            next->pose[j] = at->pose[j] - part * step[j];
        }
        dpl__fk_evaluate(problem, next);
        if (next->norm < at->norm || (problem->options->undamped && isfinite(next->norm))) {
            return true;
        }
    }
    return false;
}

/* State of a descent: the current point, storage for the next one, and the number of steps. */
struct descent {
    struct dpl__fk_point *at, *next;
    int iterations;
};

static enum dpl_hexa_fk_outcome descend(struct dpl__fk_problem *problem, dpl__fk_jacobian *jacobian,
                                        struct descent *descent)
{
    double column[DPL_SIX][DPL_AXES_N], right[DPL_AXES_N], step[DPL_SIX];
    while (!(descent->at->norm <= problem->options->tolerance_m)) {
        struct dpl__fk_point *at = descent->at;
        if (descent->iterations == problem->options->max_iterations) {
            return DPL_HEXA_FK_TOO_LONG;
        }
        jacobian(problem, at, column);
        memcpy(right, at->residual, sizeof right);
        if (!dpl__fk_solve(column, right, step)) {
            return DPL_HEXA_FK_SINGULAR;
        }
        descent->iterations++;
        if (!advance(problem, step, at, descent->next)) {
            return DPL_HEXA_FK_NO_DESCENT;
        }
        descent->at = descent->next;
        descent->next = at;
    }
    const struct dpl_hexa_geometry *g = problem->geometry;
    bool own =
        own_branches(g, descent->at) && inside_fence(g, problem->options->fence, descent->at->pose);
    return own ? DPL_HEXA_FK_CONVERGED : DPL_HEXA_FK_OTHER_MODE;
}

int dpl__fk_descend(struct dpl__fk_problem *problem, dpl__fk_jacobian *jacobian, const double *q_m,
                    double *pose, struct dpl_hexa_fk_report *report)
{
    const struct dpl_hexa_geometry *g = problem->geometry;
    struct dpl__fk_point points[2];
    struct descent descent = {.at = &points[0], .next = &points[1]};
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < DPL_AXES_N; i++) {
            problem->slider[c][i] = g->rail_m[c][i] + q_m[i] * g->axis[c][i];
        }
    }
    for (int i = 0; i < DPL_AXES_N; i++) {
        problem->scale[i] = 0.5 / g->link_m[i];
    }
    problem->evaluations = 0;
    memcpy(points[0].pose, pose, sizeof points[0].pose);
    dpl__fk_evaluate(problem, &points[0]);
    bool finite = isfinite(points[0].norm);
    enum dpl_hexa_fk_outcome outcome =
        finite ? descend(problem, jacobian, &descent) : DPL_HEXA_FK_NOT_FINITE;
    *report = (struct dpl_hexa_fk_report){.outcome = outcome,
                                          .iterations = descent.iterations,
                                          .evaluations = problem->evaluations,
                                          .residual_m = finite ? descent.at->norm : (double)NAN};
    if (outcome != DPL_HEXA_FK_CONVERGED) {
        return -EDOM;
    }
    memcpy(pose, descent.at->pose, sizeof descent.at->pose);
    return 0;
}

/* ---- Newton: df_i = link_i / L_i . dP_i, so the Jacobian costs less than one evaluation ---- */

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

/* ---- JFMD: the Jacobian by forward differences, one evaluation of the residuals a component ----
 */

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
