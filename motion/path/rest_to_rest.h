/* SPDX-License-Identifier: Apache-2.0 */
/* The fastest movement along a line from rest to rest with limits of velocity, acceleration and
 * jerk: at most seven phases, of which each has a constant jerk, symmetric in time. In closed form
 * (Biagiotti, Melchiorri, "Trajectory Planning for Automatic Machines and Robots", 3.4). Pure: no
 * state, no allocation. */
#ifndef MOTION_PATH_REST_TO_REST_H
#define MOTION_PATH_REST_TO_REST_H

#ifdef __cplusplus
extern "C" {
#endif

/* All above 0 and finite: m and s, or rad and s. */
struct dpl_line_limits {
    double velocity, acceleration, jerk;
};

/* A planned movement. */
struct dpl_rest_to_rest {
    double distance;      /* with sign */
    double jerk;          /* of the first phase, with the sign of the distance */
    double jerk_s;        /* duration of each of the four phases with jerk */
    double steady_s;      /* duration of each of the two phases with constant acceleration */
    double cruise_s;      /* duration of the phase with constant velocity */
    double total_s;       /* of all phases */
    double peak_velocity; /* magnitude */
};

struct dpl_line_point {
    double position, velocity, acceleration; /* position: 0 at the start */
};

/* Plans a movement by `distance`, which may be negative or 0. Returns 0, or -EINVAL: a limit is not
 * above 0, a number is not finite, or the duration of the movement would not be. */
int dpl_rest_to_rest_plan(const struct dpl_line_limits *limits, double distance,
                          struct dpl_rest_to_rest *ret_plan);

/* The point at a time after the start. Before it: at rest at 0; after total_s: at rest exactly at
 * the distance. */
struct dpl_line_point dpl_rest_to_rest_at(const struct dpl_rest_to_rest *plan, double at_s);

#ifdef __cplusplus
}
#endif

#endif
