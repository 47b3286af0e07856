/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of axes: six drives with CiA 402 on one CAN bus, in cyclic synchronous
 * position mode. The drives close the loops; each takes a target with every SYNC, interpolates
 * between two of them (60C2h), and gets the reference's velocity and the torque of its acceleration
 * as offsets. The control thread owns the bus (cia402_stream.c, cia402_bus.h); command and sample
 * are exchanged through dpl_latest.
 *
 * Load of the bus: a frame with 6 bytes of data has 95 to 115 bits, depending on its stuff bits.
 * Four
 * PDOs per axis and a SYNC are 24 such frames and 47 to 55 bits more: 2327 to 2815 bits per period.
 * At
 * 1 Mbit/s that is 2.3 to 2.8 ms: 4 ms (58 to 70 % of the bus, and 0.9 % for heartbeats every 40
 * ms) is the default, 3 ms is the minimum, and a target for each cycle of 0.625 ms would need 4.5
 * buses. Therefore the bus has its own period: with each SYNC a drive gets the reference,
 * extrapolated with its derivatives to that time. As slcan text the same period is 222
 * bytes out and about 240 in: a serial line needs 1 Mbaud for 3 ms; a CDC adapter ignores the baud
 * rate. */
#include <errno.h>
#include <string.h>

#include "cia402_stream.h"

/* ---- calls ---- */

#define CALL(name_)                                                                                \
    static int call_##name_(struct dpl_device *device, const void *in, void *out)                  \
    {                                                                                              \
        return cia402_##name_(device);                                                             \
    }
CALL(enable)
CALL(disable)
CALL(stop)
CALL(reset)

static int cia402_follow(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_axes_reference *reference = in;
    struct state *state = device->state;
    int err = cia402_begin(device);
    if (err < 0) {
        return err;
    }
    if (cia402_mode_of(state) != DPL_AXES_ON) {
        return -EPERM;
    }
    struct cia402_reference *to = &state->command.reference;
    memcpy(to->position_m, reference->position_m, sizeof reference->position_m);
    memcpy(to->velocity_m_s, reference->velocity_m_s, sizeof reference->velocity_m_s);
    memcpy(to->acceleration_m_s2, reference->acceleration_m_s2,
           sizeof reference->acceleration_m_s2);
    state->command.following = true;
    return 0;
}

/* If follow is not called in this cycle, no reference is followed. */
static int cia402_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->command.following = false;
    return cia402_begin(device);
}

/* The reference is the position of the axes at the end of the cycle. */
static int cia402_finish(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    state->command.stamp = tick->now + tick->period;
    cia402_send(state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int cia402_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_axes_state *ret = out;
    struct state *state = device->state;
    const struct cia402_sample *sample = &state->sample;
    int err = cia402_begin(device);
    if (err < 0) {
        return err;
    }
    *ret = (struct dpl_axes_state){
        .valid = sample->valid,
        .stamp = sample->stamp,
        .mode = cia402_mode_of(state),
        .fault = sample->fault,
        .fault_axis = sample->fault_axis,
    };
    for (int i = 0; i < DPL_AXES_N; i++) {
        ret->position_m[i] = sample->position_m[i];
        ret->velocity_m_s[i] = sample->velocity_m_s[i];
        ret->effort_n[i] = sample->effort_n[i];
    }
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_AXES_N_CALLS] = {
    [DPL_DRV_AXES_ENABLE] = call_enable,   [DPL_DRV_AXES_DISABLE] = call_disable,
    [DPL_DRV_AXES_STOP] = call_stop,       [DPL_DRV_AXES_RESET] = call_reset,
    [DPL_DRV_AXES_FOLLOW] = cia402_follow, [DPL_DRV_AXES_EXECUTE] = cia402_execute,
    [DPL_DRV_AXES_FINISH] = cia402_finish, [DPL_DRV_AXES_READ] = cia402_read,
};

/* ---- opening and closing ---- */

static int cia402_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    state->sample.fault_axis = -1;
    const struct cia402_group group = {.n_axes = DPL_AXES_N};
    return cia402_stream_open(device, &group, reterr);
}

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    CIA402_BUS_FIELDS(struct properties, ),
    DPL_TEXT(struct properties, nodes, "NodeIds", "1 2 3 4 5 6", "of the drives, in axis order"),
    DPL_NUMBER(struct properties, counts_per_m, "CountsPerMetre", NULL, "1000000", -1e9, 1e9,
               "the drives' units of position; negative: they count in the other direction"),
    DPL_NUMBER(struct properties, rated_force_n, "RatedForce", "N", "1000", 1, 1e6,
               "of an axis at the drive's rated torque"),
    DPL_NUMBER(struct properties, moved_kg, "MovedMass", "kg", "0", 0, 1e5,
               "mass whose acceleration is fed forward as torque; 0: none"),
    CIA402_TIME_FIELDS(struct properties, , "4"),
    DPL_NUMBER(struct properties, quick_stop_m_s2, "QuickStopDeceleration", "m/s^2", "10", 0.01,
               1000, "deceleration of each axis when it stops by itself"),
    DPL_NUMBER(struct properties, following_error_m, "FollowingErrorWindow", "m", "0.005", 0, 1,
               "a drive that is farther from its target has a fault; 0: the drive's own value"),
    DPL_NUMBER(struct properties, standstill_m_s, "StandstillSpeed", "m/s", "0.002", 1e-6, 1,
               "slower than this an axis is at rest"),
};

static const struct dpl_field exports[] = {
    CIA402_EXPORTS(struct state, ),
};

static const struct dpl_driver driver = {
    .name = "cia402",
    .summary = "six CANopen drives after CiA 402, cyclic synchronous position mode",
    .device_class = &dpl_axes_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = cia402_open,
    .close = cia402_stream_close,
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .driver = &driver};
