/* SPDX-License-Identifier: Apache-2.0 */
/* The special rule of the HIL driver of pins: a name has different numbers on the two sides. The
 * application uses the hardware's number; the simulation gets its own number of the pin with the
 * same name. */
#include <string.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

#include "hil/hil.h"

struct properties {
    struct dpl_hil_properties sides;
};

struct state {
    struct dpl_hil_state sides;
    /* the simulation's number of a pin; -1: it does not have this pin */
    int64_t simulated[DPL_PINS_MAX];
};

/* Storage for the arguments of any call with a pin. */
union arguments {
    struct dpl_pins_pin pin;
    struct dpl_pins_mode mode;
    struct dpl_pins_write write;
    struct dpl_pins_ratio ratio;
    struct dpl_pins_pwm pwm;
    struct dpl_pins_ping ping;
};

/* A pin whose name was not searched yet has the same number on both sides. */
static int hil_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    for (int64_t i = 0; i < DPL_PINS_MAX; i++) {
        state->simulated[i] = i;
    }
    return dpl_hil_open(device, reterr);
}

static int find(struct dpl_device *device, const void *in, struct dpl_pins_number *ret)
{
    struct state *state = device->state;
    struct dpl_pins_number simulated;
    int hardware = dpl_hil_hardware(device, DPL_DRV_PINS_FIND, in, ret);
    if (hardware < 0 || ret->pin >= DPL_PINS_MAX) {
        return hardware;
    }
    struct dpl_device *simulation = dpl_device_side(device, DPL_HIL_SIMULATION);
    bool known = dpl_device_call(simulation, DPL_DRV_PINS_FIND, in, &simulated) == 0;
    state->simulated[ret->pin] = known ? (int64_t)simulated.pin : -1;
    state->sides.simulation_errors += !known;
    return hardware;
}

static void simulate(struct dpl_device *device, unsigned number, const void *in)
{
    const struct state *state = device->state;
    const struct dpl_call *call = &dpl_pins_class.calls[number];
    union arguments arguments;
    memcpy(&arguments, in, call->in_size);
    arguments.pin.pin = state->simulated[arguments.pin.pin];
    if (arguments.pin.pin >= 0) {
        dpl_hil_simulate(device, number, &arguments);
    }
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    switch (number) {
    case DPL_DRV_PINS_FIND: return find(device, in, out);
    case DPL_DRV_PINS_SET_MODE:
    case DPL_DRV_PINS_WRITE:
    case DPL_DRV_PINS_WRITE_ANALOG:
    case DPL_DRV_PINS_WRITE_PWM:
    case DPL_DRV_PINS_PING: break;
    default: return dpl_hil_call(device, number, in, out);
    }
    int hardware = dpl_hil_hardware(device, number, in, out);
    if (!dpl_call_refused(hardware)) {
        simulate(device, number, in);
    }
    return hardware;
}

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "firmata", "sim", "board"),
};

static const struct dpl_field exports[] = {
    DPL_HIL_EXPORT_ERRORS(struct state, sides),
};

static const struct dpl_driver driver = {
    DPL_HIL_DRIVER,
    .summary = "two boards at once: commands go to both, readings come from the hardware",
    .device_class = &dpl_pins_class,
    .answer = answer,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = hil_open,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
