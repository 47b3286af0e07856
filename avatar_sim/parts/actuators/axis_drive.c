/* SPDX-License-Identifier: Apache-2.0 */
/* The drive of a linear axis: what it is told goes to its joint at once. Lag, limit and friction
 * are computed with the masses, by the subsystem. */
#include "axis_drive.h"

#include <math.h>

#include <doppel/sim/axes.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/world.h>

struct drive {
    const struct dpl_sim_drive *model;
    const struct dpl_sim_joints *joints;
    int joint;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct drive *drive = state;
    (void)reterr;
    drive->model = site->entry->settings;
    drive->joints = &site->state->joints;
    drive->joint = site->joint;
    return 0;
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct drive *drive = state;
    double most = drive->model->max_effort;
    ret_limits[0] = (struct dpl_sim_actuator_limit){
        "max_effort", most, "N", most > 0.0 && fabs(drive->joints->push[drive->joint]) > most};
    return 1;
}

/* ---- channels ---- */

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
static const struct dpl_channel_table channels = {axis_rows, DPL_COUNT(axis_rows)};

const struct dpl_sim_entry_class dpl_axis_drive = {
    .name = "axis",
    .summary = "the drive of a linear axis",
    .phase = DPL_SIM_ACTUATOR,
    .state_size = sizeof(struct drive),
    .build = build,
    .channels = &channels,
    .limits = limits,
};

const struct dpl_sim_drive *dpl_world_drive(const struct dpl_world *world, int axis)
{
    const struct drive *drive = dpl_world_entry(world, &dpl_axis_drive, axis);
    return drive ? drive->model : NULL;
}

void dpl_world_set_axis(struct dpl_world *world, int axis, double effort_n)
{
    const struct drive *drive = dpl_world_entry(world, &dpl_axis_drive, axis);
    if (drive) {
        drive->joints->push[drive->joint] = isfinite(effort_n) ? effort_n : 0.0;
        drive->joints->driven[drive->joint] = true;
        drive->joints->held[drive->joint] = false;
    }
}

void dpl_world_release_axis(struct dpl_world *world, int axis)
{
    const struct drive *drive = dpl_world_entry(world, &dpl_axis_drive, axis);
    if (drive) {
        dpl_world_set_axis(world, axis, 0.0);
        drive->joints->driven[drive->joint] = false;
    }
}
