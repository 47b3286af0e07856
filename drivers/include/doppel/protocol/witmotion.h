/* SPDX-License-Identifier: Apache-2.0 */
/* The serial protocol of WitMotion's inertial sensors (WT901 and its family): packets of 11 bytes,
 * 0x55, a type, four int16 (low byte first), and a check, which is the low byte of the sum of the
 * ten bytes before it. Source: the maker's data sheet WT901 v20-0702, section 5.1. The sensor sends
 * by itself; by default acceleration, angular velocity, angles and magnetic field, 10 times a
 * second at 9600 baud. Its frame: x, y, z to the right hand; angles are roll, pitch, yaw (R = Rz Ry
 * Rx). Pure: no state but the caller's, no allocation. */
#ifndef DPL_PROTOCOL_WITMOTION_H
#define DPL_PROTOCOL_WITMOTION_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPL_WITMOTION_PACKET = 11 };

/* Other types exist (0x50 time, 0x54 magnetic field, ...); the parser gives them too. */
enum dpl_witmotion_type {
    DPL_WITMOTION_ACCELERATION = 0x51,
    DPL_WITMOTION_RATE = 0x52, /* angular velocity */
    DPL_WITMOTION_ANGLES = 0x53,
};

/* A packet as it is on the wire, without its header and check. */
struct dpl_witmotion_packet {
    uint8_t type;
    int16_t words[4];
    uint64_t offset; /* of the packet's first byte in the stream, counted from 0 */
};

/* Incremental parser. Zero-initialise. The same stream gives the same packets for every division
 * into chunks. */
struct dpl_witmotion_parser {
    /* may be read */
    uint64_t packets;
    uint64_t checksum_errors;
    uint64_t dropped_bytes; /* bytes that belong to no valid packet */
    /* private */
    uint64_t offset; /* stream offset of buffer[0] */
    size_t filled;
    uint8_t buffer[DPL_WITMOTION_PACKET];
};

/* Consumes `input` up to the end of the next valid packet. True, and ret_packet: call again, there
 * may be more. False: all input is consumed. After a wrong check the search starts again one byte
 * after the false header. Never blocks, never allocates. */
bool dpl_witmotion_next(struct dpl_witmotion_parser *parser, struct dpl_byte_view *input,
                        struct dpl_witmotion_packet *ret_packet);

/* Writes a packet; its offset is not used. */
void dpl_witmotion_write(const struct dpl_witmotion_packet *packet,
                         uint8_t ret_bytes[DPL_WITMOTION_PACKET]);

/* The first three words of a packet as a vector in SI units: m/s^2 (the sensor's unit is g, 9.80665
 * m/s^2), rad/s or rad. The type must be one of enum dpl_witmotion_type. */
void dpl_witmotion_vector(const struct dpl_witmotion_packet *packet, double ret_vector[3]);

/* The packet of a vector in SI units, with a fourth word of its own. A number beyond the sensor's
 * range (16 g, 2000 deg/s) becomes the end of the range; angles wrap at 180 deg; NaN becomes 0. */
struct dpl_witmotion_packet dpl_witmotion_of(enum dpl_witmotion_type type, const double vector[3],
                                             int16_t fourth);

/* The fourth word of an acceleration or angular velocity packet, in degrees Celsius. */
static inline double dpl_witmotion_celsius(const struct dpl_witmotion_packet *packet)
{
    return packet->words[3] / 100.0;
}

#ifdef __cplusplus
}
#endif

#endif
