/* SPDX-License-Identifier: Apache-2.0 */
/* Channels that all robots have which can be put elsewhere on the ground: "planar", "twist",
 * "start" and "place". A subsystem knows where its robots are and how fast; the rest is here. */
#ifndef DOPPEL_SIM_PLANE_CHANNELS_H
#define DOPPEL_SIM_PLANE_CHANNELS_H

#include <doppel/sim/channel_rows.h>

/* Calls of channel rows, where `id` is the number of a robot: three numbers, x, y (m), heading
 * (rad). The pose of the model, with stamp 0; then dpl_world_set_pose, whose result it is. */
int dpl__plane_get_start(const struct dpl_world *world, int id, void *ret_value,
                         dpl_ns *inout_stamp);
int dpl__plane_put_place(struct dpl_world *world, int id, const void *value);

/* The rows of a table. The calls get three numbers (x, y in m, heading in rad) and two (m/s along
 * the heading, rad/s counter-clockwise). */
#define DPL__PLANE_ROWS(get_planar_, planar_summary_, get_twist_, place_summary_)                  \
    DPL_CHANNEL_READ("planar", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, 3, planar_summary_,     \
                     get_planar_, NULL),                                                           \
        DPL_CHANNEL_READ("twist", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, 2,                   \
                         "along its heading (m/s), counter-clockwise (rad/s)", get_twist_, NULL),  \
        DPL_CHANNEL_READ("start", &dpl_channel_vector, DPL_CHANNEL_CONSTANT, NULL, 3,              \
                         "where it begins: x, y (m), heading (rad)", dpl__plane_get_start, NULL),  \
    {                                                                                              \
        .name = "place", .type = &dpl_channel_vector, .dir = DPL_CHANNEL_REQUEST, .size = 3,       \
        .summary = place_summary_, .put = dpl__plane_put_place,                                    \
    }

#endif
