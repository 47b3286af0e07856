/* SPDX-License-Identifier: Apache-2.0 */
/* PidController: keeps one channel of a device at a setpoint by writing another one. The device's
 * driver says what the channels are: those of a simulated world, or registers of a bus. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/drv/channels.h>
#include <doppel/plugin.h>

#include "pid.h"

enum number {
    MEASURED,
    OUTPUT,
};

struct properties {
    char measured[DPL_CHANNELS_NAME_MAX], output[DPL_CHANNELS_NAME_MAX];
    double setpoint;
    struct pid_config law;
};

struct state {
    struct pid pid;
    double measured, output, largest_error;
    int64_t n_missing;
    bool released;
};

/* A name that is wrong is an error of the profile. */
static int find(struct dpl_component *self, enum number number, const char *name,
                struct dpl_diag *reterr)
{
    bool put = number == OUTPUT;
    struct dpl_diag why;
    int err = dpl_channels_find(dpl_component_device(self), number, put, name, &why);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "%s: %s",
                              put ? "Output" : "Measured", why.text)
                   : 0;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    *state = (struct state){.released = true, .measured = (double)NAN, .output = (double)NAN};
    int err = find(self, MEASURED, props->measured, reterr);
    return err < 0 ? err : find(self, OUTPUT, props->output, reterr);
}

static void release(struct dpl_component *self)
{
    struct state *state = self->state;
    if (!state->released) {
        state->released = true;
        dpl_channels_release(dpl_component_device(self));
    }
    state->pid = (struct pid){0};
    state->output = (double)NAN;
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    (void)reterr;
    struct state *state = self->state;
    state->pid = (struct pid){0};
    return 0;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    struct dpl_channels_value value;
    int err = dpl_channels_execute(device, tick);
    err = err < 0 ? err : dpl_channels_get(device, MEASURED, &value);
    state->n_missing += err < 0;
    if (err < 0 || tick->halt) {
        state->measured = err < 0 ? (double)NAN : value.value;
        release(self);
        return 0;
    }
    state->measured = value.value;
    state->largest_error = fmax(state->largest_error, fabs(props->setpoint - value.value));
    state->output =
        pid_step(&state->pid, &props->law, props->setpoint, value.value, dpl_ns_to_s(tick->period));
    state->released = false;
    dpl_channels_put(device, OUTPUT, state->output);
    return 0;
}

static int stop(struct dpl_component *self)
{
    release(self);
    return 0;
}

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    if (props->law.low > props->law.high) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "Low %g is above High %g",
                        props->law.low, props->law.high);
    }
    return 0;
}

#define GAIN(member_, name_, default_, least_, text_)                                              \
    DPL_NUMBER(struct properties, member_, name_, NULL, default_, least_, 1e12, text_)

static const struct dpl_field properties[] = {
    DPL_TEXT(
        struct properties, measured, "Measured", NULL,
        "the channel that is controlled to Setpoint; 'planar[2]' is the third number of a vector"),
    DPL_TEXT(struct properties, output, "Output", NULL, "channel that is written"),
    {
        .name = "Setpoint",
        .type = DPL_FIELD_DOUBLE,
        DPL_MEMBER(struct properties, setpoint),
        .default_text = "0",
        .flags = DPL_FIELD_LIVE,
        .summary = "in the unit of Measured",
    },
    GAIN(law.kp, "Kp", "1", -1e12, "output per error"),
    GAIN(law.ki, "Ki", "0", -1e12, "output per error and second"),
    GAIN(law.kd, "Kd", "0", -1e12, "output per rate of Measured in 1/s; it is subtracted"),
    GAIN(law.forward, "FeedForward", "0", -1e12, "output per Setpoint"),
    GAIN(law.offset, "Offset", "0", -1e12, "constant part of the output"),
    DPL_NUMBER(struct properties, law.filter_s, "DerivativeFilter", "s", "0", 0, 1e6,
               "time constant of the rate's low pass; 0: none"),
    GAIN(law.low, "Low", "-1e12", -1e12, "least output"),
    GAIN(law.high, "High", "1e12", -1e12, "greatest output"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, measured, "measured", NULL, DPL_FIELD_TRACE,
                      "the value that was read; nan: none"),
    DPL_EXPORT_NUMBER(struct state, output, "output", NULL, DPL_FIELD_TRACE,
                      "the value that was written; nan: none"),
    DPL_EXPORT_NUMBER(struct state, largest_error, "largest_error", NULL, DPL_FIELD_SUMMARY,
                      "difference of Setpoint and Measured"),
    DPL_EXPORT_INT(struct state, n_missing, "missing", NULL, DPL_FIELD_SUMMARY,
                   "cycles in which Measured had no value"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "PidController",
    .summary =
        "PID control: keeps one channel of its device at a setpoint by writing another channel",
    .ops = &ops,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_CHANNELS_CLASS,
    .n_device_calls = DPL_DRV_CHANNELS_N_CALLS,
    .default_period = 10 * DPL_MS,
    .check = check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
