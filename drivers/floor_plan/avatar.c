/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of floor plans: what stands still in an avatar world, at the height of a
 * laser of one of its robots. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/drv/floor_plan.h>
#include <doppel/math/pose3.h>
#include <doppel/plugin.h>

#include "avatar_link.h"
#include "world_plan.h"

struct properties {
    char laser[48];
    double height_m;
    struct avatar_link_properties link;
};

struct state {
    struct avatar_link avatar;
    struct world_plan memory;
    struct dpl_floor_plan plan;
};

/* ---- the laser ---- */

/* Whether the channel is that of a laser of the robot; then with the laser's name. Only lasers have
 * a fan. */
static bool is_fan(const char *path, const char *robot, char ret_laser[DPL_CHANNEL_PATH_MAX])
{
    char part[DPL_CHANNEL_PATH_MAX];
    size_t length = dpl_channel_part(path);
    const char *device = path + length + 1, *end = length > 0 ? strchr(device, '/') : NULL;
    snprintf(part, sizeof part, "%.*s", (int)length, path);
    if (!end || strcmp(end, "/fan") != 0 || !dpl_name_equal(part, robot)) {
        return false;
    }
    snprintf(ret_laser, DPL_CHANNEL_PATH_MAX, "%.*s", (int)(end - device), device);
    return true;
}

/* The robot's first laser; "": it has none. */
static void find_laser(struct dpl_link *link, const char *robot,
                       char ret_laser[DPL_CHANNEL_PATH_MAX])
{
    struct dpl_channel_desc desc;
    size_t n = dpl_link_describe(link, 0, NULL, 0);
    ret_laser[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        dpl_link_describe(link, i, &desc, 1);
        if (is_fan(desc.path, robot, ret_laser)) {
            return;
        }
    }
}

static int read_mount(struct state *state, const char *laser, struct dpl_pose3 *ret_mount,
                      struct dpl_diag *reterr)
{
    struct dpl_channel channel;
    const struct avatar_want want = {laser, "mount", &dpl_channel_pose, NULL, false, &channel};
    int err = avatar_link_find(state->avatar.link, &want, 1, reterr);
    return err < 0 ? err : dpl_channel_get(channel, ret_mount, NULL);
}

/* The mount and the height that the plan is wanted at. */
static int find_plane(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    char laser[DPL_CHANNEL_PATH_MAX];
    struct dpl_pose3 mount;
    snprintf(laser, sizeof laser, "%s", props->laser);
    if (laser[0] == '\0') {
        find_laser(state->avatar.link, props->link.robot, laser);
    }
    state->plan.height_m = props->height_m;
    if (laser[0] == '\0' && props->height_m > 0.0) {
        return 0;
    }
    if (laser[0] == '\0') {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "robot '%s' has no laser: the Height of the plan is needed",
                        props->link.robot);
    }
    int err = read_mount(state, laser, &mount, reterr);
    if (err < 0) {
        return err;
    }
    state->plan.has_mount = true;
    state->plan.mount = dpl_pose3_to_planar(mount);
    state->plan.height_m = props->height_m > 0.0 ? props->height_m : mount.position.z;
    return 0;
}

/* ---- the driver ---- */

/* A served world has answered if it tells its time. */
static int is_there(struct state *state, struct dpl_diag *reterr)
{
    struct dpl_channel time;
    const struct avatar_want want = {NULL, "/time", &dpl_channel_number, "s", false, &time};
    return avatar_link_find(state->avatar.link, &want, 1, reterr);
}

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    int err = is_there(state, reterr);
    err = err < 0 ? err : find_plane(device, reterr);
    err = err < 0
              ? err
              : world_plan_read(state->avatar.link, state->plan.height_m, &state->memory, reterr);
    if (err < 0) {
        return err;
    }
    state->plan.outlines = state->memory.outlines;
    state->plan.n_outlines = state->memory.n_outlines;
    state->plan.names = state->memory.names;
    state->plan.n_objects = state->memory.n_objects;
    return 0;
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
    world_plan_finish(&state->memory);
    *state = (struct state){0};
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int err = avatar_link_open(device, &state->avatar, &props->link, false, bind, reterr);
    if (err < 0) {
        avatar_close(device);
    }
    return err;
}

static int get(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    /* the plan of a world that is lost stays */
    int err = state->avatar.bound ? 0 : avatar_link_ready(device, &state->avatar);
    if (err == 0) {
        *(struct dpl_floor_plan *)out = state->plan;
    }
    return err;
}

static const dpl_device_call_fn api[DPL_DRV_FLOOR_PLAN_N_CALLS] = {
    [DPL_DRV_FLOOR_PLAN_GET] = get,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, laser, "Laser", "",
             "laser in the robot's model; empty: the robot's first"),
    DPL_NUMBER(struct properties, height_m, "Height", "m", "0", 0, 10,
               "of the plan above the ground; 0: that of the laser"),
    AVATAR_LINK_FIELDS(struct properties, link),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "what stands still in an avatar world, embedded or at ip:port",
    .device_class = &dpl_floor_plan_class,
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
