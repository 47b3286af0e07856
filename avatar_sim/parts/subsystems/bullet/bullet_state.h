/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of the subsystem `bullet`, shared by the files of its folder. All of a running world
 * lives in its heap. */
#ifndef DOPPEL_SIM_BULLET_STATE_H
#define DOPPEL_SIM_BULLET_STATE_H

#include <doppel/sim/audit.h>
#include <doppel/sim/mechanism.h>
#include <doppel/sim/subsystem.h>

#include "grip.h"
#include "rigid_world.h"

/* One value of a joint in a running world. */
struct dpl_bullet_slot {
    int joint;   /* of the state */
    int freedom; /* of the solver */
    const struct dpl_sim_joint *of;
    int number;      /* of the freedom of that joint: 0, 1 */
    double held;     /* N or N m: most that the drive's row gives in this step, without friction */
    double pushed;   /* N or N m in this step, by the actuator, without its damping */
    double damping;  /* of the actuator */
    double share;    /* of both that its gear passed on */
    double given;    /* N or N m in the newest step, by the actuator before its gear */
    double kept;     /* N or N m in the newest step, by what holds the speed */
    double armature; /* kg, kg m^2 that its row in the solver has; 0: none, or that of its body */
};

/* A joint as a whole. */
struct dpl_bullet_reaction {
    int joint;  /* of the state's reactions */
    int number; /* of the solver */
};

struct dpl_bullet_rope {
    int number; /* of the solver */
    const struct dpl_sim_joint *of;
    const struct dpl_sim_span *span; /* of its robot */
};

struct dpl_bullet_belt {
    int number; /* of the solver */
    const struct dpl_sim_joint *of;
    const struct dpl_sim_span *span; /* of its robot */
};

struct dpl_bullet_world {
    struct dpl_world *world;
    struct dpl_rigid_world *rigid;
    struct dpl_solver *solver; /* of `rigid` */
    struct dpl_sim_state *state;
    struct dpl_bullet_slot *slots;         /* [n_slots] */
    struct dpl_bullet_reaction *reactions; /* [n_reactions] of joints that constrain */
    struct dpl_bullet_belt *belts;         /* [n_belts] */
    struct dpl_bullet_rope *ropes;         /* [n_ropes] */
    const struct dpl_sim_body **of;        /* [bodies.n] of the state; NULL: not of a mechanism */
    double (*before)[6]; /* [bodies.n] velocity and angular at the beginning of the newest step */
    int *number_of;      /* [bodies.n] of the state: their number in the solver */
    struct dpl_grip *grips; /* [bodies.n] of the state */
    int *loaded;            /* [n_loaded] bodies of the solver that take a load */
    double dt;              /* s, of a step */
    size_t n_slots, n_belts, n_ropes, n_loaded, n_reactions, n_trees;
};

extern const struct dpl_subsystem_class dpl_bullet_subsystem;

static inline const struct dpl_sim_mechanism *dpl__bullet_part(const struct dpl_sim_robot *robot)
{
    return robot->subsystem == &dpl_bullet_subsystem ? robot->part : NULL;
}

/* A mechanism as it is built: which joints make up trees, which close loops. */
struct dpl_bullet_plan {
    const struct dpl_sim_mechanism *mechanism;
    bool *in_tree;  /* [n_joints] */
    bool *jointed;  /* [n_bodies] a member of a tree */
    bool *on_world; /* [n_bodies] of a tree whose base stands still */
};

/* Whether the joint prevents any motion by itself. */
bool dpl__bullet_constrains(const struct dpl_sim_joint *joint);

/* Joints are taken in their order; one that would close a loop, or cuts_loop, is not in a tree. 0
 * or -ENOMEM. Allocates. */
int dpl__bullet_plan_make(const struct dpl_sim_mechanism *mechanism,
                          struct dpl_bullet_plan *ret_plan);
void dpl__bullet_plan_finish(struct dpl_bullet_plan *plan);

/* A joint as a chain of elementary joints: at most three, with massless links between. */
struct dpl_bullet_element {
    enum dpl_solver_link_kind kind;
    struct dpl_pose3 in_parent, in_child; /* agree at 0; z is the axis */
    double value;                         /* at the start */
    int freedom;                          /* 0, 1: of the joint; -1: none */
};

