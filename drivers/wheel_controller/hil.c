/* SPDX-License-Identifier: Apache-2.0 */
/* What is special to the HIL driver of wheel bases: the simulation side has an owner. It is the
 * application, or who has taken it (the Synchronizer): then that side does not follow what the
 * application drives, moves or rotates. An owner that hangs must not leave the avatar driving: it
 * loses the side when it is silent for OwnershipTimeout. */
#include <errno.h>

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
    bool driven;               /* the last command was a drive, not a move, rotate or stop */
    bool taken;                /* the simulation, by `owner` */
    int64_t owner;
    dpl_ns kept_at; /* the owner's last word that it is there */
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
    if (!state->taken) {
        dpl_hil_simulate(device, number, in);
    }
    return hardware;
}

static bool is_lost(struct dpl_device *device)
{
    return dpl_device_is_lost(dpl_device_side(device, DPL_HIL_SIMULATION));
}

static bool is_owner(const struct state *state, const struct dpl_wheel_owner *who)
{
    return state->taken && state->owner == who->number;
}

/* Who has it already may take it again. */
static int take_simulation(struct dpl_device *device, const struct dpl_wheel_owner *who)
{
    struct state *state = device->state;
    if (is_lost(device)) {
        return -ENODEV;
    }
    if (state->taken && !is_owner(state, who)) {
        return -EBUSY;
    }
    state->taken = true;
    state->owner = who->number;
    state->kept_at = dpl_device_now(device);
    return 0;
}

static int keep_simulation(struct dpl_device *device, const struct dpl_wheel_owner *who)
{
    struct state *state = device->state;
    if (!is_owner(state, who)) {
        return -EPERM;
    }
    state->kept_at = dpl_device_now(device);
    return 0;
}

/* The simulation follows the application again: a drive that is in force, else it stands. */
static void give_back(struct dpl_device *device)
{
    struct state *state = device->state;
    state->taken = false;
    dpl_hil_simulate(device,
                     state->driven ? DPL_DRV_WHEEL_CONTROLLER_DRIVE : DPL_DRV_WHEEL_CONTROLLER_STOP,
                     &state->command);
}

static int release_simulation(struct dpl_device *device, const struct dpl_wheel_owner *who)
{
    if (!is_owner(device->state, who)) {
        return -EPERM;
    }
    give_back(device);
    return 0;
}

/* An owner that is silent loses the avatar, also while the application halts: but then nobody may
 * command, and there is nothing to report. */
static void watch_owner(struct dpl_device *device, const struct dpl_tick *tick)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    if (state->taken && is_lost(device)) {
        state->taken = false;
    }
    if (!state->taken ||
        tick->now - state->kept_at <= dpl_ns_from_s(props->ownership_timeout_ms * 1e-3)) {
        return;
    }
    if (!tick->halt) {
        dpl_device_log(
            device, DPL_LOG_WARN,
            "no command from the avatar's owner for %.0f ms: the avatar follows the application",
            props->ownership_timeout_ms);
    }
    give_back(device);
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    struct state *state = device->state;
    switch (number) {
    case DPL_DRV_WHEEL_CONTROLLER_DRIVE:
    case DPL_DRV_WHEEL_CONTROLLER_MOVE:
    case DPL_DRV_WHEEL_CONTROLLER_ROTATE: return begin_motion(device, number, in);
    case DPL_DRV_WHEEL_CONTROLLER_TAKE_SIMULATION: return take_simulation(device, in);
    case DPL_DRV_WHEEL_CONTROLLER_KEEP_SIMULATION: return keep_simulation(device, in);
    case DPL_DRV_WHEEL_CONTROLLER_RELEASE_SIMULATION: return release_simulation(device, in);
    case DPL_DRV_WHEEL_CONTROLLER_STOP:
    case DPL_DRV_WHEEL_CONTROLLER_HALT: forget_command(state); break;
    case DPL_DRV_WHEEL_CONTROLLER_DISABLE: state->driven = false; break;
    case DPL_DRV_WHEEL_CONTROLLER_EXECUTE: watch_owner(device, in); break;
    default: break;
    }
    return dpl_hil_call(device, number, in, out);
}

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "kobuki", "avatar", "robot"),
    DPL_NUMBER(struct properties, ownership_timeout_ms, "OwnershipTimeout", "ms", "500", 10, 60000,
               "the owner of the avatar loses it after this time without a command"),
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
