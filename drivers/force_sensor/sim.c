/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of force sensors: measures a scripted force once a cycle, on any clock. */
#include <doppel/plugin.h>

#include "simulated.h"

struct state {
    struct simulated simulated;
};

static int sim_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    return simulated_open(device, device->properties, &state->simulated, reterr);
}

static void sim_close(struct dpl_device *device)
{
    struct state *state = device->state;
    simulated_close(&state->simulated);
}

static int sim_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    simulated_measure(&state->simulated, tick->now);
    return 0;
}

static int sim_read(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_force_sample *ret = out;
    const struct state *state = device->state;
    *ret = state->simulated.sample;
    return 0;
}

static int sim_tare(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    return simulated_tare(&state->simulated);
}

static const dpl_device_call_fn api[DPL_DRV_FORCE_SENSOR_N_CALLS] = {
    [DPL_DRV_FORCE_SENSOR_EXECUTE] = sim_execute,
    [DPL_DRV_FORCE_SENSOR_READ] = sim_read,
    [DPL_DRV_FORCE_SENSOR_TARE] = sim_tare,
};

static const struct dpl_field properties[] = {SIMULATED_PROPERTIES};

static const struct dpl_driver driver = {
    .name = "sim",
    .summary =
        "a simulated six-axis force sensor: a scripted force with adjustable measurement errors",
    .device_class = &dpl_force_sensor_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct simulated_properties),
    .state_size = sizeof(struct state),
    .open = sim_open,
    .close = sim_close,
    .check = simulated_check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
