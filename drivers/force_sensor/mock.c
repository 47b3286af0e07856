/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of force sensors: the simulated one, with a plan of faults. */
#include <math.h>
#include <string.h>

#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "imperfections.h"
#include "simulated.h"

struct properties {
    struct simulated_properties simulated;
    char faults[2048];
};

struct state {
    struct simulated simulated;
    struct fault_plan plan;
    struct dpl_force_sample sample;
    int64_t n_faulty; /* cycles with an active fault */
};

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    struct force_error bad;
    /* check_faults has checked the text */
    int err = fault_plan_parse(p->faults, &state->plan, &bad);
    return err < 0 ? err : simulated_open(device, &p->simulated, &state->simulated, reterr);
}

static void mock_close(struct dpl_device *device)
{
    struct state *state = device->state;
    simulated_close(&state->simulated);
}

static void distort(const struct fault_effect *effect, const double before[DPL_SIX],
                    struct dpl_force_sample *sample)
{
    for (int i = 0; i < DPL_SIX; i++) {
        double value = effect->stuck ? before[i] : sample->wrench[i];
        value = effect->added[i] != 0.0 ? value + effect->added[i] : value;
        sample->wrench[i] = effect->nan ? (double)NAN : value;
    }
}

static bool acts(const struct fault_effect *effect)
{
    bool any = effect->stuck || effect->dropout || effect->nan || effect->lost;
    for (int i = 0; i < DPL_SIX; i++) {
        any = any || effect->added[i] != 0.0;
    }
    return any;
}

/* The simulated force continues during a fault; only the readings change. */
static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    struct fault_effect effect = fault_plan_at(&state->plan, dpl_ns_to_s(tick->now));
    simulated_measure(&state->simulated, tick->now);
    state->n_faulty += acts(&effect);
    if (effect.lost) {
        dpl_device_lost(device, "planned fault of the mock sensor");
        return -ENODEV;
    }
    if (dpl_device_is_lost(device)) {
        dpl_device_found(device);
    }
    if (effect.dropout) {
        return 0;
    }
    double before[DPL_SIX];
    memcpy(before, state->sample.wrench, sizeof before);
    uint64_t sequence = state->sample.sequence + 1;
    state->sample = state->simulated.sample;
    state->sample.sequence = sequence;
    distort(&effect, before, &state->sample);
    return 0;
}

static void mock_poll(struct dpl_device *device, const struct dpl_tick *tick)
{
    (void)mock_execute(device, tick, NULL);
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_force_sample *ret = out;
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *ret = state->sample;
    return 0;
}

static int mock_tare(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    int err = simulated_tare(&state->simulated);
    if (err == 0) {
        memset(state->sample.wrench, 0, sizeof state->sample.wrench);
    }
    return err;
}

static const dpl_device_call_fn api[DPL_DRV_FORCE_SENSOR_N_CALLS] = {
    [DPL_DRV_FORCE_SENSOR_EXECUTE] = mock_execute,
    [DPL_DRV_FORCE_SENSOR_READ] = mock_read,
    [DPL_DRV_FORCE_SENSOR_TARE] = mock_tare,
};

static int check_faults(const char *text, struct dpl_diag *reterr)
{
    struct fault_plan plan;
    struct force_error bad;
    return fault_plan_parse(text, &plan, &bad) == 0
               ? 0
               : dpl_check_fail(text, text + bad.offset, bad.what, reterr);
}

static const struct dpl_field properties[] = {
    SIMULATED_PROPERTIES,
    DPL_TEXT_CHECKED(
        struct properties, faults, "Faults", "", check_faults,
        "rows \"t stuck|dropout|nan duration\", \"t spike duration VALUE [AXIS]\" (s, N or N "
        "m) and \"t lost [duration]\" (for good unless said), separated by ';'"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_faulty, "faulty_cycles", NULL, DPL_FIELD_SUMMARY,
                   "cycles with an active fault of the plan"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a simulated force sensor with adjustable faults",
    .device_class = &dpl_force_sensor_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
    .poll = mock_poll,
    .check = simulated_check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
