/* The wire protocol of template_name, for the driver and for the emulator. Pure: no I/O, no
 * allocation; the caller owns every struct. Replace it by the protocol of your sensor.
 *
 * A frame: 0xA5, type, length of the payload, payload, check. The sum of all bytes of a frame is 0
 * modulo 256. Numbers are little-endian. */
#ifndef TEMPLATE_NAME_CODEC_H
#define TEMPLATE_NAME_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/protocol/bytes.h>

enum {
    TEMPLATE_NAME_BAUD = 115200,
    TEMPLATE_NAME_MAX_PAYLOAD = 32,
    TEMPLATE_NAME_MAX_FRAME = TEMPLATE_NAME_MAX_PAYLOAD + 4,
    TEMPLATE_NAME_MEASUREMENT = 1, /* sensor to host, every 20 ms */
};

/* In the sensor's frame. */
struct template_name_measurement {
    double rate_rad_s[3];
    double acceleration_m_s2[3]; /* specific force: at rest 9.81 upward */
    double roll_rad, pitch_rad, yaw_rad;
};

/* @part framing.h */

/* Writes a whole frame to `ret` and returns its length. A value has 16 bits and a unit of 0.001;
 * larger ones are clamped. */
size_t template_name_measurement_encode(const struct template_name_measurement *measurement,
                                        uint8_t ret[TEMPLATE_NAME_MAX_FRAME]);

/* Returns false for a frame of another type or length. */
bool template_name_measurement_decode(const struct template_name_frame *frame,
                                      struct template_name_measurement *ret);

#endif
