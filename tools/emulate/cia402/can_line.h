/* SPDX-License-Identifier: Apache-2.0 */
/* A CAN bus with emulated drives and an slcan adapter, as a host sees it on a serial line. Frames
 * of drives wait until the bus is free, so that a host that waits for each answer is never faster
 * than the bus. Frames of the host are refused when the queue of the bus is full. Pure: bytes and
 * times are arguments, the caller owns the struct. */
#ifndef EMULATE_CAN_LINE_H
#define EMULATE_CAN_LINE_H

#include "cia402_drive.h"
#include <doppel/protocol/slcan.h>

enum {
    CAN_LINE_DRIVES_MAX = 16,
    CAN_LINE_HELD_MAX = 2048, /* the shortest frames that a host may queue; a power of two */
};

/* A waiting frame, and the time when its transmission ends. */
struct can_line_held {
    struct dpl_can_frame frame;
    dpl_ns carried;
};

struct can_line {
    size_t n_drives;
    struct cia402_drive drives[CAN_LINE_DRIVES_MAX];
    /* Sends data to the host: a complete line, or several answers. */
    void (*send)(void *user, const uint8_t *bytes, size_t n, dpl_ns now);
    void *user;
    /* may be read */
    bool is_open;
    uint64_t frames_in, frames_out; /* from the host; to the host */
    uint64_t refused_frames;        /* from the host, which gets the refusal */
    uint64_t lost_frames;           /* from drives, dropped because the queue was full */
    uint64_t bits;                  /* on the bus, counting all stuff bits */
    struct dpl_slcan_parser parser;
    /* private */
    uint32_t bit_rate;
    bool stamps;
    dpl_ns now, busy_until;
    struct can_line_held held[CAN_LINE_HELD_MAX];
    size_t first_held, n_held;
    uint8_t answers[512];
    size_t n_answers;
};

/* The struct must not be moved afterwards. `drives`: n of them, at most CAN_LINE_DRIVES_MAX. */
void can_line_init(struct can_line *line, const struct cia402_drive_config *drives, size_t n);

/* All drives are switched on. */
void can_line_power(struct can_line *line, dpl_ns now);

/* The host has opened the port: the adapter is in the state after power-on. */
void can_line_connected(struct can_line *line);
void can_line_receive(struct can_line *line, const uint8_t *bytes, size_t n, dpl_ns now);
/* Call it every few ms, and when the next frame is due. */
void can_line_advance(struct can_line *line, dpl_ns now);
/* The time when the next waiting frame goes to the host; INT64_MAX: none. */
dpl_ns can_line_next(const struct can_line *line);

#endif
