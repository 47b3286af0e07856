/* TemplateNameProbe: calls a device of class template_class as the class's table says: in each
 * cycle what is due once a cycle, then all readings. For tests of the driver. */
#include <doppel/drv/template_class.h>
#include <doppel/plugin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct state {
    void *in, *out; /* room for the largest argument and result */
    int64_t n_cycles, n_readings, n_refused;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct dpl_device_class *table = &dpl_template_class_class;
    struct state *state = self->state;
    size_t in_size = sizeof(void *), out_size = sizeof(void *);
    for (size_t i = 0; i < table->n_calls; i++) {
        in_size = in_size < table->calls[i].in_size ? table->calls[i].in_size : in_size;
        out_size = out_size < table->calls[i].out_size ? table->calls[i].out_size : out_size;
    }
    state->in = calloc(1, in_size);
    state->out = calloc(1, out_size);
    if (!state->in || !state->out) {
        free(state->in);
        free(state->out);
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    return 0;
}

/* The argument that is nearest to 0 of those that the table allows. */
static void fill(const struct dpl_call *call, void *in)
{
    memset(in, 0, call->in_size);
    for (size_t i = 0; i < call->n_in; i++) {
        const struct dpl_field *row = &call->in[i];
        bool has_range = row->min < 0.0 || row->min > 0.0 || row->max < 0.0 || row->max > 0.0;
        double value = has_range ? fmin(fmax(0.0, row->min), row->max) : 0.0;
        char *member = (char *)in + row->offset;
        if (row->type == DPL_FIELD_INT) {
            memcpy(member, &(int64_t){(int64_t)value}, sizeof(int64_t));
        }
        size_t n = row->type == DPL_FIELD_DOUBLE ? row->size / sizeof value : 0;
        for (size_t k = 0; k < n; k++) {
            memcpy(member + k * sizeof value, &value, sizeof value);
        }
    }
}

/* -EAGAIN: nothing is known yet. */
static void read_all(struct dpl_component *self)
{
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    for (unsigned i = 0; i < dpl_template_class_class.n_calls; i++) {
        const struct dpl_call *call = &dpl_template_class_class.calls[i];
        if (call->kind != DPL_CALL_READING || (call->optional && !device->driver->api[i])) {
            continue;
        }
        fill(call, state->in);
        int answer = dpl_device_call(device, i, call->in_size > 0 ? state->in : NULL, state->out);
        state->n_readings++;
        state->n_refused += answer < 0 && answer != -EAGAIN;
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct state *state = self->state;
    struct dpl_device *device = dpl_component_device(self);
    for (unsigned i = 0; i < dpl_template_class_class.n_calls; i++) {
        const struct dpl_call *call = &dpl_template_class_class.calls[i];
        if (call->kind == DPL_CALL_CYCLE && call->in_size > 0) {
            state->n_refused += dpl_device_call(device, i, tick, NULL) < 0;
        }
    }
    read_all(self);
    state->n_cycles++;
    return 0;
}

static void destroy(struct dpl_component *self)
{
    struct state *state = self->state;
    free(state->in);
    free(state->out);
    state->in = state->out = NULL;
}

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_cycles, "cycles", NULL, DPL_FIELD_SUMMARY, "cycles so far"),
    DPL_EXPORT_INT(struct state, n_readings, "readings", NULL, DPL_FIELD_SUMMARY,
                   "readings so far"),
    DPL_EXPORT_INT(struct state, n_refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the device refused"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .execute = execute,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "TemplateNameProbe",
    .summary = "calls a device of class template_class as the table of the class says",
    .ops = &ops,
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = "template_class",
    .n_device_calls = DPL_DRV_TEMPLATE_CLASS_N_CALLS,
    .default_period = 20 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
