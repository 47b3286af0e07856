/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of range finders and bumpers: <range_finder> and <contact> of a named robot
 * in an avatar world. */
#include <errno.h>
#include <math.h>

#include <doppel/plugin.h>

#include "avatar_link.h"
#include "range_names.h"

struct properties {
    struct range_properties names;
    struct avatar_link_properties link;
};

struct state {
    struct avatar_link avatar;
    struct range_names names;
    struct dpl_channel distance[DPL_RANGE_MAX], seen[DPL_RANGE_MAX], on[DPL_RANGE_MAX];
    struct dpl_range_sample sample;
};

static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    struct avatar_want wants[RANGE_WANTS_MAX];
    size_t n = range_names_wants(&state->names, state->distance, state->seen, state->on, wants);
    return avatar_link_find(state->avatar.link, wants, n, reterr);
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    state->names = range_names_of(props->names.ranges, props->names.contacts);
    state->sample = range_names_no_sample(&state->names);
    return avatar_link_open(device, &state->avatar, &props->link, false, bind, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

static void read_range(struct state *state, size_t i)
{
    struct dpl_range_sample *sample = &state->sample;
    double distance;
    bool seen;
    dpl_ns stamp;
    if (dpl_channel_get(state->distance[i], &distance, &stamp) == 0 &&
        dpl_channel_get(state->seen[i], &seen, NULL) == 0) {
        sample->ranges_m[i] = seen ? distance : (double)INFINITY;
        sample->range_stamps[i] = stamp;
    }
}

static void read_contact(struct state *state, size_t i)
{
    bool on;
    dpl_ns stamp;
    if (dpl_channel_get(state->on[i], &on, &stamp) == 0) {
        state->sample.contacts[i] = on;
        state->sample.contact_stamps[i] = stamp;
    }
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    struct state *state = device->state;
    int err = avatar_link_ready(device, &state->avatar);
    if (err < 0 || dpl_link_refresh(state->avatar.link, NULL) < 0) {
        return err;
    }
    for (size_t i = 0; i < state->names.n_ranges; i++) {
        read_range(state, i);
    }
    for (size_t i = 0; i < state->names.n_contacts; i++) {
        read_contact(state, i);
    }
    return 0;
}

static int avatar_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    *(struct dpl_range_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_RANGE_N_CALLS] = {
    [DPL_DRV_RANGE_EXECUTE] = avatar_execute,
    [DPL_DRV_RANGE_READ] = avatar_read,
};

static const struct dpl_field properties[] = {
    RANGE_NAMES_FIELDS(struct properties, names),
    AVATAR_LINK_FIELDS(struct properties, link),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "range finders and bumpers of a robot in an avatar world, embedded or at ip:port",
    .device_class = &dpl_range_class,
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
