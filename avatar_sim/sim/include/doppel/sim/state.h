/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a world: arrays of bodies, joints and contacts. A subsystem writes the parts of its
 * robots. A sensor reads them, independent of the subsystem. An actuator writes the commands of
 * joints. The world owns the arrays; their addresses do not change. All values are in the frame of
 * the world, unless a comment names another. Only the thread that owns the world reads and writes
 * them. */
#ifndef DOPPEL_SIM_STATE_H
#define DOPPEL_SIM_STATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>
#include <doppel/math/pose3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sim_bodies {
    size_t n;
    double (*position)[3];    /* [n] m, of the body's frame */
    double (*rotation)[3][3]; /* [n] columns are the axes of the body's frame */
    double (*velocity)[3];    /* [n] m/s, of the point `position` */
    double (*angular)[3];     /* [n] rad/s */
    /* A command, for bodies of mechanisms with takes_load. */
    double *load; /* [n] kg, at least 0, at the body's load_at */
};

/* A force and a torque on a body of a mechanism: a command that acts in each step. It is a member
 * of the state of its actuator. */
struct dpl_sim_push {
    struct dpl_sim_push *next; /* next of the world's list; NULL: the last */
    int body;
    double point[3]; /* m, where the force acts, in the frame of the body */
    bool in_body; /* true: force and torque are along the axes of the body; false: of the world */
    double force[3], torque[3]; /* N, N m */
};

/* Rotations are in rad, rad/s and N m; translations in m, m/s and N. */
struct dpl_sim_joints {
    size_t n;
    double *position, *velocity; /* [n] */
    double *effort;              /* [n] of the drive; NAN: not known */
    /* Commands. A subsystem's header describes whether its joints use `speed` or `push`. */
    double *speed; /* [n] setpoint of the speed, with at most the effort `limit` */
    double *limit; /* [n] */
    double *push;  /* [n] effort on the joint */
    /* [n] with `push`, of joints of mechanisms: effort per speed against the motion, N m s/rad or
     * N s/m, by the speed at the end of the step. 0, unless an actuator sets it. */
    double *damping;
    /* [n] the share of `push`, of `damping` and of the inertia and friction of a rotor that acts on
     * the joint: what a gear passes on in this step, above 0. 1, unless an actuator sets it. */
    double *share;
    bool *driven; /* [n] true: an actuator commands it; false: its brake, if it has one, holds it */
    bool *held;   /* [n] its brake has stopped it; an actuator that commands it clears this */
};

/* Forces and torques of the joints of mechanisms: one entry for each joint of the description. */
struct dpl_sim_reactions {
    size_t n;
    /* [n] force (N) and torque about the joint's place (N m) on the child, in the newest step, in
     * the axes of the joint's frame in the child. Those of drives, springs and stops are included.
     */
    double (*wrench)[6];
    bool *wanted; /* [n] set it to true to read the wrench; otherwise it is not computed */
};

/* Two bodies in contact. A negative number is a fixed part of the world: -1 - i is obstacle i of
 * the model. */
struct dpl_sim_contact {
    int a, b;
    double point[3]; /* point of contact */
};

/* Contacts of the newest step, without those with the ground. */
struct dpl_sim_contacts {
    size_t n, capacity; /* a subsystem leaves out contacts beyond the capacity */
    struct dpl_sim_contact *items;
};

/* The bodies and joints of a robot. */
struct dpl_sim_span {
    int first_body, first_joint, first_reaction;
    unsigned n_bodies, n_joints, n_reactions;
};

struct dpl_sim_state {
    struct dpl_sim_bodies bodies;
    struct dpl_sim_joints joints;
    struct dpl_sim_reactions reactions;
    struct dpl_sim_contacts contacts;
    struct dpl_sim_push *pushes; /* the first; NULL: none */
    struct dpl_sim_span *robots; /* [n_robots] of the model */
    size_t n_robots;
};

static inline struct dpl_pose3 dpl_sim_body_pose3(const struct dpl_sim_state *state, int body)
{
    const double *at = state->bodies.position[body];
    return (struct dpl_pose3){
        {at[0], at[1], at[2]},
        dpl_quaternion_from_matrix((const double(*)[3])state->bodies.rotation[body])};
}

/* Force and torque of a push along the axes of the world. */
void dpl_sim_push_turned(const struct dpl_sim_state *state, const struct dpl_sim_push *push,
                         double ret_force[3], double ret_torque[3]);

/* The pose of a body seen from above. */
static inline struct dpl_pose2 dpl_sim_body_pose2(const struct dpl_sim_state *state, int body)
{
    const double *at = state->bodies.position[body];
    const double(*rotation)[3] = (const double(*)[3])state->bodies.rotation[body];
    return (struct dpl_pose2){at[0], at[1], atan2(rotation[1][0], rotation[0][0])};
}

#ifdef __cplusplus
}
#endif

#endif
