/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a robot that the subsystem `mobile` simulates: a base on wheels. */
#ifndef DOPPEL_SIM_MOBILE_H
#define DOPPEL_SIM_MOBILE_H

#include <doppel/sim/laser.h>
#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A driven wheel with its motor and its encoder. Its place is (x, y) in the robot's frame. Wheels
 * with a heading or with rollers need the subsystem `planar`. */
struct dpl_sim_wheel {
    char name[DPL_SIM_NAME_SIZE], motor[DPL_SIM_NAME_SIZE], encoder[DPL_SIM_NAME_SIZE];
    double x, y, radius, mass, friction;
    double heading;         /* rolling direction, rad from straight ahead */
    bool has_rollers;       /* along its rim: it moves freely in their rolling direction */
    double roller_angle;    /* rad from its heading to the direction in which it cannot slip: 0 for
                               rollers at right angles to its axle (omni), +-45 degrees (mecanum) */
    bool steered;           /* the steering of the base turns it */
    double max_torque;      /* N m */
    double max_speed;       /* rad/s */
    double latency_s;       /* from a setpoint to its effect */
    double lag_s;           /* time constant of the motor; 0: none */
    double speed_noise;     /* deviation of the speed from the setpoint, relative, slowly varying */
    double counts_per_turn; /* of the encoder; 0: exact. May be fractional */
};

/* A ball under the chassis that slides without friction. `gap` is its distance from the ground, so
 * that the wheels carry the weight. */
struct dpl_sim_caster {
    double x, y, radius, gap;
};

/* Turns the steered wheels so that the axles of all wheels meet in one point (Ackermann). Angles
 * are those of a wheel in the middle. Needs the subsystem `planar`. */
struct dpl_sim_steering {
    char name[DPL_SIM_NAME_SIZE];
    double limit; /* of the angle, rad */
    double rate;  /* rad/s, at most */
};

/* The part of a robot that belongs to this subsystem. Its frame is on the ground, midway between
 * its wheels. */
struct dpl_sim_mobile {
    double mass, friction;         /* of the chassis */
    double mass_x, mass_y, mass_z; /* its centre of mass */
    struct dpl_sim_wheel *wheels;
    struct dpl_sim_caster *casters;
    size_t n_wheels, n_casters;
    bool has_steering; /* its joint comes after those of the wheels */
    struct dpl_sim_steering steering;
};

/* The description of a robot: its base with motors and encoders of the wheels, the shapes of the
 * chassis, and lasers. */
struct dpl_sim_mobile_robot {
    const char *name;
    struct dpl_pose2 start;
    struct dpl_sim_mobile base;
    const struct dpl_sim_shape *shapes; /* of the chassis */
    const struct dpl_sim_laser *lasers;
    size_t n_shapes, n_lasers;
};

/* Adds a robot and copies all of it into the model. Returns as dpl_sim_model_add_robot. */
int dpl_sim_model_add_mobile(struct dpl_sim_model *model, const struct dpl_sim_mobile_robot *robot,
                             struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
