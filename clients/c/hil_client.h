/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of the C client:
 *
 * - hil_bytes.c    errors, bytes, whole messages
 * - hil_begin.c    connecting, greeting, channels
 * - doppel_hil.c   frames, and what is known */
#ifndef DOPPEL_HIL_CLIENT_H
#define DOPPEL_HIL_CLIENT_H

#include "doppel_hil.h"
#include "doppel_hil_wire.h"

#define HIL_PATIENCE_MS 5000

struct hil_channel {
    char path[HIL_PATH_MAX + 1];
    char wanted[HIL_UNIT_MAX + 1];
    char unit[HIL_UNIT_MAX + 1];
    unsigned type;
    size_t size, at; /* at: of its first cell, in cells */
    double min, max;
};

struct hil_channels {
    struct hil_channel list[HIL_CHANNELS_MAX];
    int n;
    size_t n_cells;
};

struct doppel_hil {
    int fd; /* -1: not connected */
    int code;
    char error[HIL_ERROR_TEXT_MAX + 1];
    char host[256], name[HIL_NAME_MAX + 1], world[HIL_PATH_MAX + 1];
    uint16_t port;
    int lock_step;
    uint32_t every, timeout_ms;
    uint64_t step_ns;
    int begun;
    struct hil_channels sensors, commands;
    uint8_t in[2 * HIL_MESSAGE_MAX];
    size_t n_in;
    uint8_t frame[HIL_MESSAGE_MAX]; /* the newest SENSORS */
    int has_frame;
    uint8_t out[HIL_MESSAGE_MAX];
};

/* Keeps the first error; returns -1. */
int hil_fail_with(struct doppel_hil *hil, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4), visibility("hidden")));

/* 1: ready; 0: not within ms (negative: no limit); -1. */
int hil_wait_for(struct doppel_hil *hil, short events, int ms)
    __attribute__((visibility("hidden")));

/* Reads what is there. 0 or -1. */
int hil_receive(struct doppel_hil *hil) __attribute__((visibility("hidden")));

/* The size of the first message that has come as a whole; 0: none; -1: it is none, or an error of
 * the world. */
int64_t hil_whole_message(struct doppel_hil *hil) __attribute__((visibility("hidden")));

/* Waits for a whole message: its size; 0: not within ms; -1. */
int64_t hil_await_message(struct doppel_hil *hil, int ms) __attribute__((visibility("hidden")));

/* Forgets the first `size` bytes that have come. */
void hil_used(struct doppel_hil *hil, size_t size) __attribute__((visibility("hidden")));

/* 0 or -1; waits while the world does not read. */
int hil_send_all(struct doppel_hil *hil, const uint8_t *bytes, size_t size)
    __attribute__((visibility("hidden")));

#endif
