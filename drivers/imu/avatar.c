/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of inertial measurement units: a named unit of a named robot in an avatar
 * world. */
#include <errno.h>
#include <string.h>

#include <doppel/drv/imu.h>
#include <doppel/plugin.h>

#include "avatar_link.h"

struct properties {
    char imu[48];
    struct avatar_link_properties link;
};

struct state {
    struct avatar_link avatar;
    struct dpl_channel rate, acceleration, angles;
    struct dpl_imu_sample sample;
};

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    const struct dpl_channel_type *vector = &dpl_channel_vector;
    struct state *state = device->state;
    const struct avatar_want wants[] = {
        {props->imu, "rate", vector, "rad/s", false, &state->rate},
        {props->imu, "acceleration", vector, "m/s^2", false, &state->acceleration},
        {props->imu, "angles", vector, "rad", false, &state->angles},
    };
    int err = avatar_link_find(state->avatar.link, wants, DPL_COUNT(wants), reterr);
    for (size_t i = 0; i < DPL_COUNT(wants) && err == 0; i++) {
        uint32_t size = wants[i].ret_channel->desc->size;
        err = size == 3
                  ? 0
                  : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                             "'%s/%s' has %u numbers, expected 3", props->imu, wants[i].leaf, size);
    }
    return err;
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

/* All three values are of one frame, so of one measurement. */
static void read_sample(struct state *state)
{
    struct dpl_imu_sample *sample = &state->sample;
    double rate[3], acceleration[3], angles[3];
    dpl_ns stamp;
    if (dpl_link_refresh(state->avatar.link, NULL) < 0 ||
        dpl_channel_get(state->rate, rate, &stamp) < 0 ||
        (sample->valid && stamp == sample->stamp) ||
        dpl_channel_get(state->acceleration, acceleration, NULL) < 0 ||
        dpl_channel_get(state->angles, angles, NULL) < 0) {
        return;
    }
    sample->valid = true;
    sample->stamp = stamp;
    sample->sequence++;
    memcpy(sample->rate_rad_s, rate, sizeof rate);
    memcpy(sample->acceleration_m_s2, acceleration, sizeof acceleration);
    sample->roll_rad = angles[0];
    sample->pitch_rad = angles[1];
    sample->yaw_rad = angles[2];
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = avatar_link_ready(device, &state->avatar);
    if (err == 0) {
        read_sample(state);
    }
    return err;
}

static int avatar_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_imu_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_IMU_N_CALLS] = {
    [DPL_DRV_IMU_EXECUTE] = avatar_execute,
    [DPL_DRV_IMU_READ] = avatar_read,
};

static const struct dpl_field properties[] = {
    DPL_TEXT(struct properties, imu, "ImuName", "imu", "unit in the robot's model"),
    AVATAR_LINK_FIELDS(struct properties, link),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "inertial unit of a robot in an avatar world, embedded or at ip:port",
    .device_class = &dpl_imu_class,
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
