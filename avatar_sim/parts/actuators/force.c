/* SPDX-License-Identifier: Apache-2.0 */
/* A motor that gives exactly the force or torque that it is told. */
#include <doppel/sim/world.h>

#include "element.h"
#include "setpoint.h"

extern const struct dpl_sim_entry_class dpl_force_motor;

struct settings {
    struct dpl__setpoint_settings setpoint;
};

static const struct dpl_field fields[] = {
    DPL__SETPOINT_FIELDS(DPL_NUMBER_OF_JOINT, struct settings, setpoint, "N m|N"),
};

struct motor {
    struct dpl__setpoint setpoint;
    const struct dpl_sim_site *site;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct motor *motor = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    motor->site = site;
    return dpl__setpoint_build(&motor->setpoint, site, &settings->setpoint);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct motor *motor = state;
    const struct dpl_sim_joints *joints = &motor->site->state->joints;
    (void)tick;
    joints->push[motor->site->joint] = dpl__setpoint_next(&motor->setpoint);
    joints->driven[motor->site->joint] = true;
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct motor *motor = state;
    return dpl__setpoint_limit(&motor->setpoint, motor->site->entry->turns ? "N m" : "N",
                               ret_limits, 0);
}

/* ---- channels ---- */

DPL__SETPOINT_CALLS(dpl_force_motor)

static void describe_force(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct dpl_sim_site *site = dpl_world_entry_site(world, &dpl_force_motor, id);
    describe_setpoint(world, id, inout);
    inout->unit = site->entry->turns ? "N m" : "N";
}

static const struct dpl_channel_row rows[] = {
    DPL__SETPOINT_ROW("force", "N", describe_force, "setpoint of the force or torque on the joint"),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_force_motor = {
    .name = "force motor",
    .summary = "applies the commanded force or torque",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct motor),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "force",
    .is_at_joint = true,
    .limits = limits,
    .commands = DPL_SIM_COMMAND_PUSH,
};
