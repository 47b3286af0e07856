/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of wheel bases: fans every command to a hardware and a simulation side and returns
 * the hardware's readings. It holds no mathematics. The simulation's failures are counted and never
 * reach the hardware, and what the hardware refuses does not reach the simulation; while somebody
 * (the Synchronizer) drives the simulation side on its own, that side no longer follows the
 * application's commands. */
#include <doppel/drv/hil.h>
#include <doppel/drv/wheel_controller.h>
#include <doppel/plugin.h>

enum side {
    HARDWARE = DPL_HIL_HARDWARE,
    SIMULATION = DPL_HIL_SIMULATION,
};

struct properties {
    struct dpl_hil_properties sides;
    double ownership_timeout_ms;
};

struct state {
    double linear_m_s, angular_rad_s; /* the application's last drive command */
    bool following;                   /* the simulation repeats it */
    bool driven;                      /* the last command was a drive, not a move, rotate or stop */
    dpl_ns owned_at;
    int64_t simulation_errors;
};

static const struct properties *props(const struct dpl_device *device)
{
    return device->properties;
}

static struct dpl_device *side(struct dpl_device *device, enum side which)
{
    return dpl_device_side(device, which);
}

static int merge(struct dpl_device *device, int hardware, int simulation)
{
    struct state *state = device->state;
    return dpl_hil_merge(&state->simulation_errors, hardware, simulation);
}

static int hil_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    (void)reterr;
    struct state *state = device->state;
    state->following = true;
    dpl_hil_begin(device, &props(device)->sides);
    return 0;
}

static void hil_close(struct dpl_device *device)
{
    (void)device; /* the sides stop in their own close */
}

static int hil_enable(struct dpl_device *device)
{
    int hardware = dpl_wheel_enable(side(device, HARDWARE));
    if (hardware < 0) {
        return hardware;
    }
    return merge(device, hardware, dpl_wheel_enable(side(device, SIMULATION)));
}

static int hil_disable(struct dpl_device *device)
{
    struct state *state = device->state;
    state->driven = false;
    int hardware = dpl_wheel_disable(side(device, HARDWARE));
    return merge(device, hardware, dpl_wheel_disable(side(device, SIMULATION)));
}

static int hil_drive(struct dpl_device *device, double linear_m_s, double angular_rad_s)
{
    struct state *state = device->state;
    int hardware = dpl_wheel_drive(side(device, HARDWARE), linear_m_s, angular_rad_s);
    if (hardware < 0) {
        return hardware;
    }
    state->linear_m_s = linear_m_s;
    state->angular_rad_s = angular_rad_s;
    state->driven = true;
    if (!state->following) {
        return hardware;
    }
    return merge(device, hardware,
                 dpl_wheel_drive(side(device, SIMULATION), linear_m_s, angular_rad_s));
}

static int hil_move(struct dpl_device *device, double distance_m, double linear_m_s)
{
    struct state *state = device->state;
    int hardware = dpl_wheel_move(side(device, HARDWARE), distance_m, linear_m_s);
    if (hardware < 0) {
        return hardware;
    }
    state->driven = false;
    if (!state->following) {
        return hardware;
    }
    return merge(device, hardware,
                 dpl_wheel_move(side(device, SIMULATION), distance_m, linear_m_s));
}

static int hil_rotate(struct dpl_device *device, double angle_rad, double angular_rad_s)
{
    struct state *state = device->state;
    int hardware = dpl_wheel_rotate(side(device, HARDWARE), angle_rad, angular_rad_s);
    if (hardware < 0) {
        return hardware;
    }
    state->driven = false;
    if (!state->following) {
        return hardware;
    }
    return merge(device, hardware,
                 dpl_wheel_rotate(side(device, SIMULATION), angle_rad, angular_rad_s));
}

