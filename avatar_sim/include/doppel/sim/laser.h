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
 * With layers 0 it is a planar one: level, at the height z over the ground, it sees obstacles and
 * mobile robots where its plane cuts them. With layers it is in its body, turns and leans with it,
 * and sees all solids and the ground (DPL_SIM_LAYERS_MAX layers at most). */
struct dpl_sim_laser {
    char name[DPL_SIM_NAME_SIZE];
    double x, y, z, yaw;                  /* mount, in the robot's frame */
    double pitch, roll;                   /* with layers: downwards, after the yaw; then about its
                                             front */
    int layers;                           /* 0: planar */
    double elevation[DPL_SIM_LAYERS_MAX]; /* [layers] rad, upwards from the plane of the mount */
    int steps, first, last, front;
    double min_range, max_range;
    double resolution; /* of a range in m; 0: exact */
    double noise;      /* standard deviation of a range in m */
    double dropout;    /* probability that a beam gives nothing */
    double rate_hz;
    double scan_time; /* s of a whole turn; 0: all beams are measured at one instant */
    /* Errors of a true laser that its user does not know: a range is measured as
     * range_bias + (1 + range_scale) times the true one, from a mount that is off by these. */
    double range_bias, range_scale;
    double off_x, off_y, off_yaw;
};

/* How many beams a scan of this laser has in each layer. */
static inline size_t dpl_sim_laser_beams(const struct dpl_sim_laser *laser)
{
    return (size_t)(laser->last - laser->first + 1);
}

/* How many ranges a scan has: layer 0 first, each in the order of the beams. */
static inline size_t dpl_sim_laser_ranges(const struct dpl_sim_laser *laser)
{
    return dpl_sim_laser_beams(laser) * (size_t)(laser->layers > 0 ? laser->layers : 1);
}

#ifdef __cplusplus
}
#endif

#endif
