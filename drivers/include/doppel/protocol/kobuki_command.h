/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of a host to a Kobuki base: conversion between blocks of a frame's payload and values,
 * in both directions. Layouts of commands 1, 9, 14 were tested against an independent
 * implementation; the others are from published sources. General knowledge: the unit of a sound's
 * pitch and duration. */
#ifndef DPL_PROTOCOL_KOBUKI_COMMAND_H
#define DPL_PROTOCOL_KOBUKI_COMMAND_H

#include <doppel/protocol/bytes.h>
#include <doppel/protocol/kobuki_feedback.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_kobuki_command_id {
    DPL_KOBUKI_BASE = 1,
    DPL_KOBUKI_SOUND = 3,
    DPL_KOBUKI_SEQUENCE = 4,
    DPL_KOBUKI_REQUEST = 9,
    DPL_KOBUKI_OUTPUT = 12,
    DPL_KOBUKI_SET_GAINS = 13,
    DPL_KOBUKI_GET_GAINS = 14,
};

enum {
    DPL_KOBUKI_MAX_COMMAND = 15, /* bytes of the longest command including its id and length */
    DPL_KOBUKI_REQUEST_HARDWARE = 0x01,
    DPL_KOBUKI_REQUEST_FIRMWARE = 0x02,
    DPL_KOBUKI_REQUEST_UDID = 0x08,
    DPL_KOBUKI_OUTPUT_PINS = 0x000f,
    DPL_KOBUKI_OUTPUT_POWER = 0x00f0,
    DPL_KOBUKI_OUTPUT_LED1 = 0x0300,
    DPL_KOBUKI_OUTPUT_LED2 = 0x0c00,
    DPL_KOBUKI_MAX_SEQUENCE = 6,
};

/* `id` selects the member of the union. */
struct dpl_kobuki_command {
    enum dpl_kobuki_command_id id;
    union {
        struct {
            int16_t speed_mm_s, radius_mm;
        } base;
        struct {
            uint16_t note; /* 1 / (frequency * 2.75e-6 s) */
            uint8_t duration_ms;
        } sound;
        uint8_t sequence;              /* 0..6; the decoder accepts any value */
        uint16_t request;              /* DPL_KOBUKI_REQUEST_ bits */
        uint16_t output;               /* DPL_KOBUKI_OUTPUT_ fields */
        struct dpl_kobuki_gains gains; /* DPL_KOBUKI_SET_GAINS */
        uint8_t unused;                /* DPL_KOBUKI_GET_GAINS */
    };
};

/* Writes one command block. Returns its size, -ENOSPC when `capacity` (DPL_KOBUKI_MAX_COMMAND is
 * enough) does not hold it, -EINVAL for an unknown id. */
int dpl_kobuki_command_encode(const struct dpl_kobuki_command *command, uint8_t *payload,
                              size_t capacity);

/* Takes the next command from a payload. Returns 1 and writes `ret_command`; 0 at the end; -ENOTSUP
 * for a block with an unknown id or a wrong length for its id, after skipping it, so that the
 * caller may continue; -EPROTO when the block is incomplete, then `payload` stays there. */
int dpl_kobuki_command_next(struct dpl_byte_view *payload, struct dpl_kobuki_command *ret_command);

#ifdef __cplusplus
}
#endif

#endif
