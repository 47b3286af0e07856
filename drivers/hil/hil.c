/* SPDX-License-Identifier: Apache-2.0 */
/* Forwards calls to the sides. */
#include "hil.h"

const struct dpl_driver_side dpl_hil_sides[DPL_HIL_N_SIDES] = {
    [DPL_HIL_HARDWARE] = {.name = "hardware", .driver_property = "HardwareDriver"},
    [DPL_HIL_SIMULATION] = {.name = "simulation", .driver_property = "SimulationDriver"},
};

int dpl_hil_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    (void)reterr;
    const struct dpl_hil_properties *properties = device->properties;
    bool stops = properties->on_simulation_lost == DPL_HIL_STOP;
    dpl_device_set_side_vital(device, DPL_HIL_HARDWARE, true);
    dpl_device_set_side_vital(device, DPL_HIL_SIMULATION, stops);
    return 0;
}

int dpl_hil_hardware(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    return dpl_device_call(dpl_device_side(device, DPL_HIL_HARDWARE), number, in, out);
}

void dpl_hil_simulate(struct dpl_device *device, unsigned number, const void *in)
{
    struct dpl_hil_state *state = device->state;
    int answer = dpl_device_call(dpl_device_side(device, DPL_HIL_SIMULATION), number, in, NULL);
    state->simulation_errors += dpl_call_refused(answer);
}

static bool reaches_simulation(const struct dpl_call *call, int hardware)
{
    switch (call->kind) {
    case DPL_CALL_COMMAND: return !dpl_call_refused(hardware);
    case DPL_CALL_READING: return false;
    default: return true;
    }
}

int dpl_hil_call(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    const struct dpl_call *call = &device->driver->device_class->calls[number];
    int hardware = dpl_hil_hardware(device, number, in, out);
    if (reaches_simulation(call, hardware)) {
        dpl_hil_simulate(device, number, in);
    }
    return hardware;
}
