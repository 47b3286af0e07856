/* SPDX-License-Identifier: Apache-2.0 */
/* A mechanism as a tree of joints that are met exactly, and what moves it. The joints that close
 * loops, gears and mimics are left over: they are equations in the values of the tree's joints. It
 * is for checks; no solver uses it. */
#ifndef DOPPEL_SIM_ASSEMBLY_H
#define DOPPEL_SIM_ASSEMBLY_H

#include <doppel/sim/mechanism.h>

enum { DPL_LINK_UNKNOWNS = 6 }; /* of one link, at most */

/* A joint of the tree; joint -1: what holds a body that floats, which lets all move. */
struct dpl__tree_link {
    int joint, from, to;      /* `from`: -1 or a static body: what stands still */
    int up;                   /* link of `from`; -1: none */
    bool is_turned;           /* `to` is the joint's parent */
    struct dpl_pose3 between; /* the child's frame in the parent's; of a floating body its pose */
    double value;             /* of the first freedom, if it has one: m, or rad without a jump */
    int first;                /* number of its first unknown; -1: it is not asked for */
};

struct dpl__assembly {
    const struct dpl_sim_mechanism *mechanism;
    struct dpl_pose3 *poses;      /* [n_bodies] now */
    struct dpl__tree_link *links; /* parents first */
    int n_links;
    int *link_of;  /* [n_bodies]; -1: it stands still */
    int *link_by;  /* [n_joints]; -1: it is not in the tree */
    int *set_of;   /* [n_bodies] number of the bodies that joints, gears and mimics connect */
    double length; /* m, above 0: how large it is */
};

/* Unknowns are angles in rad, and travels as shares of the assembly's length. What one moves, for a
 * change of 1: a turn about an axis through the origin of the mechanism's frame, and a travel. */
struct dpl__motion {
    struct dpl_vector3 turn, travel;
};

/* The tree at the start: as many joints as it can hold, in the order of the file, those of mimics
 * first and those that a solver shall cut last. Its memory is the arena's. */
void dpl__assembly_make(struct dpl_arena *arena, const struct dpl_sim_mechanism *mechanism,
                        struct dpl__assembly *ret_assembly);

/* How many unknowns a link has. */
int dpl__link_unknowns(const struct dpl__assembly *assembly, const struct dpl__tree_link *link);

struct dpl__motion dpl__link_motion(const struct dpl__assembly *assembly,
                                    const struct dpl__tree_link *link, int unknown);

/* Changes the unknowns that have a number; then dpl__assembly_place. */
void dpl__assembly_move(struct dpl__assembly *assembly, const double *changes);

/* Poses from the links. */
void dpl__assembly_place(struct dpl__assembly *assembly);

/* A frame of a body (-1: the world) in the mechanism's. */
struct dpl_pose3 dpl__assembly_frame(const struct dpl__assembly *assembly, int body,
                                     const struct dpl_pose3 *frame);

static inline struct dpl_vector3 dpl__axis(const struct dpl_pose3 *pose, int i)
{
    const struct dpl_vector3 axes[] = {{.x = 1.0}, {.y = 1.0}, {.z = 1.0}};
    return dpl_quaternion_turn(pose->orientation, axes[i]);
}

#endif
