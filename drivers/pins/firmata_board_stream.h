/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by both parts of the driver `firmata_board`: firmata_board_stream.c, which runs on the
 * control thread, and firmata_board.c with the calls. */
#ifndef PINS_FIRMATA_BOARD_STREAM_H
#define PINS_FIRMATA_BOARD_STREAM_H

#include <doppel/latest.h>
#include <doppel/peer_log.h>
#include <doppel/plugin.h>

#include "pin_exchange.h"
#include "pin_names.h"
#include <doppel/protocol/firmata_board.h>

#define TIMER_MS  2
#define AHEAD_MAX 256

struct properties {
    char address[256];
    int64_t baud;
    char pins[1024];
    double silent_ms;
};

enum change {
    DRIVE_LEVEL,
    DRIVE_RATIO,
    LET_GO,
};

/* One end of a wire, for the calls. */
struct wire {
    bool level;
    double ratio, frequency_hz;
    dpl_ns told_at; /* negative: the controller never drove it */
};

struct sample {
    struct wire wires[DPL_PINS_MAX];
    uint64_t generation; /* number of the connection */
    uint64_t messages, refused, dropped_bytes, late;
};

struct report {
    int64_t messages, refused, dropped_bytes, connections, lost_edges, dropped_writes;
};

struct state {
    struct pin_names names;
    size_t n_pins;
    struct pin_ring changes; /* calls -> control thread */
    struct pin_ring edges;   /* control thread -> calls */
    struct {
        struct dpl_latest sync;
        struct sample slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct dpl_stream *stream;
    struct dpl_firmata_board board;
    struct pin_event ahead[AHEAD_MAX]; /* changes for a later time, in order */
    size_t n_ahead;
    struct dpl_peer_log texts;
    uint64_t generation, dropped_writes, heard;
    dpl_ns heard_at;
    uint64_t dropped_before; /* bytes that belong to no message, at that time */
    bool silent;
    bool rests; /* no command in time: no wire is driven */
    /* owned by the thread of the calls */
    struct sample sample;
    enum dpl_pin_mode modes[DPL_PINS_MAX];
    struct pin_event newest[DPL_PINS_MAX]; /* newest request for each pin */
    struct pin_edges waiting[DPL_PINS_MAX];
    struct report report;
};

/* For the driver's open and close. */
int board_stream_open(struct dpl_device *device, struct dpl_diag *reterr);
void board_stream_close(struct dpl_device *device);

#endif
