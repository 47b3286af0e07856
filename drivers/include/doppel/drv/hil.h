/* SPDX-License-Identifier: Apache-2.0 */
/* What the HIL drivers of all device classes share: two sides, which of them is vital, whose
 * answer counts. The simulation's failures are counted and never reach the hardware. */
#ifndef DOPPEL_DRV_HIL_H
#define DOPPEL_DRV_HIL_H

#include <stdint.h>

#include <doppel/device.h>
#include <doppel/field.h>

enum dpl_hil_side {
    DPL_HIL_HARDWARE,
    DPL_HIL_SIMULATION,
};

enum dpl_hil_lost {
    DPL_HIL_CONTINUE,
    DPL_HIL_STOP,
};

struct dpl_hil_properties {
    char hardware_driver[64];
    char simulation_driver[64];
    int on_simulation_lost; /* enum dpl_hil_lost */
};

/* Rows for a driver's property table; `base` is the struct dpl_hil_properties in `struct_`,
 * `hardware_` the driver of the real side by default, `real_` what that side is. */
#define DPL_HIL_FIELDS(struct_, base, hardware_, real_)                                            \
    DPL_TEXT(struct_, base.hardware_driver, "HardwareDriver", hardware_,                           \
             "driver of the real side"),                                                           \
        DPL_TEXT(struct_, base.simulation_driver, "SimulationDriver", "avatar",                    \
                 "driver of the avatar's side"),                                                   \
        DPL_CHOICE(struct_, base.on_simulation_lost, "OnSimulationLost", "continue",               \
                   "continue|stop", "whether losing the avatar stops the real " real_)

/* A row for its export table: an int64_t that dpl_hil_merge counts in. */
#define DPL_HIL_EXPORT_ERRORS(struct_, member)                                                     \
    DPL_EXPORT_WHOLE(struct_, member, "simulation_errors", NULL, DPL_FIELD_SUMMARY,                \
                     "calls that the simulation side refused")

/* The elements of its table of sides. */
#define DPL_HIL_SIDES                                                                              \
    [DPL_HIL_HARDWARE] = {.name = "hardware", .driver_property = "HardwareDriver"},                \
    [DPL_HIL_SIMULATION] = {.name = "simulation", .driver_property = "SimulationDriver"}

static inline void dpl_hil_begin(struct dpl_device *device,
                                 const struct dpl_hil_properties *properties)
{
    bool stops = properties->on_simulation_lost == DPL_HIL_STOP;
    dpl_device_side_is_vital(device, DPL_HIL_HARDWARE, true);
    dpl_device_side_is_vital(device, DPL_HIL_SIMULATION, stops);
}

/* What the simulation answers is counted; what the hardware answers is the result. The hardware is
 * called first: make that call before, not in the arguments, whose order C leaves open. */
static inline int dpl_hil_merge(int64_t *inout_errors, int hardware, int simulation)
{
    *inout_errors += simulation < 0;
    return hardware;
}

#endif
