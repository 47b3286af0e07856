/* SPDX-License-Identifier: Apache-2.0 */
/* Forward kinematics: which pose the sliders hold the platform in. Two solvers, JFMD (Jacobian by
 * finite differences, multiplied by a damping factor; La Mura, Todeschini, Giberti, Robotics 2018,
 * 7(1), 8) and Newton with the Jacobian in closed form, share one descent; a tracker feeds one of
 * them with its own past. Nothing here allocates, blocks or calls the system; the work is bounded
 * by max_iterations. Poses: x y z m, roll pitch yaw rad. */
#ifndef DPL_HEXA_FK_H
#define DPL_HEXA_FK_H

#include "hexa_geometry.h"

struct dpl_hexa_fk_options {
    double tolerance_m;   /* converged when the norm of the six residuals is no more */
    double least_damping; /* gives up below this fraction of a step; 1: only whole steps that
                           * descend */
    double difference;    /* of JFMD: step of the finite differences, m and rad */
    int max_iterations;
    bool undamped; /* take each whole step, descending or not */
    double fence;  /* answers farther from home than this many half-ranges in a component are
                    * of another mode; 0: only the branches tell */
};

/* 1e-10 m, 1e-4, 1e-7, 20 iterations, damped, fence of 3.
 * The branches alone do not tell all assembly modes apart: HX-A has others whose links all lean as
 * they should, such as the one with the platform pitched by 0.8 to 1.4 rad; none was found nearer
 * than 5.6 half-ranges in its farthest component. */
extern const struct dpl_hexa_fk_options dpl_hexa_fk_defaults;

enum dpl_hexa_fk_outcome {
    DPL_HEXA_FK_CONVERGED,
    DPL_HEXA_FK_NOT_FINITE, /* sliders or start are */
    DPL_HEXA_FK_SINGULAR,   /* the Jacobian cannot be inverted */
    DPL_HEXA_FK_NO_DESCENT, /* no step, however damped, came nearer */
    DPL_HEXA_FK_TOO_LONG,   /* max_iterations */
    DPL_HEXA_FK_OTHER_MODE, /* converged to another assembly mode of the machine */
};

/* What a solve did. */
struct dpl_hexa_fk_report {
    enum dpl_hexa_fk_outcome outcome;
    int iterations;    /* Jacobians inverted */
    int evaluations;   /* of the six residuals, finite differences included */
    double residual_m; /* norm at the end; NaN when the input was not finite */
};

/* A solver. `q_m`: 6 slider positions; `pose`: 6, the start, and on success the answer; on failure
 * as it was. `report` is always written. Returns 0, or -EDOM for every other outcome than
 * CONVERGED. */
typedef int dpl_hexa_fk_solver(const struct dpl_hexa_geometry *geometry,
                               const struct dpl_hexa_fk_options *options, const double *q_m,
                               double *pose, struct dpl_hexa_fk_report *report);

dpl_hexa_fk_solver dpl_hexa_fk_jfmd;
dpl_hexa_fk_solver dpl_hexa_fk_newton;

/* In words, for logs; static text. */
const char *dpl_hexa_fk_outcome_name(enum dpl_hexa_fk_outcome outcome);

/* Follows a moving platform, one call a servo period. The caller owns it. */
struct dpl_hexa_tracker {
    const struct dpl_hexa_geometry *geometry; /* borrowed, as long as the tracker is used */
    struct dpl_hexa_fk_options options;
    dpl_hexa_fk_solver *solver;
    bool extrapolate;                 /* start at 2 x[k-1] - x[k-2], else at x[k-1] */
    double last[DPL_HEXA_DOFS];       /* read-only: the newest pose that was found */
    double before[DPL_HEXA_DOFS];     /* the one before; as `last` when there is none */
    bool following;                   /* read-only: `last` was found since the newest restart */
    struct dpl_hexa_fk_report report; /* read-only: of the newest step */
};

/* Starts at home with the default options and Newton, extrapolating; the caller may change the
 * fields above before the first step. */
void dpl_hexa_tracker_init(struct dpl_hexa_tracker *tracker,
                           const struct dpl_hexa_geometry *geometry);

/* Forgets the past and starts the next step from `pose`. */
void dpl_hexa_tracker_restart(struct dpl_hexa_tracker *tracker, const double *pose);

/* The pose for the sliders of this period. Returns 0, or -EDOM (tracker->report says why): `last`
 * stays, and the next step starts from it without extrapolation. */
int dpl_hexa_tracker_step(struct dpl_hexa_tracker *tracker, const double *q_m, double *ret_pose);

#endif
