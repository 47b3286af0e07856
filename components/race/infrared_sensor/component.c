/* SPDX-License-Identifier: Apache-2.0 */
/* InfraredSensor: emulates an infrared distance sensor on one pin of a board, as a PWM for a filter
 * in hardware or as the level after an emulated filter. The models are in infrared.h and
 * ir_table.h; this file handles the pin, the range and the file of the table. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/drv/pins_client.h>
#include <doppel/math/signal.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>
#include <doppel/plugin.h>

#include "../car_ports.h"
#include "infrared.h"

#define TABLE_FILE_MAX (1u << 17)

enum port {
    PORT_RANGES,
    PORT_PINS,
};

enum output {
    OUTPUT_LEVEL,
    OUTPUT_PWM,
};

struct properties {
    char pin[32];
    int64_t sensor;
    char table[512];
    int64_t compensation;
    double clock_hz, pwm_hz;
    bool inverted;
    int output;
    bool filter;
    double resistance_ohm, capacity_uf;
    double gain, offset, tolerance;
    double range_gain, range_offset_m;
    double noise, drift_s;
    bool vary;
};

struct state {
    struct infrared_config config;
    struct ir_table table;
    struct ir_row *rows; /* owned; NULL: the built-in table */
    struct dpl_spread spread;
    uint32_t pin;
    double range_m, level;
    bool settled; /* the filter has its first value */
    int64_t n_refused, duty;
};

/* ---- the table ---- */

static int read_text(const char *path, char *text, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = path};
    FILE *file = fopen(path, "r");
    if (!file) {
        return dpl_fail(reterr, -errno, place, "cannot open the infrared table: %s",
                        strerror(errno));
    }
    size_t n = fread(text, 1, TABLE_FILE_MAX - 1, file);
    bool whole = feof(file) != 0;
    bool broken = ferror(file) != 0;
    fclose(file);
    text[n] = '\0';
    if (broken || strlen(text) != n) {
        return dpl_fail(reterr, -EIO, place, "cannot read the infrared table as text");
    }
    return whole ? 0
                 : dpl_fail(reterr, -EFBIG, place, "the infrared table is longer than %u bytes",
                            TABLE_FILE_MAX - 1);
}

static int parse_file(struct state *state, const char *path, char *text, struct dpl_diag *reterr)
{
    int err = read_text(path, text, reterr);
    if (err < 0) {
        return err;
    }
    struct ir_error bad;
    err = ir_table_parse(text, state->rows, &state->table.n, &bad);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){path, bad.line, bad.column}, "%s",
                        bad.what);
    }
    state->table.rows = state->rows;
    return 0;
}

static int load_table(struct state *state, const char *path, struct dpl_diag *reterr)
{
    if (path[0] == '\0') {
        state->table = ir_table_shipped;
        return 0;
    }
    char *text = malloc(TABLE_FILE_MAX);
    state->rows = malloc(IR_ROWS_MAX * sizeof *state->rows);
    int err = text && state->rows ? parse_file(state, path, text, reterr) : -ENOMEM;
    free(text);
    if (err < 0) {
        free(state->rows);
        state->rows = NULL;
    }
    return err;
}

/* ---- life cycle ---- */

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    state->config = (struct infrared_config){
        .compensation = (int)p->compensation,
        .clock_hz = p->clock_hz,
        .pwm_hz = p->pwm_hz,
        .inverted = p->inverted,
        .tau_s = p->filter ? p->resistance_ohm * p->capacity_uf * 1e-6 : 0.0,
        .gain = p->gain,
        .offset = p->offset,
    };
    struct dpl_random rng = dpl_random_named(dpl_component_seed(self), self->name);
    state->spread = dpl_spread_make(rng, p->vary, p->noise, p->drift_s);
    state->range_m = (double)INFINITY;
    return load_table(state, p->table, reterr);
}

static void destroy(struct dpl_component *self)
{
    struct state *state = self->state;
    free(state->rows);
    state->rows = NULL;
}

/* A bench may contain a sensor that its car does not have. */
static bool is_fitted(const struct dpl_component *self)
{
    return ((const struct properties *)self->properties)->pin[0] != '\0';
}

static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    if (!is_fitted(self)) {
        return 0;
    }
    int read_mm = 0;
    int bad_mm = infrared_self_test(&state->config, &state->table, p->tolerance, &read_mm);
    if (bad_mm > 0) {
        return dpl_fail(reterr, -EDOM, (struct dpl_place){0},
                        "self-test: %d mm reads back as %d mm, beyond Tolerance; Gain, Offset, "
                        "Compensation and Table do not match",
                        bad_mm, read_mm);
    }
    enum dpl_pin_mode mode = p->output == OUTPUT_PWM ? DPL_PIN_PWM_OUT : DPL_PIN_ANALOG_OUT;
    return dpl_pins_take_or(self, PORT_PINS, p->pin, mode, &state->pin,
                            p->output == OUTPUT_PWM ? "Output=level" : "Output=pwm", reterr);
}

