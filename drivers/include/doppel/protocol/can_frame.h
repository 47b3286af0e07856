/* SPDX-License-Identifier: Apache-2.0 */
/* A classic CAN frame, and its length on the bus. Header only, no state. Frame layout: ISO 11898-1
 * (general knowledge). */
#ifndef DPL_PROTOCOL_CAN_FRAME_H
#define DPL_PROTOCOL_CAN_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_CAN_DATA_MAX = 8,
    DPL_CAN_STANDARD_MAX = 0x7ff,
    DPL_CAN_EXTENDED_MAX = 0x1fffffff,
};

struct dpl_can_frame {
    uint32_t id;    /* 11 bits, or 29 when extended */
    uint8_t length; /* of data, or the length that a remote frame requests: at most 8 */
    bool extended, remote;
    uint8_t data[DPL_CAN_DATA_MAX]; /* unused bytes are 0 */
};

static inline bool dpl_can_frame_equal(const struct dpl_can_frame *a, const struct dpl_can_frame *b)
{
    return a->id == b->id && a->length == b->length && a->extended == b->extended &&
           a->remote == b->remote && memcmp(a->data, b->data, sizeof a->data) == 0;
}

/* Number of bits of a standard data frame with `length` data bytes on the bus, including the gap of
 * three bits after it; with `stuffed`, including the largest possible number of stuff bits. */
static inline unsigned dpl_can_frame_bits(unsigned length, bool stuffed)
{
    unsigned exposed = 34u + 8u * length; /* from start of frame to the end of the checksum */
    return exposed + 13u + (stuffed ? (exposed - 1u) / 4u : 0u);
}

#ifdef __cplusplus
}
#endif

#endif
