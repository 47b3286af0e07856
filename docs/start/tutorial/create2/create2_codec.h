/* SPDX-License-Identifier: Apache-2.0 */
/* The Open Interface of the iRobot Create 2, for the driver and for the emulator. Pure: no I/O, no
 * allocation; the caller owns every struct. Source: "iRobot Create 2 Open Interface (OI)
 * Specification based on the iRobot Roomba 600". Numbers are big-endian.
 *
 * Host to base: an opcode and its data. Base to host, every 15 ms: 19, length, packets (number and
 * data each), check; the sum of all bytes of a frame is 0 modulo 256. */
#ifndef CREATE2_CODEC_H
#define CREATE2_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/protocol/bytes.h>

#define CREATE2_COUNT_RAD  (2.0 * 3.14159265358979323846 / 508.8) /* 508.8 counts a revolution */
#define CREATE2_DIAMETER_M 0.072
#define CREATE2_AXLE_M     0.235

enum {
    CREATE2_BAUD = 115200,
    CREATE2_PERIOD_MS = 15,
    CREATE2_SPEED_MAX = 500, /* mm/s */
    CREATE2_MAX_FRAME = 3 + 255,
    CREATE2_MAX_COMMAND = 2 + 255,
};

enum create2_opcode {
    CREATE2_START = 128,  /* to mode passive */
    CREATE2_SAFE = 131,   /* a cliff, a hanging wheel or the charger ends this mode */
    CREATE2_FULL = 132,   /* nothing ends this mode */
    CREATE2_DRIVE = 137,  /* velocity (mm/s), radius (mm) */
    CREATE2_DIRECT = 145, /* right, left (mm/s) */
    CREATE2_SENSORS = 142,
    CREATE2_STREAM = 148, /* number of packets, packets */
    CREATE2_QUERY = 149,  /* the same, once and without a frame */
    CREATE2_PAUSE = 150,  /* 0: pause the stream, 1: resume it */
    CREATE2_STOP = 173,   /* to mode off */
};

enum create2_packet {
    CREATE2_BUMPS = 7,     /* bits: 1 right, 2 left, 4 right wheel hangs, 8 left wheel hangs */
    CREATE2_DISTANCE = 19, /* mm since the last time */
    CREATE2_ANGLE = 20,    /* degrees since the last time */
    CREATE2_VOLTAGE = 22,  /* mV */
    CREATE2_MODE = 35,
    CREATE2_LEFT = 43,  /* counts of the encoder, 16 bits, they wrap */
    CREATE2_RIGHT = 44, /* the same */
};

enum create2_mode {
    CREATE2_MODE_OFF,
    CREATE2_MODE_PASSIVE,
    CREATE2_MODE_SAFE,
    CREATE2_MODE_FULL,
};

/* ---- base to host ---- */

/* Zero-initialise. */
struct create2_parser {
    uint8_t buffer[CREATE2_MAX_FRAME];
    size_t n;
    uint64_t dropped; /* bytes that belong to no frame */
};

/* The packets of a frame. */
struct create2_frame {
    uint8_t length;
    uint8_t data[255];
};

/* Takes bytes from the front of `input` until a frame is complete. Returns false when all bytes are
 * taken. */
bool create2_parser_next(struct create2_parser *parser, struct dpl_byte_view *input,
                         struct create2_frame *ret);

/* The size of a packet's data in bytes; 0: there is no such packet (or it is a group). */
size_t create2_packet_size(unsigned packet);

/* The value of a packet of a frame: without sign, as sent. Returns false when the frame does not
 * have it, or has a packet of unknown size before it. */
bool create2_frame_find(const struct create2_frame *frame, unsigned packet, unsigned *ret);

/* Writes a whole frame with the packets `ids` and their values; returns its length. 0: a packet is
 * unknown, or they need more than 255 bytes. */
size_t create2_frame_write(const uint8_t *ids, const unsigned *values, size_t n,
                           uint8_t ret[CREATE2_MAX_FRAME]);

/* ---- host to base ---- */

/* Writes a command; returns its length. Speeds are clamped to 500 mm/s. */
size_t create2_direct_write(double left_m_s, double right_m_s, uint8_t ret[5]);

struct create2_command {
    uint8_t opcode;
    uint8_t data[CREATE2_MAX_COMMAND - 1];
    size_t n; /* bytes of data */
};

/* Zero-initialise. */
struct create2_commands {
    uint8_t buffer[CREATE2_MAX_COMMAND];
    size_t n;
    uint64_t unknown; /* bytes that are no opcode of this file */
};

/* As create2_parser_next, for the commands that a base gets. */
bool create2_commands_next(struct create2_commands *commands, struct dpl_byte_view *input,
                           struct create2_command *ret);

static inline int16_t create2_i16(const uint8_t *p)
{
    return (int16_t)(uint16_t)((unsigned)p[0] << 8 | p[1]);
}

#endif
