/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of the subsystem `mobile`, shared by the files of its folder. Its joints are wheels,
 * which hold a speed; the effort of a joint is not known. All of it lives in the world's heap. */
#ifndef DOPPEL_SIM_MOBILE_STATE_H
#define DOPPEL_SIM_MOBILE_STATE_H

#include <doppel/sim/mobile.h>
#include <doppel/sim/subsystem.h>

#include "rigid_world.h"
#include "solver_bases.h"

struct dpl_mobile_chassis {
    int robot;
    int solver_body; /* of the solver */
    int body;        /* of the state */
    double axle[3];  /* the point of its frame whose position is the robot's */
    uint64_t ejections;
    struct dpl_pose2 before; /* where it was a step ago */
    dpl_ns ejected_until;    /* the ejection that was counted last goes on */
};

struct dpl_mobile_wheel {
    int solver_wheel, joint;
    double trim; /* added to the speed asked of the solver */
};

struct dpl_mobile {
    struct dpl_world *world;
    struct dpl_rigid_world *rigid;
    struct dpl_solver *solver; /* of `rigid` */
    const struct dpl_sim_model *model;
    struct dpl_sim_state *state;
    double dt;
    double most_m_s; /* no wheel and no push of the solver moves a robot faster */
    struct dpl_mobile_chassis *chassis; /* [n_chassis] */
    struct dpl_mobile_wheel *wheels;    /* [n_wheels] */
    size_t n_chassis, n_wheels;
};

extern const struct dpl_subsystem_class dpl_mobile_subsystem;

static inline const struct dpl_sim_mobile *dpl__mobile_part(const struct dpl_sim_robot *robot)
{
    return robot->subsystem == &dpl_mobile_subsystem ? robot->part : NULL;
}

/* Adds chassis and wheels to the solver, and lists them. 0 or -ENOMEM. Allocates. */
int dpl__mobile_add_bodies(struct dpl_mobile *mobile, struct dpl_world *world);

/* The number of a body of the solver in which a chassis would be at a pose; -1: it fits there. */
int dpl__mobile_taken_by(const struct dpl_mobile *mobile, const struct dpl_mobile_chassis *chassis,
                         struct dpl_pose2 pose);

/* The chassis of a robot; NULL: it has none. */
struct dpl_mobile_chassis *dpl__mobile_chassis_of(const struct dpl_mobile *mobile, int robot);

/* See dpl_subsystem_class.check_starts. */
int dpl__mobile_check_starts(const struct dpl_sim_model *model, dpl_sim_start_finding *finding,
                             void *user);

/* Chassis that the solver throws out of what they are in. */
void dpl__ejections_init(struct dpl_mobile *mobile);
void dpl__ejections_step(struct dpl_mobile *mobile, dpl_ns now); /* after the solver */
/* The chassis was put elsewhere: that is no ejection. */
void dpl__ejections_forget(struct dpl_mobile *mobile, struct dpl_mobile_chassis *chassis);

/* Makes *ret_robot of a description, in `memory`; its lasers come last. Ends the process when
 * memory is exhausted, as arenas do. */
void dpl__mobile_assemble(struct dpl_arena *memory, const struct dpl_sim_mobile_robot *robot,
                          struct dpl_sim_robot *ret_robot);

/* See dpl_subsystem_class.show. */
void dpl__mobile_show(const struct dpl_sim_robot *robot, dpl_sim_show *show, void *user);

/* The numbers of a base, for every subsystem that moves some. 0, or -EINVAL with reterr. */
int dpl__mobile_check_parts(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);

/* See dpl_subsystem_class.check. */
int dpl__mobile_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);

#endif
