/* SPDX-License-Identifier: Apache-2.0 */
/* The drives on one CAN bus (as many as the settings say), used on the control thread only: the
 * adapter, the drives, a SYNC each period, the common modes of the axes (cia402_modes.c), the log
 * (cia402_report.c), the end (cia402_end.c: halt and off). It uses no stream and no device: bytes
 * and times are arguments, and `write` sends bytes. Pure: the caller owns the struct. */
#ifndef CIA402_CIA402_BUS_H
#define CIA402_CIA402_BUS_H

#include <doppel/log.h>
#include <doppel/protocol/can_wire.h>

#include "cia402_node.h"

/* Where the axes shall be at the end of a cycle, and the derivatives there. */
struct cia402_reference {
    double position_m[CIA402_AXES_MAX], velocity_m_s[CIA402_AXES_MAX];
    double acceleration_m_s2[CIA402_AXES_MAX];
};

/* The application's command for the axes. It has counters, because the newest command may replace
 * older ones before they are read. */
struct cia402_command {
    uint32_t sequence; /* of enable, disable, stop, reset */
    uint32_t losses; /* of the device, as known at that time: older commands do not move the axes */
    uint32_t stops, resets;
    bool on, following;
    struct cia402_reference reference; /* while following */
    dpl_ns stamp;                      /* of the cycle, on the run's clock */
};

/* Data from the drives. */
struct cia402_sample {
    bool valid; /* all drives have reported since the bus was opened */
    dpl_ns stamp;
    uint32_t seen; /* sequence of the newest command that was processed */
    uint32_t losses;
    enum dpl_axes_mode mode;
    uint32_t fault;
    int fault_axis; /* -1: none */
    double position_m[CIA402_AXES_MAX], velocity_m_s[CIA402_AXES_MAX], effort_n[CIA402_AXES_MAX];
    uint16_t statuswords[CIA402_AXES_MAX];
    uint64_t frames_in, frames_out, dropped_bytes, syncs, missed, emergencies, connections;
    double load;          /* of the bus in the last second, counting all stuff bits */
    double latest_sync_s; /* the longest gap between two SYNCs, minus the period */
};

struct cia402_bus_config {
    struct cia402_settings settings;
    enum dpl_can_wire_kind wire;
    int (*write)(void *user, const void *bytes, size_t n);
    void (*log)(void *user, enum dpl_log_level level, const char *text);
    void *user;
};

enum cia402_adapter {
    CIA402_NO_ADAPTER,
    CIA402_ADAPTER_CLOSING,
    CIA402_ADAPTER_SPEED,
    CIA402_ADAPTER_OPENING,
    CIA402_ADAPTER_UP,
};

enum { CIA402_EMCY_CODES = 8 }; /* codes that are counted separately; others are counted together */

/* Selects the emergency messages of a drive that are logged: each code when it comes for the first
 * time, then its count, when the error has ended and a second has passed. */
struct cia402_emcy_log {
    size_t n;
    uint16_t codes[CIA402_EMCY_CODES];
    uint64_t counts[CIA402_EMCY_CODES], others;
    dpl_ns since; /* time of the first of them */
    bool is_over;
};

/* An axis on its way to rest: a stop of category 1 (IEC 60204-1), first the drive's ramp, then
 * power off. It is over when the axis stands, or, independent of the drive's data, when the ramp
 * must have ended (SS1-t of IEC 61800-5-2). */
struct cia402_rest {
    bool is_over;  /* the drive may be switched off */
    bool has_come; /* because the axis stands */
    /* private */
    bool is_under_way;
    dpl_ns since;
    double fastest_m_s; /* that the axis may have had since the start of the stop */
    unsigned periods;   /* consecutive periods in which it stood */
};

