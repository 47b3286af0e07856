/* SPDX-License-Identifier: Apache-2.0 */
/* Third stage of the planner: two concentric ellipsoids. A reference outside of the soft one is not
 * followed; a spring and damper hold the machine at the surface instead. The hard one is used by
 * the viability guard. Pure logic. Source: the structure is from La Mura, Todeschini, Giberti,
 * Robotics 2018, 7(1), 8; the law was developed for this project. */
#ifndef TRAJECTORY_PLANNER_WORKSPACE_H
#define TRAJECTORY_PLANNER_WORKSPACE_H

#include <stdbool.h>

#include "axes.h"
#include "brake.h"
#include "reference.h"

struct dpl_traj_ellipsoid {
    double centre[DPL_SIX];
    double semi[DPL_SIX]; /* semi-axes, m and rad, above zero */
    double inverse[DPL_SIX];
};

/* The reaction after an excursion outside of the soft ellipsoid. */
enum dpl_traj_policy {
    DPL_TRAJ_RESUME,      /* follow again when the reference is back inside */
    DPL_TRAJ_RETURN_HOME, /* as published: come to rest, go home, wait there for a restart */
};

struct dpl_traj_workspace_config {
    struct dpl_traj_ellipsoid hard, soft;
    enum dpl_traj_policy policy;
    double normal_rad_s, normal_damping;         /* of the law in the normal direction */
    double tangential_rad_s, tangential_damping; /* of the law in the tangential direction */
    double rest_share; /* slower than rest_share * accel_max * period on every axis counts as rest;
                          in (0, 1] */
    double home[DPL_SIX]; /* inside the soft ellipsoid */
    struct dpl_traj_sync_config return_ramp;
};

enum dpl_traj_workspace_phase {
    DPL_TRAJ_INSIDE,     /* the reference is not changed */
    DPL_TRAJ_DEFLECTING, /* held at the surface */
    DPL_TRAJ_RETURNING,  /* moving home */
    DPL_TRAJ_WAITING,    /* at home, until a restart */
};

/* The result of the stage. */
enum dpl_traj_workspace_act {
    DPL_TRAJ_LEFT_ALONE,
    DPL_TRAJ_NEW_STEP,      /* an output that already satisfies every accel_max */
    DPL_TRAJ_NEW_REFERENCE, /* a reference for the next stages */
};

struct dpl_traj_workspace {
    enum dpl_traj_workspace_phase phase;
    struct dpl_traj_sync ramp;
};

/* An ellipsoid around `centre` with semi-axes multiplied by `share` (shapes [6]). */
void dpl_traj_ellipsoid_set(struct dpl_traj_ellipsoid *ret_ellipsoid, const double *centre,
                            const double *semi, double share);

/* sum((p - centre)/semi)^2: 1 on the surface, below 1 inside. NaN in, NaN out. */
double dpl_traj_ellipsoid_level(const struct dpl_traj_ellipsoid *ellipsoid, const double *pose);

/* Returns to the state in which the reference is not changed. */
void dpl_traj_workspace_begin(struct dpl_traj_workspace *workspace);

/* One tick with reference `r` (finite) and the motion of the machine; writes ret_y unless it
 * returns DPL_TRAJ_LEFT_ALONE. `motion` must be the actual output. Does not allocate or block. */
enum dpl_traj_workspace_act dpl_traj_workspace_step(struct dpl_traj_workspace *workspace,
                                                    const struct dpl_traj_workspace_config *config,
                                                    const struct dpl_traj_axes *axes,
                                                    const struct dpl_traj_motion *motion,
                                                    const double *r, double *ret_y);

/* Only the deflection law: the next output for a reference `r` with soft level above 1. */
void dpl_traj_deflect(const struct dpl_traj_workspace_config *config,
                      const struct dpl_traj_axes *axes, const struct dpl_traj_motion *motion,
                      const double *r, double *ret_y);

/* Last stage of the planner: it accepts an output only if the machine could still come to rest
 * inside the hard ellipsoid after it. Otherwise it brakes; the check one tick before has proved
 * that this is possible. After a start at rest inside, the hard limit and the acceleration limits
 * both hold, independent of the other stages. Pure logic; the law and its proof were developed for
 * this project. */

/* The hard level of an accepted output stays below 1 by this margin, so that rounding during
 * braking does not cross 1. */
#define DPL_TRAJ_GUARD_MARGIN 1e-9

/* Whether `next` (an output and its difference) and its stop point are inside `hard`. False for
 * NaN. */
bool dpl_traj_viable(const struct dpl_traj_axes *axes, const struct dpl_traj_ellipsoid *hard,
                     const struct dpl_traj_motion *next);

#endif
