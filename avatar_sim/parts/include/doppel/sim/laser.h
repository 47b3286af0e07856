/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a laser scanner: in a plane, or in several layers. */
#ifndef DOPPEL_SIM_LASER_H
#define DOPPEL_SIM_LASER_H

#include <stddef.h>

#include <doppel/sim/name.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_SIM_BEAMS_MAX  2048 /* of a layer */
#define DPL_SIM_LAYERS_MAX 128

/* A laser scanner. Step k of a turn of `steps` points at (k - front) * 2 pi / steps.
 *
 * With layers 0 it is a planar laser: its plane is horizontal, at the height z above the ground,
 * and it measures obstacles and mobile robots that this plane cuts. With layers it is fixed to its
 * body, turns and tilts with it, and measures all solids and the ground (at most DPL_SIM_LAYERS_MAX
 * layers). */
struct dpl_sim_laser {
    char name[DPL_SIM_NAME_SIZE];
    double x, y, z, yaw; /* mount, in the robot's frame */
    double pitch,
        roll;   /* with layers: downwards, after the yaw; then the roll about its front axis */
    int layers; /* 0: planar */
    double elevation[DPL_SIM_LAYERS_MAX]; /* [layers] rad, upwards from the plane of the mount */
    int steps, first, last, front;
    double min_range, max_range;
    double resolution; /* of a range in m; 0: exact */
    double noise;      /* standard deviation of a range in m */
    double dropout;    /* probability that a beam has no measurement */
    double rate_hz;
    double scan_time; /* s for a whole turn; 0: all beams are measured at one instant */
    /* Errors of a real laser that its user does not know. A measured range is range_bias + (1 +
     * range_scale) times the true range. The true mount is at this offset from the mount above. */
    double range_bias, range_scale;
    double off_x, off_y, off_yaw;
};

/* The number of beams in each layer of a scan. */
static inline size_t dpl_sim_laser_beams(const struct dpl_sim_laser *laser)
{
    return (size_t)(laser->last - laser->first + 1);
}

/* The number of ranges in a scan. Layer 0 is first; each layer is in the order of its beams. */
static inline size_t dpl_sim_laser_ranges(const struct dpl_sim_laser *laser)
{
    return dpl_sim_laser_beams(laser) * (size_t)(laser->layers > 0 ? laser->layers : 1);
}

#ifdef __cplusplus
}
#endif

#endif
