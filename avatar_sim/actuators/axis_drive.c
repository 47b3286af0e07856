/* SPDX-License-Identifier: Apache-2.0 */
/* The drive of a linear axis: what it is told goes to its joint at once. Lag, limit and friction
 * are computed with the masses, by the subsystem. */
#include "axis_drive.h"

#include <math.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/world.h>

#include "channels_axes.h"

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

const struct dpl_sim_entry_class dpl_axis_drive = {
    .name = "axis",
    .summary = "the drive of a linear axis",
    .phase = DPL_SIM_ACTUATOR,
    .state_size = sizeof(struct drive),
    .build = build,
    .channels = &dpl__axis_channels,
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
