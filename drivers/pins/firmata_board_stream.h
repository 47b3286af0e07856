/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the driver `firmata_board` share: firmata_board_stream.c, which the
 * control thread runs, and firmata_board.c, the calls. */
#ifndef PINS_FIRMATA_BOARD_STREAM_H
#define PINS_FIRMATA_BOARD_STREAM_H

#include <doppel/latest.h>
#include <doppel/peer_log.h>
#include <doppel/plugin.h>

#include "pin_exchange.h"
#include "pin_names.h"
#include "protocol/firmata_board.h"

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

/* One end of a wire, as the calls see it. */
struct wire {
    bool level;
    double ratio, frequency_hz;
    dpl_ns told_at; /* negative: the controller never drove it */
};

struct sample {
    struct wire wires[DPL_PINS_MAX];
    uint64_t generation; /* counts connections */
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
    struct pin_event ahead[AHEAD_MAX]; /* changes whose instant has not come, in order */
    size_t n_ahead;
    struct dpl_peer_log texts;
    uint64_t generation, dropped_writes, heard;
    dpl_ns heard_at;
    uint64_t dropped_before; /* bytes of no message, then */
    bool silent;
    bool rests; /* nobody commands in time: all wires are let go */
    /* thread of the calls */
    struct sample sample;
    enum dpl_pin_mode modes[DPL_PINS_MAX];
    struct pin_event newest[DPL_PINS_MAX]; /* what was last asked of each pin */
    struct pin_edges waiting[DPL_PINS_MAX];
    struct report report;
};

/* The driver's open and close. */
int board_stream_open(struct dpl_device *device, struct dpl_diag *reterr);
void board_stream_close(struct dpl_device *device);

#endif
