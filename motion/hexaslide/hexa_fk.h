/* SPDX-License-Identifier: Apache-2.0 */
/* Forward kinematics: computes the pose of the platform from the slider positions. Two solvers
 * share one descent: JFMD (Jacobian by finite differences, multiplied by a damping factor; La Mura,
 * Todeschini, Giberti, Robotics 2018, 7(1), 8) and Newton with the Jacobian in closed form. A
 * tracker calls one of them with a start pose from its past poses. Nothing here allocates, blocks
 * or calls the system; max_iterations limits the work. Poses: x y z m, roll pitch yaw rad. */
#ifndef DPL_HEXA_FK_H
#define DPL_HEXA_FK_H

#include "hexa_geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_hexa_fk_options {
    double tolerance_m;   /* converged when the norm of the six residuals is not larger */
    double least_damping; /* stops below this fraction of a step; 1: only whole steps that decrease
                             the residuals */
    double difference;    /* of JFMD: step of the finite differences, m and rad */
    int max_iterations;
    bool undamped; /* take each whole step, even if the residuals increase */
    double fence; /* a result that is farther from home than this many half-ranges in a component is
                     of another assembly mode; 0: only the branches are checked */
};

/* 1e-10 m, 1e-4, 1e-7, 20 iterations, damped, fence of 3. The branches alone do not distinguish all
 * assembly modes: HX-A has other modes in which all links have the correct branch, such as one with
 * the platform pitched by 0.8 to 1.4 rad. The nearest such mode that was found is 5.6 half-ranges
 * away in its farthest component. */
extern const struct dpl_hexa_fk_options dpl_hexa_fk_defaults;

enum dpl_hexa_fk_outcome {
    DPL_HEXA_FK_CONVERGED,
    DPL_HEXA_FK_NOT_FINITE, /* sliders or start */
    DPL_HEXA_FK_SINGULAR,   /* the Jacobian cannot be inverted */
    DPL_HEXA_FK_NO_DESCENT, /* no step, with any damping, decreased the residuals */
    DPL_HEXA_FK_TOO_LONG,   /* max_iterations */
    DPL_HEXA_FK_OTHER_MODE, /* converged to another assembly mode of the machine */
};

/* Result of a solve. */
struct dpl_hexa_fk_report {
    enum dpl_hexa_fk_outcome outcome;
    int iterations;    /* number of inverted Jacobians */
    int evaluations;   /* of the six residuals, including those for finite differences */
    double residual_m; /* norm at the end; NaN when the input was not finite */
};

/* A solver. `q_m`: 6 slider positions. `pose`: 6; input: the start; output: the result on success,
 * unchanged on failure. `report` is always written. Returns 0, or -EDOM for every outcome except
 * CONVERGED. */
typedef int dpl_hexa_fk_solver(const struct dpl_hexa_geometry *geometry,
                               const struct dpl_hexa_fk_options *options, const double *q_m,
                               double *pose, struct dpl_hexa_fk_report *report);

dpl_hexa_fk_solver dpl_hexa_fk_jfmd;
dpl_hexa_fk_solver dpl_hexa_fk_newton;

/* Text for logs; static. */
const char *dpl_hexa_fk_outcome_name(enum dpl_hexa_fk_outcome outcome);

/* Follows a moving platform, with one call per servo period. The caller owns it. */
struct dpl_hexa_tracker {
    const struct dpl_hexa_geometry *geometry; /* borrowed until the last use of the tracker */
    struct dpl_hexa_fk_options options;
    dpl_hexa_fk_solver *solver;
    bool extrapolate;                 /* start at 2 x[k-1] - x[k-2], else at x[k-1] */
    double last[DPL_SIX];             /* read-only: the newest result */
    double before[DPL_SIX];           /* the result before; equal to `last` when there is none */
    bool following;                   /* read-only: `last` is a result since the newest restart */
    struct dpl_hexa_fk_report report; /* read-only: of the newest step */
};

/* Starts at home with the default options and Newton, extrapolating; the caller may change the
 * fields above before the first step. */
void dpl_hexa_tracker_init(struct dpl_hexa_tracker *tracker,
                           const struct dpl_hexa_geometry *geometry);

/* Deletes the past poses and starts the next step from `pose`. */
void dpl_hexa_tracker_restart(struct dpl_hexa_tracker *tracker, const double *pose);

/* Computes the pose for the sliders of this period. Returns 0, or -EDOM (reason in
 * tracker->report): `last` is unchanged, and the next step starts from it without extrapolation. */
int dpl_hexa_tracker_step(struct dpl_hexa_tracker *tracker, const double *q_m, double *ret_pose);

#ifdef __cplusplus
}
#endif

#endif
