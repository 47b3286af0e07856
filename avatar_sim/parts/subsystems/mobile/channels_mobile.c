/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a mobile robot itself: where it is, and what it feels. */
#include "channels_mobile.h"

#include <string.h>

#include <doppel/field.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/state.h>

#include "plane_channels.h"

static struct dpl_world_robot robot(const struct dpl_world *world, int id)
{
    struct dpl_world_robot truth = {0};
    dpl_world_get_robot(world, id, &truth);
    return truth;
}

/* A channel of one member of the truth. */
#define TRUTH(name, type, member)                                                                  \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        (void)inout_stamp;                                                                         \
        *(type *)ret_value = (type)robot(world, id).member;                                        \
        return 0;                                                                                  \
    }
TRUTH(x, double, pose.x)
TRUTH(y, double, pose.y)
TRUTH(heading, double, pose.theta)
TRUTH(linear, double, twist.linear)
TRUTH(angular, double, twist.angular)
TRUTH(contacts, int64_t, contacts)
TRUTH(touched, int64_t, touched)
TRUTH(ejections, int64_t, ejections)

static int get_pose(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct dpl_sim_state *state = dpl_world_state(world);
    struct dpl_pose3 pose = dpl_sim_body_pose3(state, state->robots[id].first_body);
    (void)inout_stamp;
    memcpy(ret_value, &pose, sizeof pose);
    return 0;
}

/* x, y, heading */
static int get_planar(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_pose2 pose = robot(world, id).pose;
    (void)inout_stamp;
    memcpy(ret_value, (double[3]){pose.x, pose.y, pose.theta}, 3 * sizeof(double));
    return 0;
}

static int get_twist(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    struct dpl_twist2 twist = robot(world, id).twist;
    (void)inout_stamp;
    memcpy(ret_value, (double[2]){twist.linear, twist.angular}, 2 * sizeof(double));
    return 0;
}

#define OUT(name, type, unit, text)                                                                \
    DPL_CHANNEL_READ(#name, &dpl_channel_##type, DPL_CHANNEL_OUT, unit, 0, text, get_##name, NULL)

static const struct dpl_channel_row robot_rows[] = {
    OUT(x, number, "m", "of its frame, on the ground"),
    OUT(y, number, "m", "of its frame, on the ground"),
    OUT(heading, number, "rad", "counter-clockwise from x, in (-pi, pi]"),
    OUT(linear, number, "m/s", "along its heading"),
    OUT(angular, number, "rad/s", "counter-clockwise"),
    OUT(pose, pose, NULL, "of its frame"),
    OUT(contacts, integer, NULL, "how often it began to touch anything but the ground"),
    OUT(touched, integer, NULL,
        "bit i: something touches it in sector i of 24, from ahead counter-clockwise"),
    OUT(ejections, integer, NULL, "how often the solver threw it out of something"),
    DPL__PLANE_ROWS(get_planar, "x, y (m), heading (rad)", get_twist,
                    "puts it at x, y (m), heading (rad), if it fits there"),
};
const struct dpl_channel_table dpl__mobile_channels = {robot_rows, DPL_COUNT(robot_rows)};
