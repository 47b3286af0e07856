/* SPDX-License-Identifier: Apache-2.0 */
/* Differential drive: conversion between wheel speeds and body velocity, and odometry from wheel
 * angles with the heading in the middle of each step (theta + dtheta / 2), as in the wheel base
 * driver of the RILS paper. Pure: the caller owns every struct, there is no other state. */
#ifndef DPL_COMMON_DIFF_DRIVE_H
#define DPL_COMMON_DIFF_DRIVE_H

#include <doppel/math/geometry.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_drive_geometry {
    double wheel_radius_left_m, wheel_radius_right_m;
    double axle_m; /* distance of the wheels' contact points */
};

/* A quantity of both wheels: angles in rad, speeds in rad/s or ways in m, positive forward. */
struct dpl_drive_wheels {
    double left, right;
};

/* True when all three lengths are positive and finite; the other functions require it. */
bool dpl_drive_geometry_is_valid(const struct dpl_drive_geometry *geometry);

/* Conversions between wheel speeds (rad/s) and body velocity. Also valid for small displacements:
 * angles in rad and (m, rad). */
struct dpl_drive_wheels dpl_drive_wheels_from_twist(const struct dpl_drive_geometry *geometry,
                                                    struct dpl_twist2 twist);
struct dpl_twist2 dpl_drive_twist_from_wheels(const struct dpl_drive_geometry *geometry,
                                              struct dpl_drive_wheels wheels);

struct dpl_odometry_config {
    struct dpl_drive_geometry geometry;
    double max_step_m;     /* a longer step is an error of the encoders: rejected */
    double max_turn_rad;   /* as max_step_m */
    double twist_filter_s; /* time constant of the twist's low-pass; 0: velocity of the last step */
};

/* Limits of the paper's driver: 1 m, pi/2; no filter. */
struct dpl_odometry_config dpl_odometry_default(struct dpl_drive_geometry geometry);

/* The caller may read all fields, and may change `pose` to correct the robot's pose. */
struct dpl_odometry {
    struct dpl_pose2 pose;   /* in the frame that the caller has chosen; starts at the origin */
    struct dpl_twist2 twist; /* estimate */
    double travelled_m;      /* signed path since init, not changed by a new pose */
    double turned_rad;       /* signed, not wrapped */
    struct dpl_drive_wheels rolled_m; /* signed way of each wheel */
    uint64_t samples, rejected;
};

void dpl_odometry_init(struct dpl_odometry *odometry);

/* Adds a step: the angles of both wheels (rad) in `dt_s`. Returns 0; -ERANGE when the step is
 * beyond the limits, -EINVAL when a number is not finite or dt_s is not positive. On an error the
 * step is counted as rejected and nothing else changes. */
int dpl_odometry_update(struct dpl_odometry *odometry, const struct dpl_odometry_config *config,
                        struct dpl_drive_wheels turned, double dt_s);

#ifdef __cplusplus
}
#endif

#endif
