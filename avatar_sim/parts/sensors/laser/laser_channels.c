/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a laser scanner. */
#include <string.h>

#include <doppel/field.h>
#include <doppel/math/pose3.h>
#include <doppel/sim/devices.h>

#include "laser.h"

static int put_on(struct dpl_world *world, int laser, const void *value)
{
    dpl_world_enable_laser(world, laser, *(const bool *)value);
    return 0;
}

static int put_turns(struct dpl_world *world, int laser, const void *value)
{
    dpl_world_turn_laser(world, laser, *(const bool *)value);
    return 0;
}

static int get_ranges(const struct dpl_world *world, int laser, void *ret_value,
                      dpl_ns *inout_stamp)
{
    struct dpl_world_scan scan;
    int err = dpl_world_get_scan(world, laser, &scan);
    if (err == 0 && ret_value) {
        memcpy(ret_value, scan.ranges_m, scan.n * sizeof scan.ranges_m[0]);
    }
    *inout_stamp = err == 0 ? scan.stamp : 0;
    return err;
}

static void describe_ranges(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    inout->size = (uint32_t)dpl_sim_laser_ranges(laser);
    inout->max = laser->max_range;
}

static int get_scans(const struct dpl_world *world, int laser, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_world_scan scan = {.stamp = *inout_stamp};
    (void)dpl_world_get_scan(world, laser, &scan);
    *(int64_t *)ret_value = (int64_t)scan.sequence;
    *inout_stamp = scan.stamp;
    return 0;
}

/* First angle, angle from beam to beam, least and greatest range, seconds from scan to scan. */
static int get_fan(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    double step = 2.0 * DPL_PI / laser->steps, *fan = ret_value;
    fan[0] = (laser->first - laser->front) * step;
    fan[1] = step;
    fan[2] = laser->min_range;
    fan[3] = laser->max_range;
    fan[4] = laser->rate_hz > 0.0 ? 1.0 / laser->rate_hz : 0.0;
    *inout_stamp = 0;
    return 0;
}

static int get_elevations(const struct dpl_world *world, int id, void *ret_value,
                          dpl_ns *inout_stamp)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    double *elevations = ret_value;
    elevations[0] = 0.0;
    for (int i = 0; i < laser->layers; i++) {
        elevations[i] = laser->elevation[i];
    }
    *inout_stamp = 0;
    return 0;
}

static void describe_elevations(const struct dpl_world *world, int id,
                                struct dpl_channel_desc *inout)
{
    int layers = dpl_world_laser(world, id)->layers;
    inout->size = layers > 0 ? (uint32_t)layers : 1;
}

static int get_mount(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_laser *laser = dpl_world_laser(world, id);
    struct dpl_pose3 mount =
        (struct dpl_pose3){{laser->x, laser->y, laser->z},
                           dpl_quaternion_from_rpy(laser->roll, laser->pitch, laser->yaw)};
    memcpy(ret_value, &mount, sizeof mount);
    *inout_stamp = 0;
    return 0;
}

static int get_scan_time(const struct dpl_world *world, int id, void *ret_value,
                         dpl_ns *inout_stamp)
{
    *(double *)ret_value = dpl_world_laser(world, id)->scan_time;
    *inout_stamp = 0;
    return 0;
}

static const struct dpl_channel_row laser_rows[] = {
    {
        .name = "on",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "whether it measures; off at the start",
        .put = put_on,
    },
    DPL_CHANNEL_READ("ranges", &dpl_channel_block, DPL_CHANNEL_OUT, "m", 0,
                     "the newest scan, layer by layer; 0: no return", get_ranges, describe_ranges),
    DPL_CHANNEL_READ("scans", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0, "how many there were",
                     get_scans, NULL),
    DPL_CHANNEL_READ("fan", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 5,
                     "first angle, step (rad), least and greatest range (m), period (s)", get_fan,
                     NULL),
    DPL_CHANNEL_READ("elevations", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, "rad", 0,
                     "of the layers; a planar laser has one, at 0", get_elevations,
                     describe_elevations),
    DPL_CHANNEL_READ("mount", &dpl_channel_pose, DPL_CHANNEL_CONSTANT, NULL, 0,
                     "in the robot's frame", get_mount, NULL),
    DPL_CHANNEL_READ(
        "scan_time", &dpl_channel_number, DPL_CHANNEL_CONSTANT, "s", 0,
        "of a whole turn by the model; the stamp is the middle of a sweep; 0: no sweep",
        get_scan_time, NULL),
    {
        .name = "turns",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "measures its beams one after the other, a turn in the time from scan to scan; "
                   "also while off, if the model turns",
        .put = put_turns,
    },
};
const struct dpl_channel_table dpl__laser_channels = {laser_rows, DPL_COUNT(laser_rows)};
