/* SPDX-License-Identifier: Apache-2.0 */
/* What is at hand while one mechanism is added to the solver. */
#ifndef DOPPEL_SIM_MECHANISM_SITE_H
#define DOPPEL_SIM_MECHANISM_SITE_H

#include "bullet_state.h"
#include "disjoint_sets.h"

struct dpl__site {
    struct dpl_bullet_world *world;
    struct dpl_bullet_plan plan;
    struct dpl_pose3 origin; /* of the mechanism in the world */
    int first_body;          /* of the solver */
    const struct dpl_sim_span *span;
    struct dpl_solver_link *links; /* of the tree that is being made */
    int n_links;
    int *link_of;       /* [n_bodies] in its tree; -2: not yet in one */
    int *joint_tree;    /* [n_joints] */
    int *joint_beyond;  /* [n_joints] of a tree: the body that hangs by it */
    int *joint_loop;    /* [n_joints] of the solver; -1: of a tree */
    int (*joint_at)[2]; /* [n_joints] link of each freedom, or freedom of a loop */
};

static inline struct dpl_solver_pose dpl__site_pose(struct dpl_pose3 from)
{
    return (struct dpl_solver_pose){
        {from.position.x, from.position.y, from.position.z},
        {from.orientation.w, from.orientation.x, from.orientation.y, from.orientation.z},
    };
}

static inline const struct dpl_sim_mechanism *dpl__site_mechanism(const struct dpl__site *site)
{
    return site->plan.mechanism;
}

/* A frame of a body that never moves, or of the world, in the world. */
static inline struct dpl_pose3 dpl__site_fixed_frame(const struct dpl__site *site, int body,
                                                     struct dpl_pose3 frame)
{
    return dpl_pose3_compose(site->origin,
                             dpl_mechanism_place(dpl__site_mechanism(site), body, frame));
}

/* The body of the solver at an end; -1: it never moves. */
static inline int dpl__site_end(const struct dpl__site *site, int body)
{
    return dpl__stands_still(dpl__site_mechanism(site), body) ? -1 : site->first_body + body;
}

static inline struct dpl_pose3 dpl__site_end_frame(const struct dpl__site *site, int body,
                                                   struct dpl_pose3 frame)
{
    return dpl__stands_still(dpl__site_mechanism(site), body)
               ? dpl__site_fixed_frame(site, body, frame)
               : frame;
}

/* All of them, in their order. 0 or -ENOMEM. */
int dpl__site_add_bodies(struct dpl__site *site);

/* A rotor behind a gear resists turning the child against the parent. Where one of them stands
 * still and the gear has no losses, it is added to the other's inertia about the axis (true). Else
 * it is inertia along the joint's freedom. */
bool dpl__site_is_armature_of_body(const struct dpl__site *site, size_t joint);

/* How many belts that are solved with the step a body holds. */
int dpl__site_belts_of(const struct dpl__site *site, int body);

/* Gears, belts and ropes, which come after what they couple. 0 or -ENOMEM. */
int dpl__site_add_coupling(struct dpl__site *site, const struct dpl_sim_joint *joint);

/* Adds the joints that follow others, when all freedoms are there: 0 or -ENOMEM. */
int dpl__site_add_mimics(const struct dpl__site *site);

#endif
