/* The driver of template_name, an inertial sensor on a serial port. This file turns bytes into
 * measurements; doppel/drive/sensor_line.h does the rest. */
#include <string.h>

#include <doppel/drive/sensor_line.h>
#include <doppel/drv/imu.h>
#include <doppel/plugin.h>

#include "template_name_codec.h"

struct properties {
    struct dpl_sensor_line_properties line;
};

struct slot {
    struct dpl_imu_sample sample;
    int64_t reconnects, dropped;
};

struct state {
    struct dpl_sensor_line line; /* the first member */
    struct slot slots[3], newest;
    /* control thread */
    struct template_name_parser parser;
    uint64_t measurements;
};

/* ---- control thread ---- */

static void publish(struct state *state, const struct template_name_measurement *measured,
                    dpl_ns now)
{
    struct slot *slot = dpl_sensor_line_back(&state->line);
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
    slot->reconnects = state->line.connections - 1;
    slot->dropped = (int64_t)state->parser.dropped;
    dpl_sensor_line_publish(&state->line);
}

static void on_opened(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    state->parser = (struct template_name_parser){0};
}

static void on_data(struct dpl_sensor_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = line->device->state;
    struct dpl_byte_view input = {bytes, n};
    struct template_name_frame frame;
    struct template_name_measurement measured;
    while (template_name_parser_next(&state->parser, &input, &frame)) {
        if (template_name_measurement_decode(&frame, &measured)) {
            publish(state, &measured, now);
            dpl_sensor_line_heard(line, now);
        }
    }
}

static const char *lack(const struct dpl_sensor_line *line)
{
    return "the sensor is silent";
}

static const struct dpl_sensor_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .lack = lack,
};

/* ---- opening and closing ---- */

static int template_name_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct dpl_sensor_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .slots = state->slots,
        .newest = &state->newest,
        .slot_size = sizeof state->newest,
        .read_size = sizeof state->newest.sample,
    };
    return dpl_sensor_line_open(&state->line, device, &config, reterr);
}

static void template_name_close(struct dpl_device *device)
{
    dpl_sensor_line_close(device->state);
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_IMU_READ] = dpl_sensor_line_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_SENSOR_LINE_FIELDS(struct properties, line, "/dev/template_name",
                           "serial port of the sensor, or tcp://host:port of a serial server",
                           "115200", "speed of the serial port", "300", 20,
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
