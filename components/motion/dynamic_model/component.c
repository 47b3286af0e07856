/* SPDX-License-Identifier: Apache-2.0 */
/* DynamicModel: computes the reference of the platform from measured forces. The models are in
 * admittance.h; this file handles their properties, when they run, and invalid forces. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/six_axes.h>
#include <doppel/msg/motion.h>
#include <doppel/plugin.h>

#include "../wrench.h"
#include "tables.h"

#define FILE_BYTES_MAX (64u << 10)

enum port {
    PORT_WRENCH,
    PORT_COMMAND,
    PORT_REFERENCE,
};

/* ---- properties ------------------------------------------------------------------------------ */

/* The texts were checked when they were set. */
static void read_numbers(const struct model_properties *p, struct model_state *state)
{
    const char *at;
    dpl_six_read(p->stiffness, state->config.stiffness, &at);
    dpl_six_read(p->natural_hz, state->config.natural_hz, &at);
    dpl_six_read(p->damping_ratio, state->config.damping_ratio, &at);
    dpl_rows_only(p->home, DPL_SIX, state->home);
    dpl_six_read_set(p->axes, state->responds, &at);
}

static int read_text(const char *path, char *text, size_t size, struct dpl_diag *reterr)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return dpl_fail(reterr, -errno, (struct dpl_place){.file = path},
                        "cannot open the matrices: %s", strerror(errno));
    }
    size_t n = fread(text, 1, size - 1, file);
    bool good = !ferror(file) && fgetc(file) == EOF && !memchr(text, '\0', n);
    fclose(file);
    text[n] = '\0';
    return good ? 0
                : dpl_fail(reterr, -EIO, (struct dpl_place){.file = path},
                           "cannot read the matrices: the file is no text of at most %zu bytes",
                           size - 1);
}

static int read_matrices(const char *path, struct dpl_linear_mechanics *ret_mechanics,
                         struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = path};
    char *text = malloc(FILE_BYTES_MAX);
    if (!text) {
        return -ENOMEM;
    }
    int err = read_text(path, text, FILE_BYTES_MAX, reterr);
    if (err == 0 &&
        dpl_linear_mechanics_parse(text, ret_mechanics, &place.line, &place.column) < 0) {
        err = dpl_fail(reterr, -EINVAL, place,
                       "expected 18 rows of six numbers: mass, damping, stiffness");
    }
    free(text);
    return err;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct model_properties *p = self->properties;
    struct model_state *state = self->state;
    read_numbers(p, state);
    return p->matrix_file[0] != '\0' ? read_matrices(p->matrix_file, &state->mechanics, reterr) : 0;
}

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    struct model_state *state = self->state;
    state->period = period;
    return 0;
}

static int fail_to_discretize(const struct model_properties *p, int err, double period_s,
                              struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = p->matrix_file[0] ? p->matrix_file : NULL};
    const char *why = err == -EDOM     ? "its mass matrix is singular"
                      : err == -ERANGE ? "it is too fast for this period"
                                       : "a value is out of range";
    return dpl_fail(reterr, -EINVAL, place, "the model cannot be sampled every %g ms: %s",
                    period_s * 1e3, why);
}

/* Names the first value on a diagonal that makes the model unstable, or other possible reasons. */
static void explain_unstable(const struct dpl_linear_mechanics *m, char *ret_text, size_t size)
{
    for (int i = 0; i < DPL_SIX; i++) {
        const struct {
            const char *what;
            double value;
        } parts[] = {{"mass", m->mass[i][i]},
                     {"damping", m->damping[i][i]},
                     {"stiffness", m->stiffness[i][i]}};
        for (size_t part = 0; part < DPL_COUNT(parts); part++) {
            if (parts[part].value < 0.0) {
                snprintf(ret_text, size, "the %s of %s is %g", parts[part].what, dpl_six_names[i],
                         parts[part].value);
                return;
            }
        }
    }
    snprintf(ret_text, size, "its degrees of freedom excite each other");
}

/* An unstable model would move the platform to the border of the workspace without a force. */
static int check_stability(const struct model_properties *p, const struct model_state *state,
                           double period_s, struct dpl_diag *reterr)
{
    char why[96];
    double growth =
        p->matrix_file[0] ? dpl_linear_model_growth(&state->admittance.linear, period_s) : 0.0;
    if (growth <= 0.0) {
        return 0;
    }
    explain_unstable(&state->mechanics, why, sizeof why);
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = p->matrix_file},
                    "the model is unstable: without any force it grows e-fold every %.3g s; %s",
                    1.0 / growth, why);
}

