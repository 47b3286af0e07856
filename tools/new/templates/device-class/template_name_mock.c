/* The mock driver of class template_name: its level follows the command at a limited rate. For all
 * clocks. */
#include <doppel/plugin.h>
#include <math.h>

#include "template_name.h"

struct properties {
    double rate_1_s;
};

struct state {
    double command;
    dpl_ns before; /* the cycle before */
    struct template_name_sample sample;
};

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    return 0;
}

static void mock_close(struct dpl_device *device)
{
}

static int mock_set(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->command = ((const struct template_name_command *)in)->level;
    return 0;
}

static int mock_stop(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    state->command = 0.0;
    return 0;
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct properties *props = device->properties;
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    struct template_name_sample *sample = &state->sample;
    double step = sample->valid ? props->rate_1_s * dpl_ns_to_s(tick->now - state->before) : 0.0;
    sample->level += fmin(fmax(state->command - sample->level, -step), step);
    sample->stamp = state->before = tick->now;
    sample->valid = true;
    return 0;
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    *(struct template_name_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[TEMPLATE_NAME_N_CALLS] = {
    [TEMPLATE_NAME_SET] = mock_set,
    [TEMPLATE_NAME_STOP] = mock_stop,
    [TEMPLATE_NAME_EXECUTE] = mock_execute,
    [TEMPLATE_NAME_READ] = mock_read,
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, rate_1_s, "Rate", "1/s", "0.5", 0.001, 1000,
               "change of the level, at most"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a level that follows its command",
    .device_class = &template_name_class,
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