static int stop(struct dpl_component *self)
{
    const struct state *state = self->state;
    if (is_fitted(self)) {
        dpl_pins_call_set_mode(self, PORT_PINS, state->pin, DPL_PIN_INPUT);
    }
    return 0;
}

/* ---- cycle ---- */

static int measured_mm(const struct properties *p, double range_m)
{
    double mm = round((range_m * p->range_gain + p->range_offset_m) * 1000.0);
    return mm >= 1.0 && mm <= IR_MM_MAX ? (int)mm : 0;
}

static int drive_pin(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    double pwm = infrared_pwm(&state->config, (int)state->duty);
    double spread = dpl_spread_at(&state->spread, dpl_ns_to_s(tick->now));
    if (p->output == OUTPUT_PWM) {
        pwm = fmin(fmax(pwm + spread, 0.0), 1.0);
        return dpl_pins_call_write_pwm(self, PORT_PINS, state->pin, pwm, p->pwm_hz);
    }
    /* The output of the filter at the end of the cycle that begins now. */
    double dt_s = state->settled && tick->period > 0 ? dpl_ns_to_s(tick->period) : (double)INFINITY;
    state->level = infrared_settle(&state->config, state->level, pwm, dt_s);
    state->settled = true;
    double level = fmin(fmax(state->level + spread, 0.0), 1.0);
    return dpl_pins_call_write_analog(self, PORT_PINS, state->pin, level);
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *p = self->properties;
    struct state *state = self->state;
    if (!is_fitted(self)) {
        return 0;
    }
    race_read_range(self, PORT_RANGES, p->sensor, &state->range_m);
    int mm = measured_mm(self->properties, state->range_m);
    state->duty = mm > 0 ? infrared_duty(&state->config, &state->table, mm) : 0;
    state->n_refused += drive_pin(self, tick) < 0;
    return 0;
}

/* ---- tables ------------------------------------------------------------------------------- */

static const struct dpl_port_desc ports[] = {
    [PORT_RANGES] =
        {
            .name = "ranges",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__ranges__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "what the car's sensors would measure if they were perfect",
        },
    [PORT_PINS] = DPL_PINS_REQUIRED_PORT,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, pin, "Pin", NULL,
             "its signal pin, by name or number; empty: the sensor is not fitted"),
    DPL_INT(struct properties, sensor, "Sensor", NULL, 0, 63, "index of its range in `ranges`"),
    DPL_FILE(struct properties, table, "Table", "",
             "a file of rows \"mm duty\" (duty in 0.1 %); none: profiles/tables/gp2y0a21.txt"),
    DPL_INT(struct properties, compensation, "Compensation", "9000", 0, 1000000,
            "0.1 % mm: divided by the distance and added to the table's duty"),
    DPL_NUMBER(struct properties, clock_hz, "Clock", "Hz", "40000000", 1e3, 1e9,
               "of the timer that makes the PWM"),
    DPL_NUMBER(struct properties, pwm_hz, "Frequency", "Hz", "10000", 1, 1e6, "of the PWM"),
    DPL_BOOL(struct properties, inverted, "Inverted", "true",
             "the pin is low, not high, for the share of the duty cycle"),
    DPL_CHOICE(struct properties, output, "Output", "level", "level|pwm",
               "the level behind the emulated filter, or the PWM for one in hardware"),
    DPL_BOOL(struct properties, filter, "Filter", "true",
             "simulate the low-pass's time constant; false: it settles at once"),
    DPL_NUMBER(struct properties, resistance_ohm, "Resistance", NULL, "10000", 0, 1e8,
               "of the low-pass, ohm"),
    DPL_NUMBER(struct properties, capacity_uf, "Capacity", NULL, "1", 0, 1e6,
               "of the low-pass, microfarad"),
    DPL_NUMBER(struct properties, gain, "Gain", NULL, "1.118", 0.01, 100,
               "PWM swing over the ADC's reference"),
    DPL_NUMBER(struct properties, offset, "Offset", NULL, "0", -1, 1,
               "added to the level, a part of the reference"),
    DPL_NUMBER(struct properties, tolerance, "Tolerance", NULL, "0.13", 0, 10,
               "of the self-test, a part of the distance"),
    DPL_NUMBER(struct properties, range_gain, "RangeGain", NULL, "1", 0.1, 10,
               "calibration: times the range"),
    DPL_NUMBER(struct properties, range_offset_m, "RangeOffset", "m", "0", -10, 10,
               "calibration: and added to it"),
    DPL_NUMBER(struct properties, noise, "Noise", NULL, "0.001", 0, 1,
               "deviation, of the reference, with Vary"),
    DPL_NUMBER(struct properties, drift_s, "Drift", NULL, "0.00005", 0, 1,
               "at most, of the reference a second, with Vary"),
    DPL_BOOL(struct properties, vary, "Vary", "false", "turns noise and drift on"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the board refused"),
    DPL_EXPORT_INT(struct state, duty, "duty", NULL, DPL_FIELD_TRACE,
                   "of the newest range, 0.1 %; 0: nothing in range"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "InfraredSensor",
    .summary = "emulates an infrared distance sensor on a pin",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
