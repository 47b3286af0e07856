/* SPDX-License-Identifier: Apache-2.0 */
/* The motion mode of a wheel base: standing, driving at a velocity, moving a distance, rotating an
 * angle (OPRoS DriveWheel, MoveWheel, RotateWheel, StopWheel, IsWheelRunning). It computes the
 * target velocity; the limiter makes it possible to follow, and odometry measures the distance. The
 * completion limits are those of the driver of the RILS paper: 0.05 m, 1 deg. Pure: caller owns the
 * struct. */
#ifndef DPL_COMMON_DRIVE_MOTION_H
#define DPL_COMMON_DRIVE_MOTION_H

#include <doppel/drive/diff_drive.h>
#include <doppel/drive/drive_limiter.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_motion_mode {
    DPL_MOTION_STOPPED,
    DPL_MOTION_DRIVE,
    DPL_MOTION_MOVE,
    DPL_MOTION_ROTATE,
};

struct dpl_motion_config {
    struct dpl_drive_limits limits;
    double move_tolerance_m;
    double rotate_tolerance_rad;
    double lead_s; /* delay from a command to its effect on the odometry: braking starts earlier by
                      this time */
};

/* Tolerances of the paper's driver. */
struct dpl_motion_config dpl_motion_default(struct dpl_drive_limits limits, double lead_s);

struct dpl_motion {
    enum dpl_motion_mode mode;
    struct dpl_twist2 aim; /* the requested velocity; its signs are the directions of a move */
    double goal;           /* travelled_m or turned_rad at which the move is done */
};

void dpl_motion_init(struct dpl_motion *motion);

/* Each replaces the current mode. Arguments that are not finite: -EINVAL, nothing changes. The sign
 * of the distance or angle gives the direction; a negative velocity means backwards too (both
 * negative is backwards). With velocity 0 the move could never end: -EINVAL. */
int dpl_motion_drive(struct dpl_motion *motion, struct dpl_twist2 aim);
int dpl_motion_move(struct dpl_motion *motion, const struct dpl_odometry *odometry,
                    double distance_m, double linear_m_s);
int dpl_motion_rotate(struct dpl_motion *motion, const struct dpl_odometry *odometry,
                      double angle_rad, double angular_rad_s);
void dpl_motion_stop(struct dpl_motion *motion);

/* The current target velocity. Ends a move or rotation that is within its tolerance. A move brakes
 * so that it ends at its goal, not at the border of the tolerance. */
struct dpl_twist2 dpl_motion_step(struct dpl_motion *motion, const struct dpl_motion_config *config,
                                  const struct dpl_odometry *odometry);

/* True until a move or rotation is done or stopped, and while the drive velocity is not 0. */
bool dpl_motion_is_running(const struct dpl_motion *motion);

#ifdef __cplusplus
}
#endif

#endif
