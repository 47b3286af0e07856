/* SPDX-License-Identifier: Apache-2.0 */
/* A converter with a motor that controls its speed: torque = preload + gain e + integral of
 * gain e / reset_time, with e the distance to the speed that is wanted, within the largest torque
 * (the integral stands still at that limit). Without `enable` it gives nothing. A drive that runs
 * away does not hear its setpoint. */
#include <math.h>

#include <doppel/math/signal.h>
#include <doppel/sim/world.h>

#include "element.h"
#include "setpoint.h"

extern const struct dpl_sim_entry_class dpl_drive_motor;

struct settings {
    struct dpl__setpoint_settings setpoint;
    double gain, reset_s, max_effort, constant, runaway;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, gain, "gain", NULL, NULL, 0.0, 1e12,
               "N m s/rad or N s/m: effort per error of the speed"),
    DPL_NUMBER(struct settings, reset_s, "reset_time", "s", "0", 0.0, 1e6,
               "of the integral; 0: there is none"),
    DPL_NUMBER_OF_JOINT(struct settings, max_effort, "max_effort", "N m|N", NULL, 0.0, 1e12,
                        "the most that it gives"),
    DPL_NUMBER(struct settings, constant, "constant", NULL, "1", 1e-9, 1e9,
               "N m/A or N/A: effort per current"),
    DPL_NUMBER_OF_JOINT(struct settings, runaway, "runaway", "rad/s|m/s", "0", -1e6, 1e6,
                        "the speed that it goes to with the fault of that name"),
    DPL__SETPOINT_FIELDS(DPL_NUMBER_OF_JOINT, struct settings, setpoint, "rad/s|m/s"),
};

struct drive {
    struct dpl__setpoint setpoint; /* first: see setpoint.h */
    const struct dpl_sim_site *site;
    double preload, integral, effort;
    bool is_enabled, runs_away, is_spent; /* spent: it gives the most that it can */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct drive *drive = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    drive->site = site;
    return dpl__setpoint_build(&drive->setpoint, site, &settings->setpoint);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct drive *drive = state;
    const struct dpl_sim_site *site = drive->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double wanted = dpl__setpoint_next(&drive->setpoint);
    wanted = drive->runs_away ? settings->runaway : wanted;
    drive->effort = 0.0;
    drive->is_spent = false;
    if (drive->is_enabled) {
        double push = settings->gain * (wanted - joints->velocity[site->joint]);
        double rise = settings->reset_s > 0.0 ? push * tick->dt / settings->reset_s : 0.0;
        double effort = drive->preload + drive->integral + rise + push;
        drive->effort = dpl_clamp(effort, -settings->max_effort, settings->max_effort);
        drive->is_spent = drive->effort != effort;
        bool is_inside = !drive->is_spent || (effort > 0.0) != (rise > 0.0);
        drive->integral += is_inside ? rise : 0.0;
    } else {
        drive->integral = 0.0;
    }
    joints->push[site->joint] = drive->effort;
    joints->driven[site->joint] = true;
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct drive *drive = state;
    const struct settings *settings = drive->site->entry->settings;
    bool turns = drive->site->entry->turns;
    ret_limits[0] = (struct dpl_sim_actuator_limit){"max_effort", settings->max_effort,
                                                    turns ? "N m" : "N", drive->is_spent};
    return dpl__setpoint_limit(&drive->setpoint, turns ? "rad/s" : "m/s", ret_limits, 1);
}

/* ---- channels ---- */

DPL__SETPOINT_CALLS(dpl_drive_motor)

static struct drive *drive_of(const struct dpl_world *world, int id)
{
    return dpl_world_entry(world, &dpl_drive_motor, id);
}

static void describe_speed(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    describe_setpoint(world, id, inout);
    inout->unit = drive_of(world, id)->site->entry->turns ? "rad/s" : "m/s";
}

static int put_preload(struct dpl_world *world, int id, const void *value)
{
    double preload = *(const double *)value;
    drive_of(world, id)->preload = isfinite(preload) ? preload : 0.0;
    return 0;
}

static void release_preload(struct dpl_world *world, int id)
{
    drive_of(world, id)->preload = 0.0;
}

static void describe_effort(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    inout->unit = drive_of(world, id)->site->entry->turns ? "N m" : "N";
}

static int put_enable(struct dpl_world *world, int id, const void *value)
{
    drive_of(world, id)->is_enabled = *(const bool *)value;
    return 0;
}

static void release_enable(struct dpl_world *world, int id)
{
    drive_of(world, id)->is_enabled = false;
}

static int put_runaway(struct dpl_world *world, int id, const void *value)
{
    drive_of(world, id)->runs_away = *(const bool *)value;
    return 0;
}

static int get_effort(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = drive_of(world, id)->effort;
    return 0;
}

static int get_current(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const struct drive *drive = drive_of(world, id);
    const struct settings *settings = drive->site->entry->settings;
    (void)inout_stamp;
    *(double *)ret_value = drive->effort / settings->constant;
    return 0;
}

static const struct dpl_channel_row rows[] = {
    DPL__SETPOINT_ROW("speed", "rad/s", describe_speed, "the speed of the joint that is wanted"),
    {
        .name = "preload",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "N m",
        .summary = "what it gives beside its control",
        .put = put_preload,
        .describe = describe_effort,
        .release = release_preload,
    },
    {
        .name = "enable",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_IN,
        .summary = "whether it gives anything",
        .put = put_enable,
        .release = release_enable,
    },
    {
        .name = "runaway",
        .type = &dpl_channel_flag,
        .dir = DPL_CHANNEL_SHARED,
        .summary = "a fault: it goes to a speed of its own",
        .put = put_runaway,
    },
    DPL_CHANNEL_READ("effort", &dpl_channel_number, DPL_CHANNEL_OUT, "N m", 0, "what it gives",
                     get_effort, describe_effort),
    DPL_CHANNEL_READ("current", &dpl_channel_number, DPL_CHANNEL_OUT, "A", 0, "of its motor",
                     get_current, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_drive_motor = {
    .name = "drive",
    .summary = "controls the speed of its joint",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct drive),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "drive",
    .is_at_joint = true,
    .limits = limits,
    .commands = DPL_SIM_COMMAND_PUSH,
};
