/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of WitMotion's inertial sensors (WT901 and its family) on a serial port. The
 * control thread owns the wire (witmotion_host.h) and passes measurements through dpl_latest. It
 * only listens: rate and content of what the sensor sends are set with the maker's program. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/imu.h>
#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "witmotion_host.h"

#define TIMER_MS 20

struct properties {
    char address[256];
    int64_t baud;
    double silence_ms;
};

/* Counters of the control thread, for the exported variables. */
struct counts {
    int64_t measurements, checksum_errors, dropped_bytes, reconnects;
    double temperature_c;
};

struct slot {
    struct dpl_imu_sample sample;
    struct counts counts;
};

struct state {
    struct dpl_stream *stream;
    struct {
        struct dpl_latest sync;
        struct slot slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct witmotion_host host;
    int64_t connections;
    dpl_ns heard_at; /* the newest measurement, or when the connection was opened */
    /* owned by the thread of the calls */
    struct dpl_imu_sample sample;
    struct counts counts;
};

/* ---- control thread ---- */

static void publish(struct state *state, const struct witmotion_measurement *measured)
{
    struct slot *slot = &state->samples.slot[dpl_latest_back(&state->samples.sync)];
    const struct dpl_witmotion_parser *parser = &state->host.parser;
    struct dpl_imu_sample *sample = &slot->sample;
    sample->valid = true;
    sample->stamp = measured->stamp;
    sample->sequence = state->host.measurements;
    memcpy(sample->rate_rad_s, measured->rate_rad_s, sizeof sample->rate_rad_s);
    memcpy(sample->acceleration_m_s2, measured->acceleration_m_s2,
           sizeof sample->acceleration_m_s2);
    sample->roll_rad = measured->angles_rad[0];
    sample->pitch_rad = measured->angles_rad[1];
    sample->yaw_rad = measured->angles_rad[2];
    slot->counts = (struct counts){
        .measurements = (int64_t)state->host.measurements,
        .checksum_errors = (int64_t)parser->checksum_errors,
        .dropped_bytes = (int64_t)parser->dropped_bytes,
        .reconnects = state->connections - 1,
        .temperature_c = measured->temperature_c,
    };
    dpl_latest_publish(&state->samples.sync);
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    state->stream = stream;
    state->connections++;
    state->heard_at = now;
    witmotion_host_opened(&state->host);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    struct dpl_bytes input = {bytes, n};
    struct witmotion_measurement measured;
    while (witmotion_host_next(&state->host, &input, now, &measured)) {
        publish(state, &measured);
        state->heard_at = now;
        dpl_stream_settled(stream);
        dpl_device_found(device);
    }
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    if (now - state->heard_at > dpl_ns_from_s(props->silence_ms * 1e-3)) {
        dpl_stream_reopen(stream, witmotion_host_lack(&state->host));
    }
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    (void)stream;
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    dpl_device_lost(device, "%s: %s", props->address, why);
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

static int witmotion_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    dpl_latest_init(&state->samples.sync);
    struct dpl_stream_config stream = {
        .address = props->address,
        .baud = (uint32_t)props->baud,
        .timer_ms = TIMER_MS,
        .settles = true,
        .ops = &stream_ops,
        .user = device,
    };
    return dpl_device_open_stream(device, &stream, &state->stream, reterr);
}

static void witmotion_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}

/* ---- calls ---- */

static int witmotion_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (dpl_latest_update(&state->samples.sync)) {
        const struct slot *slot = &state->samples.slot[dpl_latest_front(&state->samples.sync)];
        state->sample = slot->sample;
        state->counts = slot->counts;
    }
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int witmotion_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_imu_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = witmotion_execute,
    [DPL_DRV_IMU_READ] = witmotion_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, address),
        .default_text = "/dev/witmotion",
        .summary = "serial port of the sensor, or tcp://host:port of a serial server",
    },
    DPL_INT(struct properties, baud, "Baud", "9600", 1200, 4000000, "speed of the serial port"),
    DPL_NUMBER(struct properties, silence_ms, "SilenceTimeout", "ms", "500", 20, 60000,
               "the sensor is lost after this time without a measurement; by default it sends 10 a "
               "second"),
};

#define COUNTER(name_, member_, text_)                                                             \
    DPL_EXPORT_INT(struct state, counts.member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    COUNTER("measurements", measurements, "received whole"),
    COUNTER("checksum_errors", checksum_errors, "packets with a wrong check"),
    COUNTER("dropped_bytes", dropped_bytes, "bytes of no valid packet"),
    COUNTER("reconnects", reconnects, "connections after the first"),
    DPL_EXPORT_NUMBER(struct state, counts.temperature_c, "temperature_c", "degC",
                      DPL_FIELD_SUMMARY, "of the sensor"),
};

static const struct dpl_driver driver = {
    .name = "witmotion",
    .summary = "WitMotion sensor (WT901 and its family) on a serial port",
    .device_class = &dpl_imu_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = witmotion_open,
    .close = witmotion_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
