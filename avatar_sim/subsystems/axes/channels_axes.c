/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of machines: their axes, and the platform that hangs on them. */
#include "channels_axes.h"

#include <doppel/field.h>
#include <doppel/sim/axes.h>

static int put_effort(struct dpl_world *world, int axis, const void *value)
{
    dpl_world_set_axis(world, axis, *(const double *)value);
    return 0;
}

static void describe_effort(const struct dpl_world *world, int axis, struct dpl_channel_desc *inout)
{
    const struct dpl_sim_drive *drive = dpl_world_drive(world, axis);
    inout->min = -drive->max_effort;
    inout->max = drive->max_effort;
}

/* A channel of one member of what an axis does. */
#define AXIS(name, type, member)                                                                   \
    static int get_##name(const struct dpl_world *world, int id, void *ret_value,                  \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        struct dpl_world_axis axis = {0};                                                          \
        (void)inout_stamp;                                                                         \
        dpl_world_get_axis(world, id, &axis);                                                      \
        *(type *)ret_value = axis.member;                                                          \
        return 0;                                                                                  \
    }
AXIS(position, double, position_m)
AXIS(velocity, double, velocity_m_s)
AXIS(force, double, effort_n)
AXIS(load, double, load_m)
AXIS(weight, double, weight_n)
AXIS(braked, bool, braked)

#define OUT(name, type, unit, text)                                                                \
    DPL_CHANNEL_READ(#name, &dpl_channel_##type, DPL_CHANNEL_OUT, unit, 0, text, get_##name, NULL)

/* A motor whose driver has gone quiet must not push on: then its brake holds it. */
#define SILENCE (20 * DPL_MS)

static const struct dpl_channel_row axis_rows[] = {
    {
        .name = "effort",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "N",
        .summary = "what the motor shall give; its brake comes off",
        .put = put_effort,
        .describe = describe_effort,
        .release = dpl_world_release_axis,
        .silence = SILENCE,
    },
    OUT(position, number, "m", "of the encoder at the motor"),
    OUT(velocity, number, "m/s", "of the motor, exact"),
    OUT(force, number, "N", "what the motor gives"),
    OUT(load, number, "m", "where the slider is, beyond the screw"),
    OUT(weight, number, "N", "the platform's share that pushes it"),
    OUT(braked, flag, NULL, "its brake holds it"),
};
const struct dpl_channel_table dpl__axis_channels = {axis_rows, DPL_COUNT(axis_rows)};

static int get_platform(const struct dpl_world *world, int robot, void *ret_value,
                        dpl_ns *inout_stamp)
{
    return dpl_world_get_platform(world, robot, inout_stamp, ret_value);
}

static const struct dpl_channel_row machine_rows[] = {
    DPL_CHANNEL_READ("platform", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, DPL_SIX,
                     "x y z (m), roll pitch yaw (rad), in the machine's frame", get_platform, NULL),
};
const struct dpl_channel_table dpl__axes_channels = {machine_rows, DPL_COUNT(machine_rows)};
