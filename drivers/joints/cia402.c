/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of joints: drives with CiA 402 on one CAN bus, in cyclic synchronous position
 * mode. The bus, the drives' modes and the streaming of set-points are those of the driver `cia402`
 * of class axes (drivers/axes/cia402_*), whose metres are here the units of the joints.
 *
 * A drive follows what it is told at once, so this driver goes to a position with a limited speed,
 * and to a speed with a limited acceleration. Ramps beyond that are the application's. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/joints.h>
#include <doppel/plugin.h>

#include "cia402_stream.h"
#include "joint_motion.h"
#include "joint_names.h"

_Static_assert((int)CIA402_AXES_MAX >= (int)DPL_JOINTS_MAX, "a bus has a drive for every joint");

struct joints_properties {
    struct properties bus; /* first: cia402_stream.c takes it */
    char joints[2048];
    double max_speed;
};

struct joints_state {
    struct state bus; /* first, as above */
    size_t n;
    struct dpl_joints_command command; /* in force; n 0: none */
    bool is_new;                       /* it came in the cycle before, so another one may come */
    bool is_led;
    struct joint_lead from[DPL_JOINTS_MAX], to[DPL_JOINTS_MAX]; /* begin and end of the cycle */
    dpl_ns now, period;                                         /* of the cycle */
    bool may_reset; /* since disable; a fault is reset once */
};

static const struct joints_properties *props_of(const struct dpl_device *device)
{
    return device->properties;
}

/* ---- leading ---- */

static void lead_joint(const struct joints_properties *props, struct joints_state *state, size_t i)
{
    const struct joint_lead_limits limits = {props->max_speed, props->bus.quick_stop_m_s2};
    const struct dpl_joints_command *command = &state->command;
    double period_s = dpl_ns_to_s(state->period);
    state->to[i] = period_s > 0.0 ? joint_lead_step(&state->from[i], &limits,
                                                    (enum dpl_joints_mode)command->mode,
                                                    command->value[i], period_s)
                                  : state->from[i];
}

/* The reference of the end of the cycle; the bus takes it from there to its own periods. Also
 * without one the bus gets the time: it stops drives whose application is silent. */
static void lead(struct dpl_device *device)
{
    struct joints_state *state = device->state;
    struct cia402_command *command = &state->bus.command;
    for (size_t i = 0; i < state->n && state->is_led; i++) {
        lead_joint(props_of(device), state, i);
        command->reference.position_m[i] = state->to[i].position;
        command->reference.velocity_m_s[i] = state->to[i].velocity;
    }
    command->following = state->is_led;
    command->stamp = state->now + state->period;
    cia402_send(&state->bus);
}

/* The joints are where they are: what was commanded does not count any more. */
static void let_go(struct joints_state *state)
{
    state->command = (struct dpl_joints_command){0};
    state->is_new = state->is_led = false;
}

/* ---- calls ---- */

static bool is_on(const struct joints_state *state)
{
    return cia402_mode_of(&state->bus) == DPL_AXES_ON && state->bus.sample.valid;
}

/* A fault is reset by the first enable after a disable. */
static int joints_enable(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct joints_state *state = device->state;
    int err = cia402_enable(device);
    if (err == -EPERM && state->may_reset) {
        state->may_reset = false;
        (void)cia402_reset(device);
    }
    return err;
}

static int joints_disable(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct joints_state *state = device->state;
    let_go(state);
    state->may_reset = true;
    return cia402_disable(device);
}

static int joints_stop(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    let_go(device->state);
    return cia402_stop(device);
}

static int joints_command(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_joints_command *command = in;
    struct joints_state *state = device->state;
    int err = cia402_begin(device);
    if (err < 0) {
        return err;
    }
    if (command->n != (int64_t)state->n || command->mode == DPL_JOINTS_EFFORT) {
        return -EINVAL;
    }
    if (!is_on(state)) {
        return -EPERM;
    }
    if (!state->is_led) {
        state->is_led = true;
        for (size_t i = 0; i < state->n; i++) {
            state->from[i] = (struct joint_lead){.position = state->bus.sample.position_m[i]};
        }
    }
    state->command = *command;
    state->is_new = true;
    lead(device);
    return 0;
}

