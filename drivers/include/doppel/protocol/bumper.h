/* SPDX-License-Identifier: Apache-2.0 */
/* The bumper in front of a base: which of its parts are pressed by contacts in given directions.
 * Bits as in the Kobuki's protocol. */
#ifndef DPL_PROTOCOL_BUMPER_H
#define DPL_PROTOCOL_BUMPER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_BUMPER_RIGHT = 1,
    DPL_BUMPER_CENTRE = 2,
    DPL_BUMPER_LEFT = 4,
};

/* Bit i of `touched`: a contact in the sector of 15 degrees that begins at i * 15 degrees,
 * counter-clockwise from ahead. The centre covers 30 degrees to each side; each side covers 30 to
 * 90 degrees. There is no bumper behind. */
static inline uint8_t dpl_bumper_of(uint32_t touched)
{
    const uint32_t centre = 0x00c00003u, left = 0x0000003cu, right = 0x003c0000u;
    return (uint8_t)((touched & right ? DPL_BUMPER_RIGHT : 0) |
                     (touched & centre ? DPL_BUMPER_CENTRE : 0) |
                     (touched & left ? DPL_BUMPER_LEFT : 0));
}

#ifdef __cplusplus
}
#endif

#endif
