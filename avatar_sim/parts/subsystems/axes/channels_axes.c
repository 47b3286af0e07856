/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a machine itself: the platform that hangs on its axes. */
#include "channels_axes.h"

#include <errno.h>

#include <doppel/field.h>
#include <doppel/sim/devices.h>

/* No value while no pose of the platform belongs to where the sliders are. */
static int get_platform(const struct dpl_world *world, int robot, void *ret_value,
                        dpl_ns *inout_stamp)
{
    dpl_ns now = *inout_stamp;
    int err = dpl_world_get_platform(world, robot, inout_stamp, ret_value);
    return err == 0 && *inout_stamp != now ? -EAGAIN : err;
}

static const struct dpl_channel_row machine_rows[] = {
    DPL_CHANNEL_READ("platform", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, DPL_SIX,
                     "x y z (m), roll pitch yaw (rad), in the machine's frame", get_platform, NULL),
};
const struct dpl_channel_table dpl__axes_channels = {machine_rows, DPL_COUNT(machine_rows)};
