/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of operator inputs: an operator who follows a table. */
#include <math.h>

#include <doppel/drv/operator_input.h>
#include <doppel/math/number_rows.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

enum { ROWS_MAX = 256 };

struct properties {
    char script[8192];
};

struct row {
    double t_s, forward, turn;
    bool held;
};

struct table {
    struct row rows[ROWS_MAX];
    size_t n;
};

struct state {
    struct table table;
    struct dpl_operator_sample sample;
};

static int parse(const char *text, struct table *table, struct dpl_diag *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    double value[3];
    int n;
    table->n = 0;
    while ((n = dpl_rows_next(&rows, 1, 3, value)) > 0) {
        bool held = n == 3;
        if (n == 2) {
            return dpl_check_fail(text, rows.row, "expected \"t forward turn\" or \"t\"", reterr);
        }
        if (value[0] < 0.0 || (table->n > 0 && value[0] <= table->rows[table->n - 1].t_s)) {
            return dpl_check_fail(text, rows.row, "times must not be negative and must increase",
                                  reterr);
        }
        if (held && (fabs(value[1]) > 1.0 || fabs(value[2]) > 1.0)) {
            return dpl_check_fail(text, rows.row, "forward and turn must be within -1 and 1",
                                  reterr);
        }
        if (table->n == ROWS_MAX) {
            return dpl_check_fail(text, rows.row, "too many rows (at most 256)", reterr);
        }
        table->rows[table->n++] =
            (struct row){value[0], held ? value[1] : 0.0, held ? value[2] : 0.0, held};
    }
    return n < 0
               ? dpl_check_fail(text, rows.at, "expected rows \"t forward turn\" or \"t\"", reterr)
               : 0;
}

static int check_script(const char *text, struct dpl_diag *reterr)
{
    struct table table;
    return parse(text, &table, reterr);
}

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    state->sample.share = 1.0;
    return parse(p->script, &state->table, reterr);
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    struct row now = {0};
    for (size_t i = 0; i < state->table.n && state->table.rows[i].t_s <= dpl_ns_to_s(tick->now);
         i++) {
        now = state->table.rows[i];
    }
    state->sample = (struct dpl_operator_sample){
        .held = now.held,
        .forward = now.forward,
        .turn = now.turn,
        .share = 1.0,
        .stamp = dpl_ns_from_s(now.t_s),
    };
    return 0;
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    (void)in;
    const struct state *state = device->state;
    *(struct dpl_operator_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_OPERATOR_INPUT_N_CALLS] = {
    [DPL_DRV_OPERATOR_INPUT_EXECUTE] = mock_execute,
    [DPL_DRV_OPERATOR_INPUT_READ] = mock_read,
};

static const struct dpl_field properties[] = {
    DPL_TEXT_CHECKED(struct properties, script, "Script", "", check_script,
                     "rows separated by ';': \"t forward turn\" (s, shares from -1 to 1) holds the "
                     "dead-man's switch, \"t\" lets it go"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a simulated operator who follows the table of a property",
    .device_class = &dpl_operator_input_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
