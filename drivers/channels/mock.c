/* SPDX-License-Identifier: Apache-2.0 */
/* Channels without a world: every name exists. What is written under a name is read under the same
 * name from the next cycle on, after first-order lag if one is given; released, it goes to 0. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/drv/channels.h>
#include <doppel/plugin.h>

struct properties {
    double lag_s;
};

struct variable {
    char name[DPL_CHANNELS_NAME_MAX];
    double written, value;
};

struct state {
    struct variable variables[DPL_CHANNELS_MAX];
    size_t n_variables;
    struct variable *found[DPL_CHANNELS_MAX];
    dpl_ns stamp;
};

static struct variable *variable_of(struct state *state, const char *name)
{
    for (size_t i = 0; i < state->n_variables; i++) {
        if (dpl_name_equal(state->variables[i].name, name)) {
            return &state->variables[i];
        }
    }
    if (state->n_variables == DPL_CHANNELS_MAX) {
        return NULL;
    }
    struct variable *variable = &state->variables[state->n_variables++];
    snprintf(variable->name, sizeof variable->name, "%s", name);
    return variable;
}

static int mock_find(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_channels_find *find = in;
    struct state *state = device->state;
    bool is_name = find->name && find->name[0] && strlen(find->name) < DPL_CHANNELS_NAME_MAX;
    state->found[find->number] = is_name ? variable_of(state, find->name) : NULL;
    return state->found[find->number] ? 0 : -ENOENT;
}

static int mock_put(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_channels_put *put = in;
    struct variable *variable = ((struct state *)device->state)->found[put->number];
    if (!variable) {
        return -EAGAIN;
    }
    variable->written = put->value;
    return 0;
}

static int mock_release(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct state *state = device->state;
    for (size_t i = 0; i < state->n_variables; i++) {
        state->variables[i].written = 0.0;
    }
    return 0;
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct properties *props = device->properties;
    const struct dpl_tick *tick = in;
    struct state *state = device->state;
    double gain = props->lag_s > 0.0 ? -expm1(-dpl_ns_to_s(tick->period) / props->lag_s) : 1.0;
    for (size_t i = 0; i < state->n_variables; i++) {
        struct variable *variable = &state->variables[i];
        variable->value += gain * (variable->written - variable->value);
    }
    state->stamp = tick->now;
    return 0;
}

static int mock_get(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_channels_get *get = in;
    const struct state *state = device->state;
    const struct variable *variable = state->found[get->number];
    if (!variable) {
        return -EAGAIN;
    }
    *(struct dpl_channels_value *)out = (struct dpl_channels_value){state->stamp, variable->value};
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_CHANNELS_N_CALLS] = {
    [DPL_DRV_CHANNELS_FIND] = mock_find,       [DPL_DRV_CHANNELS_PUT] = mock_put,
    [DPL_DRV_CHANNELS_RELEASE] = mock_release, [DPL_DRV_CHANNELS_EXECUTE] = mock_execute,
    [DPL_DRV_CHANNELS_GET] = mock_get,
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, lag_s, "Lag", "s", "0", 0, 1e6,
               "time constant from the written to the read value; 0: none"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "channels without a world: written values can be read",
    .device_class = &dpl_channels_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
