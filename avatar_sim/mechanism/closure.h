/* SPDX-License-Identifier: Apache-2.0 */
/* Whether all joints of a mechanism can be met at once. What the joints of a tree (assembly.h)
 * leave over are equations: of joints that close loops, of gears and of mimics. Each set of bodies
 * that they connect is a system of its own. */
#ifndef DOPPEL_SIM_CLOSURE_H
#define DOPPEL_SIM_CLOSURE_H

#include "assembly.h"

struct dpl_arena;

enum dpl__equation_kind { DPL_EQUATION_LOOP, DPL_EQUATION_GEAR, DPL_EQUATION_MIMIC };

struct dpl__equation {
    enum dpl__equation_kind kind;
    int number;             /* of the joint, or of the mimic */
    int first, n, n_travel; /* rows; those of travels come first */
    double drift;           /* rad: of a gear, since the start */
};

struct dpl__closure {
    struct dpl__assembly *assembly;
    struct dpl__equation *equations; /* loops in the order of the file, then gears, then mimics */
    int n_equations, n_rows, n_unknowns;
};

/* How many rows of loops, gears and mimics; loops of travels and of all. */
void dpl__equation_size(const struct dpl_sim_mechanism *mechanism, struct dpl__equation *inout);

/* Errors (n_rows; travels as shares of the assembly's length, rad) and, unless NULL, their
 * derivatives (n_rows * n_unknowns). */
void dpl__closure_rows(const struct dpl__closure *closure, double *ret_errors, double *ret_rows);

/* Angular speed of the parent of a gear about its axis (`of_child`: of the child), or the value of
 * the leader of a mimic (of the follower), as a row of unknowns. False: it stands still. */
bool dpl__equation_speed(const struct dpl__closure *closure, const struct dpl__equation *equation,
                         bool of_child, double *ret_row);

enum { DPL_CLOSURE_MAX = 150 }; /* rows and unknowns of a system that is met */

/* The assembly is where the sum of the squares of all errors is least near its start, or as near to
 * 0 as rounding lets it. `errors`: n_rows, there; NULL: it is too large and was not met. */
typedef void dpl__closure_visit(void *user, const struct dpl__closure *closure,
                                const double *errors);

/* Looks through all systems of a mechanism, in an order that the file gives. */
void dpl__closures(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                   dpl__closure_visit *visit, void *user);

/* Joints that cannot be met at once, and couplings that let nothing move: see dpl_mechanism_check.
 * Of a system that is too large a note says so. */
void dpl__closure_check(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                        void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                        void *user);

/* How many constraints of each joint (n_joints, in `ret_repeated`) at the start say only what those
 * of the joints before it say, such as most of the last hinge of a plane four-bar. Solvers that
 * need rows which do not depend on each other leave them out. 0 in systems that are too large. */
void dpl__closure_repeated(const struct dpl_sim_mechanism *mechanism, struct dpl_arena *arena,
                           int *ret_repeated);

#endif