enum { DPL_BULLET_ELEMENTS = 3 };

/* The chain from the parent to the child, `placed`: the child's frame of the joint as seen from the
 * parent's at the start. Returns how many. */
int dpl__bullet_elements(const struct dpl_sim_joint *joint, const struct dpl_pose3 *placed,
                         struct dpl_bullet_element ret_elements[DPL_BULLET_ELEMENTS]);

/* The same joint from the child to the parent; values keep their sign. */
void dpl__bullet_elements_reverse(struct dpl_bullet_element *elements, int n);

/* Whether it can be put elsewhere as a whole: joints make it one piece, of which nothing stands
 * still or hangs on the world, and it has no belts. Its frame is where its first body has it. */
bool dpl__bullet_is_loose(const struct dpl_sim_mechanism *mechanism);

/* Adds the mechanism of a robot to the solver, its slots and bodies to the world's lists. 0, or
 * -ENOMEM. Allocates. */
int dpl__bullet_add_mechanism(struct dpl_bullet_world *world, const struct dpl_sim_mechanism *from,
                              struct dpl_pose2 start, const struct dpl_sim_span *span);

/* Calls `report` for each part that this subsystem does not simulate. */
void dpl__bullet_check_parts(const struct dpl_sim_mechanism *mechanism, enum dpl_severity severity,
                             void (*report)(void *user,
                                            const struct dpl_mechanism_finding *finding),
                             void *user);

/* See dpl_subsystem_class.place. -EINVAL: it is not loose. */
int dpl__bullet_place(void *data, int robot, struct dpl_pose2 pose);
/* The frame of a robot whose mechanism is loose. */
struct dpl_pose3 dpl__bullet_frame(const struct dpl_world *world, int robot);

/* Before and after a step of the solver. */
void dpl__bullet_drive(struct dpl_bullet_world *world, double dt);
void dpl__bullet_publish_joints(struct dpl_bullet_world *world, double dt);

/* Of all mechanisms, to the state. */
void dpl__bullet_publish_bodies(const struct dpl_bullet_world *world);

/* What a body of the state has with its load; about the world's origin, in its axes. */
struct dpl_bullet_motion {
    double kinetic, potential;   /* J; potential: m g z of the centre of mass */
    double mass;                 /* kg */
    struct dpl_vector3 first;    /* kg m: mass times centre of mass */
    struct dpl_vector3 momentum; /* N s */
    struct dpl_vector3 angular;  /* N m s */
};

/* All 0 for a body that never moves. */
void dpl__bullet_motion(const struct dpl_bullet_world *world, int body,
                        struct dpl_bullet_motion *ret_motion);

/* What a mass that came to its load now would bring along, J for each kg. */
double dpl__bullet_load_energy(const struct dpl_bullet_world *world, int body);

/* What a mechanism has: its bodies together, with springs and rotors. */
struct dpl_bullet_sums {
    struct dpl_audit_energy energy;
    struct dpl_bullet_motion motion;
};

void dpl__bullet_sum(const struct dpl_bullet_world *world, const struct dpl_sim_span *span,
                     struct dpl_bullet_sums *ret_sums);

static inline bool dpl__bullet_has_joint(const struct dpl_sim_span *span, int joint)
{
    return joint >= span->first_joint && joint < span->first_joint + (int)span->n_joints;
}

/* Channels of the rope that is that joint of a robot. */
void dpl__bullet_add_rope_channels(const struct dpl_world *world,
                                   struct dpl_world_channels *channels, int robot,
                                   const struct dpl_sim_joint *joint);

/* The same of a belt. */
void dpl__bullet_add_belt_channels(const struct dpl_world *world,
                                   struct dpl_world_channels *channels, int robot,
                                   const struct dpl_sim_joint *joint);

/* See dpl_subsystem_class.add_channels. */
void dpl__bullet_add_channels(const struct dpl_world *world, struct dpl_world_channels *channels,
                              int robot);

#endif
