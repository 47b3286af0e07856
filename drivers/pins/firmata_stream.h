/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by both parts of the driver `firmata`: firmata_stream.c, which runs on the control thread,
 * and firmata.c with the calls. */
#ifndef PINS_FIRMATA_STREAM_H
#define PINS_FIRMATA_STREAM_H

#include <doppel/latest.h>
#include <doppel/peer_log.h>
#include <doppel/plugin.h>

#include "firmata_host.h"
#include "pin_exchange.h"
#include "pin_names.h"

struct properties {
    char port[256];
    int64_t baud;
    char pins[1024];
    int64_t first_analog;
    double sampling_ms, silence_ms, boot_ms;
};

enum command {
    SET_MODE,
    WRITE,
    WRITE_PWM,
    PING,
};

struct input {
    uint16_t modes;
    bool known, level;
    double ratio;
};

struct sample {
    bool ready;
    size_t n_pins;
    struct input pins[DPL_PINS_MAX];
    uint64_t messages, dropped_bytes, refused, connections, restarts;
};

struct report {
    int64_t messages, dropped_bytes, refused, reconnects, restarts, lost_edges;
};

struct state {
    struct pin_names names;
    struct pin_ring commands; /* calls -> control thread */
    struct pin_ring edges;    /* control thread -> calls */
    struct {
        struct dpl_latest sync;
        struct sample slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct dpl_stream *stream;
    struct firmata_host host;
    uint64_t connections, refused;
    dpl_ns opened_at;
    struct dpl_peer_log texts;
    bool was_ready;
    bool rests;                /* no command in time: outputs are off */
    bool wanted[DPL_PINS_MAX]; /* a mode was requested, supported by the board or not */
    enum dpl_pin_mode wanted_mode[DPL_PINS_MAX];
    /* owned by the thread of the calls */
    struct sample sample;
    enum dpl_pin_mode modes[DPL_PINS_MAX];
    bool written[DPL_PINS_MAX];
    struct pin_edges waiting[DPL_PINS_MAX];
    struct report report;
};

/* The pin with this number as text, or with "A" and an analog channel. -ENOENT. */
int firmata_pin_of(const struct properties *props, const char *text, unsigned *ret_pin);

/* For the driver's open and close. */
int firmata_stream_open(struct dpl_device *device, struct dpl_diag *reterr);
void firmata_stream_close(struct dpl_device *device);

#endif
