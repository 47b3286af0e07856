/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of WitMotion's inertial sensors (WT901 and its family) on a serial port. The
 * control thread owns the wire (witmotion_host.h). It only listens: rate and content of what the
 * sensor sends are set with the maker's program. */
#include <string.h>

#include <doppel/drive/sensor_line.h>
#include <doppel/drv/imu.h>
#include <doppel/plugin.h>

#include "witmotion_host.h"

struct properties {
    struct dpl_sensor_line_properties line;
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
    struct dpl_sensor_line line; /* the first member */
    struct slot slots[3], newest;
    struct witmotion_host host; /* control thread */
};

static void publish(struct state *state, const struct witmotion_measurement *measured)
{
    struct slot *slot = dpl_sensor_line_back(&state->line);
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
        .reconnects = state->line.connections - 1,
        .temperature_c = measured->temperature_c,
    };
    dpl_sensor_line_publish(&state->line);
}

static void on_opened(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    witmotion_host_opened(&state->host);
}

static void on_data(struct dpl_sensor_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = line->device->state;
    struct dpl_byte_view input = {bytes, n};
    struct witmotion_measurement measured;
    while (witmotion_host_next(&state->host, &input, now, &measured)) {
        publish(state, &measured);
        dpl_sensor_line_heard(line, now);
    }
}

static const char *lack(const struct dpl_sensor_line *line)
{
    const struct state *state = line->device->state;
    return witmotion_host_lack(&state->host);
}

static const struct dpl_sensor_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .lack = lack,
};

/* ---- opening and closing ---- */

static int witmotion_open(struct dpl_device *device, struct dpl_diag *reterr)
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

static void witmotion_close(struct dpl_device *device)
{
    dpl_sensor_line_close(device->state);
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_IMU_READ] = dpl_sensor_line_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_SENSOR_LINE_FIELDS(
        struct properties, line, "/dev/witmotion",
        "serial port of the sensor, or tcp://host:port of a serial server", "9600",
        "speed of the serial port", "500", 20,
        "the sensor is lost after this time without a measurement; by default it sends 10 a "
        "second"),
};

#define COUNTER(name_, member_, text_)                                                             \
    DPL_EXPORT_INT(struct state, newest.counts.member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    COUNTER("measurements", measurements, "received whole"),
    COUNTER("checksum_errors", checksum_errors, "packets with a wrong check"),
    COUNTER("dropped_bytes", dropped_bytes, "bytes of no valid packet"),
    COUNTER("reconnects", reconnects, "connections after the first"),
    DPL_EXPORT_NUMBER(struct state, newest.counts.temperature_c, "temperature_c", "degC",
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
