/* SPDX-License-Identifier: Apache-2.0 */
/* An emulated drive after CiA 402 on a CAN bus: network management, SDO server, process data, power
 * drive state machine, watchdog; and what can go wrong with it, on demand. Pure: frames and times
 * come as arguments, the caller owns the struct. */
#ifndef EMULATE_CIA402_DRIVE_H
#define EMULATE_CIA402_DRIVE_H

#include "drive_motor.h"
#include "drive_objects.h"

struct cia402_drive_config {
    uint8_t node;
    double counts_per_m, rated_force_n;
    double start_m;
    struct drive_motor_config motor;
    unsigned missing_targets; /* so many SYNCs in a row without a target are a fault; 0: never */
    unsigned late_targets;    /* the same in periods by the drive's own clock, without SYNC too */
};

struct cia402_drive {
    struct cia402_drive_config config;
    void (*send)(void *user, const struct dpl_can_frame *frame);
    void *user;
    /* may be read */
    enum dpl_canopen_state nmt;
    enum dpl_cia402_state state;
    struct drive_motor motor;
    bool cut; /* set by the caller: neither hears nor speaks; it lives on */
    uint64_t syncs, watchdogs, faults;
    /* private */
    struct drive_store store;
    struct dpl_canopen_dictionary dictionary;
    struct dpl_canopen_server server;
    struct dpl_can_frame waiting[DRIVE_PDOS]; /* synchronous RPDOs */
    bool is_waiting[DRIVE_PDOS];
    uint16_t controlword;
    dpl_ns instant; /* of the newest SYNC, had it come without delay */
    dpl_ns now, heartbeat_at, commanded_at;
    dpl_ns slept, woken_at; /* how long nobody has called it, last; and until when */
    dpl_ns burst_since;
    bool has_target;  /* since the newest SYNC */
    bool is_limited;  /* the newest target was beyond 607Dh */
    bool has_offset;  /* 60B1h has been other than 0 since it was enabled */
    unsigned missing; /* SYNCs in a row without a target */
    unsigned burst;   /* SYNCs within half a period */
    bool is_watched;  /* set-points have come since it was enabled or has stopped by itself */
};

/* Off: nothing is said before cia402_drive_power. The struct must not be moved afterwards. */
void cia402_drive_init(struct cia402_drive *drive, const struct cia402_drive_config *config);

/* Switched on, or restarted: says that it is up. */
void cia402_drive_power(struct cia402_drive *drive, dpl_ns now);

/* A frame on the bus, of whomever. */
void cia402_drive_hear(struct cia402_drive *drive, const struct dpl_can_frame *frame, dpl_ns now);

/* Lets time pass: loop, heartbeat, watchdog. Call every few ms. */
void cia402_drive_advance(struct cia402_drive *drive, dpl_ns now);

/* A fault of the drive's own, with this emergency code. */
void cia402_drive_fail(struct cia402_drive *drive, uint16_t code);

#endif
