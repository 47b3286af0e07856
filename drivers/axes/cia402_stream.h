/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by both parts of the driver `cia402`: cia402_stream.c, which runs on the control thread,
 * and cia402.c with the calls. */
#ifndef AXES_CIA402_STREAM_H
#define AXES_CIA402_STREAM_H

#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "cia402_bus.h"

struct properties {
    char address[256];
    int64_t baud, bit_rate;
    char nodes[64];
    double counts_per_m, rated_force_n, moved_kg;
    double period_ms, heartbeat_ms, silence_ms, process_data_ms;
    double watchdog_ms, reference_ms, start_ms;
    double quick_stop_m_s2, following_error_m, standstill_m_s;
};

/* The sample as numbers for the recorder. */
struct report {
    int64_t syncs, missed, frames_in, frames_out, dropped_bytes, emergencies, losses, reconnects;
    double load_percent, latest_sync_ms;
};

struct state {
    struct dpl_stream *stream;
    struct {
        struct dpl_latest sync;
        struct cia402_command slot[3];
    } commands; /* calls -> control thread */
    struct {
        struct dpl_latest sync;
        struct cia402_sample slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    struct cia402_bus bus;
    bool was_ready;
    dpl_ns opened_at;
    /* owned by the thread of the calls */
    struct cia402_sample sample;
    struct cia402_command command;
    dpl_ns cycle; /* of the newest tick */
    struct report report;
};

/* For the driver's open and close. */
int cia402_stream_open(struct dpl_device *device, struct dpl_diag *reterr);
void cia402_stream_close(struct dpl_device *device);

#endif
