/* The driver of template_name, an inertial sensor on a serial port. The control thread owns the
 * wire and passes measurements through dpl_latest to the thread of the calls. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/imu.h>
#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "template_name_codec.h"

#define TIMER_MS 20

struct properties {
    char address[256];
    int64_t baud;
    double silence_ms;
};

struct slot {
    struct dpl_imu_sample sample;
    int64_t reconnects, dropped;
};

struct state {
    struct dpl_stream *stream;
    struct {
        struct dpl_latest sync;
        struct slot slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct template_name_parser parser;
    uint64_t measurements;
    int64_t connections;
    dpl_ns heard_at; /* the newest measurement, or when the connection was opened */
    /* thread of the calls */
    struct slot newest;
};

/* ---- control thread ---- */

static void publish(struct state *state, const struct template_name_measurement *measured,
                    dpl_ns now)
{
    struct slot *slot = &state->samples.slot[dpl_latest_back(&state->samples.sync)];
    struct dpl_imu_sample *sample = &slot->sample;
    sample->valid = true;
    sample->stamp = now;
    sample->sequence = ++state->measurements;
    memcpy(sample->rate_rad_s, measured->rate_rad_s, sizeof sample->rate_rad_s);
    memcpy(sample->acceleration_m_s2, measured->acceleration_m_s2,
           sizeof sample->acceleration_m_s2);
    sample->roll_rad = measured->roll_rad;
    sample->pitch_rad = measured->pitch_rad;
    sample->yaw_rad = measured->yaw_rad;
    slot->reconnects = state->connections - 1;
    slot->dropped = (int64_t)state->parser.dropped;
    dpl_latest_publish(&state->samples.sync);
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    state->stream = stream;
    state->connections++;
    state->heard_at = now;
    state->parser = (struct template_name_parser){0};
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    struct dpl_bytes input = {bytes, n};
    struct template_name_frame frame;
    struct template_name_measurement measured;
    while (template_name_parser_next(&state->parser, &input, &frame)) {
        if (template_name_measurement_decode(&frame, &measured)) {
            publish(state, &measured, now);
            state->heard_at = now;
            dpl_stream_settled(stream);
            dpl_device_found(device);
        }
    }
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    if (now - state->heard_at > dpl_ns_from_s(props->silence_ms * 1e-3)) {
        dpl_stream_reopen(stream, "the sensor is silent");
    }
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
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

static int template_name_open(struct dpl_device *device, struct dpl_diag *reterr)
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

static void template_name_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}

/* ---- calls ---- */

static int template_name_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (dpl_latest_update(&state->samples.sync)) {
        state->newest = state->samples.slot[dpl_latest_front(&state->samples.sync)];
    }
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int template_name_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_imu_sample *)out = state->newest.sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = template_name_execute,
    [DPL_DRV_IMU_READ] = template_name_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, address),
        .default_text = "/dev/template_name",
        .summary = "serial port of the sensor, or tcp://host:port of a serial server",
    },
    DPL_INT(struct properties, baud, "Baud", "115200", 1200, 4000000, "speed of the serial port"),
    DPL_NUMBER(struct properties, silence_ms, "SilenceTimeout", "ms", "300", 20, 60000,
               "without a measurement for this time the sensor is lost"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, newest.reconnects, "reconnects", NULL, DPL_FIELD_SUMMARY,
                   "connections after the first"),
    DPL_EXPORT_INT(struct state, newest.dropped, "dropped_bytes", NULL, DPL_FIELD_SUMMARY,
                   "bytes of no valid frame"),
};

static const struct dpl_driver driver = {
    .name = "template_name",
    .summary = "template_name inertial sensor on a serial port",
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
    .open = template_name_open,
    .close = template_name_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
