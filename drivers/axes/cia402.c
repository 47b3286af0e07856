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

#include "cia402_stream.h"

/* ---- available data ---- */

static void fill_report(struct state *state)
{
    const struct cia402_sample *s = &state->sample;
    state->report = (struct report){
        .syncs = (int64_t)s->syncs,
        .missed = (int64_t)s->missed,
        .frames_in = (int64_t)s->frames_in,
        .frames_out = (int64_t)s->frames_out,
        .dropped_bytes = (int64_t)s->dropped_bytes,
        .emergencies = (int64_t)s->emergencies,
        .losses = s->losses,
        .reconnects = s->connections > 0 ? (int64_t)s->connections - 1 : 0,
        .load_percent = 100.0 * s->load,
        .latest_sync_ms = 1e3 * s->latest_sync_s,
    };
}

/* A command is valid for the state of the drives when it was given: it does not restart motion that
 * has ended since. */
static void receive(struct state *state)
{
    if (!dpl_latest_update(&state->samples.sync)) {
        return;
    }
    state->sample = state->samples.slot[dpl_latest_front(&state->samples.sync)];
    const struct cia402_sample *sample = &state->sample;
    bool has_ended = sample->seen == state->command.sequence &&
                     (sample->mode == DPL_AXES_OFF || sample->mode == DPL_AXES_FAULT);
    if (has_ended || sample->losses != state->command.losses) {
        state->command.on = state->command.following = false;
    }
    fill_report(state);
}

/* The mode for the caller: a requested mode is returned until the drives have received the
 * command. */
static enum dpl_axes_mode mode_of(const struct state *state)
{
    const struct cia402_sample *sample = &state->sample;
    if (sample->seen == state->command.sequence || sample->mode == DPL_AXES_FAULT) {
        return sample->mode;
    }
    if (sample->mode == DPL_AXES_OFF) {
        return state->command.on ? DPL_AXES_STARTING : DPL_AXES_OFF;
    }
    return DPL_AXES_STOPPING;
}

static void send(struct state *state)
{
    state->commands.slot[dpl_latest_back(&state->commands.sync)] = state->command;
    dpl_latest_publish(&state->commands.sync);
}

/* Sends a command other than a reference. */
static void command(struct dpl_device *device)
{
    struct state *state = device->state;
    state->command.sequence++;
    state->command.losses = state->sample.losses;
    state->command.following = false;
    state->command.stamp = dpl_device_now(device);
    send(state);
}

/* ---- calls ---- */

static int begin(struct dpl_device *device)
{
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int cia402_enable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = begin(device);
    if (err < 0) {
        return err;
    }
    if (mode_of(state) == DPL_AXES_FAULT) {
        return -EPERM;
    }
    if (!state->command.on) {
        state->command.on = true;
        command(device);
    }
    return 0;
}

static int cia402_disable(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = begin(device);
    if (state->command.on) {
        state->command.on = false;
        command(device);
    }
    return err;
}

static int cia402_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = begin(device);
    if (mode_of(state) == DPL_AXES_ON) {
        state->command.stops++;
        command(device);
    }
    return err;
}

static int cia402_reset(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = begin(device);
    if (err == 0 && mode_of(state) == DPL_AXES_FAULT) {
        state->command.on = false;
        state->command.resets++;
        command(device);
    }
    return err;
}

static int cia402_follow(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_axes_reference *reference = in;
    struct state *state = device->state;
    int err = begin(device);
    if (err < 0) {
        return err;
    }
    if (mode_of(state) != DPL_AXES_ON) {
        return -EPERM;
    }
    state->command.reference = *reference;
    state->command.following = true;
    return 0;
}

/* If follow is not called in this cycle, no reference is followed. */
static int cia402_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->command.following = false;
    return begin(device);
}

