/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of a running world, shared by world_build.c, world.c (stepping), motors.c, lasers.c
 * and machines.c. All of it lives in the world's heap, so that a copy of the heap is a snapshot;
 * what lives elsewhere (the model) must not change. */
#ifndef DOPPEL_SIM_WORLD_STATE_H
#define DOPPEL_SIM_WORLD_STATE_H

#include <stdbool.h>

#include <doppel/math/random.h>
#include <doppel/sim/world.h>

#include "axis_plant.h"
#include "bullet_c.h"
#include "heap.h"
#include "hexa_fk.h"
#include "laser_index.h"
#include "touches.h"

/* A wheel's motor: setpoint -> delay -> limit -> ramp -> lag -> noise -> solver. */
struct dpl__motor {
    const struct dpl_sim_wheel *wheel;
    int robot, bullet_wheel;
    double setpoint;
    double *delay; /* [n_delay] setpoints on their way */
    size_t n_delay, at;
    double ramp;     /* rad/s a step; 0: none */
    double ramped;   /* after the ramp */
    double speed;    /* after the lag */
    double lag_gain; /* share of the way that the lag lets pass in a step */
    double asked;    /* of the solver, without the trim */
    double trim;     /* added to the speed asked of the solver */
    double wander;   /* normal deviate that changes slowly */
    double wander_keep, wander_new;
    double impulse; /* torque times step */
    struct dpl_random rng;
};

struct dpl__laser {
    const struct dpl_sim_laser *model;
    int robot;
    size_t view, n; /* which view; beams */
    bool enabled;
    struct dpl_laser_fan *fan; /* beams in the robot's frame without yaw of the mount */
    double *exact;             /* [n] */
    float *ranges;             /* [n] */
    dpl_ns stamp, due;
    uint64_t sequence, turn; /* turn: number of the turn that ends at `due` */
    struct dpl_random rng;
};

/* All lasers at one height share an index. */
struct dpl__view {
    double z;
    struct dpl_laser_index *index;
};

/* A machine's axes, each on its own, and the platform that hangs on them. */
struct dpl__machine {
    int robot;
    struct dpl_axis_plant_config configs[DPL_SIM_AXES];
    struct dpl_axis_plant plants[DPL_SIM_AXES];
    double efforts[DPL_SIM_AXES]; /* commanded */
    bool driven[DPL_SIM_AXES];    /* somebody has commanded, and was not released */
    bool locked[DPL_SIM_AXES];    /* stands still by its brake */
    double weight[DPL_SIM_AXES];  /* N along each axis, of the platform */
    struct dpl_hexa_geometry geometry;
    struct dpl_hexa_tracker tracker; /* borrows the geometry */
    double pose[DPL_HEXA_DOFS];
    dpl_ns stamp; /* of the pose */
};

struct dpl__robot {
    int body;       /* -1: a machine has none */
    double axle[3]; /* the point whose position is the robot's */
    uint64_t contacts, ejections;
    dpl_ns touched_until[DPL_SIM_SECTORS]; /* 0: never touched there */
    struct dpl_pose2 before;               /* where it was a step ago */
    dpl_ns ejected_until;                  /* the ejection that was counted last goes on */
};

struct dpl_world {
    struct dpl_heap *heap; /* that this lies in */
    const struct dpl_sim_model *model;
    struct dpl_bullet *bullet;
    double dt;
    double most_m_s; /* no wheel and no push of the solver moves a robot faster */
    dpl_ns now;
    int first_chassis; /* body numbers from here on are mobile robots, in order */
    size_t n_chassis;
    int *chassis_robot; /* [n_chassis] which robot a chassis is of */
    struct dpl__robot *robots;
    struct dpl__motor *motors;
    struct dpl__laser *lasers;
    struct dpl__machine *machines;
    struct dpl__view *views;
    struct dpl_laser_outline *moving; /* outlines of the robots, filled anew for a scan */
    size_t n_motors, n_lasers, n_machines, n_views, max_moving;
    struct dpl_touches touches;
};

/* 0 or -ENOMEM. What was made goes with the heap. */
int dpl__motors_init(struct dpl_world *world, size_t n_wheels);
/* Before the solver: moves setpoints on and tells the solver the speeds. */
void dpl__motors_step(struct dpl_world *world);

/* After the solver: learns what it left undone. */
void dpl__motors_trim(struct dpl_world *world);

int dpl__lasers_init(struct dpl_world *world);
/* After the solver: measures with the lasers that are due. */
void dpl__lasers_step(struct dpl_world *world);

/* 0, -ENOMEM, or -EINVAL with reterr: an axis that cannot be computed in steps of this world. */
int dpl__machines_init(struct dpl_world *world, struct dpl_diag *reterr);
void dpl__machines_step(struct dpl_world *world);

/* The number of a robot's axis, or -ENOENT. */
int dpl__machines_find(const struct dpl_world *world, int robot, const char *name);

/* Robots that the solver throws out of what they are in. */
void dpl__ejections_init(struct dpl_world *world);
void dpl__ejections_step(struct dpl_world *world); /* after the solver */
/* The robot was put elsewhere: that is no ejection. */
void dpl__ejections_forget(struct dpl_world *world, int robot);

/* A world of bodies alone, to ask what fits where: 0, -ENOMEM or -ENOSPC. */
int dpl__world_create_bodies(const struct dpl_sim_model *model, struct dpl_world **ret_world);

/* The number of a body in which a mobile robot would be at a pose; 0: it fits there. */
int dpl__world_taken_by(const struct dpl_world *world, int robot, struct dpl_pose2 pose);

struct dpl_pose2 dpl__world_pose(const struct dpl_world *world, int robot);

#endif
