/* SPDX-License-Identifier: Apache-2.0 */
/* A drive that closes its own loop: the solver holds the speed that it wants with at most its
 * effort. Speed control: the setpoint, through a lag. Position control: gain times the distance to
 * the setpoint, within the largest speed. Released, it holds still, or lets go. */
#include <math.h>

#include <doppel/math/signal.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/world.h>

#include "element.h"

extern const struct dpl_sim_entry_class dpl_servo_motor;

enum control { CONTROL_POSITION, CONTROL_SPEED };
enum release { RELEASE_HOLD, RELEASE_FREE };

struct settings {
    int control, release; /* enum control, enum release */
    double max_effort, max_speed, gain, lag_s, silence_s;
};

static const struct dpl_field fields[] = {
    DPL_CHOICE(struct settings, control, "control", "position", "position|speed",
               "what its setpoint is"),
    DPL_NUMBER_OF_JOINT(struct settings, max_effort, "max_effort", "N m|N", NULL, 0.0, 1e12,
                        "the most that it gives"),
    DPL_NUMBER_OF_JOINT(struct settings, max_speed, "max_speed", "rad/s|m/s", NULL, 0.0, 1e6,
                        "the most that it wants"),
    DPL_NUMBER(struct settings, gain, "gain", NULL, "10", 0.0, 1e6,
               "1/s: wanted speed per distance; of position control"),
    DPL_NUMBER(struct settings, lag_s, "lag", "s", "0", 0.0, 10.0, "time constant of its speed"),
    DPL_CHOICE(struct settings, release, "release", "hold", "hold|free",
               "what it does when its setpoint is no longer commanded"),
    DPL_NUMBER(struct settings, silence_s, "silence", "s", "0", 0.0, 3600.0,
               "without a new setpoint it is released; 0: it goes on"),
};

struct servo {
    const struct dpl_sim_site *site;
    double setpoint;          /* position, or speed */
    bool is_released, is_cut; /* cut: the speed that is put is more than the largest one */
    double speed;             /* after the lag */
};

static void release(struct servo *servo)
{
    const struct settings *settings = servo->site->entry->settings;
    const struct dpl_sim_joints *joints = &servo->site->state->joints;
    bool is_position = settings->control == CONTROL_POSITION;
    servo->setpoint = is_position ? joints->position[servo->site->joint] : 0.0;
    servo->is_released = true;
}

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct servo *servo = state;
    (void)reterr;
    servo->site = site;
    release(servo);
    return 0;
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct servo *servo = state;
    const struct dpl_sim_site *site = servo->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double wanted = servo->setpoint;
    if (settings->control == CONTROL_POSITION) {
        wanted = settings->gain * (servo->setpoint - joints->position[site->joint]);
    }
    servo->is_cut =
        settings->control == CONTROL_SPEED && fabs(servo->setpoint) > settings->max_speed;
    wanted = dpl_clamp(wanted, -settings->max_speed, settings->max_speed);
    servo->speed = dpl_low_pass(servo->speed, wanted, tick->dt, settings->lag_s);
    bool is_free = servo->is_released && settings->release == RELEASE_FREE;
    joints->speed[site->joint] = servo->speed;
    joints->limit[site->joint] = is_free ? 0.0 : settings->max_effort;
    joints->driven[site->joint] = true;
}

/* The solver does not tell what it gives: it gives the most when the joint lacks the wanted speed
 * by more than 1 % of the largest one. In position control this largest speed is no lack: it is how
 * fast the way goes. */
static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct servo *servo = state;
    const struct dpl_sim_site *site = servo->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double lack = fabs(joints->speed[site->joint] - joints->velocity[site->joint]);
    bool turns = site->entry->turns, gives = joints->limit[site->joint] > 0.0;
    ret_limits[0] =
        (struct dpl_sim_actuator_limit){"max_effort", settings->max_effort, turns ? "N m" : "N",
                                        gives && lack > 0.01 * settings->max_speed};
    ret_limits[1] = (struct dpl_sim_actuator_limit){"max_speed", settings->max_speed,
                                                    turns ? "rad/s" : "m/s", servo->is_cut};
    return 2;
}

/* ---- channels ---- */

static int put_setpoint(struct dpl_world *world, int id, const void *value)
{
    struct servo *servo = dpl_world_entry(world, &dpl_servo_motor, id);
    double setpoint = *(const double *)value;
    if (!isfinite(setpoint)) {
        release(servo);
        return 0;
    }
    servo->setpoint = setpoint;
    servo->is_released = false;
    return 0;
}

static void release_setpoint(struct dpl_world *world, int id)
{
    release(dpl_world_entry(world, &dpl_servo_motor, id));
}

static void describe_setpoint(const struct dpl_world *world, int id, struct dpl_channel_desc *inout)
{
    const struct dpl_sim_site *site = dpl_world_entry_site(world, &dpl_servo_motor, id);
    const struct settings *settings = site->entry->settings;
    inout->silence = dpl_ns_from_s(settings->silence_s);
    if (settings->control == CONTROL_POSITION) {
        inout->unit = site->entry->turns ? "rad" : "m";
        return;
    }
    inout->unit = site->entry->turns ? "rad/s" : "m/s";
    inout->min = -settings->max_speed;
    inout->max = settings->max_speed;
}

static const struct dpl_channel_row rows[] = {
    {
        .name = "setpoint",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "rad",
        .summary = "position or speed of the joint",
        .put = put_setpoint,
        .describe = describe_setpoint,
        .release = release_setpoint,
    },
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_servo_motor = {
    .name = "servo",
    .summary = "a drive that keeps the commanded position or speed",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct servo),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "servo",
    .is_at_joint = true,
    .limits = limits,
    .commands = DPL_SIM_COMMAND_SPEED,
};
