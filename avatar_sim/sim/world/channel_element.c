/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of channels: see channel_element.h. */
#include "channel_element.h"

#include <errno.h>

static const struct dpl_place nowhere;

/* Splits "path[element]" at the bracket; the element is 0 without one. False: nothing is split. */
static bool read_element(char *path, size_t *ret_element)
{
    char *bracket = strchr(path, '[');
    *ret_element = 0;
    if (!bracket) {
        return true;
    }
    const char *at = bracket + 1;
    size_t element = 0;
    for (; *at >= '0' && *at <= '9' && element < DPL__ELEMENT_BYTES_MAX; at++) {
        element = 10 * element + (size_t)(*at - '0');
    }
    if (at == bracket + 1 || strcmp(at, "]") != 0) {
        return false;
    }
    *bracket = '\0';
    *ret_element = element;
    return true;
}

static int check_channel(const struct dpl_channel_desc *desc, size_t element, bool has_element,
                         struct dpl_diag *reterr)
{
    bool is_number = desc->type == &dpl_channel_number || desc->type == &dpl_channel_integer ||
                     desc->type == &dpl_channel_flag || desc->type == &dpl_channel_vector ||
                     desc->type == &dpl_channel_pose;
    if (!is_number || dpl_channel_bytes(desc) > DPL__ELEMENT_BYTES_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "channel '%s' (%s) cannot be in a condition or an expression", desc->path,
                        desc->type->name);
    }
    if (element >= desc->size) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "channel '%s' has %u elements, the first is [0]; found [%zu]", desc->path,
                        desc->size, element);
    }
    if (desc->size > 1 && !has_element) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "channel '%s' has %u elements: say which, such as %s[0]", desc->path,
                        desc->size, desc->path);
    }
    return 0;
}

int dpl__channel_element_find(const struct dpl_world_channels *channels, char *path,
                              size_t *ret_channel, size_t *ret_element, struct dpl_diag *reterr)
{
    bool has_element = strchr(path, '[') != NULL;
    size_t element;
    if (!read_element(path, &element)) {
        int n = (int)strcspn(path, "[");
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "expected '%.*s' or an element of it such as '%.*s[0]', found '%s'", n,
                        path, n, path, path);
    }
    struct dpl_channel_want want = {.path = path};
    int channel = dpl_world_channels_find(channels, &want, reterr);
    if (channel < 0) {
        return -EINVAL;
    }
    size_t n;
    const struct dpl_channel_desc *desc = &dpl_world_channels_describe(channels, &n)[channel];
    int err = check_channel(desc, element, has_element, reterr);
    if (err == 0) {
        *ret_channel = (size_t)channel;
        *ret_element = element;
    }
    return err;
}

int dpl__channel_element_get(const struct dpl_world_channels *channels, size_t channel,
                             size_t element, unsigned char *room, double *ret_value)
{
    size_t n;
    const struct dpl_channel_desc *desc = &dpl_world_channels_describe(channels, &n)[channel];
    dpl_ns stamp;
    int err = dpl_world_channels_get(channels, channel, room, &stamp);
    if (err == 0) {
        *ret_value = dpl_channel_element(desc, room, element);
    }
    return err;
}
