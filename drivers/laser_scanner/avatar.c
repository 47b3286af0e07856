/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of laser scanners: a named laser of a named robot in an avatar world. */
#include <errno.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

#include "avatar_link.h"

struct properties {
    char laser[48];
    struct avatar_link_properties link;
};

struct state {
    struct avatar_link avatar;
    struct dpl_channel on, ranges;
    bool enabled, have;
    struct dpl_laser_scan scan;
};

/* What the channel "fan" holds. */
enum fan {
    FAN_START_RAD,
    FAN_STEP_RAD,
    FAN_MIN_M,
    FAN_MAX_M,
    FAN_PERIOD_S,
    FAN_NUMBERS,
};

/* The scan's parts that do not change. */
static int read_fan(struct state *state, struct dpl_channel fan)
{
    double numbers[FAN_NUMBERS];
    int err = fan.desc->size == FAN_NUMBERS ? dpl_channel_get(fan, numbers, NULL) : -EINVAL;
    if (err < 0) {
        return err;
    }
    state->scan.start_angle_rad = numbers[FAN_START_RAD];
    state->scan.step_angle_rad = numbers[FAN_STEP_RAD];
    state->scan.min_range_m = numbers[FAN_MIN_M];
    state->scan.max_range_m = numbers[FAN_MAX_M];
    state->scan.period_s = numbers[FAN_PERIOD_S];
    state->scan.n = state->ranges.desc->size;
    return 0;
}

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    struct dpl_channel fan, elevations;
    const struct avatar_want wants[] = {
        {props->laser, "on", &dpl_channel_flag, NULL, true, &state->on},
        {props->laser, "ranges", &dpl_channel_block, "m", false, &state->ranges},
        {props->laser, "fan", &dpl_channel_vector, NULL, false, &fan},
        {props->laser, "elevations", &dpl_channel_vector, "rad", false, &elevations},
    };
    int err = avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
    if (err == 0 && state->ranges.desc->size > DPL_LASER_RANGES_MAX) {
        err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "'%s' has %u ranges, expected %d",
                       props->laser, state->ranges.desc->size, DPL_LASER_RANGES_MAX);
    }
    if (err == 0 && elevations.desc->size != 1) {
        err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                       "'%s' has %u layers, expected a planar laser", props->laser,
                       elevations.desc->size);
    }
    return err < 0 ? err : read_fan(state, fan);
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    return avatar_link_open(device, &state->avatar, &props->link, false, bind, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

static int set_enabled(struct dpl_device *device, bool enable)
{
    struct state *state = device->state;
    state->enabled = enable;
    if (state->avatar.bound) {
        dpl_channel_put_flag(state->on, enable);
    }
    return 0;
}

static int avatar_enable(struct dpl_device *device, const void *in, void *out)
{
    return set_enabled(device, true);
}

static int avatar_disable(struct dpl_device *device, const void *in, void *out)
{
    return set_enabled(device, false);
}

static void read_scan(struct state *state)
{
    struct dpl_laser_scan *scan = &state->scan;
    if (dpl_channel_get(state->ranges, scan->ranges_m, &scan->stamp) == 0) {
        scan->sequence++; /* of this device: the world's begins at 1 again when it is restarted */
        state->have = true;
    }
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    bool was_bound = state->avatar.bound;
    int err = avatar_link_ready(device, &state->avatar);
    if (err < 0) {
        return err;
    }
    if (!was_bound) {
        set_enabled(device, state->enabled);
    }
    read_scan(state);
    return 0;
}

static int avatar_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_laser_scan **ret_scan = out;
    uint64_t after = ((const struct dpl_laser_read *)in)->after;
    struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (!state->have || (after != UINT64_MAX && state->scan.sequence <= after)) {
        return -EAGAIN;
    }
    *ret_scan = &state->scan;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_LASER_SCANNER_N_CALLS] = {
    [DPL_DRV_LASER_SCANNER_ENABLE] = avatar_enable,
    [DPL_DRV_LASER_SCANNER_DISABLE] = avatar_disable,
    [DPL_DRV_LASER_SCANNER_EXECUTE] = avatar_execute,
    [DPL_DRV_LASER_SCANNER_READ] = avatar_read,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, laser, "LaserName", "laser", "laser in the robot's model"),
    AVATAR_LINK_FIELDS(struct properties, link),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "laser of a robot in an avatar world, embedded or at ip:port",
    .device_class = &dpl_laser_scanner_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = avatar_open,
    .close = avatar_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
