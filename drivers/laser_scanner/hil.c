/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of laser scanners: both sides scan, the hardware's scans are returned. The
 * simulation's failures are counted and never reach the hardware. */
#include <doppel/drv/hil.h>
#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

enum side {
    HARDWARE = DPL_HIL_HARDWARE,
    SIMULATION = DPL_HIL_SIMULATION,
};

struct properties {
    struct dpl_hil_properties sides;
};

struct state {
    int64_t simulation_errors;
};

static int merge(struct dpl_device *device, int hardware, int simulation)
{
    struct state *state = device->state;
    return dpl_hil_merge(&state->simulation_errors, hardware, simulation);
}

static int hil_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *props = device->properties;
    dpl_hil_begin(device, &props->sides);
    return 0;
}

static void hil_close(struct dpl_device *device)
{
    (void)device; /* the sides let go in their own close */
}

static int hil_enable(struct dpl_device *device)
{
    int hardware = dpl_laser_enable(dpl_device_side(device, HARDWARE));
    if (hardware < 0) {
        return hardware;
    }
    return merge(device, hardware, dpl_laser_enable(dpl_device_side(device, SIMULATION)));
}

static int hil_disable(struct dpl_device *device)
{
    int hardware = dpl_laser_disable(dpl_device_side(device, HARDWARE));
    return merge(device, hardware, dpl_laser_disable(dpl_device_side(device, SIMULATION)));
}

static int hil_execute(struct dpl_device *device, const struct dpl_tick *tick)
{
    int hardware = dpl_laser_execute(dpl_device_side(device, HARDWARE), tick);
    return merge(device, hardware, dpl_laser_execute(dpl_device_side(device, SIMULATION), tick));
}

static int hil_read(struct dpl_device *device, uint64_t after,
                    const struct dpl_laser_scan **ret_scan)
{
    return dpl_laser_read(dpl_device_side(device, HARDWARE), after, ret_scan);
}

static const struct dpl_laser_scanner_api api = {
    .enable = hil_enable,
    .disable = hil_disable,
    .execute = hil_execute,
    .read = hil_read,
};

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "scip", "robot"),
};

static const struct dpl_field exports[] = {
    DPL_HIL_EXPORT_ERRORS(struct state, simulation_errors),
};

static const struct dpl_driver_side sides[] = {DPL_HIL_SIDES};

static const struct dpl_driver driver = {
    .name = "hil",
    .summary = "hardware and simulator at once: both scan, readings come from the hardware",
    .device_class = DPL_LASER_SCANNER_CLASS,
    .backend = DPL_BACKEND_HIL,
    .api = &api,
    .api_size = sizeof api,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .sides = sides,
    .n_sides = DPL_COUNT(sides),
    .open = hil_open,
    .close = hil_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
