/* SPDX-License-Identifier: Apache-2.0 */
/* A view of bytes that readers consume from the front, and little-endian fields. Used by the wire
 * codecs of this folder. Pure: no state, no allocation. */
#ifndef DPL_PROTOCOL_BYTES_H
#define DPL_PROTOCOL_BYTES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Borrowed bytes. A reader with a pointer to this struct advances `data` and reduces `size` by the
 * number of consumed bytes. `data` may be NULL when `size` is 0. */
struct dpl_byte_view {
    const uint8_t *data;
    size_t size;
};

static inline uint16_t dpl_get_u16le(const uint8_t *p)
{
    return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}

static inline int16_t dpl_get_i16le(const uint8_t *p)
{
    return (int16_t)dpl_get_u16le(p);
}

static inline uint32_t dpl_get_u32le(const uint8_t *p)
{
    return (uint32_t)dpl_get_u16le(p) | (uint32_t)dpl_get_u16le(p + 2) << 16;
}

static inline void dpl_put_u16le(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void dpl_put_u32le(uint8_t *p, uint32_t value)
{
    dpl_put_u16le(p, (uint16_t)value);
    dpl_put_u16le(p + 2, (uint16_t)(value >> 16));
}

#ifdef __cplusplus
}
#endif

#endif
