/* SPDX-License-Identifier: Apache-2.0 */
/* What is special to the HIL driver of wheel bases: who owns the avatar's velocity. While somebody
 * (the Synchronizer) drives the simulation side on its own, that side no longer follows what the
 * application drives, moves or rotates. */
#include <doppel/drv/wheel_controller.h>
#include <doppel/plugin.h>

#include "hil/hil.h"

struct properties {
    struct dpl_hil_properties sides;
    double ownership_timeout_ms;
};

struct state {
    struct dpl_hil_state sides;
    struct dpl_twist2 command; /* the application's last drive command */
    bool owned;                /* somebody else drives the simulation */
    bool driven;               /* the last command was a drive, not a move, rotate or stop */
    dpl_ns owned_at;
};

static void forget_command(struct state *state)
{
    state->command = (struct dpl_twist2){0};
    state->driven = false;
}

/* Drive, move or rotate. */
static int begin_motion(struct dpl_device *device, unsigned number, const void *in)
{
    struct state *state = device->state;
    int hardware = dpl_hil_hardware(device, number, in, NULL);
    if (hardware < 0) {
        return hardware;
    }
    state->driven = number == DPL_DRV_WHEEL_CONTROLLER_DRIVE;
    if (state->driven) {
        state->command = *(const struct dpl_twist2 *)in;
    }
    if (!state->owned) {
        dpl_hil_simulate(device, number, in);
    }
    return hardware;
}

/* Gives the simulation back to the application once nobody drives it on its own any more. */
static void release_simulation(struct dpl_device *device, const struct dpl_tick *tick)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    dpl_ns timeout = dpl_ns_from_s(props->ownership_timeout_ms * 1e-3);
    if (!state->owned || tick->now - state->owned_at <= timeout) {
        return;
    }
    state->owned = false;
    dpl_hil_simulate(device,
                     state->driven ? DPL_DRV_WHEEL_CONTROLLER_DRIVE : DPL_DRV_WHEEL_CONTROLLER_STOP,
                     &state->command);
}

static int drive_side(struct dpl_device *device, const struct dpl_wheel_drive_side *asked)
{
    struct state *state = device->state;
    if (asked->side == DPL_HIL_SIMULATION) {
        state->owned = true;
        state->owned_at = dpl_device_now(device);
    }
    return dpl_device_call(dpl_device_side(device, (size_t)asked->side),
                           DPL_DRV_WHEEL_CONTROLLER_DRIVE, &asked->twist, NULL);
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    struct state *state = device->state;
    switch (number) {
    case DPL_DRV_WHEEL_CONTROLLER_DRIVE:
    case DPL_DRV_WHEEL_CONTROLLER_MOVE:
    case DPL_DRV_WHEEL_CONTROLLER_ROTATE: return begin_motion(device, number, in);
    case DPL_DRV_WHEEL_CONTROLLER_DRIVE_SIDE: return drive_side(device, in);
    case DPL_DRV_WHEEL_CONTROLLER_STOP:
    case DPL_DRV_WHEEL_CONTROLLER_HALT: forget_command(state); break;
    case DPL_DRV_WHEEL_CONTROLLER_DISABLE: state->driven = false; break;
    case DPL_DRV_WHEEL_CONTROLLER_EXECUTE: release_simulation(device, in); break;
    default: break;
    }
    return dpl_hil_call(device, number, in, out);
}

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "kobuki", "avatar", "robot"),
    DPL_NUMBER(struct properties, ownership_timeout_ms, "OwnershipTimeout", "ms", "500", 10, 60000,
               "the avatar follows the application again when nobody has driven it for this long"),
};

static const struct dpl_field exports[] = {
    DPL_HIL_EXPORT_ERRORS(struct state, sides),
};

static const struct dpl_driver driver = {
    DPL_HIL_DRIVER,
    .summary =
        "hardware and simulator at once: commands go to both, readings come from the hardware",
    .device_class = &dpl_wheel_controller_class,
    .answer = answer,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = dpl_hil_open,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
