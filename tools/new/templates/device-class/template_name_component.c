/* TemplateName: the device component of class template_name. Commands a level and exports what is
 * measured. The property ApiName selects the driver. */
#include <doppel/plugin.h>

#include "template_name.h"

struct properties {
    double level;
};

struct state {
    double level;
    int64_t n_refused;
};

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    struct template_name_sample sample;
    int err = template_name_execute(device, tick);
    if (err == 0) {
        err = tick->halt ? template_name_stop(device) : template_name_set(device, props->level);
    }
    state->n_refused += err < 0;
    if (template_name_read(device, &sample) == 0 && sample.valid) {
        state->level = sample.level;
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    return template_name_stop(dpl_component_device(self));
}

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, level, "Level", NULL, "0", 0, 1, "that the device shall have"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_NUMBER(struct state, level, "level", NULL,
                      DPL_FIELD_TRACE | DPL_FIELD_SUMMARY | DPL_FIELD_STATUS, "measured"),
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "commands that the device refused"),
};

static const struct dpl_component_ops ops = {
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "TemplateName",
    .summary = "keeps the level of a device",
    .ops = &ops,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = TEMPLATE_NAME_CLASS,
    .n_device_calls = TEMPLATE_NAME_N_CALLS,
    .default_period = 20 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
