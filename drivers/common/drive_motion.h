/* SPDX-License-Identifier: Apache-2.0 */
/* What a wheel base is doing: standing, driving at a velocity, moving a distance, rotating an angle
 * (OPRoS DriveWheel, MoveWheel, RotateWheel, StopWheel, IsWheelRunning). It says which velocity to
 * aim at; the limiter makes it followable, odometry says how far it came. Completion limits are
 * those of the paper's driver (shared/spec/opros-profiles.md): 0.05 m, 1 deg. Pure: caller owns the
 * struct. */
#ifndef DPL_COMMON_DRIVE_MOTION_H
#define DPL_COMMON_DRIVE_MOTION_H

#include "diff_drive.h"
#include "drive_limiter.h"

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
    double lead_s; /* from a command to its effect on the odometry: it brakes this much earlier */
};

/* Tolerances of the paper's driver. */
struct dpl_motion_config dpl_motion_default(struct dpl_drive_limits limits, double lead_s);

struct dpl_motion {
    enum dpl_motion_mode mode;
    struct dpl_twist2 aim; /* the velocity asked for; its signs are the directions of a move */
    double goal;           /* travelled_m or turned_rad at which the move is done */
};

void dpl_motion_init(struct dpl_motion *motion);

/* Each replaces what was going on. Arguments that are not finite: -EINVAL, nothing changes. A move
 * or rotation is signed by its distance or angle; a negative velocity turns it backwards too (both
 * negative is backwards). With velocity 0 it could never end: -EINVAL. */
int dpl_motion_drive(struct dpl_motion *motion, struct dpl_twist2 aim);
int dpl_motion_move(struct dpl_motion *motion, const struct dpl_odometry *odometry,
                    double distance_m, double linear_m_s);
int dpl_motion_rotate(struct dpl_motion *motion, const struct dpl_odometry *odometry,
                      double angle_rad, double angular_rad_s);
void dpl_motion_stop(struct dpl_motion *motion);

/* The velocity to aim at now. Ends a move or rotation that has come within its tolerance. A move
 * brakes so that it ends at its goal, not merely within the tolerance. */
struct dpl_twist2 dpl_motion_step(struct dpl_motion *motion, const struct dpl_motion_config *config,
                                  const struct dpl_odometry *odometry);

/* True until a move or rotation is done or stopped, and while a velocity that is not 0 is driven.
 */
bool dpl_motion_is_running(const struct dpl_motion *motion);

#endif