static void rest(struct model_state *state)
{
    state->now = (struct admittance_state){0};
    memcpy(state->reference, state->home, sizeof state->reference);
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct model_properties *p = self->properties;
    struct model_state *state = self->state;
    double period_s = dpl_ns_to_s(state->period);
    if (state->period <= 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a sampled model needs a period: make the component periodic");
    }
    state->config.period_s = period_s;
    state->config.hold = (enum dpl_hold)p->hold;
    int err = p->matrix_file[0]
                  ? admittance_init_mechanics(&state->admittance, &state->mechanics, period_s,
                                              (enum dpl_hold)p->hold, state->responds)
                  : admittance_init_smd(&state->admittance, &state->config, state->responds);
    if (err < 0) {
        return fail_to_discretize(p, err, period_s, reterr);
    }
    err = check_stability(p, state, period_s, reterr);
    if (err < 0) {
        return err;
    }
    rest(state);
    state->running = state->heard = false;
    return 0;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* Whether the model runs in this cycle. It starts at rest, and its state is at rest while it does
 * not run. */
static bool runs(struct dpl_component *self)
{
    struct model_state *state = self->state;
    bool running = true;
    uint64_t epoch = 0;
    if (dpl_port_is_connected(self, PORT_COMMAND)) {
        const struct dpl_message *message = dpl_port_latest(self, PORT_COMMAND);
        const Doppel__MachineCommand *command = message ? message->body : NULL;
        running = command && command->state == DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE;
        epoch = command ? command->epoch : 0;
    }
    bool begins = running && (!state->running || epoch != state->epoch);
    if (begins || !running) {
        rest(state);
    }
    state->n_begun += begins;
    state->epoch = epoch;
    state->running = running;
    return running;
}

static bool read_values(const Doppel__Wrench *wrench, double ret_values[DPL_SIX])
{
    dpl_wrench_get(wrench, ret_values);
    bool good = wrench->valid;
    for (int i = 0; i < DPL_SIX; i++) {
        good = good && isfinite(ret_values[i]);
    }
    return good;
}

/* When no wrench arrives, the newest one is used for WrenchTimeout. */
static void receive_wrench(struct dpl_component *self, dpl_ns now)
{
    const struct model_properties *p = self->properties;
    struct model_state *state = self->state;
    const struct dpl_message *message = dpl_port_take(self, PORT_WRENCH);
    bool good;
    if (message) {
        good = read_values(message->body, state->wrench);
        state->heard = true;
        state->heard_at = now;
    } else {
        dpl_ns timeout = dpl_ns_from_s(p->wrench_timeout_ms * 1e-3);
        good = state->heard && now - state->heard_at <= timeout;
    }
    if (!good) {
        memset(state->wrench, 0, sizeof state->wrench);
        state->n_invalid++;
    }
}

static void publish(struct dpl_component *self, dpl_ns now)
{
    const struct model_state *state = self->state;
    Doppel__PoseReference *reference = dpl_port_loan(self, PORT_REFERENCE);
    if (!reference) {
        return;
    }
    reference->pose->x = state->reference[0];
    reference->pose->y = state->reference[1];
    reference->pose->z = state->reference[2];
    reference->pose->roll = state->reference[3];
    reference->pose->pitch = state->reference[4];
    reference->pose->yaw = state->reference[5];
    dpl_port_publish(self, PORT_REFERENCE, reference, now);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct model_state *state = self->state;
    double deflection[DPL_SIX];
    receive_wrench(self, tick->now);
    if (runs(self)) {
        admittance_step(&state->admittance, &state->now, state->wrench, deflection);
        for (int i = 0; i < DPL_SIX; i++) {
            state->reference[i] = state->home[i] + deflection[i];
        }
    }
    publish(self, tick->now);
    return 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const struct dpl_port_desc ports[] = {
    [PORT_WRENCH] =
        {
            .name = "wrench",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__wrench__descriptor,
            .policy = DPL_QUEUE_LAST,
            .required = true,
            .summary = "wrench on the platform; invalid or not finite: none",
        },
    [PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__machine_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary =
                "if connected, the model runs in ADMITTANCE only, and restarts in each epoch",
        },
    [PORT_REFERENCE] =
        {
            .name = "reference",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__pose_reference__descriptor,
            .summary = "home plus the model's deflection; one in each cycle",
        },
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .period_changed = period_changed,
    .start = start,
    .execute = execute,
};

static const struct dpl_component_class class = {
    .name = "DynamicModel",
    .summary =
        "mass, spring and damper in six degrees of freedom: converts a wrench to a pose reference",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = model_property_table,
    .n_properties = MODEL_N_PROPERTIES,
    .properties_size = sizeof(struct model_properties),
    .exports = model_export_table,
    .n_exports = MODEL_N_EXPORTS,
    .state_size = sizeof(struct model_state),
    .default_period = 2500 * DPL_US,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
