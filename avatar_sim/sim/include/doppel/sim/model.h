/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a simulated world: obstacles, and robots with their sensors and actuators. A loader
 * or the calls below fill it; it is const while a world runs on it. To simulate errors, a "true"
 * world and the avatar's world are two models that differ in a few numbers. SI units; x forward, y
 * left, z up, angles counter-clockwise. */
#ifndef DOPPEL_SIM_MODEL_H
#define DOPPEL_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>
#include <doppel/sim/name.h>
#include <doppel/sim/shape.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_SIM_EXTENT        10000.0 /* m from the origin: no world is larger */
#define DPL_SIM_OBSTACLES_MAX 16384
#define DPL_SIM_ROBOTS_MAX    4096

/* A fixed obstacle. */
struct dpl_sim_obstacle {
    char name[DPL_SIM_NAME_SIZE]; /* "" is allowed */
    struct dpl_sim_shape shape;
    double friction;
    bool transparent; /* sensors see through it */
};

/* A line on the ground. */
struct dpl_sim_line {
    double x1, y1, x2, y2;
};

struct dpl_subsystem_class;
struct dpl_sim_entry_class;
struct dpl_sim_modbus;
struct dpl_sim_owned;
struct dpl_arena;

/* A sensor or an actuator of a robot. */
struct dpl_sim_entry {
    const struct dpl_sim_entry_class *class_;
    char name[DPL_SIM_NAME_SIZE]; /* "": it has no channels */
    void *settings;               /* as its class describes them */
    unsigned body;                /* number of its body, of the robot */
    int joint;                    /* number of its joint, of the robot; -1: none */
    unsigned
        whole_joint; /* for a class with is_at_whole_joint: number of the joint in the mechanism */
    bool turns;      /* true: that joint is in rad and N m; false: in m and N */
    unsigned every, phase; /* it steps if the number of the step, from 0, is `phase` plus a multiple
                              of `every`; every 0: 1 */
};

/* A robot, which a subsystem moves, with its sensors and actuators. */
struct dpl_sim_robot {
    char name[DPL_SIM_NAME_SIZE];
    struct dpl_pose2 start;
    const struct dpl_subsystem_class *subsystem;
    void *part; /* its description for the subsystem, e.g. struct dpl_sim_mobile */
    struct dpl_sim_shape *shapes;  /* [n_shapes], of its first body */
    struct dpl_sim_entry *entries; /* [n_entries] */
    size_t n_shapes, n_entries;
    const struct dpl_sim_modbus *modbus; /* [n_modbus] units with its channels */
    size_t n_modbus;
};

struct dpl_sim_model {
    char name[DPL_SIM_NAME_SIZE];
    dpl_ns step;            /* of the solver */
    int iterations;         /* of the solver, in each step */
    uint64_t seed;          /* of all noise */
    double ground_friction; /* is multiplied by the friction of the wheel or body on it */
    struct dpl_sim_obstacle *obstacles; /* [n_obstacles] */
    size_t n_obstacles, obstacles_capacity;
    struct dpl_sim_robot *robots; /* [n_robots] */
    size_t n_robots, robots_capacity;
    struct dpl_arena *memory;    /* memory of the parts to which robots point */
    struct dpl_sim_owned *owned; /* other parts that are released with the model; private */
    bool has_finish;             /* there is a line that ends a run */
    struct dpl_sim_line finish;
};

/* An empty world with steps of 1 ms, 10 iterations, seed 1 and a ground of friction 1. Allocates;
 * NULL if out of memory. */
struct dpl_sim_model *dpl_sim_model_create(void);

/* NULL is allowed. */
void dpl_sim_model_destroy(struct dpl_sim_model *model);

/* Adds a copy of the obstacle. 0, -ENOSPC beyond DPL_SIM_OBSTACLES_MAX, -ENOMEM, or -EINVAL with
 * reterr (NULL allowed): a number is not valid. */
int dpl_sim_model_add_obstacle(struct dpl_sim_model *model, const struct dpl_sim_obstacle *obstacle,
                               struct dpl_diag *reterr);

/* Adds a robot. The model borrows what the robot points to, which must outlive it; its subsystem
 * may offer a call that copies (dpl_sim_model_add_mobile). 0, -ENOSPC, -ENOMEM, or -EINVAL with
 * reterr (NULL allowed): a number is not valid or a name exists already. */
int dpl_sim_model_add_robot(struct dpl_sim_model *model, const struct dpl_sim_robot *robot,
                            struct dpl_diag *reterr);

/* Adds an entry to a robot of the model, before a world is built on it: a copy, which borrows the
 * settings. 0, or -EINVAL with reterr: its settings are not valid or its name exists already.
 * Allocates. */
int dpl_sim_model_add_entry(struct dpl_sim_model *model, size_t robot,
                            const struct dpl_sim_entry *entry, struct dpl_diag *reterr);

/* A box as a wall between two points of the ground. */
struct dpl_sim_shape dpl_sim_wall(const double from[2], const double to[2], double thickness,
                                  double height);

/* Checks the numbers of one part: 0, or -EINVAL with reterr. */
int dpl_sim_shape_check(const struct dpl_sim_shape *shape, struct dpl_diag *reterr);
int dpl_sim_robot_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);

/* The radius in m of the circle around the robot's frame that contains its shapes, seen from above.
 */
double dpl_sim_robot_radius(const struct dpl_sim_robot *robot);

#ifdef __cplusplus
}
#endif

#endif
