/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of laser scanners: a named laser of a named robot in an avatar world. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/plugin.h>

_Static_assert(DPL_LASER_RANGES_MAX >= DPL_LINK_SCAN_MAX, "a link's scan fits into a device's");

struct properties {
    char laser[48];
    char robot[48];
    char world[512];
    char ip[256];
    int64_t port;
};

struct state {
    struct dpl_link *link;
    unsigned laser;
    struct dpl_link_laser info;
    bool bound, enabled, have;
    struct dpl_link_scan raw;
    struct dpl_laser_scan scan;
};

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int err = state->link->ops->find(state->link, DPL_LINK_LASER, props->laser, &state->laser,
                                     &state->info, reterr);
    state->bound = err == 0;
    return err;
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    char remote[320];
    snprintf(remote, sizeof remote, "tcp://%s:%d", props->ip, (int)props->port);
    struct dpl_link_config config = {
        .world = props->ip[0] ? remote : props->world,
        .robot = props->robot,
    };
    int err = dpl_device_open_link(device, &config, &state->link, reterr);
    if (err < 0) {
        return err;
    }
    err = bind(device, reterr);
    if (err < 0 && err != -EAGAIN) { /* a remote world may answer later */
        state->link->ops->close(state->link);
        state->link = NULL;
        return err;
    }
    return 0;
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    if (state->link) {
        state->link->ops->close(state->link);
        state->link = NULL;
    }
}

static int set_enabled(struct dpl_device *device, bool enable)
{
    struct state *state = device->state;
    state->enabled = enable;
    if (state->bound) {
        state->link->ops->enable_laser(state->link, state->laser, enable);
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

/* A world in another process may be gone (the link says so to the runtime), or answer for the first
 * time. */
static bool reachable(struct dpl_device *device)
{
    struct state *state = device->state;
    if (!state->link->ops->alive(state->link)) {
        return false;
    }
    return state->bound || bind(device, NULL) == 0;
}

static void take_scan(struct state *state)
{
    if (state->link->ops->get_scan(state->link, state->laser, &state->raw) < 0) {
        return;
    }
    struct dpl_laser_scan *scan = &state->scan;
    scan->stamp = state->raw.stamp;
    scan->sequence++; /* not the world's: that begins anew when the world does */
    scan->start_angle_rad = state->info.start_angle_rad;
    scan->step_angle_rad = state->info.step_angle_rad;
    scan->min_range_m = state->info.min_range_m;
    scan->max_range_m = state->info.max_range_m;
    scan->period_s = state->info.period_s;
    scan->n = state->raw.n;
    memcpy(scan->ranges_m, state->raw.ranges_m, state->raw.n * sizeof scan->ranges_m[0]);
    state->have = true;
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    bool was_bound = state->bound;
    if (!reachable(device)) {
        return -ENODEV;
    }
    if (!was_bound && state->bound) {
        set_enabled(device, state->enabled);
    }
    take_scan(state);
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

#define NAME(name_, member_, fallback_, text_)                                                     \
    DPL_TEXT(struct properties, member_, name_, fallback_, text_)

static const struct dpl_field properties[] = {
    NAME("LaserName", laser, "laser", "laser in the robot's model"),
    NAME("RobotName", robot, "avatar", "robot in the world"),
    NAME("World", world, "", "file of the world to embed; empty: the application's"),
    NAME("ip", ip, "", "host of a world served by `doppel sim`; empty: embedded"),
    DPL_INT(struct properties, port, "port", "5500", 1, 65535, "its port"),
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
