/* SPDX-License-Identifier: Apache-2.0 */
/* RangeFinders: the device component of range finders and bumpers. Publishes the newest of each
 * sensor in each cycle, with a flag whether it is valid, and an event when a bumper is touched. The
 * property ApiName selects the driver. */
#include <math.h>
#include <string.h>

#include <doppel/drv/range.h>
#include <doppel/msg/range.h>
#include <doppel/plugin.h>

enum port {
    PORT_RANGES,
    PORT_TOUCHED,
};

#define TRACED 3 /* ranges that the trace has */

struct properties {
    double stale_after_ms;
};

/* Of one kind of sensor. */
struct validity {
    bool now[DPL_RANGE_MAX], told[DPL_RANGE_MAX]; /* told: that it is silent */
};

struct state {
    struct dpl_range_sample sample;
    struct validity ranges, contacts;
    double traced_m[TRACED], nearest_m;
    bool touched;
    int64_t n_touches, n_stale, n_errors;
};

/* ---- validity ---- */

/* `stamps` of the n sensors; a device that does not answer is told of by its driver. */
static void update_validity(struct dpl_component *self, const char *what, const dpl_ns *stamps,
                            size_t n, const struct dpl_tick *tick, struct validity *inout)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    dpl_ns most = dpl_ns_from_s(p->stale_after_ms * 1e-3);
    for (size_t i = 0; i < n; i++) {
        bool measured = stamps[i] >= 0;
        inout->now[i] = measured && tick->now - stamps[i] <= most;
        state->n_stale += measured && !inout->now[i];
        if (measured && inout->now[i] == inout->told[i]) {
            inout->told[i] = !inout->now[i];
            dpl_component_log(self, inout->now[i] ? DPL_LOG_INFO : DPL_LOG_WARN, "%s %zu of %zu %s",
                              what, i + 1, n, inout->now[i] ? "measures again" : "is silent");
        }
    }
}

static void forget(struct state *state)
{
    memset(state->ranges.now, 0, sizeof state->ranges.now);
    memset(state->contacts.now, 0, sizeof state->contacts.now);
}

static void measure(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    int err = dpl_range_execute(device, tick);
    err = err < 0 ? err : dpl_range_read(device, &state->sample);
    if (err < 0) {
        state->n_errors++;
        forget(state);
        return;
    }
    const struct dpl_range_sample *sample = &state->sample;
    update_validity(self, "range finder", sample->range_stamps, sample->n_ranges, tick,
                    &state->ranges);
    update_validity(self, "bumper", sample->contact_stamps, sample->n_contacts, tick,
                    &state->contacts);
}

/* ---- publishing ---- */

static void publish(struct dpl_component *self, dpl_ns now)
{
    const struct state *state = self->state;
    const struct dpl_range_sample *sample = &state->sample;
    Doppel__RangeReadings *message = dpl_port_loan(self, PORT_RANGES);
    if (!message) {
        return;
    }
    message->n_range = message->n_valid = sample->n_ranges;
    message->n_contact = message->n_contact_valid = sample->n_contacts;
    for (size_t i = 0; i < sample->n_ranges; i++) {
        message->range[i] = sample->ranges_m[i];
        message->valid[i] = state->ranges.now[i];
    }
    for (size_t i = 0; i < sample->n_contacts; i++) {
        message->contact[i] = state->contacts.now[i] && sample->contacts[i] > 0.5;
        message->contact_valid[i] = state->contacts.now[i];
    }
    dpl_port_publish(self, PORT_RANGES, message, now);
}

static void signal_touch(struct dpl_component *self, dpl_ns now)
{
    struct state *state = self->state;
    bool touched = false;
    for (size_t i = 0; i < state->sample.n_contacts; i++) {
        touched |= state->contacts.now[i] && state->sample.contacts[i] > 0.5;
    }
    if (touched && !state->touched) {
        state->n_touches++;
        dpl_port_signal(self, PORT_TOUCHED, now);
    }
    state->touched = touched;
}

static void update_trace(struct state *state)
{
    state->nearest_m = (double)NAN;
    for (size_t i = 0; i < DPL_RANGE_MAX; i++) {
        double range = state->ranges.now[i] ? state->sample.ranges_m[i] : (double)NAN;
        state->nearest_m = fmin(state->nearest_m, range);
        if (i < TRACED) {
            state->traced_m[i] = range;
        }
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    measure(self, tick);
    publish(self, tick->now);
    signal_touch(self, tick->now);
    update_trace(self->state);
    return 0; /* the driver itself reports a silent device as lost and found */
}

/* The device is lost: nothing is known until it is back. */
static int error(struct dpl_component *self, int cause)
{
    struct state *state = self->state;
    (void)cause;
    forget(state);
    state->touched = false;
    update_trace(state);
    return 0;
}

/* ---- tables ---- */

static const struct dpl_port_desc ports[] = {
    [PORT_RANGES] =
        {
            .name = "ranges",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__range_readings__descriptor,
            .capacity = DPL_RANGE_MAX,
            .summary = "the newest of each range finder and bumper",
        },
    [PORT_TOUCHED] =
        {
            .name = "touched",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .summary = "a bumper is touched, and none was",
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, stale_after_ms, "StaleAfter", "ms", "500", 0.1, 1e6,
               "an older measurement is not valid"),
};

#define RANGE(i_, name_)                                                                           \
    DPL_EXPORT_NUMBER(struct state, traced_m[i_], name_, "m", DPL_FIELD_TRACE,                     \
                      "of this range finder; inf: nothing is seen; nan: not valid")
#define COUNTED(member_, name_, text_)                                                             \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    RANGE(0, "range_1"),
    RANGE(1, "range_2"),
    RANGE(2, "range_3"),
    DPL_EXPORT_NUMBER(struct state, nearest_m, "nearest", "m", DPL_FIELD_STATUS,
                      "least of all valid ranges; nan: there is none"),
    DPL_EXPORT_BOOL(struct state, touched, "touched", DPL_FIELD_TRACE, "a bumper is touched"),
    COUNTED(n_touches, "touches", "times a bumper was touched"),
    COUNTED(n_stale, "stale", "sensors, in each cycle, that were older than StaleAfter"),
    COUNTED(n_errors, "errors", "cycles without an answer of the device"),
};

static const struct dpl_component_ops ops = {
    .execute = execute,
    .error = error,
};

static const struct dpl_component_class class = {
    .name = "RangeFinders",
    .summary = "range finders and bumpers: publishes what the device that ApiName names measures",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_RANGE_CLASS,
    .n_device_calls = DPL_DRV_RANGE_N_CALLS,
    .only_senses = true,
    .default_period = 50 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
