/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of scanners with SCIP 2, on a serial port or over TCP. The control thread
 * owns the wire (scip_host.h). */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include <doppel/drive/sensor_line.h>
#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

#include "scip_host.h"

struct properties {
    struct dpl_sensor_line_properties line;
    int64_t cluster, interval;
    bool intensity;
    int stamp;
};

enum stamp_source {
    STAMP_DEVICE,
    STAMP_ARRIVAL,
};

/* Counters of the control thread, for the exported variables. */
struct counts {
    int64_t scans, checksum_errors, wrong_length, restarts, reconnects;
    char model[DPL_SCIP_MAX_MODEL];
};

struct sample {
    struct dpl_laser_scan scan;
    struct counts counts;
};

struct state {
    struct dpl_sensor_line line; /* the first member */
    struct sample slots[3], newest;
    atomic_bool wanted; /* laser on; calls -> control thread, independent of other data: relaxed */
    /* control thread */
    struct scip_host host;
    bool held;   /* this connection works, and was reported as found */
    bool warned; /* of scans of a wrong length, on this connection */
    uint64_t sequence;
};

/* ---- control thread ---- */

static int write_bytes(void *user, const void *bytes, size_t n)
{
    const struct dpl_sensor_line *line = user;
    return line->stream ? dpl_stream_write(line->stream, bytes, n) : -ENOTCONN;
}

static void fill_counts(const struct state *state, struct counts *counts)
{
    counts->scans = (int64_t)state->host.scans;
    counts->checksum_errors = (int64_t)state->host.checksum_errors;
    counts->wrong_length = (int64_t)state->host.wrong_length;
    counts->restarts = (int64_t)state->host.restarts;
    counts->reconnects = state->line.connections - 1;
    memcpy(counts->model, state->host.geometry.model, sizeof counts->model);
}

static void fill_scan(struct state *state, struct dpl_laser_scan *scan)
{
    const struct dpl_scip_geometry *geometry = &state->host.geometry;
    const struct dpl_scip_reply *reply = scip_host_reply(&state->host);
    const struct dpl_scip_scan_fields *fields = &state->host.stream.scan;
    unsigned cluster = fields->cluster > 0 ? fields->cluster : 1;
    size_t n = reply->count; /* as many as asked for: at most DPL_LASER_RANGES_MAX */
    scan->stamp = state->host.stamp;
    scan->sequence = ++state->sequence;
    scan->start_angle_rad = dpl_scip_step_to_rad(geometry, fields->start + (cluster - 1) / 2.0);
    scan->step_angle_rad = 2.0 * DPL_PI * cluster / geometry->steps_per_turn;
    scan->min_range_m = geometry->range_min_mm * 1e-3;
    scan->max_range_m = geometry->range_max_mm * 1e-3;
    scan->period_s = dpl_ns_to_s(dpl_scip_scan_period_ns(geometry) * (fields->interval + 1));
    scan->n = (uint32_t)n;
    scan->n_intensities = fields->encoding == 'E' ? scan->n : 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t mm = reply->ranges_mm[i];
        scan->ranges_m[i] = dpl_scip_is_range(geometry, mm) ? (float)mm * 1e-3f : 0.0f;
        scan->intensities[i] = (float)reply->intensities[i];
    }
}

static void publish(struct state *state)
{
    struct sample *sample = dpl_sensor_line_back(&state->line);
    fill_scan(state, &sample->scan);
    fill_counts(state, &sample->counts);
    dpl_sensor_line_publish(&state->line);
}

/* Once per connection: a scanner may identify itself and then refuse to scan, repeatedly. */
static void hold(struct dpl_device *device)
{
    struct state *state = device->state;
    const struct dpl_scip_geometry *g = &state->host.geometry;
    if (!state->held) {
        state->held = true;
        dpl_stream_settled(state->line.stream);
        dpl_device_log(device, DPL_LOG_INFO, "%s, %u steps from %u to %u mm, %u rpm, firmware %s",
                       g->model, g->end_step - g->first_step + 1, g->range_min_mm, g->range_max_mm,
                       g->rpm, state->host.firmware[0] ? state->host.firmware : "unknown");
    }
    dpl_device_found(device);
}

static void handle(struct dpl_device *device, enum scip_event event)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    switch (event) {
    case SCIP_NOTHING: break;
    case SCIP_KNOWN:
        if (!atomic_load_explicit(&state->wanted, memory_order_relaxed)) {
            hold(device);
        }
        break;
    case SCIP_SCAN:
        publish(state);
        hold(device);
        break;
    case SCIP_SILENT:
        dpl_device_lost(device, "%s: no scan in time: %s", props->line.address,
                        scip_host_lack(&state->host));
        break;
    case SCIP_FAILED: dpl_stream_reopen(state->line.stream, state->host.why); break;
    }
}

/* Once per connection; where no other scan comes, the device is lost, with the same reason. */
static void warn_of_length(struct dpl_device *device)
{
    struct state *state = device->state;
    const struct properties *props = device->properties;
    if (state->host.is_wrong && !state->warned) {
        state->warned = true;
        dpl_device_log(device, DPL_LOG_WARN, "%s: a scan is refused: %s", props->line.address,
                       dpl_scip_fault_text(state->host.parser.fault));
    }
}

