/* SPDX-License-Identifier: Apache-2.0 */
/* Differential drive: wheel speeds <-> body velocity, and odometry from wheel angles by the heading
 * in the middle of each step (theta + dtheta / 2), as the paper's wheel base driver does it
 * (shared/spec/opros-profiles.md). Pure: the caller owns every struct, no state elsewhere. */
#ifndef DPL_COMMON_DIFF_DRIVE_H
#define DPL_COMMON_DIFF_DRIVE_H

#include <doppel/math/geometry.h>
#include <stdint.h>

struct dpl_drive_geometry {
    double wheel_radius_left_m, wheel_radius_right_m;
    double axle_m; /* distance of the wheels' contact points */
};

/* A quantity of both wheels: angles in rad or speeds in rad/s, positive forward. */
struct dpl_drive_wheels {
    double left, right;
};

/* True when all three lengths are positive and finite; the other functions require it. */
bool dpl_drive_geometry_is_valid(const struct dpl_drive_geometry *geometry);

/* Wheel speeds (rad/s) that give the body velocity, and the velocity that wheel speeds give. Also
 * valid for small displacements: angles in rad <-> (m, rad). */
struct dpl_drive_wheels dpl_drive_wheels_from_twist(const struct dpl_drive_geometry *geometry,
                                                    struct dpl_twist2 twist);
struct dpl_twist2 dpl_drive_twist_from_wheels(const struct dpl_drive_geometry *geometry,
                                              struct dpl_drive_wheels wheels);

struct dpl_odometry_config {
    struct dpl_drive_geometry geometry;
    double max_step_m;     /* a longer step is a fault of the encoders: rejected */
    double max_turn_rad;   /* likewise */
    double twist_filter_s; /* time constant of the twist's low pass; 0: last step's velocity */
};

/* Limits of the paper's driver: 1 m, pi/2; no filter. */
struct dpl_odometry_config dpl_odometry_default(struct dpl_drive_geometry geometry);

/* The caller reads it freely and may change `pose` to put the robot somewhere. */
struct dpl_odometry {
    struct dpl_pose2 pose;   /* in the frame the caller set it in; starts at the origin */
    struct dpl_twist2 twist; /* estimate */
    double travelled_m;      /* signed path since init, not touched by a new pose */
    double turned_rad;       /* signed, not wrapped */
    uint64_t samples, rejected;
};

void dpl_odometry_init(struct dpl_odometry *odometry);

/* Adds a step: how far both wheels turned (rad) in `dt_s`. Returns 0; -ERANGE when the step is
 * beyond the limits, -EINVAL when a number is not finite or dt_s is not positive: counted as
 * rejected, nothing else changes. */
int dpl_odometry_update(struct dpl_odometry *odometry, const struct dpl_odometry_config *config,
                        struct dpl_drive_wheels turned, double dt_s);

#endif
