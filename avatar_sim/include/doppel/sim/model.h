/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a simulated world: what is in it, how it is built, what its sensors and motors can
 * do. It is filled by a loader or by calls below, and const from the moment a world runs on it. A
 * world's "truth" and an avatar's idea of it are two models that differ in a few numbers. SI units;
 * x forward, y left, z up, angles counter-clockwise. */
#ifndef DOPPEL_SIM_MODEL_H
#define DOPPEL_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#define DPL_SIM_EXTENT        10000.0 /* m from the origin: no world is larger */
#define DPL_SIM_NAME_SIZE     48
#define DPL_SIM_OBSTACLES_MAX 16384
#define DPL_SIM_ROBOTS_MAX    64
#define DPL_SIM_SHAPES_MAX    8
#define DPL_SIM_WHEELS_MAX    4
#define DPL_SIM_CASTERS_MAX   4
#define DPL_SIM_LASERS_MAX    2
#define DPL_SIM_BEAMS_MAX     2048
#define DPL_SIM_AXES          6

enum dpl_sim_kind {
    DPL_SIM_BOX,
    DPL_SIM_SPHERE,
    DPL_SIM_CYLINDER, /* upright */
    DPL_SIM_CAPSULE,  /* upright, or lying along x */
};

/* A solid. Its centre is at (x, y, z), turned by `yaw`. */
struct dpl_sim_shape {
    enum dpl_sim_kind kind;
    double x, y, z, yaw;
    double size_x, size_y, size_z; /* box: full edges */
    double radius;                 /* the others */
    double height;                 /* cylinder: whole; capsule: its straight part */
    bool lying;                    /* capsule */
};

/* Something that stands still and may be run into. */
struct dpl_sim_obstacle {
    char name[DPL_SIM_NAME_SIZE]; /* "" is allowed */
    struct dpl_sim_shape shape;
    double friction;
};

/* A driven wheel with its motor and its encoder. It stands at (x, y) of the robot's frame. */
struct dpl_sim_wheel {
    char name[DPL_SIM_NAME_SIZE], motor[DPL_SIM_NAME_SIZE], encoder[DPL_SIM_NAME_SIZE];
    double x, y, radius, mass, friction;
    double max_torque;      /* N m */
    double max_speed;       /* rad/s */
    double latency_s;       /* from a setpoint to its effect */
    double lag_s;           /* time constant of the motor; 0: none */
    double speed_noise;     /* deviation of the speed from the setpoint, relative, slowly varying */
    double counts_per_turn; /* of the encoder; 0: exact. May be fractional */
};

/* A ball under the chassis that slides without friction. `gap` lifts it off the ground, so that
 * the wheels carry the weight. */
struct dpl_sim_caster {
    double x, y, radius, gap;
};

/* A planar laser scanner. Step k of a turn of `steps` points at (k - front) * 2 pi / steps. */
struct dpl_sim_laser {
    char name[DPL_SIM_NAME_SIZE];
    double x, y, z, yaw; /* mount, in the robot's frame */
    int steps, first, last, front;
    double min_range, max_range;
    double resolution; /* of a range in m; 0: exact */
    double noise;      /* standard deviation of a range in m */
    double dropout;    /* probability that a beam gives nothing */
    double rate_hz;
};

/* The motor of a linear axis and what it moves. Masses and stiffness as seen along the axis. */
struct dpl_sim_drive {
    double motor_mass;      /* kg: rotor and screw */
    double load_mass;       /* kg: beyond the screw */
    double lag_s;           /* time constant of the motor's effort; 0: none */
    double coulomb;         /* N of friction at the motor: coulomb * tanh(speed / friction_speed) */
    double friction_speed;  /* m/s */
    double viscous;         /* N s/m of friction at the motor */
    double screw_stiffness; /* N/m between motor and load; 0: rigid */
    double screw_damping;   /* N s/m */
    double max_effort;      /* N; 0: no limit */
    double resolution;      /* m of the encoder at the motor; 0: exact */
    double brake;           /* N of a brake that is on while nobody drives the axis; 0: none */
};