/* The reference is the position of the axes at the end of the cycle. */
static int cia402_finish(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    state->command.stamp = tick->now + tick->period;
    send(state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int cia402_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_axes_state *ret = out;
    struct state *state = device->state;
    const struct cia402_sample *sample = &state->sample;
    int err = begin(device);
    if (err < 0) {
        return err;
    }
    *ret = (struct dpl_axes_state){
        .valid = sample->valid,
        .stamp = sample->stamp,
        .mode = mode_of(state),
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
    [DPL_DRV_AXES_ENABLE] = cia402_enable, [DPL_DRV_AXES_DISABLE] = cia402_disable,
    [DPL_DRV_AXES_STOP] = cia402_stop,     [DPL_DRV_AXES_RESET] = cia402_reset,
    [DPL_DRV_AXES_FOLLOW] = cia402_follow, [DPL_DRV_AXES_EXECUTE] = cia402_execute,
    [DPL_DRV_AXES_FINISH] = cia402_finish, [DPL_DRV_AXES_READ] = cia402_read,
};

/* ---- opening and closing ---- */

static int cia402_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    state->sample.fault_axis = -1;
    return cia402_stream_open(device, reterr);
}

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, address),
        .default_text = "/dev/ttyACM0",
        .summary = "serial port of an slcan adapter, tcp://host:port of one, or can:can0 for an "
                   "interface of the kernel",
    },
    DPL_INT(struct properties, baud, "Baud", "115200", 1200, 4000000,
            "speed of the serial port; adapters that are serial over USB ignore it"),
    DPL_INT(struct properties, bit_rate, "Bitrate", "1000000", 10000, 1000000,
            "bit/s of the CAN bus; of can:can0 as ip link has set it"),
    DPL_TEXT(struct properties, nodes, "NodeIds", "1 2 3 4 5 6", "of the drives, in axis order"),
    DPL_NUMBER(struct properties, counts_per_m, "CountsPerMetre", NULL, "1000000", -1e9, 1e9,
               "the drives' units of position; negative: they count the other way"),
    DPL_NUMBER(struct properties, rated_force_n, "RatedForce", "N", "1000", 1, 1e6,
               "of an axis at the drive's rated torque"),
    DPL_NUMBER(struct properties, moved_kg, "MovedMass", "kg", "0", 0, 1e5,
               "whose acceleration is fed forward as torque; 0: none is"),
    DPL_NUMBER(struct properties, period_ms, "CommunicationPeriod", "ms", "4", 0.5, 100,
               "from SYNC to SYNC"),
    DPL_NUMBER(struct properties, heartbeat_ms, "HeartbeatTime", "ms", "40", 5, 5000,
               "between two signs of life of a drive"),
    DPL_NUMBER(struct properties, silence_ms, "SilenceTimeout", "ms", "100", 10, 60000,
               "a drive that says nothing for this long is lost"),
    DPL_NUMBER(struct properties, process_data_ms, "ProcessDataTimeout", "ms", "100", 10, 60000,
               "a drive that does not answer to SYNCs for this long is lost"),
    DPL_NUMBER(struct properties, watchdog_ms, "WatchdogTime", "ms", "100", 0, 60000,
               "a drive that hears nothing for this long stops by itself; 0: never"),
    DPL_NUMBER(struct properties, reference_ms, "ReferenceTimeout", "ms", "100", 10, 60000,
               "without a cycle of the application for this long the drives stop"),
    DPL_NUMBER(struct properties, start_ms, "StartTimeout", "ms", "5000", 100, 60000,
               "for all drives to come to work, and to be switched on"),
    DPL_NUMBER(struct properties, quick_stop_m_s2, "QuickStopDeceleration", "m/s^2", "10", 0.01,
               1000, "of each axis on its own way to rest"),
    DPL_NUMBER(struct properties, following_error_m, "FollowingErrorWindow", "m", "0.005", 0, 1,
               "farther from its target a drive is faulty; 0: as the drive has it"),
    DPL_NUMBER(struct properties, standstill_m_s, "StandstillSpeed", "m/s", "0.002", 1e-6, 1,
               "slower than this an axis is at rest"),
};

#define COUNTER(name_, member_, flags_, text_)                                                     \
    DPL_EXPORT_INT(struct state, report.member_, name_, NULL, flags_, text_)

static const struct dpl_field exports[] = {
    COUNTER("syncs", syncs, DPL_FIELD_SUMMARY, "periods of the bus"),
    COUNTER("missed", missed, DPL_FIELD_SUMMARY, "periods in which not all drives answered"),
    COUNTER("frames_in", frames_in, DPL_FIELD_SUMMARY, "CAN frames of others"),
    COUNTER("frames_out", frames_out, DPL_FIELD_SUMMARY, "CAN frames of this driver"),
    COUNTER("dropped_bytes", dropped_bytes, DPL_FIELD_SUMMARY, "bytes of no valid frame"),
    COUNTER("emergencies", emergencies, DPL_FIELD_SUMMARY, "messages of drives about errors"),
    COUNTER("losses", losses, DPL_FIELD_SUMMARY, "drives or connections lost"),
    COUNTER("reconnects", reconnects, DPL_FIELD_SUMMARY, "connections after the first"),
    DPL_EXPORT_NUMBER(struct state, report.load_percent, "bus_load", NULL, DPL_FIELD_SUMMARY,
                      "percent of the bus in the last second, all stuff bits counted"),
    DPL_EXPORT_NUMBER(struct state, report.latest_sync_ms, "latest_sync", "ms", DPL_FIELD_SUMMARY,
                      "the longest gap between two SYNCs, beyond the period"),
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