struct cia402_bus {
    struct cia402_bus_config config;
    struct cia402_plan plan;
    struct cia402_node nodes[CIA402_AXES_MAX];
    struct cia402_command command; /* set by the caller */
    /* set by the caller: whether the commander is on time; initially true */
    bool is_commanded;
    struct cia402_sample sample;
    bool ready;        /* all drives are operating */
    char problem[200]; /* the reason why not */
    /* private */
    char failures[CIA402_AXES_MAX][160];                /* of starting a drive, as last logged */
    struct cia402_identity identities[CIA402_AXES_MAX]; /* as last logged */
    struct cia402_emcy_log emergencies[CIA402_AXES_MAX];
    bool is_halted;
    enum cia402_adapter adapter;
    struct dpl_can_wire wire;
    dpl_ns told_adapter_at, synced_at, timer_at;
    dpl_ns instant; /* of the newest SYNC, its nominal time */
    bool has_synced;
    uint8_t out[2048];
    size_t n_out;
    uint64_t bits, bits_before;
    dpl_ns load_from;
    /* modes */
    enum dpl_axes_mode mode;
    dpl_ns mode_since;
    bool off_at_rest, resuming, resetting;
    uint32_t stops, resets;
    uint32_t revoked;                          /* sequence of a command that is no longer valid */
    struct cia402_rest rests[CIA402_AXES_MAX]; /* of axes that must not move */
    /* the commanded position and speed of a drive */
    double held_m[CIA402_AXES_MAX], held_m_s[CIA402_AXES_MAX];
};

void cia402_bus_init(struct cia402_bus *bus, const struct cia402_bus_config *config);

/* The stream is open: starts the adapter, then the drives. And: the stream is closed. */
void cia402_bus_opened(struct cia402_bus *bus, dpl_ns now);
void cia402_bus_closed(struct cia402_bus *bus);

void cia402_bus_data(struct cia402_bus *bus, const uint8_t *bytes, size_t n, dpl_ns now);

/* Call it every period. True: a period has ended, and sample is new. When the adapter does not
 * answer or refuses, `*ret_error` is -EPROTO, with `problem`: open the stream again. */
bool cia402_bus_timer(struct cia402_bus *bus, dpl_ns now, int *ret_error);

/* For the end, when data from the drives is no longer read: sends all drives the command to stop on
 * their quick stop ramp. Returns the time until those that may still move have come to rest; until
 * then call it each period. Then `off` switches off all drives that still have power, including
 * lost ones, and ends their operation. */
dpl_ns cia402_bus_halt(struct cia402_bus *bus, dpl_ns now);
void cia402_bus_off(struct cia402_bus *bus);

/* ---- sending, for all files of the bus ---- */

/* A frame waits until it is flushed, or until there is no room. `user` is the bus. */
void cia402_bus_send(void *user, const struct dpl_can_frame *frame);
void cia402_bus_flush(struct cia402_bus *bus);
void cia402_bus_send_adapter(struct cia402_bus *bus, enum dpl_slcan_kind kind, uint32_t value,
                             dpl_ns now);

/* ---- cia402_modes.c ---- */

/* Call it once per period, before the drives are commanded: takes the command, evaluates the
 * drives, performs the transitions of bus->mode. */
void cia402_modes_step(struct cia402_bus *bus, dpl_ns now);
/* A drive was lost: the others come to rest and switch off. */
void cia402_modes_lose(struct cia402_bus *bus);
/* No drive can be reached: they stop by themselves. */
void cia402_modes_lose_all(struct cia402_bus *bus);
/* The axis comes to rest again, as the first time. */
void cia402_modes_forget_rest(struct cia402_bus *bus, int axis);
/* The goal of a drive in this mode; never ON for a drive that is not operating. */
enum dpl_cia402_goal cia402_modes_goal(const struct cia402_bus *bus, int axis);
/* The reference extrapolated to the time `now`, as target for a drive. */
struct cia402_target {
    int32_t position, velocity, torque;
};
struct cia402_target cia402_modes_target(struct cia402_bus *bus, int axis, dpl_ns now);

/* ---- cia402_report.c: lines for `config.log` ---- */

__attribute__((format(printf, 3, 4))) void
cia402_report(const struct cia402_bus *bus, enum dpl_log_level level, const char *format, ...);
/* That a drive could not be started. Attempts continue without limit; each reason is one warning.
 */
void cia402_report_failure(struct cia402_bus *bus, int axis);
/* The newest emergency of a drive; and a summary of those that came again, when it is due or at the
 * end. */
void cia402_report_emergency(struct cia402_bus *bus, int axis, dpl_ns now);
void cia402_report_emergencies_again(struct cia402_bus *bus, int axis, bool is_end, dpl_ns now);
/* The identity of a drive: once, and again when it changes. */
void cia402_report_identity(struct cia402_bus *bus, int axis);

/* ---- cia402_end.c ---- */

/* Call it once per period for an axis that must come to rest; the first call starts it. `told_m_s`:
 * the commanded speed of the axis. */
void cia402_rest_step(struct cia402_rest *rest, const struct cia402_node *node, double told_m_s,
                      dpl_ns now);

#endif
