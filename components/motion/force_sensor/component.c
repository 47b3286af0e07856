/* SPDX-License-Identifier: Apache-2.0 */
/* ForceSensor: the device component of six-axis force sensors. Publishes a wrench in each cycle
 * with a flag whether it is valid. The property ApiName selects the driver. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/force_sensor.h>
#include <doppel/plugin.h>

#include "../wrench.h"
#include "watch.h"

enum port {
    PORT_WRENCH,
    PORT_APPLIED,
};

struct properties {
    double stale_after_ms, stuck_after_ms;
    bool tare;
};

struct state {
    struct force_watch_config config;
    struct force_watch watch;
    bool tared, valid;
    enum force_verdict verdict;
    double force[DPL_SIX]; /* the newest valid one */
    double applied[DPL_SIX];
    int64_t n_samples, n_stale, n_stuck, n_not_finite, n_saturated, n_errors;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *p = self->properties;
    struct state *state = self->state;
    state->config = (struct force_watch_config){
        .stale_after_ns = dpl_ns_from_s(p->stale_after_ms * 1e-3),
        .stuck_after_ns = dpl_ns_from_s(p->stuck_after_ms * 1e-3),
    };
    return 0;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct state *state = self->state;
    state->watch = (struct force_watch){0};
    state->tared = false;
    return 0;
}

static void publish(struct dpl_component *self, unsigned port, const double values[DPL_SIX],
                    bool valid, dpl_ns stamp)
{
    Doppel__Wrench *wrench = dpl_port_loan(self, port);
    if (!wrench) {
        return;
    }
    dpl_wrench_set(wrench, values, valid);
    dpl_port_publish(self, port, wrench, stamp);
}

static void count(struct state *state, const struct dpl_force_sample *sample)
{
    switch (state->verdict) {
    case FORCE_FRESH: break;
    case FORCE_NOTHING_NEW: return;
    case FORCE_STALE: state->n_stale++; return;
    case FORCE_STUCK: state->n_stuck++; break;
    case FORCE_NOT_FINITE: state->n_not_finite++; break;
    }
    state->n_samples++;
    state->n_saturated += sample->saturated;
}

/* Logs a change to a worse verdict once, not in each cycle. */
static void log_verdict(struct dpl_component *self, enum force_verdict before)
{
    static const char *const texts[] = {
        [FORCE_STALE] = "the sensor has stopped measuring",
        [FORCE_STUCK] = "the sensor is stuck: its readings no longer change",
        [FORCE_NOT_FINITE] = "the sensor's reading is not a number",
    };
    const struct state *state = self->state;
    if (state->verdict != before && state->verdict >= FORCE_STALE) {
        dpl_component_log(self, DPL_LOG_WARN, "%s", texts[state->verdict]);
    }
}

static void tare_once(struct dpl_component *self, const struct dpl_force_sample *sample)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    if (!p->tare || state->tared || !sample->valid) {
        return;
    }
    state->tared = true;
    int err = dpl_force_sensor_tare(dpl_component_device(self));
    if (err < 0) {
        dpl_component_log(self, DPL_LOG_WARN, "the sensor cannot be set to zero: %s",
                          strerror(-err));
    }
}

static void check_reading(struct dpl_component *self, dpl_ns now,
                          const struct dpl_force_sample *sample)
{
    struct state *state = self->state;
    enum force_verdict before = state->verdict;
    struct force_reading reading = {.measured = sample->valid, .sequence = sample->sequence};
    memcpy(reading.wrench, sample->wrench, sizeof reading.wrench);
    state->verdict = force_watch_check(&state->watch, &state->config, now, &reading);
    state->valid = state->verdict == FORCE_FRESH;
    if (state->valid) {
        memcpy(state->force, sample->wrench, sizeof state->force);
    }
    memcpy(state->applied, sample->applied, sizeof state->applied);
    count(state, sample);
    log_verdict(self, before);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    struct dpl_force_sample sample = {.valid = false};
    int err = dpl_force_sensor_execute(device, tick);
    if (err == 0) {
        err = dpl_force_sensor_read(device, &sample);
    }
    if (err == 0) {
        tare_once(self, &sample);
        err = dpl_force_sensor_read(device, &sample);
    }
    state->n_errors += err < 0;
    if (err < 0) {
        sample = (struct dpl_force_sample){.valid = false};
    }
    check_reading(self, tick->now, &sample);
    dpl_ns stamp = sample.valid ? sample.stamp : tick->now;
    publish(self, PORT_WRENCH, state->force, state->valid, stamp);
    publish(self, PORT_APPLIED, state->applied, sample.valid, stamp);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_WRENCH] =
        {
            .name = "wrench",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__wrench__descriptor,
            .summary = "the newest valid reading; `valid`: it is of this cycle",
        },
    [PORT_APPLIED] =
        {
            .name = "applied",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__wrench__descriptor,
            .summary = "the true force, if the device provides it",
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, stale_after_ms, "StaleAfter", "ms", "20", 0.1, 1e6,
               "the sensor is stale after this time without a new measurement"),
    DPL_NUMBER(struct properties, stuck_after_ms, "StuckAfter", "ms", "0", 0, 1e6,
               "readings that do not change in any bit for this long are invalid; 0: not checked"),
    DPL_BOOL(struct properties, tare, "Tare", "false", "the first reading becomes zero"),
};

#define TRACED(member_, name_, unit_, text_)                                                       \
    DPL_EXPORT_NUMBER(struct state, member_, name_, unit_, DPL_FIELD_TRACE, text_)
#define COUNTED(member_, name_, text_)                                                             \
    DPL_EXPORT_INT(struct state, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

static const struct dpl_field exports[] = {
    TRACED(force[0], "force_x", "N", "measured"),
    TRACED(force[1], "force_y", "N", "measured"),
    TRACED(force[2], "force_z", "N", "measured"),
    TRACED(force[3], "torque_x", "N m", "measured"),
    TRACED(force[4], "torque_y", "N m", "measured"),
    TRACED(force[5], "torque_z", "N m", "measured"),
    TRACED(applied[0], "applied_x", "N", "the force itself"),
    TRACED(applied[1], "applied_y", "N", "the force itself"),
    TRACED(applied[2], "applied_z", "N", "the force itself"),
    TRACED(applied[3], "applied_roll", "N m", "the torque itself"),
    TRACED(applied[4], "applied_pitch", "N m", "the torque itself"),
    TRACED(applied[5], "applied_yaw", "N m", "the torque itself"),
    DPL_EXPORT_BOOL(struct state, valid, "valid", DPL_FIELD_TRACE, "this cycle's reading"),
    COUNTED(n_samples, "samples", "measurements"),
    COUNTED(n_stale, "stale", "cycles without a measurement for StaleAfter or longer"),
    COUNTED(n_stuck, "stuck", "measurements that had not changed for StuckAfter or longer"),
    COUNTED(n_not_finite, "not_finite", "measurements that are not a number"),
    COUNTED(n_saturated, "saturated", "measurements at the end of the range"),
    COUNTED(n_errors, "errors", "cycles without an answer of the device"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "ForceSensor",
    .summary = "a six-axis force sensor: publishes wrenches of the device that ApiName names",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_FORCE_SENSOR_CLASS,
    .n_device_calls = DPL_DRV_FORCE_SENSOR_N_CALLS,
    .only_senses = true,
    .default_period = 625 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
