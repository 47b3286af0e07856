/* SPDX-License-Identifier: Apache-2.0 */
/* Control of a delta along a pick-and-place path by computed torque: the inverse dynamics of the
 * path's acceleration, plus a feedback of the errors of position and velocity (Craig, "Introduction
 * to Robotics", 10.5). At first the joints move from their present positions to the start of the
 * path. Nothing here allocates, blocks or keeps state. */
#ifndef DPL_DELTA_CONTROL_H
#define DPL_DELTA_CONTROL_H

#include "delta_dynamics.h"
#include "pick_place.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_delta_control {
    struct dpl_delta delta;
    struct dpl_pick_place path;
    double bandwidth_rad_s; /* both poles of the error of a joint */
    double approach_s;      /* time of the movement to the start of the path */
    double from_q[DPL_DELTA_ARMS];
};

/* Sets from_q, and checks the rest: the whole path must be in the workspace, with a condition of 8
 * at most. Returns 0, or -EINVAL with `*reterr_what` (static text; may be NULL). */
int dpl_delta_control_start(struct dpl_delta_control *control, const double *q,
                            const char **reterr_what);

/* The reference motion at a time in s since the start. Returns 0; -EDOM or -ERANGE as
 * dpl_delta_motion_of_platform, never after dpl_delta_control_start. */
int dpl_delta_control_reference(const struct dpl_delta_control *control, double at_s,
                                struct dpl_delta_motion *ret_motion);

/* The torques at the arms, Nm, for a reference and measured joints (rad, rad/s). Returns 0, or
 * -EDOM or -ERANGE as dpl_delta_motion_of_platform: the measured joints are not possible for a
 * delta. */
int dpl_delta_control_torque(const struct dpl_delta_control *control,
                             const struct dpl_delta_motion *reference, const double *q,
                             const double *qd, double *ret_torque_nm);

#ifdef __cplusplus
}
#endif

#endif
