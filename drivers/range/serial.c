/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of range finders and bumpers on a serial port: a board that sends the lines
 * of doppel/protocol/range_line.h. It only listens. */
#include <string.h>

#include <doppel/drive/sensor_line.h>
#include <doppel/plugin.h>

#include "range_names.h"

struct properties {
    struct dpl_sensor_line_properties line;
    struct range_properties names;
};

/* Counters of the control thread, for the exported variables. */
struct counts {
    int64_t measurements, foreign, checksum_errors, dropped_bytes, reconnects;
};

struct slot {
    struct dpl_range_sample sample;
    struct counts counts;
};

struct state {
    struct dpl_sensor_line line; /* the first member */
    struct slot slots[3], newest;
    /* control thread */
    struct range_names names;
    struct dpl_range_parser parser;
    struct slot heard;
    int64_t before;         /* measurements of the connections before this one */
    uint64_t dropped_until; /* the newest measurement; bytes of no valid line */
    char foreign[DPL_RANGE_ID_SIZE];
};

/* ---- control thread ---- */

static void on_opened(struct dpl_sensor_line *line, dpl_ns now)
{
    struct state *state = line->device->state;
    state->before = state->heard.counts.measurements;
    state->foreign[0] = '\0';
    state->parser = (struct dpl_range_parser){
        .checksum_errors = state->parser.checksum_errors,
        .dropped_bytes = state->parser.dropped_bytes + state->parser.filled,
    };
}

static void publish(struct state *state)
{
    struct counts *counts = &state->heard.counts;
    counts->checksum_errors = (int64_t)state->parser.checksum_errors;
    counts->dropped_bytes = (int64_t)state->parser.dropped_bytes;
    counts->reconnects = state->line.connections - 1;
    *(struct slot *)dpl_sensor_line_back(&state->line) = state->heard;
    dpl_sensor_line_publish(&state->line);
}

/* A sensor that has no name here. */
static void report_foreign(struct dpl_device *device, const struct dpl_range_line *line)
{
    struct state *state = device->state;
    const struct properties *props = device->properties;
    if (state->heard.counts.foreign++ == 0) {
        dpl_device_log(device, DPL_LOG_WARN, "%s: the board has a %s '%s' that %s does not name",
                       props->line.address, line->is_contact ? "bumper" : "range finder", line->id,
                       line->is_contact ? "Contacts" : "Ranges");
    }
    memcpy(state->foreign, line->id, sizeof state->foreign);
}

static void on_data(struct dpl_sensor_line *line, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct state *state = line->device->state;
    struct dpl_byte_view input = {bytes, n};
    struct dpl_range_line heard;
    while (dpl_range_line_next(&state->parser, &input, &heard)) {
        if (!range_names_apply(&state->names, &heard, now, &state->heard.sample)) {
            report_foreign(line->device, &heard);
            continue;
        }
        state->heard.counts.measurements++;
        state->dropped_until = state->parser.dropped_bytes;
        dpl_sensor_line_heard(line, now);
    }
    publish(state);
}

/* Of this connection. */
static const char *lack(const struct dpl_sensor_line *line)
{
    const struct state *state = line->device->state;
    if (state->heard.counts.measurements > state->before) {
        return state->parser.dropped_bytes > state->dropped_until
                   ? "what the board sends are no lines R ID METRES*CHECK any more"
                   : "the board has stopped sending";
    }
    if (state->foreign[0] != '\0') {
        return "the board sends no sensor that Ranges or Contacts names";
    }
    return state->parser.dropped_bytes + state->parser.filled > 0
               ? "what comes on this port are no lines R ID METRES*CHECK: another device, or "
                 "another speed (Baud)"
               : "nothing comes on this port";
}

static const struct dpl_sensor_line_ops line_ops = {
    .opened = on_opened,
    .data = on_data,
    .lack = lack,
};

/* ---- opening and closing ---- */

static int serial_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    state->names = range_names_of(props->names.ranges, props->names.contacts);
    state->heard.sample = range_names_no_sample(&state->names);
    state->newest = state->heard;
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

static void serial_close(struct dpl_device *device)
{
    dpl_sensor_line_close(device->state);
}

static const dpl_device_call_fn api[DPL_DRV_RANGE_N_CALLS] = {
    [DPL_DRV_RANGE_EXECUTE] = dpl_sensor_line_execute,
    [DPL_DRV_RANGE_READ] = dpl_sensor_line_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_SENSOR_LINE_FIELDS(struct properties, line, "/dev/ranges",
                           "serial port of the board, or tcp://host:port of a serial server",
                           "115200", "speed of the serial port", "500", 20,
                           "the board is lost after this time without a measurement"),
    RANGE_NAMES_FIELDS(struct properties, names),
};

#define COUNTER(member_, text_)                                                                    \
    DPL_EXPORT_INT(struct state, newest.counts.member_, #member_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    COUNTER(measurements, "lines of sensors that have a name"),
    COUNTER(foreign, "lines of sensors that have none"),
    COUNTER(checksum_errors, "lines with a wrong check"),
    COUNTER(dropped_bytes, "bytes of no valid line"),
    COUNTER(reconnects, "connections after the first"),
};

static const struct dpl_driver driver = {
    .name = "serial",
    .summary = "a board on a serial port that sends a line of text for each measurement",
    .device_class = &dpl_range_class,
    .backend = DPL_BACKEND_HARDWARE,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = serial_open,
    .close = serial_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