/* Of an application that commands in each cycle the command is sent when it comes. */
static int joints_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_tick *tick = in;
    struct joints_state *state = device->state;
    int err = cia402_begin(device);
    bool waits = state->is_new;
    state->now = tick->now;
    state->period = tick->period;
    state->is_new = false;
    memcpy(state->from, state->to, sizeof state->from);
    if (err < 0 || !is_on(state)) {
        let_go(state);
        waits = false;
    }
    if (!waits) {
        lead(device);
    }
    return err;
}

static int joints_read(struct dpl_device *device, const void *in, void *out)
{
    (void)in;
    struct dpl_joints_state *ret = out;
    struct joints_state *state = device->state;
    const struct cia402_sample *sample = &state->bus.sample;
    int err = cia402_begin(device);
    if (err < 0) {
        return err;
    }
    *ret = (struct dpl_joints_state){
        .valid = sample->valid,
        .ready = is_on(state),
        .stamp = sample->stamp,
        .fault = sample->fault,
        .n = (int64_t)state->n,
    };
    memcpy(ret->position, sample->position_m, state->n * sizeof *ret->position);
    memcpy(ret->velocity, sample->velocity_m_s, state->n * sizeof *ret->velocity);
    memcpy(ret->effort, sample->effort_n, state->n * sizeof *ret->effort);
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_JOINTS_N_CALLS] = {
    [DPL_DRV_JOINTS_ENABLE] = joints_enable,   [DPL_DRV_JOINTS_DISABLE] = joints_disable,
    [DPL_DRV_JOINTS_COMMAND] = joints_command, [DPL_DRV_JOINTS_STOP] = joints_stop,
    [DPL_DRV_JOINTS_EXECUTE] = joints_execute, [DPL_DRV_JOINTS_READ] = joints_read,
};

static int joints_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct joints_state *state = device->state;
    struct joint_names names;
    joint_names_parse(props_of(device)->joints, &names);
    const struct cia402_group group = {.n_axes = names.n, .counts_name = "CountsPerUnit"};
    state->n = names.n;
    state->may_reset = true;
    state->bus.sample.fault_axis = -1;
    return cia402_stream_open(device, &group, reterr);
}

/* ---- tables ---- */

#define NUMBER(member_, name_, default_, min_, max_, text_)                                        \
    DPL_NUMBER(struct joints_properties, member_, name_, NULL, default_, min_, max_, text_)

static const struct dpl_field properties[] = {
    JOINT_NAMES_FIELD(struct joints_properties, joints),
    CIA402_BUS_FIELDS(struct joints_properties, bus.),
    DPL_TEXT(struct joints_properties, bus.nodes, "NodeIds", NULL, "of the drives, in joint order"),
    NUMBER(
        bus.counts_per_m, "CountsPerUnit", NULL, -1e9, 1e9,
        "the drives' units of position per rad or m; negative: they count in the other direction"),
    NUMBER(bus.rated_force_n, "RatedEffort", "10", 1e-3, 1e6,
           "of a joint at the drive's rated torque, in N m or N"),
    CIA402_TIME_FIELDS(struct joints_properties, bus., "10"),
    NUMBER(max_speed, "MaximumSpeed", "3", DPL_ABOVE_0, 1e6,
           "speed of a joint that moves to a position, in rad/s or m/s"),
    NUMBER(bus.quick_stop_m_s2, "QuickStopDeceleration", "10", 0.01, 1000,
           "acceleration of a joint that stops or changes its speed, in rad/s^2 or m/s^2"),
    NUMBER(bus.following_error_m, "FollowingErrorWindow", "0.2", 0, 1e3,
           "farther from its target, in rad or m, a drive is faulty; 0: as the drive has it"),
    NUMBER(bus.standstill_m_s, "StandstillSpeed", "0.005", 1e-6, 1,
           "slower than this, in rad/s or m/s, a joint is at rest"),
};

static const struct dpl_field exports[] = {
    CIA402_EXPORTS(struct joints_state, bus.),
};

static const struct dpl_driver driver = {
    .name = "cia402",
    .summary = "CANopen drives after CiA 402, cyclic synchronous position mode",
    .device_class = &dpl_joints_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct joints_properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct joints_state),
    .open = joints_open,
    .close = cia402_stream_close,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