static int hil_stop(struct dpl_device *device)
{
    struct state *state = device->state;
    state->linear_m_s = 0.0;
    state->angular_rad_s = 0.0;
    state->driven = false;
    int hardware = dpl_wheel_stop(side(device, HARDWARE));
    return merge(device, hardware, dpl_wheel_stop(side(device, SIMULATION)));
}

static int hil_halt(struct dpl_device *device)
{
    struct state *state = device->state;
    state->linear_m_s = 0.0;
    state->angular_rad_s = 0.0;
    state->driven = false;
    int hardware = dpl_wheel_halt(side(device, HARDWARE));
    return merge(device, hardware, dpl_wheel_halt(side(device, SIMULATION)));
}

/* Gives the simulation back to the application once nobody drives it on its own any more. */
static void release_simulation(struct dpl_device *device, dpl_ns now)
{
    struct state *state = device->state;
    dpl_ns timeout = dpl_ns_from_s(props(device)->ownership_timeout_ms * 1e-3);
    if (state->following || now - state->owned_at <= timeout) {
        return;
    }
    state->following = true;
    struct dpl_device *simulation = side(device, SIMULATION);
    int err = state->driven ? dpl_wheel_drive(simulation, state->linear_m_s, state->angular_rad_s)
                            : dpl_wheel_stop(simulation);
    merge(device, 0, err);
}

static int hil_execute(struct dpl_device *device, const struct dpl_tick *tick)
{
    release_simulation(device, tick->now);
    int hardware = dpl_wheel_execute(side(device, HARDWARE), tick);
    return merge(device, hardware, dpl_wheel_execute(side(device, SIMULATION), tick));
}

static int hil_read(struct dpl_device *device, struct dpl_wheel_state *ret)
{
    return dpl_wheel_read(side(device, HARDWARE), ret);
}

static int hil_set_position(struct dpl_device *device, const struct dpl_pose2 *pose)
{
    int hardware = dpl_wheel_set_position(side(device, HARDWARE), pose);
    return merge(device, hardware, dpl_wheel_set_position(side(device, SIMULATION), pose));
}

static int hil_read_truth(struct dpl_device *device, struct dpl_wheel_truth *ret)
{
    return dpl_wheel_read_truth(side(device, HARDWARE), ret);
}

static int hil_drive_side(struct dpl_device *device, size_t which, double linear_m_s,
                          double angular_rad_s)
{
    if (which > SIMULATION || !isfinite(linear_m_s) || !isfinite(angular_rad_s)) {
        return -EINVAL;
    }
    if (which == HARDWARE) {
        return dpl_wheel_drive(side(device, HARDWARE), linear_m_s, angular_rad_s);
    }
    struct state *state = device->state;
    state->following = false;
    state->owned_at = dpl_device_now(device);
    return dpl_wheel_drive(side(device, SIMULATION), linear_m_s, angular_rad_s);
}

static const struct dpl_wheel_controller_api api = {
    .enable = hil_enable,
    .disable = hil_disable,
    .drive = hil_drive,
    .move = hil_move,
    .rotate = hil_rotate,
    .stop = hil_stop,
    .execute = hil_execute,
    .read = hil_read,
    .set_position = hil_set_position,
    .read_truth = hil_read_truth,
    .drive_side = hil_drive_side,
    .halt = hil_halt,
};

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "kobuki", "robot"),
    DPL_NUMBER(struct properties, ownership_timeout_ms, "OwnershipTimeout", "ms", "500", 10, 60000,
               "the avatar follows the application again when nobody has driven it for this long"),
};

static const struct dpl_field exports[] = {
    DPL_HIL_EXPORT_ERRORS(struct state, simulation_errors),
};

static const struct dpl_driver_side sides[] = {DPL_HIL_SIDES};

static const struct dpl_driver driver = {
    .name = "hil",
    .summary =
        "hardware and simulator at once: commands go to both, readings come from the hardware",
    .device_class = DPL_WHEEL_CONTROLLER_CLASS,
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