static void on_opened(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    state->held = state->warned = false;
    scip_host_opened(&state->host, now);
}

static void on_data(struct dpl_sensor_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = line->device->state;
    struct dpl_byte_view input = {bytes, n};
    enum scip_event event;
    do {
        event = scip_host_next(&state->host, &input, now);
        handle(line->device, event);
        warn_of_length(line->device);
    } while (event != SCIP_NOTHING && event != SCIP_FAILED);
}

static void on_timer(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    bool wanted = atomic_load_explicit(&state->wanted, memory_order_relaxed);
    handle(line->device, scip_host_timer(&state->host, wanted, now));
}

static const struct dpl_sensor_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
};

/* ---- opening and closing ---- */

static int scip_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    const struct scip_host_config host = {
        .intensity = props->intensity,
        .cluster = (uint8_t)props->cluster,
        .interval = (uint8_t)props->interval,
        .silence = dpl_ns_from_s(props->line.silence_ms * 1e-3),
        .device_stamps = props->stamp == STAMP_DEVICE,
        .send = write_bytes,
        .user = &state->line,
    };
    atomic_init(&state->wanted, false);
    scip_host_init(&state->host, &host);
    const struct dpl_sensor_line_config config = {
        .ops = &line_ops,
        .properties = &props->line,
        .period_ms = 10,
        .slots = state->slots,
        .newest = &state->newest,
        .slot_size = sizeof state->newest,
    };
    return dpl_sensor_line_open(&state->line, device, &config, reterr);
}

static void scip_close(struct dpl_device *device)
{
    struct state *state = device->state;
    if (state->line.stream) {
        scip_host_quit(&state->host);
        dpl_sensor_line_close(&state->line);
    }
}

/* ---- calls ---- */

static int set_wanted(struct dpl_device *device, bool wanted)
{
    struct state *state = device->state;
    atomic_store_explicit(&state->wanted, wanted, memory_order_relaxed);
    return wanted && dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int scip_enable(struct dpl_device *device, const void *in, void *out)
{
    return set_wanted(device, true);
}

static int scip_disable(struct dpl_device *device, const void *in, void *out)
{
    return set_wanted(device, false);
}

static int scip_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_laser_scan **ret_scan = out;
    uint64_t after = ((const struct dpl_laser_read *)in)->after;
    const struct state *state = device->state;
    const struct dpl_laser_scan *scan = &state->newest.scan;
    int err = dpl_sensor_line_execute(device, NULL, NULL);
    if (err < 0) {
        return err;
    }
    if (scan->sequence == 0 || (after != UINT64_MAX && scan->sequence <= after)) {
        return -EAGAIN;
    }
    *ret_scan = scan;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_LASER_SCANNER_N_CALLS] = {
    [DPL_DRV_LASER_SCANNER_ENABLE] = scip_enable,
    [DPL_DRV_LASER_SCANNER_DISABLE] = scip_disable,
    [DPL_DRV_LASER_SCANNER_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_LASER_SCANNER_READ] = scip_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_SENSOR_LINE_FIELDS(struct properties, line, "tcp://192.168.0.10:10940",
                           "serial port (/dev/ttyACM0) or tcp://host:port", "115200",
                           "speed of the serial port (a scanner without USB starts with 19200)",
                           "250", 50,
                           "without a scan for this long the scanner is lost; at least 2.5 turns"),
    DPL_INT(struct properties, cluster, "Cluster", "1", 1, 99,
            "neighbouring steps that the scanner merges into one range"),
    {
        .name = "SkipScans",
        .aliases = "Interval",
        .type = DPL_FIELD_INT,
        DPL_MEMBER(struct properties, interval),
        .default_text = "0",
        .min = 0,
        .max = 9,
        .summary = "scans that the scanner leaves out between two that it sends",
    },
    DPL_BOOL(struct properties, intensity, "Intensity", "false", "ask for intensities too"),
    DPL_CHOICE(struct properties, stamp, "StampSource", "device", "device|arrival",
               "when a scan was taken: by the scanner's clock, or when it arrived"),
};

#define COUNTER(name_, member_, text_)                                                             \
    DPL_EXPORT_INT(struct state, newest.counts.member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    COUNTER("scans", scans, "received whole"),
    COUNTER("checksum_errors", checksum_errors, "replies that were garbled on the way"),
    COUNTER("wrong_length", wrong_length,
            "scans of another number of ranges than asked for, refused"),
    COUNTER("restarts", restarts, "times the scanner stopped by itself and was started again"),
    COUNTER("reconnects", reconnects, "connections after the first"),
    {
        .name = "model",
        .type = DPL_FIELD_STRING,
        .flags = DPL_FIELD_SUMMARY,
        DPL_MEMBER(struct state, newest.counts.model),
        .summary = "model name that the scanner reports",
    },
};

static const struct dpl_driver driver = {
    .name = "scip",
    .summary = "Hokuyo scanner (SCIP 2) on a serial port or over TCP",
    .device_class = &dpl_laser_scanner_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = scip_open,
    .close = scip_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
