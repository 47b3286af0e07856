/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware driver of range finders and bumpers on a serial port: a board that sends the lines
 * of doppel/protocol/range_line.h. The control thread owns the wire and passes what it has heard
 * through dpl_latest. It only listens. */
#include <errno.h>

#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "range_names.h"

#define TIMER_MS 20

struct properties {
    struct range_properties names;
    char address[256];
    int64_t baud;
    double silence_ms;
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
    struct dpl_stream *stream;
    struct {
        struct dpl_latest sync;
        struct slot slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct range_names names;
    struct dpl_range_parser parser;
    struct slot heard;
    int64_t connections, before; /* before: measurements of the connections before this one */
    char foreign[DPL_RANGE_ID_SIZE];
    dpl_ns heard_at; /* the newest measurement, or when the connection was opened */
    /* owned by the thread of the calls */
    struct slot newest;
};

/* ---- control thread ---- */

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    state->stream = stream;
    state->connections++;
    state->heard_at = now;
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
    counts->reconnects = state->connections - 1;
    state->samples.slot[dpl_latest_back(&state->samples.sync)] = state->heard;
    dpl_latest_publish(&state->samples.sync);
}

/* A sensor that has no name here. */
static void note_foreign(struct dpl_device *device, const struct dpl_range_line *line)
{
    struct state *state = device->state;
    const struct properties *props = device->properties;
    if (state->heard.counts.foreign++ == 0) {
        dpl_device_log(device, DPL_LOG_WARN, "%s: the board has a %s '%s' that %s does not name",
                       props->address, line->is_contact ? "bumper" : "range finder", line->id,
                       line->is_contact ? "Contacts" : "Ranges");
    }
    memcpy(state->foreign, line->id, sizeof state->foreign);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct dpl_device *device = user;
    struct state *state = device->state;
    struct dpl_bytes input = {bytes, n};
    struct dpl_range_line line;
    while (dpl_range_line_next(&state->parser, &input, &line)) {
        if (!range_names_take(&state->names, &line, now, &state->heard.sample)) {
            note_foreign(device, &line);
            continue;
        }
        state->heard.counts.measurements++;
        state->heard_at = now;
        dpl_stream_settled(stream);
        dpl_device_found(device);
    }
    publish(state);
}

/* Why nothing comes, of this connection. */
static const char *lack_of(const struct state *state)
{
    if (state->heard.counts.measurements > state->before) {
        return "the board has stopped sending";
    }
    if (state->foreign[0] != '\0') {
        return "the board sends no sensor that Ranges or Contacts names";
    }
    return state->parser.dropped_bytes + state->parser.filled > 0
               ? "what comes on this port are no lines R ID METRES*CHECK: another device, or "
                 "another speed (Baud)"
               : "nothing comes on this port";
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_device *device = user;
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    if (now - state->heard_at > dpl_ns_from_s(props->silence_ms * 1e-3)) {
        dpl_stream_reopen(stream, lack_of(state));
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

static int serial_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    dpl_latest_init(&state->samples.sync);
    state->names = range_names_of(props->names.ranges, props->names.contacts);
    state->heard.sample = range_names_no_sample(&state->names);
    state->newest = state->heard;
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

static void serial_close(struct dpl_device *device)
{
    struct state *state = device->state;
    dpl_stream_close(state->stream);
    state->stream = NULL;
}

/* ---- calls ---- */

static int serial_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (dpl_latest_update(&state->samples.sync)) {
        state->newest = state->samples.slot[dpl_latest_front(&state->samples.sync)];
    }
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

static int serial_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_range_sample *)out = state->newest.sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_RANGE_N_CALLS] = {
    [DPL_DRV_RANGE_EXECUTE] = serial_execute,
    [DPL_DRV_RANGE_READ] = serial_read,
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    {
        .name = "Address",
        .aliases = "Device|SerialPort",
        .type = DPL_FIELD_STRING,
        DPL_MEMBER(struct properties, address),
        .default_text = "/dev/ranges",
        .summary = "serial port of the board, or tcp://host:port of a serial server",
    },
    DPL_INT(struct properties, baud, "Baud", "115200", 1200, 4000000, "speed of the serial port"),
    DPL_NUMBER(struct properties, silence_ms, "SilenceTimeout", "ms", "500", 20, 60000,
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
