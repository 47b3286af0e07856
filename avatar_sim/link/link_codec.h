/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the avatar link, packed and unpacked. What comes out of unpacking is checked against
 * every limit below, so that its users index with it as it is. No memory is allocated: a codec
 * holds what one frame can need. */
#ifndef DOPPEL_SIM_LINK_CODEC_H
#define DOPPEL_SIM_LINK_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#include "link.pb-c.h"

#define LINK_VERSION      1u
#define LINK_FRAME_MAX    65536 /* bytes; a larger frame is refused unread */
#define LINK_NAME_MAX     47    /* bytes of a name */
#define LINK_TEXT_MAX     500   /* bytes of an explanation */
#define LINK_ROBOTS_MAX   64
#define LINK_WHEELS_MAX   4  /* motors, and encoders, of a robot */
#define LINK_SCANNERS_MAX 2  /* lasers of a robot */
#define LINK_SLOTS_MAX    16 /* links of a client to one world */
#define LINK_TIME_MAX     (INT64_C(1) << 60)
#define LINK_PLACE_MAX    10000.0 /* m, of a place: DPL_SIM_EXTENT */
#define LINK_THETA_MAX    1000.0  /* rad, of a place */
#define LINK_PERIOD_MIN   DPL_MS
#define LINK_PERIOD_MAX   DPL_S

#define LINK_ARENA_SIZE (8 * LINK_FRAME_MAX)

/* One thread at a time uses a codec. About 600 kB: allocate it. */
struct link_codec {
    _Alignas(16) uint8_t arena[LINK_ARENA_SIZE]; /* of the message unpacked last */
    size_t used;
    uint8_t out[LINK_FRAME_MAX]; /* the frame packed last */
};

/* The message in a frame; it lives until the codec's next unpack. -EPROTO: not a message or beyond
 * a limit; -EPROTONOSUPPORT: another version. *reterr_why then says what is wrong (a constant). */
int link_unpack_to_server(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToServer **ret_message, const char **reterr_why);
int link_unpack_to_client(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToClient **ret_message, const char **reterr_why);

/* Into codec->out: the size, or -EMSGSIZE. Sets the version. */
int link_pack_to_server(struct link_codec *codec, Doppel__Link__ToServer *message);
int link_pack_to_client(struct link_codec *codec, Doppel__Link__ToClient *message);

#endif
