/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the drivers `cia402` (of axes, and of joints): cia402_stream.c, which runs
 * on the control thread, cia402_calls.c, which the drivers' calls share, and the drivers.
 * Properties and state of a driver begin with the structs here. */
#ifndef CIA402_CIA402_STREAM_H
#define CIA402_CIA402_STREAM_H

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

/* The drives of a device. */
struct cia402_group {
    size_t n_axes;           /* 1 to CIA402_AXES_MAX */
    const char *counts_name; /* the property that counts are from */
};

/* For the driver's open and close. */
int cia402_stream_open(struct dpl_device *device, const struct cia402_group *group,
                       struct dpl_diag *reterr);
void cia402_stream_close(struct dpl_device *device);

/* ---- cia402_calls.c: one thread at a time ---- */

/* Takes what the drives have sent. 0, or -ENODEV while the device is lost. */
int cia402_begin(struct dpl_device *device);
/* The mode for the caller: a requested mode is returned until the drives have received the
 * command. */
enum dpl_axes_mode cia402_mode_of(const struct state *state);
/* Sends state->command to the control thread. */
void cia402_send(struct state *state);

/* Each returns 0 or -ENODEV; enable also -EPERM: a drive has a fault. */
int cia402_enable(struct dpl_device *device);
int cia402_disable(struct dpl_device *device);
int cia402_stop(struct dpl_device *device);
int cia402_reset(struct dpl_device *device);

/* Rows of a driver's export table; `base` is the struct state in `struct_`. */
#define CIA402_COUNTER(struct_, base, name_, member_, text_)                                       \
    DPL_EXPORT_INT(struct_, base report.member_, name_, NULL, DPL_FIELD_SUMMARY, text_)
#define CIA402_EXPORTS(struct_, base)                                                              \
    CIA402_COUNTER(struct_, base, "syncs", syncs, "periods of the bus"),                           \
        CIA402_COUNTER(struct_, base, "missed", missed,                                            \
                       "periods in which not all drives answered"),                                \
        CIA402_COUNTER(struct_, base, "frames_in", frames_in, "CAN frames of others"),             \
        CIA402_COUNTER(struct_, base, "frames_out", frames_out, "CAN frames of this driver"),      \
        CIA402_COUNTER(struct_, base, "dropped_bytes", dropped_bytes, "bytes of no valid frame"),  \
        CIA402_COUNTER(struct_, base, "emergencies", emergencies,                                  \
                       "messages of drives about errors"),                                         \
        CIA402_COUNTER(struct_, base, "losses", losses, "drives or connections lost"),             \
        CIA402_COUNTER(struct_, base, "reconnects", reconnects, "connections after the first"),    \
        DPL_EXPORT_NUMBER(struct_, base report.load_percent, "bus_load", NULL, DPL_FIELD_SUMMARY,  \
                          "percent of the bus in the last second, all stuff bits counted"),        \
        DPL_EXPORT_NUMBER(struct_, base report.latest_sync_ms, "latest_sync", "ms",                \
                          DPL_FIELD_SUMMARY,                                                       \
                          "the longest gap between two SYNCs, beyond the period")

/* Rows of a driver's property table: the bus and its times. */
#define CIA402_BUS_FIELDS(struct_, base)                                                           \
    {                                                                                              \
        .name = "Address",                                                                         \
        .aliases = "Device|SerialPort",                                                            \
        .type = DPL_FIELD_STRING,                                                                  \
        DPL_MEMBER(struct_, base address),                                                         \
        .default_text = "/dev/ttyACM0",                                                            \
        .summary = "serial port of an slcan adapter, tcp://host:port of one, or can:can0 for an "  \
                   "interface of the kernel",                                                      \
    },                                                                                             \
        DPL_INT(struct_, base baud, "Baud", "115200", 1200, 4000000,                               \
                "speed of the serial port; adapters that are serial over USB ignore it"),          \
        DPL_INT(struct_, base bit_rate, "Bitrate", "1000000", 10000, 1000000,                      \
                "bit/s of the CAN bus; for can:can0 the value of ip link")
#define CIA402_TIME_FIELDS(struct_, base, period_)                                                 \
    DPL_NUMBER(struct_, base period_ms, "CommunicationPeriod", "ms", period_, 0.5, 100,            \
               "from SYNC to SYNC"),                                                               \
        DPL_NUMBER(struct_, base heartbeat_ms, "HeartbeatTime", "ms", "40", 5, 5000,               \
                   "time between two heartbeats of a drive"),                                      \
        DPL_NUMBER(struct_, base silence_ms, "SilenceTimeout", "ms", "100", 10, 60000,             \
                   "a drive without a message for this long is lost"),                             \
        DPL_NUMBER(struct_, base process_data_ms, "ProcessDataTimeout", "ms", "100", 10, 60000,    \
                   "a drive without an answer to SYNCs for this long is lost"),                    \
        DPL_NUMBER(struct_, base watchdog_ms, "WatchdogTime", "ms", "100", 0, 60000,               \
                   "a drive that receives nothing for this long stops by itself; 0: never"),       \
        DPL_NUMBER(struct_, base reference_ms, "ReferenceTimeout", "ms", "100", 10, 60000,         \
                   "without a cycle of the application for this long the drives stop"),            \
        DPL_NUMBER(struct_, base start_ms, "StartTimeout", "ms", "5000", 100, 60000,               \
                   "time for all drives to become ready and to be switched on")

#endif
