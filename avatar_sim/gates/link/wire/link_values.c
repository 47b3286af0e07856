/* SPDX-License-Identifier: Apache-2.0 */
/* Values and descriptions of channels as they are in frames. */
#include "link_values.h"

#include <math.h>
#include <string.h>

#include "link_codec.h"

enum link_way link_way(const struct dpl_channel_desc *desc, bool look)
{
    if (dpl_channel_is_input(desc->dir)) {
        return look ? LINK_WAY_FRAME : LINK_WAY_PUT;
    }
    if (desc->dir == DPL_CHANNEL_CONSTANT) {
        return LINK_WAY_CONSTANT;
    }
    return desc->type == &dpl_channel_block ? LINK_WAY_BLOCK : LINK_WAY_FRAME;
}

/* ---- values ---- */

/* Frames are little-endian. */
static void copy_elements(uint8_t *to, const uint8_t *from, size_t element_size, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, element_size * n);
#else
    for (size_t i = 0; i < n; i++, to += element_size, from += element_size) {
        for (size_t k = 0; k < element_size; k++) {
            to[k] = from[element_size - 1 - k];
        }
    }
#endif
}

static bool floats_are_finite(const uint8_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++, value += sizeof(float)) {
        float element;
        memcpy(&element, value, sizeof element);
        if (!isfinite(element)) {
            return false;
        }
    }
    return true;
}

static bool doubles_are_finite(const uint8_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++, value += sizeof(double)) {
        double element;
        memcpy(&element, value, sizeof element);
        if (!isfinite(element)) {
            return false;
        }
    }
    return true;
}

bool link_value_is_finite(const struct dpl_channel_desc *desc, const void *value)
{
    if (desc->type == &dpl_channel_integer || desc->type == &dpl_channel_flag) {
        return true;
    }
    return desc->type == &dpl_channel_block ? floats_are_finite(value, desc->size)
                                            : doubles_are_finite(value, desc->size);
}

static bool flags_are_flags(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] > 1) {
            return false;
        }
    }
    return true;
}

const char *link_value_read(const struct dpl_channel_desc *desc, ProtobufCBinaryData bytes,
                            void *ret_value)
{
    if (bytes.len != dpl_channel_bytes(desc)) {
        return "a value is longer or shorter than its channel's";
    }
    if (desc->type == &dpl_channel_flag && !flags_are_flags(bytes.data, bytes.len)) {
        return "a flag is neither 0 nor 1";
    }
    copy_elements(ret_value, bytes.data, desc->type->element_size, desc->size);
    return NULL;
}

void link_value_write(const struct dpl_channel_desc *desc, const void *value, uint8_t *ret_bytes)
{
    copy_elements(ret_bytes, value, desc->type->element_size, desc->size);
}

/* ---- descriptions ---- */

static const struct dpl_channel_type *type_named(const char *name)
{
    static const struct dpl_channel_type *const types[] = {
        &dpl_channel_number, &dpl_channel_integer, &dpl_channel_flag,
        &dpl_channel_vector, &dpl_channel_pose,    &dpl_channel_block,
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i]->name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

static bool texts_fit(const char *path, const char *unit, const char *summary)
{
    return path[0] != '\0' && strlen(path) <= LINK_PATH_MAX && strlen(unit) <= LINK_UNIT_MAX &&
           strlen(summary) <= LINK_SUMMARY_MAX;
}

static bool size_fits(const struct dpl_channel_type *type, uint32_t size)
{
    return size <= LINK_ELEMENTS_MAX && (type->size == 0 || type->size == size);
}

const char *link_desc_read(const Doppel__Link__Channel *channel, struct dpl_channel_desc *ret_desc)
{
    const struct dpl_channel_type *type = type_named(channel->type);
    if (!texts_fit(channel->path, channel->unit, channel->summary)) {
        return "a text of a channel is beyond its limit";
    }
    if (!type || !size_fits(type, channel->size)) {
        return "a channel's type or size is unknown";
    }
    if (channel->direction < DOPPEL__LINK__DIRECTION__IN ||
        channel->direction > DOPPEL__LINK__DIRECTION__CONSTANT) {
        return "a channel's direction is unknown";
    }
    if (!isfinite(channel->min) || !isfinite(channel->max)) {
        return "a channel's range is not finite";
    }
    if (channel->silence < 0 || channel->silence > LINK_TIME_MAX) {
        return "a channel's silence is beyond its limit";
    }
    *ret_desc = (struct dpl_channel_desc){
        .path = channel->path,
        .type = type,
        .dir = (enum dpl_channel_dir)channel->direction,
        .unit = channel->unit,
        .min = channel->min,
        .max = channel->max,
        .size = channel->size,
        .silence = channel->silence,
        .summary = channel->summary,
    };
    return NULL;
}

bool link_desc_write(const struct dpl_channel_desc *desc, Doppel__Link__Channel *ret_channel)
{
    doppel__link__channel__init(ret_channel);
    ret_channel->path = link_text(desc->path);
    ret_channel->type = link_text(desc->type->name);
    ret_channel->direction = (Doppel__Link__Direction)desc->dir;
    ret_channel->unit = link_text(desc->unit);
    ret_channel->size = desc->size;
    ret_channel->min = desc->min;
    ret_channel->max = desc->max;
    ret_channel->silence = desc->silence;
    ret_channel->summary = link_text(desc->summary);
    struct dpl_channel_desc same;
    return link_desc_read(ret_channel, &same) == NULL;
}

char *link_text(const char *text)
{
    union {
        const char *from;
        char *to;
    } pointer = {text};
    return pointer.to;
}

_Static_assert((int)DPL_CHANNEL_IN == DOPPEL__LINK__DIRECTION__IN, "as in link.proto");
_Static_assert((int)DPL_CHANNEL_SHARED == DOPPEL__LINK__DIRECTION__SHARED, "as in link.proto");
_Static_assert((int)DPL_CHANNEL_REQUEST == DOPPEL__LINK__DIRECTION__REQUEST, "as in link.proto");
_Static_assert((int)DPL_CHANNEL_OUT == DOPPEL__LINK__DIRECTION__OUT, "as in link.proto");
_Static_assert((int)DPL_CHANNEL_CONSTANT == DOPPEL__LINK__DIRECTION__CONSTANT, "as in link.proto");