/* A linear axis of a machine and the leg of the platform that it pushes. Machine frame. */
struct dpl_sim_axis {
    char name[DPL_SIM_NAME_SIZE];
    double joint[3];     /* on the platform, in the frame of its tool centre point */
    double rail[3];      /* where the slider is at position 0 */
    double direction[3]; /* unit vector of growing position */
    double branch;       /* +1: the slider is ahead of its joint along the rail; -1: behind */
    double link;         /* length of the link between slider and joint */
    double low, high;    /* end stops of the slider, which do not rebound */
    struct dpl_sim_drive drive;
};

/* Poses: x y z in m, roll pitch yaw in rad; rotation Rz(yaw) Ry(pitch) Rx(roll). */
struct dpl_sim_machine {
    struct dpl_sim_axis axes[DPL_SIM_AXES];
    double
        reserve; /* a link that reaches less than reserve times its length along its rail faults */
    double home[6];
    double half_range[6]; /* semi-axes of the workspace around home */
    double pose[6];       /* where it starts */
    double weight_mass;   /* kg of the platform, whose weight the axes carry; 0: none */
    double weight_at[3];  /* its centre of mass, in the frame of the tool centre point */
};

/* A line on the ground. */
struct dpl_sim_line {
    double x1, y1, x2, y2;
};

/* A robot: a mobile base, whose frame is on the ground, midway between its wheels; or a machine
 * that stands at `start` and has nothing of what follows `machine`. */
struct dpl_sim_robot {
    char name[DPL_SIM_NAME_SIZE];
    struct dpl_pose2 start;
    bool is_machine;
    struct dpl_sim_machine machine;
    double mass, friction;         /* of the chassis */
    double mass_x, mass_y, mass_z; /* its centre of mass */
    struct dpl_sim_shape shapes[DPL_SIM_SHAPES_MAX];
    struct dpl_sim_wheel wheels[DPL_SIM_WHEELS_MAX];
    struct dpl_sim_caster casters[DPL_SIM_CASTERS_MAX];
    struct dpl_sim_laser lasers[DPL_SIM_LASERS_MAX];
    size_t n_shapes, n_wheels, n_casters, n_lasers;
};

struct dpl_sim_model {
    char name[DPL_SIM_NAME_SIZE];
    dpl_ns step;                        /* of the solver */
    int iterations;                     /* of the solver, a step */
    uint64_t seed;                      /* of all noise */
    double ground_friction;             /* wheels multiply theirs by it */
    struct dpl_sim_obstacle *obstacles; /* [n_obstacles] */
    size_t n_obstacles, obstacles_capacity;
    struct dpl_sim_robot *robots; /* [n_robots] */
    size_t n_robots, robots_capacity;
    bool has_finish; /* of a race */
    struct dpl_sim_line finish;
};

/* An empty world with steps of 1 ms, 10 iterations, seed 1 and a ground of friction 1. Allocates;
 * NULL if out of memory. */
struct dpl_sim_model *dpl_sim_model_create(void);

/* NULL is allowed. */
void dpl_sim_model_destroy(struct dpl_sim_model *model);

/* Copies the obstacle or robot into the model. 0, -ENOSPC beyond the limits above, -ENOMEM, or
 * -EINVAL with reterr (NULL allowed) when a number makes no sense or a name is taken. */
int dpl_sim_model_add_obstacle(struct dpl_sim_model *model, const struct dpl_sim_obstacle *obstacle,
                               struct dpl_diag *reterr);
int dpl_sim_model_add_robot(struct dpl_sim_model *model, const struct dpl_sim_robot *robot,
                            struct dpl_diag *reterr);

/* The box that is a wall from one point of the ground to another. */
struct dpl_sim_shape dpl_sim_wall(const double from[2], const double to[2], double thickness,
                                  double height);

/* Checks the numbers of one part: 0, or -EINVAL with reterr. */
int dpl_sim_shape_check(const struct dpl_sim_shape *shape, struct dpl_diag *reterr);
int dpl_sim_robot_check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr);

/* Checks a machine, whether it reaches its home and its start included. */
int dpl_sim_machine_check(const struct dpl_sim_machine *machine, struct dpl_diag *reterr);

/* How many ranges a scan of this laser has. */
static inline size_t dpl_sim_laser_beams(const struct dpl_sim_laser *laser)
{
    return (size_t)(laser->last - laser->first + 1);
}

/* The radius around the robot's frame that holds its chassis, seen from above, in m. */
double dpl_sim_robot_radius(const struct dpl_sim_robot *robot);

#endif
