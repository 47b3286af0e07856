/* SPDX-License-Identifier: Apache-2.0 */
/* Six drives on one CAN bus, run on the control thread alone: the adapter, the drives, a SYNC each
 * period, and the modes of the axes together (cia402_modes.c). It knows no stream and no device:
 * bytes and times come as arguments, what it wants sent goes to `write`. Pure: the caller owns the
 * struct. */
#ifndef AXES_CIA402_BUS_H
#define AXES_CIA402_BUS_H

#include <doppel/log.h>

#include "cia402_emcy.h"
#include "cia402_rest.h"
#include "protocol/can_wire.h"

/* What the application wants of the axes. Counters, because the newest command replaces older ones
 * unseen. */
struct cia402_command {
    uint32_t sequence; /* of enable, disable, stop, reset */
    uint32_t losses;   /* of the device, as known then: older commands do not move the axes */
    uint32_t stops, resets;
    bool on, following;
    struct dpl_axes_reference reference; /* while following */
    dpl_ns stamp;                        /* of the cycle, on the run's clock */
};

/* What the drives have said. */
struct cia402_sample {
    bool valid; /* all drives have reported since the bus is there */
    dpl_ns stamp;
    uint32_t seen; /* sequence of the newest command that had been taken */
    uint32_t losses;
    enum dpl_axes_mode mode;
    uint32_t fault;
    int fault_axis; /* -1: none */
    double position_m[DPL_AXES_N], velocity_m_s[DPL_AXES_N], effort_n[DPL_AXES_N];
    uint16_t statuswords[DPL_AXES_N];
    uint64_t frames_in, frames_out, dropped_bytes, syncs, missed, emergencies, connections;
    double load;          /* of the bus in the last second, all stuff bits counted */
    double latest_sync_s; /* the longest gap between two SYNCs, beyond the period */
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

struct cia402_bus {
    struct cia402_bus_config config;
    struct cia402_plan plan;
    struct cia402_node nodes[DPL_AXES_N];
    struct cia402_command command; /* set by the caller */
    bool is_commanded;             /* likewise: whether who commands is on time; true at first */
    struct cia402_sample sample;
    bool ready;        /* all drives are at work */
    char problem[200]; /* why it is not */
    /* private */
    char failures[DPL_AXES_N][160];                /* of starting a drive, as told last */
    struct cia402_identity identities[DPL_AXES_N]; /* as told last */
    struct cia402_emcy_log emergencies[DPL_AXES_N];
    bool is_halted;
    enum cia402_adapter adapter;
    struct dpl_can_wire wire;
    dpl_ns told_adapter_at, synced_at, timer_at;
    dpl_ns instant; /* of the newest SYNC, had it been sent in time */
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
    uint32_t revoked;                     /* sequence of a command that is no longer obeyed */
    struct cia402_rest rests[DPL_AXES_N]; /* of axes that shall not move */
    double held_m[DPL_AXES_N], held_m_s[DPL_AXES_N]; /* where a drive is told to be, how fast */
};

void cia402_bus_init(struct cia402_bus *bus, const struct cia402_bus_config *config);

/* The stream is there: wakes the adapter, then the drives. And gone again. */
void cia402_bus_opened(struct cia402_bus *bus, dpl_ns now);
void cia402_bus_closed(struct cia402_bus *bus);

void cia402_bus_data(struct cia402_bus *bus, const uint8_t *bytes, size_t n, dpl_ns now);

/* Every period. True: a period has ended, and sample is new. An adapter that does not
 * answer or refuses is -EPROTO through `*ret_error`, with `problem`: open the stream again. */
bool cia402_bus_timer(struct cia402_bus *bus, dpl_ns now, int *ret_error);

/* For the end, when nobody hears the drives any more: tells them all to stop on their quick stop
 * ramp. The time until those that may still move have come to rest: until then call it each
 * period. Then `off` switches off whatever still has power, also drives that are lost, and takes
 * them out of operation. */
dpl_ns cia402_bus_halt(struct cia402_bus *bus, dpl_ns now);
void cia402_bus_off(struct cia402_bus *bus);

/* ---- cia402_modes.c ---- */

/* Once a period, before the drives are commanded: takes the command, judges the drives, goes on
 * with bus->mode. */
void cia402_modes_step(struct cia402_bus *bus, dpl_ns now);
/* A drive was lost: the others come to rest and switch off. */
void cia402_modes_lose(struct cia402_bus *bus);
/* All drives are out of reach: they stop by themselves. */
void cia402_modes_lose_all(struct cia402_bus *bus);
/* Takes part in coming to rest from now on, as the first time. */
void cia402_modes_forget_rest(struct cia402_bus *bus, int axis);
/* The goal of a drive in this mode; of one that is not at work never to be on. */
enum dpl_cia402_goal cia402_modes_goal(const struct cia402_bus *bus, int axis);
/* Where the reference is at the instant `now`, which a drive shall make its own. */
struct cia402_target {
    int32_t position, velocity, torque;
};
struct cia402_target cia402_modes_target(struct cia402_bus *bus, int axis, dpl_ns now);

__attribute__((format(printf, 3, 4))) void
cia402_bus_log(const struct cia402_bus *bus, enum dpl_log_level level, const char *format, ...);

#endif
