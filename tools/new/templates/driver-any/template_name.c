/* The driver of template_name, of class template_class.
 * It is a device in memory so far: commands are kept, readings answer what the state holds. A
 * device on a wire opens it in template_name_open (dpl_device_open_stream,
 * <doppel/stream.h>), is DPL_BACKEND_HARDWARE, and calls dpl_device_lost and dpl_device_found.
 * One thread at a time makes the calls; none of them allocates or blocks. Pointers in an argument
 * are good during the call only. */
#include <doppel/drv/template_class.h>
#include <doppel/plugin.h>

struct properties {
    char address[256];
};

struct state {
    dpl_ns now;
    int64_t n_commands, n_readings;
    /* template_state */
};

static int template_name_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    return 0;
}

/* Stops what moves. */
static void template_name_close(struct dpl_device *device)
{
}

/* ---- calls ---- */

/* template_functions */

static const dpl_device_call_fn api[DPL_DRV_TEMPLATE_CLASS_N_CALLS] = {
    /* template_api */
};

/* ---- tables ---- */

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, address, "Address", "", "where the device is"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_commands, "commands", NULL, DPL_FIELD_SUMMARY,
                   "commands, stops and settings that the device has taken"),
};

static const struct dpl_driver driver = {
    .name = "template_name",
    .summary = "template_name, in memory",
    .device_class = &dpl_template_class_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = template_name_open,
    .close = template_name_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
