/* The wire protocol of template_name, for the driver and for the emulator. Pure: no I/O, no
 * allocation; the caller owns every struct. Replace it by the protocol of your base.
 *
 * A frame: 0xA5, type, length of the payload, payload, check. The sum of all bytes of a frame is 0
 * modulo 256. Numbers are little-endian. */
#ifndef TEMPLATE_NAME_CODEC_H
#define TEMPLATE_NAME_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/protocol/bytes.h>

#define TEMPLATE_NAME_COUNT_RAD 0.0031415926535897933 /* a wheel turns by it between two counts */

enum {
    TEMPLATE_NAME_BAUD = 115200,
    TEMPLATE_NAME_MAX_PAYLOAD = 32,
    TEMPLATE_NAME_MAX_FRAME = TEMPLATE_NAME_MAX_PAYLOAD + 4,
    TEMPLATE_NAME_SPEEDS = 1,   /* host to base: struct template_name_speeds */
    TEMPLATE_NAME_FEEDBACK = 2, /* base to host, every 20 ms: struct template_name_feedback */
};

struct template_name_speeds {
    int16_t left_mm_s, right_mm_s;
};

struct template_name_feedback {
    uint32_t left, right; /* counts of the wheels; they wrap */
    bool pressed;         /* the bumper */
};

/* @part framing.h */

/* Both write a whole frame to `ret` and return its length. */
size_t template_name_speeds_encode(const struct template_name_speeds *speeds,
                                   uint8_t ret[TEMPLATE_NAME_MAX_FRAME]);
size_t template_name_feedback_encode(const struct template_name_feedback *feedback,
                                     uint8_t ret[TEMPLATE_NAME_MAX_FRAME]);

/* Return false for a frame of another type or length. */
bool template_name_speeds_decode(const struct template_name_frame *frame,
                                 struct template_name_speeds *ret);
bool template_name_feedback_decode(const struct template_name_frame *frame,
                                   struct template_name_feedback *ret);

#endif
