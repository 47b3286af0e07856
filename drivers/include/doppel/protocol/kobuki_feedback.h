/* SPDX-License-Identifier: Apache-2.0 */
/* Feedback of a Kobuki base as values: conversion between the payload of a frame and a struct, both
 * ways, for the driver and the emulator. Layouts of blocks 1, 3, 4, 5, 6, 10, 11, 16, 19, 21 were
 * tested against an independent implementation; block 13 is from published sources. General
 * knowledge: meaning of buttons, dock infra-red order, gyro scale and axes, gains in
 * thousandths. */
#ifndef DPL_PROTOCOL_KOBUKI_FEEDBACK_H
#define DPL_PROTOCOL_KOBUKI_FEEDBACK_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_kobuki_feedback_id {
    DPL_KOBUKI_CORE = 1,
    DPL_KOBUKI_DOCK_IR = 3,
    DPL_KOBUKI_INERTIA = 4,
    DPL_KOBUKI_CLIFF = 5,
    DPL_KOBUKI_CURRENT = 6,
    DPL_KOBUKI_HARDWARE = 10,
    DPL_KOBUKI_FIRMWARE = 11,
    DPL_KOBUKI_GYRO = 13,
    DPL_KOBUKI_INPUT = 16,
    DPL_KOBUKI_UDID = 19,
    DPL_KOBUKI_CONTROLLER = 21,
};

/* Bits of bumper and cliff; wheel drop and over-current have their own masks. */
enum {
    DPL_KOBUKI_RIGHT = 1,
    DPL_KOBUKI_CENTRE = 2,
    DPL_KOBUKI_LEFT = 4,
    DPL_KOBUKI_DROP_RIGHT = 1,
    DPL_KOBUKI_DROP_LEFT = 2,
    DPL_KOBUKI_OVERCURRENT_LEFT = 1,
    DPL_KOBUKI_OVERCURRENT_RIGHT = 2,
    DPL_KOBUKI_CHARGER_DISCHARGING = 0,
    DPL_KOBUKI_CHARGER_FULL = 2,
    DPL_KOBUKI_CHARGER_CHARGING = 6,
    DPL_KOBUKI_CHARGER_ADAPTER = 0x10,
    DPL_KOBUKI_MAX_GYRO_VALUES = 126, /* limit of the length byte */
};

struct dpl_kobuki_core {
    uint16_t time_ms; /* wraps */
    uint8_t bumper, wheel_drop, cliff;
    uint16_t encoder_left, encoder_right; /* ticks, wrap */
    int8_t pwm_left, pwm_right;
    uint8_t buttons; /* bits 0..2: B0, B1, B2 */
    uint8_t charger;
    uint8_t battery_decivolt;
    uint8_t overcurrent;
};

struct dpl_kobuki_inertia {
    int16_t angle_centideg;
    int16_t rate_centideg_s;
    uint8_t padding[3]; /* not interpreted */
};

/* Hardware and firmware versions. `size` is 4, or 2 for old firmware, whose number is not
 * packed. */
struct dpl_kobuki_version {
    uint32_t number;
    uint8_t size;
};

struct dpl_kobuki_gyro {
    uint8_t frame;
    uint8_t count;                              /* of values: 3 per sample (x, y, z) */
    int16_t values[DPL_KOBUKI_MAX_GYRO_VALUES]; /* raw, 0.00875 deg/s */
};

struct dpl_kobuki_input {
    uint16_t digital;
    uint16_t analog[4];
    uint16_t padding[3]; /* not interpreted */
};

struct dpl_kobuki_gains {
    uint8_t type;     /* 0 factory, 1 user */
    uint32_t p, i, d; /* thousandths */
};

/* The content of one frame. A member is valid when its bit is in `present`. */
struct dpl_kobuki_feedback {
    uint32_t present; /* bits by DPL_KOBUKI_HAS */
    struct dpl_kobuki_core core;
    uint8_t dock_ir[3]; /* right, centre, left */
    struct dpl_kobuki_inertia inertia;
    uint16_t cliff[3]; /* right, centre, left: raw converter values */
    uint8_t current_10ma[2];
    struct dpl_kobuki_version hardware, firmware;
    struct dpl_kobuki_gyro gyro;
    struct dpl_kobuki_input input;
    uint32_t udid[3];
    struct dpl_kobuki_gains controller;
    unsigned unknown_blocks; /* skipped blocks with an unknown id */
};

#define DPL_KOBUKI_HAS(id) (1u << (id))

static inline bool dpl_kobuki_feedback_has(const struct dpl_kobuki_feedback *feedback,
                                           enum dpl_kobuki_feedback_id id)
{
    return (feedback->present & DPL_KOBUKI_HAS(id)) != 0;
}

/* Decodes a payload. When an id comes twice the last one counts. Returns 0, or -EPROTO for a block
 * that is incomplete or has a wrong length for its id: then `reterr_offset` (may be NULL) gets the
 * block's offset in the payload, and `ret_feedback` is unchanged. */
int dpl_kobuki_feedback_decode(const uint8_t *payload, size_t length,
                               struct dpl_kobuki_feedback *ret_feedback, size_t *reterr_offset);

/* Encodes all present blocks: periodic ones first, then answers to requests. Returns the payload's
 * length, -ENOSPC when `capacity` is too small (255 is enough for a frame), -EINVAL for a gyro
 * count or a version size outside of the wire's range. */
int dpl_kobuki_feedback_encode(const struct dpl_kobuki_feedback *feedback, uint8_t *payload,
                               size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
