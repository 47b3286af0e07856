/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of the protocol between a simulated world and external controllers, version 1:
 * docs/guides/controllers.md describes it. Shared by the world's side and by the C client; it is
 * not installed. All numbers are little-endian, whatever the machine is. */
#ifndef DOPPEL_HIL_WIRE_H
#define DOPPEL_HIL_WIRE_H

#include <stdint.h>
#include <string.h>

#define HIL_VERSION 1
#define HIL_MAGIC   "DPLHIL\r\n" /* 8 bytes; a transfer that changes line ends is noticed */

/* ---- limits ---- */

#define HIL_MESSAGE_MAX    65536 /* bytes of a message, with its head */
#define HIL_NAME_MAX       64    /* bytes of a controller's name */
#define HIL_PATH_MAX       255   /* bytes of a channel's path */
#define HIL_UNIT_MAX       31    /* bytes of a unit */
#define HIL_CHANNELS_MAX   512   /* sensors, and as many commands */
#define HIL_CELLS_MAX      8000  /* of the sensors together, and of the commands */
#define HIL_EVERY_MAX      1000000
#define HIL_TIMEOUT_MIN_US 1000
#define HIL_TIMEOUT_MAX_US 10000000
#define HIL_ERROR_TEXT_MAX 1000

/* ---- messages ---- */

/* u32 size (with the head), u16 kind, u16 0 */
#define HIL_HEAD 8

enum hil_kind {
    HIL_HELLO = 1,
    HIL_CHANNELS = 2,
    HIL_COMMAND = 3,
    HIL_BYE = 4,
    HIL_WELCOME = 129,
    HIL_RESOLVED = 130,
    HIL_SENSORS = 131,
    HIL_ERROR = 132,
};

/* Offsets in a message, from its first byte on. */

/* HELLO: 8 bytes magic, then */
enum {
    HIL_HELLO_VERSION = 16,     /* u16 */
    HIL_HELLO_MODE = 18,        /* u16 */
    HIL_HELLO_EVERY = 20,       /* u32 */
    HIL_HELLO_TIMEOUT = 24,     /* u32, us */
    HIL_HELLO_NAME_LENGTH = 28, /* u16 */
    HIL_HELLO_ZERO = 30,        /* u16 */
    HIL_HELLO_NAME = 32,
};
enum hil_mode { HIL_FREE_RUNNING = 0, HIL_LOCK_STEP = 1 };

/* WELCOME */
enum {
    HIL_WELCOME_VERSION = 8,      /* u16 */
    HIL_WELCOME_NAME_LENGTH = 10, /* u16 */
    HIL_WELCOME_ZERO = 12,        /* u32 */
    HIL_WELCOME_STEP = 16,        /* u64, ns of the world's time a step */
    HIL_WELCOME_NAME = 24,        /* of the world */
};

/* CHANNELS: then for each, sensors first: u16 length of the path, u16 length of the unit, path,
 * unit */
enum {
    HIL_CHANNELS_SENSORS = 8,   /* u16, how many */
    HIL_CHANNELS_COMMANDS = 10, /* u16 */
    HIL_CHANNELS_ZERO = 12,     /* u32 */
    HIL_CHANNELS_FIRST = 16,
};
enum { HIL_CHANNEL_HEAD = 4 };

/* RESOLVED: heads as those of CHANNELS, then for each in the same order: */
enum {
    HIL_RESOLVED_TYPE = 0,     /* u16 */
    HIL_RESOLVED_UNIT = 2,     /* u16, length */
    HIL_RESOLVED_ELEMENTS = 4, /* u32 */
    HIL_RESOLVED_MIN = 8,      /* f64 */
    HIL_RESOLVED_MAX = 16,     /* f64; both 0: any */
    HIL_RESOLVED_HEAD = 24,    /* then the unit */
};
enum hil_type {
    HIL_NUMBER = 1,
    HIL_INTEGER = 2,
    HIL_FLAG = 3,
    HIL_VECTOR = 4,
    HIL_POSE = 5,
    HIL_BLOCK = 6,
};

/* SENSORS: then the cells of all sensors */
enum {
    HIL_SENSORS_FRAME = 8,    /* u64, 1, 2, ... of this connection */
    HIL_SENSORS_STEP = 16,    /* u64 */
    HIL_SENSORS_TIME = 24,    /* i64, ns of the world */
    HIL_SENSORS_JUMPS = 32,   /* u32, resets and restores of the world */
    HIL_SENSORS_LATE = 36,    /* u32, commands that came late */
    HIL_SENSORS_DROPPED = 40, /* u32, frames that were not sent */
    HIL_SENSORS_ZERO = 44,    /* u32 */
    HIL_SENSORS_CELLS = 48,
};

/* COMMAND: then the cells of all commands */
enum {
    HIL_COMMAND_FRAME = 8, /* u64, of the sensor frame that it answers */
    HIL_COMMAND_CELLS = 16,
};

/* ERROR: then the text */
enum {
    HIL_ERROR_CODE = 8,    /* u16 */
    HIL_ERROR_LENGTH = 10, /* u16 */
    HIL_ERROR_ZERO = 12,   /* u32 */
    HIL_ERROR_OFFSET = 16, /* u64, in what the controller has sent */
    HIL_ERROR_TEXT = 24,
};
enum hil_code {
    HIL_CODE_GARBAGE = 1,  /* not a message of this protocol, or not at this place */
    HIL_CODE_VERSION = 2,  /* another version */
    HIL_CODE_CHANNEL = 3,  /* a channel that cannot be used as asked */
    HIL_CODE_BUSY = 4,     /* somebody else has the channel, or there is no place */
    HIL_CODE_TIME_OUT = 5, /* no command came in time */
    HIL_CODE_ENDED = 6,    /* the world ends */
};

/* ---- numbers ---- */

static inline uint64_t hil_get(const uint8_t *bytes, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) {
        value |= (uint64_t)bytes[i] << (8u * i);
    }
    return value;
}

static inline void hil_put(uint8_t *bytes, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        bytes[i] = (uint8_t)(value >> (8u * i));
    }
}

static inline uint16_t hil_u16(const uint8_t *bytes)
{
    return (uint16_t)hil_get(bytes, 2);
}

static inline uint32_t hil_u32(const uint8_t *bytes)
{
    return (uint32_t)hil_get(bytes, 4);
}

static inline uint64_t hil_u64(const uint8_t *bytes)
{
    return hil_get(bytes, 8);
}

static inline double hil_f64(const uint8_t *bytes)
{
    uint64_t bits = hil_u64(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void hil_put_f64(uint8_t *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hil_put(bytes, bits, 8);
}

/* Writes the head of a message. */
static inline void hil_put_head(uint8_t *bytes, size_t size, enum hil_kind kind)
{
    hil_put(bytes, size, 4);
    hil_put(bytes + 4, (uint64_t)kind, 2);
    hil_put(bytes + 6, 0, 2);
}

/* Elements of flags and integers are whole numbers of 64 bits, all others doubles. */
static inline int hil_is_whole(unsigned type)
{
    return type == HIL_INTEGER || type == HIL_FLAG;
}

#endif
