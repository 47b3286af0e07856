/* SPDX-License-Identifier: Apache-2.0 */
/* See plane_channels.h. */
#include "plane_channels.h"

#include <string.h>

int dpl__plane_get_start(const struct dpl_world *world, int id, void *ret_value,
                         dpl_ns *inout_stamp)
{
    struct dpl_pose2 start = dpl_world_model(world)->robots[id].start;
    *inout_stamp = 0;
    memcpy(ret_value, (double[3]){start.x, start.y, start.theta}, 3 * sizeof(double));
    return 0;
}

int dpl__plane_put_place(struct dpl_world *world, int id, const void *value)
{
    const double *at = value;
    return dpl_world_set_pose(world, id, (struct dpl_pose2){at[0], at[1], at[2]});
}
