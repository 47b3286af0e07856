/* SPDX-License-Identifier: Apache-2.0 */
/* Accelerations of a mechanism, computed in another way than by the solver: all bodies have six
 * freedoms, all joints and gears are rows that the accelerations must fulfil, and of all such
 * accelerations those are taken that are nearest to the free ones, by the masses (Gauss 1829). Rows
 * that depend on others do not matter: they are found by pivoting. For tests; it allocates, and is
 * slow. Every body needs a mass and moments of inertia above 0. */
#ifndef DOPPEL_TESTS_ORACLE_H
#define DOPPEL_TESTS_ORACLE_H

#include <doppel/sim/multibody_graph.h>

/* Of a body's origin, in the world and its axes. */
struct oracle_body {
    struct dpl_mb_place place;
    double velocity[3], angular[3];
    double acceleration[3], angular_acceleration[3];
};

/* How the rows went. Rows have length 1 at first (mass-weighted). */
struct oracle_rank {
    int rows, rank;
    double pivot; /* the shortest of the rows that were taken: near 0, nothing can be said */
    double rest;  /* the longest of those that were left, and so taken as dependent */
    double odds;  /* the largest contradiction of a row that was left: about 0 */
};

struct dpl_mb_place oracle_compose(const struct dpl_mb_place *a, const struct dpl_mb_place *b);
struct dpl_mb_place oracle_inverse(const struct dpl_mb_place *a);

/* The place of a joint's second frame in its first one, at joint->displacement or joint->place. */
struct dpl_mb_place oracle_displaced(const struct dpl_mb_joint *joint);

/* The places of all bodies by the displacements of the graph, from `fixed` on over active joints in
 * any order. bodies: [n_bodies]; velocities become 0. */
void oracle_place(const struct dpl_mb_graph *graph, struct oracle_body *ret_bodies);

/* Changes velocities by as little as the joints and gears demand (by kinetic energy). */
void oracle_project(const struct dpl_mb_graph *graph, struct oracle_body *inout_bodies,
                    struct oracle_rank *ret_rank);

/* Accelerations by gravity, restraints (turns are within +-pi) and joints; motors and limits are
 * not in it. Bodies that are not active stand still. */
void oracle_accelerate(const struct dpl_mb_graph *graph, struct oracle_body *inout_bodies,
                       struct oracle_rank *ret_rank);

/* Of a joint, by the states of its bodies; as in struct dpl_mb_joint. Turns are within +-pi. */
struct oracle_joint {
    double displacement[3], velocity[6], acceleration[6];
    double error; /* how far it is from a place and a rate that it allows: m, rad, m/s, rad/s */
};
void oracle_joint(const struct dpl_mb_graph *graph, const struct oracle_body *bodies, int joint,
                  struct oracle_joint *ret_joint);

#endif
