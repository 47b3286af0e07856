/* SPDX-License-Identifier: Apache-2.0 */
/* What moves in a world: arrays of bodies, joints and contacts. A subsystem writes those of its
 * robots; a sensor reads them and does not ask which subsystem wrote them; an actuator writes the
 * commands of joints. The arrays belong to the world and stay where they are. Frame of the world
 * unless a comment says another. Read and written by the thread that owns the world. */
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
    double (*velocity)[3];    /* [n] m/s, of the point that `position` says */
    double (*angular)[3];     /* [n] rad/s */
    /* A command, of bodies of mechanisms that take a load. */
    double *load; /* [n] kg, at least 0, on the body's point for it */
};

/* A force and a torque on a body of a mechanism: a command, which acts in each step. It lives in
 * the actuator that gives it. */
struct dpl_sim_push {
    struct dpl_sim_push *next; /* of the world; NULL: the last */
    int body;
    double point[3]; /* m, where the force acts, in the frame of the body */
    bool in_body;    /* force and torque are along the axes of the body; else of the world */
    double force[3], torque[3]; /* N, N m */
};

/* Turning joints are in rad, rad/s and N m, sliding ones in m, m/s and N. */
struct dpl_sim_joints {
    size_t n;
    double *position, *velocity; /* [n] */
    double *effort;              /* [n] that the drive gives; NAN: the subsystem does not know it */
    /* Commands. A subsystem's header says whether its joints hold a speed or take an effort. */
    double *speed; /* [n] to be held with at most `limit` */
    double *limit; /* [n] */
    double *push;  /* [n] effort to be given */
    bool *driven;  /* [n] an actuator commands it; else its brake, if it has one, falls in */
    bool *held;    /* [n] its brake has stopped it; an actuator that commands it clears this */
};

/* What the joints of mechanisms give, each as a whole: one for each joint of the description. */
struct dpl_sim_reactions {
    size_t n;
    /* [n] force (N) and torque about the joint's place (N m) on the child, of the newest step, in
     * the axes of the joint's frame in the child. Drives, springs and stops are part of it. */
    double (*wrench)[6];
    bool *wanted; /* [n] somebody reads it; else it is not known */
};

/* Two bodies that touch. A negative number is a part of the world that stands still: -1 - i is
 * obstacle i of the model. */
struct dpl_sim_contact {
    int a, b;
    double point[3]; /* where they touch */
};

/* Contacts of the newest step, but for those with the ground. */
struct dpl_sim_contacts {
    size_t n, capacity; /* a subsystem leaves out what is beyond the capacity */
    struct dpl_sim_contact *items;
};

/* Which bodies and joints are a robot's. */
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

/* A body as it is seen from above. */
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
