/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of laser scanners: both sides scan, the hardware's scans are returned. The
 * simulation's failures are counted and never reach the hardware. */
#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

enum side {
    HARDWARE,
    SIMULATION,
};

enum on_simulation_lost {
    CONTINUE,
    STOP,
};

struct properties {
    char hardware_driver[64];
    char simulation_driver[64];
    int on_simulation_lost;
};

struct state {
    int64_t simulation_errors;
};

static int merge(struct dpl_device *device, int hardware, int simulation)
{
    struct state *state = device->state;
    state->simulation_errors += simulation < 0;
    return hardware;
}

static int hil_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct properties *props = device->properties;
    dpl_device_side_is_vital(device, HARDWARE, true);
    dpl_device_side_is_vital(device, SIMULATION, props->on_simulation_lost == STOP);
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
    return merge(device, dpl_laser_disable(dpl_device_side(device, HARDWARE)),
                 dpl_laser_disable(dpl_device_side(device, SIMULATION)));
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
    DPL_TEXT(struct properties, hardware_driver, "HardwareDriver", "scip",
             "driver of the real side"),
    DPL_TEXT(struct properties, simulation_driver, "SimulationDriver", "avatar",
             "driver of the avatar's side"),
    DPL_CHOICE(struct properties, on_simulation_lost, "OnSimulationLost", "continue",
               "continue|stop", "whether losing the avatar stops the real robot"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_WHOLE(struct state, simulation_errors, "simulation_errors", NULL, DPL_FIELD_SUMMARY,
                     "calls that the simulation side refused"),
};

static const struct dpl_driver_side sides[] = {
    [HARDWARE] = {.name = "hardware", .driver_property = "HardwareDriver"},
    [SIMULATION] = {.name = "simulation", .driver_property = "SimulationDriver"},
};

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
