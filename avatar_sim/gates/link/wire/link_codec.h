/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the link, packed and unpacked. What comes out of unpacking is checked against every
 * limit below. What depends on a subscription (an index, the length of a value) is checked by who
 * knows it: link_value_read. No memory is allocated: a codec holds what one frame can need. */
#ifndef DOPPEL_SIM_LINK_CODEC_H
#define DOPPEL_SIM_LINK_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#include "link.pb-c.h"

#define LINK_VERSION        2u
#define LINK_FRAME_MAX      65536 /* bytes; a larger frame is refused unread */
#define LINK_NAME_MAX       47    /* bytes of a client's or a world's name */
#define LINK_TEXT_MAX       500   /* bytes of an explanation */
#define LINK_PATH_MAX       255   /* bytes of a channel's path */
#define LINK_UNIT_MAX       31
#define LINK_SUMMARY_MAX    255
#define LINK_CHANNELS_MAX   65536   /* of a world */
#define LINK_ELEMENTS_MAX   1048576 /* of a channel */
#define LINK_SUBSCRIBED_MAX 1024    /* channels of a slot */
#define LINK_SLOTS_MAX      32      /* of a client */
#define LINK_VALUES_MAX     40000   /* bytes: sum of a slot's values that go one way, but blocks */
#define LINK_BLOCK_MAX      60000   /* bytes of a block */
#define LINK_CONSTANT_MAX   32768   /* bytes of a constant that is in the list */
#define LINK_CONSTANTS_MAX  (1 << 24) /* bytes of all constants in a list */
#define LINK_TIME_MAX       (INT64_C(1) << 60)
#define LINK_PERIOD_MIN     DPL_MS
#define LINK_PERIOD_MAX     DPL_S

#define LINK_ARENA_SIZE (24 * LINK_FRAME_MAX)

/* One thread at a time uses a codec. About 1.6 MB: allocate it. */
struct link_codec {
    _Alignas(16) uint8_t arena[LINK_ARENA_SIZE]; /* of the message unpacked last */
    size_t used;
    uint32_t version;             /* of the message unpacked last */
    char name[LINK_NAME_MAX + 1]; /* of a client of another version, as it said; "": it did not */
    uint8_t out[LINK_FRAME_MAX];  /* the frame packed last */
};

/* The message in a frame; it lives until the codec's next unpack. -EPROTO: not a message or beyond
 * a limit; -EPROTONOSUPPORT: another version, which is in codec->version, with codec->name.
 * *reterr_why then says what is wrong (a constant). */
int link_unpack_to_server(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToServer **ret_message, const char **reterr_why);
int link_unpack_to_client(struct link_codec *codec, const void *frame, size_t size,
                          const Doppel__Link__ToClient **ret_message, const char **reterr_why);

/* Into codec->out: the size, or -EMSGSIZE. Both set our version, but a message to a
 * client keeps another one that it has: a refusal is understood by who is refused. */
int link_pack_to_server(struct link_codec *codec, Doppel__Link__ToServer *message);
int link_pack_to_client(struct link_codec *codec, Doppel__Link__ToClient *message);

/* ---- link_check.c: NULL, or what is wrong with a message (a constant) ---- */

const char *link_check_hello(const Doppel__Link__Hello *hello);
const char *link_check_to_server(const Doppel__Link__ToServer *message);
const char *link_check_to_client(const Doppel__Link__ToClient *message);

#endif
