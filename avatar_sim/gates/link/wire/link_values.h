/* SPDX-License-Identifier: Apache-2.0 */
/* Values and descriptions of channels as they are in frames. All functions may be called from any
 * thread; none allocates. */
#ifndef DOPPEL_SIM_LINK_VALUES_H
#define DOPPEL_SIM_LINK_VALUES_H

#include <doppel/channel.h>

#include "link.pb-c.h"

/* How a slot gets the value of a channel, or gives it. */
enum link_way {
    LINK_WAY_PUT,
    LINK_WAY_FRAME,
    LINK_WAY_BLOCK,    /* in messages of its own */
    LINK_WAY_CONSTANT, /* in the list */
};
enum link_way link_way(const struct dpl_channel_desc *desc, bool look);

/* Copies the value in a frame. NULL, or what is wrong with it: another length than that of the
 * channel's values, or a flag that is neither 0 nor 1. */
const char *link_value_read(const struct dpl_channel_desc *desc, ProtobufCBinaryData bytes,
                            void *ret_value);

/* Copies a value into dpl_channel_bytes(desc) bytes. */
void link_value_write(const struct dpl_channel_desc *desc, const void *value, uint8_t *ret_bytes);

/* Whether all its numbers are finite. Values out of a world are; what goes into it the world knows
 * to treat. */
bool link_value_is_finite(const struct dpl_channel_desc *desc, const void *value);

/* What a description in a frame says; its texts are borrowed from the message. NULL, or what is
 * wrong with it. */
const char *link_desc_read(const Doppel__Link__Channel *channel, struct dpl_channel_desc *ret_desc);

/* The same the other way. False: it is beyond a limit. */
bool link_desc_write(const struct dpl_channel_desc *desc, Doppel__Link__Channel *ret_channel);

/* protobuf-c's messages hold strings that may be changed; ours are only packed. */
char *link_text(const char *text);

#endif
