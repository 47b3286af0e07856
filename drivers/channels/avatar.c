/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator driver of channels: those of an avatar world, embedded or served at ip:port. Names
 * are paths from the robot on ("left/speed"), or from the world's root ("/robot/left/speed"). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/drv/channels.h>
#include <doppel/plugin.h>

#include "avatar_link.h"

struct properties {
    struct avatar_link_properties link;
    bool take_over;
};

/* A channel of which one element is read or written. */
struct element {
    bool wanted, bound, put;
    char name[DPL_CHANNELS_NAME_MAX]; /* without the element */
    char unit[32];
    bool has_unit;
    uint32_t index;
    struct dpl_channel channel;
};

struct state {
    struct avatar_link avatar;
    struct element elements[DPL_CHANNELS_MAX];
};

/* The most elements of a vector or a pose that is read here. */
#define ELEMENTS_MAX 16

/* ---- names ---- */

/* Takes "[3]" off the end of a name. */
static int read_name(const char *name, struct element *ret)
{
    char *end;
    size_t n = strcspn(name, "[");
    if (n == 0 || n >= sizeof ret->name) {
        return -ENOENT;
    }
    memcpy(ret->name, name, n);
    ret->name[n] = '\0';
    ret->index = 0;
    if (name[n] == '\0') {
        return 0;
    }
    unsigned long index = strtoul(name + n + 1, &end, 10);
    ret->index = (uint32_t)index;
    return end > name + n + 1 && strcmp(end, "]") == 0 && index < ELEMENTS_MAX ? 0 : -ENOENT;
}

/* Whether one element of the channel is a number that fits here. */
static bool fits(const struct element *element)
{
    const struct dpl_channel_desc *desc = element->channel.desc;
    bool is_block = desc->type == &dpl_channel_block;
    bool is_whole = element->put ? desc->size == 1 : desc->size <= ELEMENTS_MAX;
    return !is_block && is_whole && element->index < desc->size;
}

static int bind_element(struct state *state, struct element *element, struct dpl_diag *reterr)
{
    const struct dpl_channel_want want = {
        .path = element->name,
        .unit = element->has_unit ? element->unit : NULL,
        .put = element->put,
    };
    int err = dpl_link_find(state->avatar.link, &want, &element->channel, reterr);
    if (err == 0 && !fits(element)) {
        err =
            dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                     "channel '%s' has %u elements of type %s: no number %u of it can be %s",
                     element->name, element->channel.desc->size, element->channel.desc->type->name,
                     element->index, element->put ? "written" : "read");
    }
    element->bound = err == 0;
    return err;
}

static int avatar_find(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_channels_find *find = in;
    struct state *state = device->state;
    struct element *element = &state->elements[find->number];
    struct dpl_diag why = {0};
    *element = (struct element){.put = find->put == 1, .has_unit = find->unit != NULL};
    int err = find->name ? read_name(find->name, element) : -ENOENT;
    if (err < 0) {
        return err;
    }
    snprintf(element->unit, sizeof element->unit, "%s", find->unit ? find->unit : "");
    err = bind_element(state, element, &why);
    element->wanted = err == 0 || err == -EAGAIN; /* a served world may answer later */
    state->avatar.bound &= err != -EAGAIN;
    if (!element->wanted) {
        if (find->reterr) {
            *find->reterr = why;
        }
        dpl_device_log(device, DPL_LOG_ERROR, "%s", why.text);
        return -ENOENT;
    }
    return 0;
}

/* ---- values ---- */

static int avatar_put(struct dpl_device *device, const void *in, void *out)
{
    (void)out;
    const struct dpl_channels_put *put = in;
    const struct element *element = &((struct state *)device->state)->elements[put->number];
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (!element->bound || !element->put) {
        return -EAGAIN;
    }
    const struct dpl_channel_type *type = element->channel.desc->type;
    if (type == &dpl_channel_flag) {
        return dpl_channel_put_flag(element->channel, put->value != 0.0);
    }
    if (type == &dpl_channel_integer) {
        int64_t whole = fabs(put->value) < 9e18 ? (int64_t)put->value : 0;
        return dpl_channel_put(element->channel, &whole);
    }
    return dpl_channel_put_number(element->channel, put->value);
}

static int avatar_release(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    dpl_link_release(((struct state *)device->state)->avatar.link);
    return 0;
}

/* One element of a value as a number. */
static double number_of(const struct dpl_channel_type *type, const void *value, uint32_t index)
{
    if (type == &dpl_channel_flag) {
        return ((const bool *)value)[index];
    }
    if (type == &dpl_channel_integer) {
        return (double)((const int64_t *)value)[index];
    }
    return ((const double *)value)[index];
}

static int avatar_get(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_channels_get *get = in;
    struct dpl_channels_value *ret = out;
    const struct element *element = &((struct state *)device->state)->elements[get->number];
    double value[ELEMENTS_MAX];
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    if (!element->bound || element->put) {
        return -EAGAIN;
    }
    int err = dpl_channel_get(element->channel, value, &ret->stamp);
    if (err == 0) {
        ret->value = number_of(element->channel.desc->type, value, element->index);
    }
    return err;
}

static int avatar_execute(struct dpl_device *device, const void *in, void *out)
{
    (void)in, (void)out;
    struct state *state = device->state;
    int err = avatar_link_ready(device, &state->avatar);
    if (err < 0) {
        return err;
    }
    err = dpl_link_refresh(state->avatar.link, NULL);
    return err == -EAGAIN ? 0 : err;
}

/* What was asked for before the world answered. */
static int bind(struct dpl_device *device, struct dpl_diag *reterr)
{
    struct state *state = device->state;
    int err = 0;
    for (size_t i = 0; i < DPL_CHANNELS_MAX && err == 0; i++) {
        struct element *element = &state->elements[i];
        if (element->wanted && !element->bound) {
            err = bind_element(state, element, reterr);
        }
    }
    return err;
}

static int avatar_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    return avatar_link_open(device, &state->avatar, &props->link, props->take_over, bind, reterr);
}

static void avatar_close(struct dpl_device *device)
{
    struct state *state = device->state;
    avatar_link_close(&state->avatar);
}

static const dpl_device_call_fn api[DPL_DRV_CHANNELS_N_CALLS] = {
    [DPL_DRV_CHANNELS_FIND] = avatar_find,       [DPL_DRV_CHANNELS_PUT] = avatar_put,
    [DPL_DRV_CHANNELS_RELEASE] = avatar_release, [DPL_DRV_CHANNELS_EXECUTE] = avatar_execute,
    [DPL_DRV_CHANNELS_GET] = avatar_get,
};

static const struct dpl_field properties[] = {
    AVATAR_LINK_FIELDS(struct properties, link),
    DPL_BOOL(struct properties, take_over, "TakeOver", "false",
             "write to the robot of a served world even if another program does; the other program "
             "gets an error"),
};

static const struct dpl_driver driver = {
    .name = "avatar",
    .summary = "channels of an avatar world, embedded or at ip:port",
    .device_class = &dpl_channels_class,
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
