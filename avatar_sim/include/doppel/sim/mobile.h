/* SPDX-License-Identifier: Apache-2.0 */
/* What the subsystem `mobile` knows of a robot: a base that rolls on wheels. */
#ifndef DOPPEL_SIM_MOBILE_H
#define DOPPEL_SIM_MOBILE_H

#include <doppel/sim/laser.h>
#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A driven wheel with its motor and its encoder. It stands at (x, y) of the robot's frame. Wheels
 * with a heading or with rollers need the subsystem `planar`. */
struct dpl_sim_wheel {
    char name[DPL_SIM_NAME_SIZE], motor[DPL_SIM_NAME_SIZE], encoder[DPL_SIM_NAME_SIZE];
    double x, y, radius, mass, friction;
    double heading;      /* in which it rolls, rad from ahead */
    bool has_rollers;    /* along its rim: it slips along them, and rolls square to them */
    double roller_angle; /* from its heading to where it cannot slip, rad: 0 for rollers square to
                            its axle (omni), +-45 degrees (mecanum) */
    bool steered;        /* by the steering of the base */
    double max_torque;   /* N m */
    double max_speed;    /* rad/s */
    double latency_s;    /* from a setpoint to its effect */
    double lag_s;        /* time constant of the motor; 0: none */
    double speed_noise;  /* deviation of the speed from the setpoint, relative, slowly varying */
    double counts_per_turn; /* of the encoder; 0: exact. May be fractional */
};

/* A ball under the chassis that slides without friction. `gap` lifts it off the ground, so that
 * the wheels carry the weight. */
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

/* The part of a robot of this subsystem. Its frame is on the ground, midway between its wheels. */
struct dpl_sim_mobile {
    double mass, friction;         /* of the chassis */
    double mass_x, mass_y, mass_z; /* its centre of mass */
    struct dpl_sim_wheel *wheels;
    struct dpl_sim_caster *casters;
    size_t n_wheels, n_casters;
    bool has_steering; /* its joint comes after those of the wheels */
    struct dpl_sim_steering steering;
};

/* A robot with the motor and the encoder of each wheel, what it feels of touches, and its lasers,
 * as one description. */
struct dpl_sim_mobile_robot {
    const char *name;
    struct dpl_pose2 start;
    struct dpl_sim_mobile base;
    const struct dpl_sim_shape *shapes; /* of the chassis */
    const struct dpl_sim_laser *lasers;
    size_t n_shapes, n_lasers;
};

/* Adds a robot; copies all of it into the model. As dpl_sim_model_add_robot. */
int dpl_sim_model_add_mobile(struct dpl_sim_model *model, const struct dpl_sim_mobile_robot *robot,
                             struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
