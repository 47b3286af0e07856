/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the oracle: how two frames move relative to each other, and the rows of a joint. */
#ifndef DOPPEL_TESTS_ORACLE_ROWS_H
#define DOPPEL_TESTS_ORACLE_ROWS_H

#include "oracle.h"

/* Two frames, the second one relative to the first. Twists are angular, then linear at the origin
 * of the second frame. */
struct pair {
    int bodies[2];
    double axes[9];            /* of the first frame, in the world */
    double at[3];              /* the origin of the second frame, in the world */
    struct dpl_mb_place place; /* of the second frame in the first one */
    double arms[2][3];         /* from the bodies' origins to `at` */
    double twist[6];           /* in the axes of the first frame */
    double bias[6];            /* its rate in these axes where no body accelerates */
};

/* Motions that a joint allows: twist = sum of columns[k] * velocity k, in the first frame's axes;
 * the columns are at right angles to each other. */
struct motion {
    int n;
    double columns[6][6], rates[6][6]; /* the latter: how they change with time */
    double velocity[6];                /* those that are nearest to the twist */
};

void oracle_cross(const double a[3], const double b[3], double ret[3]);
void oracle_turn(const double matrix[9], const double v[3], double ret[3]);
void oracle_turn_back(const double matrix[9], const double v[3], double ret[3]);

void oracle_pair(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                 const int frames[2], struct pair *ret_pair);
void oracle_motion(const struct dpl_mb_joint *joint, const struct pair *pair,
                   struct motion *ret_motion);
/* Adds factor * (how the rate of `direction` . twist depends on the accelerations of the bodies) to
 * a row of 6 numbers a body: linear, angular. Those of `fixed` are not in it. */
void oracle_add_row(const struct pair *pair, const double direction[6], double factor,
                    double *inout_row);
/* Where it is, turns within +-pi; of a float 0. */
void oracle_displacement(const struct dpl_mb_joint *joint, const struct dpl_mb_place *place,
                         double ret[3]);

/* ---- oracle_forces.c ---- */

/* Forces and torques about the bodies' origins by gravity and restraints: 6 numbers a body. */
void oracle_forces(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                   double *ret_forces);

#endif
