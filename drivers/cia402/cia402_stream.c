/* SPDX-License-Identifier: Apache-2.0 */
/* The wire of the driver `cia402`, on the control thread: the stream, the bus, commands and
 * received data. */
#include "cia402_stream.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include <doppel/math/number_rows.h>

#define CAN_SCHEME "can:"

/* ---- control thread ---- */

static int write_bytes(void *user, const void *bytes, size_t n)
{
    const struct state *state = ((struct dpl_device *)user)->state;
    return state->stream ? dpl_stream_write(state->stream, bytes, n) : -ENOTCONN;
}

static void log_text(void *user, enum dpl_log_level level, const char *text)
{
    dpl_device_log(user, level, "%s", text);
}

static void publish(struct state *state)
{
    state->samples.slot[dpl_latest_back(&state->samples.sync)] = state->bus.sample;
    dpl_latest_publish(&state->samples.sync);
}

static void receive_command(struct state *state)
{
    if (dpl_latest_update(&state->commands.sync)) {
        state->bus.command = state->commands.slot[dpl_latest_front(&state->commands.sync)];
    }
}

/* Reports the device as lost or found, according to the state of the bus. */
static void report_readiness(struct dpl_device *device, dpl_ns now)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct cia402_bus *bus = &state->bus;
    bool is_late = now - state->opened_at > dpl_ns_from_s(props->start_ms * 1e-3);
    if (bus->ready && !state->was_ready) {
        dpl_device_log(device, DPL_LOG_INFO, "%d drives are at work, a SYNC every %g ms",
                       cia402_n_axes(&bus->config.settings), props->period_ms);
        dpl_device_found(device);
    } else if (!bus->ready && (state->was_ready || is_late)) {
        dpl_device_lost(device, "%s", bus->problem);
    }
    state->was_ready = bus->ready;
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    state->stream = stream;
    state->opened_at = now;
    cia402_bus_opened(&state->bus, now);
    publish(state);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    (void)stream;
    struct dpl_device *device = user;
    struct state *state = device->state;
    cia402_bus_data(&state->bus, bytes, n, now);
    report_readiness(device, now);
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    int err = 0;
    receive_command(state);
    state->bus.is_commanded = dpl_device_is_commanded(device);
    if (cia402_bus_timer(&state->bus, now, &err)) {
        publish(state);
    }
    if (err < 0) {
        dpl_stream_reopen(stream, state->bus.problem);
        return;
    }
    report_readiness(device, now);
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    struct state *state = device->state;
    cia402_bus_closed(&state->bus);
    state->was_ready = false;
    publish(state);
    dpl_device_lost(device, "all axes, %s: %s", props->address, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

static int fail_nodes(const char *text, size_t n, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    return n == DPL_AXES_N
               ? dpl_fail(reterr, -EINVAL, nowhere,
                          "NodeIds: found '%s', expected six numbers of 1 to 127", text)
               : dpl_fail(reterr, -EINVAL, nowhere,
                          "NodeIds: found '%s', expected %zu number(s) of 1 to 127", text, n);
}

static int read_nodes(const char *text, size_t n, uint8_t *ret_nodes, struct dpl_diag *reterr)
{
    double numbers[CIA402_AXES_MAX], more;
    struct dpl_rows rows = dpl_rows_begin(text);
    bool is_good =
        dpl_rows_next(&rows, n, n, numbers) == (int)n && dpl_rows_next(&rows, 1, 1, &more) == 0;
    for (size_t i = 0; i < n && is_good; i++) {
        is_good = numbers[i] >= 1.0 && numbers[i] <= DPL_CANOPEN_NODE_MAX;
        ret_nodes[i] = is_good ? (uint8_t)numbers[i] : 0;
        is_good = is_good && ret_nodes[i] == numbers[i];
    }
    return is_good ? 0 : fail_nodes(text, n, reterr);
}

static dpl_ns ns_of(double ms)
{
    return dpl_ns_from_s(ms * 1e-3);
}

static struct cia402_settings settings_of(const struct properties *props,
                                          const struct cia402_group *group)
{
    return (struct cia402_settings){
        .n_axes = group->n_axes,
        .counts_name = group->counts_name,
        .counts_per_m = props->counts_per_m,
        .rated_force_n = props->rated_force_n,
        .moved_kg = props->moved_kg,
        .bit_rate = (uint32_t)props->bit_rate,
        .period = ns_of(props->period_ms),
        .heartbeat = ns_of(props->heartbeat_ms),
        .silence = ns_of(props->silence_ms),
        .process_data = ns_of(props->process_data_ms),
        .watchdog = ns_of(props->watchdog_ms),
        .reference_timeout = ns_of(props->reference_ms),
        .start_timeout = ns_of(props->start_ms),
        .quick_stop_m_s2 = props->quick_stop_m_s2,
        .following_error_m = props->following_error_m,
        .standstill_m_s = props->standstill_m_s,
    };
}

static int check_bit_rate(const struct properties *props, bool is_socket, struct dpl_diag *reterr)
{
    if (is_socket || dpl_slcan_speed_number((uint32_t)props->bit_rate) >= 0) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    "Bitrate: slcan has no %lld bit/s, expected 10000, 20000, 50000, 100000, "
                    "125000, 250000, 500000, 800000 or 1000000",
                    (long long)props->bit_rate);
}

int cia402_stream_open(struct dpl_device *device, const struct cia402_group *group,
                       struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    bool is_socket = strncmp(props->address, CAN_SCHEME, strlen(CAN_SCHEME)) == 0;
    struct cia402_bus_config config = {
        .settings = settings_of(props, group),
        .wire = is_socket ? DPL_CAN_WIRE_RECORDS : DPL_CAN_WIRE_SLCAN,
        .write = write_bytes,
        .log = log_text,
        .user = device,
    };
    int err = read_nodes(props->nodes, group->n_axes, config.settings.nodes, reterr);
    err = err < 0 ? err : check_bit_rate(props, is_socket, reterr);
    err = err < 0 ? err : cia402_settings_check(&config.settings, reterr);
    if (err < 0) {
        return err;
    }
    dpl_latest_init(&state->commands.sync);
    dpl_latest_init(&state->samples.sync);
    cia402_bus_init(&state->bus, &config);
    struct dpl_stream_config stream = {
        .address = props->address,
        .baud = (uint32_t)props->baud,
        .timer_us = (uint32_t)(config.settings.period / DPL_US),
        .ops = &stream_ops,
        .user = device,
    };
    return dpl_device_open_stream(device, &stream, &state->stream, reterr);
}

/* Sends the stop command to the drives in each period until their ramps must be over; data from
 * them is no longer read. */
static void bring_to_rest(struct state *state, dpl_ns now)
{
    dpl_ns period = state->bus.config.settings.period;
    const struct timespec pause = {period / DPL_S, period % DPL_S};
    dpl_ns left = cia402_bus_halt(&state->bus, now);
    for (dpl_ns passed = period; passed < left + period; passed += period) {
        nanosleep(&pause, NULL);
        cia402_bus_halt(&state->bus, now + passed);
    }
}

void cia402_stream_close(struct dpl_device *device)
{
    struct state *state = device->state;
    if (!state->stream) {
        return;
    }
    bring_to_rest(state, dpl_device_now(device));
    cia402_bus_off(&state->bus);
    dpl_stream_close(state->stream);
    state->stream = NULL;
}
