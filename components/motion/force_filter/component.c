/* SPDX-License-Identifier: Apache-2.0 */
/* ForceFilter: a Butterworth low-pass on each channel of a wrench, designed for the period of the
 * component. The filter is in butterworth.h; smoother.h handles missing samples. */
#include <errno.h>
#include <string.h>

#include <doppel/plugin.h>

#include "../wrench.h"
#include "smoother.h"

enum port {
    PORT_WRENCH,
    PORT_FILTERED,
};

struct properties {
    int64_t order, invalid_most;
    double cutoff_hz;
    bool bypass;
};

struct state {
    struct smoother smoother;
    dpl_ns period;
    double filtered[DPL_SIX];
    bool valid;
};

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    struct state *state = self->state;
    state->period = period;
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    if (state->period <= 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a filter needs a period: make the component periodic");
    }
    double rate_hz = 1.0 / dpl_ns_to_s(state->period);
    int err = dpl_butterworth_design((int)p->order, p->cutoff_hz, rate_hz, &state->smoother.filter);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0},
                        "Cutoff (%g Hz) must be below half the rate of the component (%g Hz)",
                        p->cutoff_hz, rate_hz);
    }
    state->smoother.invalid_most = p->invalid_most;
    smoother_reset(&state->smoother);
    return 0;
}

static void publish(struct dpl_component *self, dpl_ns stamp)
{
    const struct state *state = self->state;
    Doppel__Wrench *wrench = dpl_port_loan(self, PORT_FILTERED);
    if (!wrench) {
        return;
    }
    dpl_wrench_set(wrench, state->filtered, state->valid);
    dpl_port_publish(self, PORT_FILTERED, wrench, stamp);
}

/* While bypassed, the filter continues to run without output, so that switching back causes no
 * additional jump. */
static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, PORT_WRENCH);
    const Doppel__Wrench *wrench = message ? message->body : NULL;
    double sample[DPL_SIX] = {0.0};
    if (wrench) {
        dpl_wrench_get(wrench, sample);
    }
    bool valid = wrench && wrench->valid;
    state->valid = smoother_step(&state->smoother, sample, valid, state->filtered);
    if (p->bypass) {
        memcpy(state->filtered, sample, sizeof state->filtered);
        state->valid = valid;
    }
    publish(self, message ? message->stamp : tick->now);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_WRENCH] =
        {
            .name = "wrench",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__wrench__descriptor,
            .policy = DPL_QUEUE_LAST,
            .required = true,
            .summary = "what the sensor measures",
        },
    [PORT_FILTERED] =
        {
            .name = "filtered",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__wrench__descriptor,
            .summary = "the same after the low-pass; one in each cycle",
        },
};

static const struct dpl_field properties[] = {
    DPL_INT(struct properties, order, "Order", "2", 1, DPL_BUTTERWORTH_ORDER_MAX,
            "of the Butterworth low-pass"),
    DPL_NUMBER(struct properties, cutoff_hz, "Cutoff", "Hz", "40", 0.001, 1e6,
               "where its gain is 1/sqrt(2)"),
    DPL_INT(struct properties, invalid_most, "InvalidMost", "16", 0, 1000000,
            "consecutive samples that may be missing, invalid or not finite; after more, the "
            "output is invalid and zero"),
    {
        .name = "Bypass",
        .type = DPL_FIELD_BOOL,
        .flags = DPL_FIELD_LIVE,
        DPL_MEMBER(struct properties, bypass),
        .default_text = "false",
        .summary = "passes samples unchanged, for experiments",
    },
};

#define TRACED(index_, name_, unit_)                                                               \
    DPL_EXPORT_NUMBER(struct state, filtered[index_], name_, unit_, DPL_FIELD_TRACE, "filtered")

static const struct dpl_field exports[] = {
    TRACED(0, "filtered_x", "N"),
    TRACED(1, "filtered_y", "N"),
    TRACED(2, "filtered_z", "N"),
    TRACED(3, "filtered_roll", "N m"),
    TRACED(4, "filtered_pitch", "N m"),
    TRACED(5, "filtered_yaw", "N m"),
    DPL_EXPORT_BOOL(struct state, valid, "valid", DPL_FIELD_TRACE, "this cycle's output"),
    DPL_EXPORT_INT(struct state, smoother.n_invalid, "invalid", NULL, DPL_FIELD_SUMMARY,
                   "samples that were missing, invalid or not finite"),
    DPL_EXPORT_INT(struct state, smoother.n_outages, "outages", NULL, DPL_FIELD_SUMMARY,
                   "times that more than InvalidMost of them were consecutive"),
};

static const struct dpl_component_ops ops = {
    .period_changed = period_changed,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "ForceFilter",
    .summary = "low-pass filters the channels of a wrench",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 625 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
