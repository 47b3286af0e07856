/* SPDX-License-Identifier: Apache-2.0 */
/* An emulated drive with CiA 402 on a CAN bus: network management, SDO server, process data, power
 * drive state machine, watchdog, and faults on demand. Pure: frames and times are arguments, the
 * caller owns the struct. */
#ifndef EMULATE_CIA402_DRIVE_H
#define EMULATE_CIA402_DRIVE_H

#include "drive_motor.h"
#include "drive_objects.h"

struct cia402_drive_config {
    uint8_t node;
    double counts_per_m, rated_force_n;
    double start_m;
    struct drive_motor_config motor;
    /* this many consecutive SYNCs without a target are a fault; 0: never */
    unsigned missing_targets;
    unsigned late_targets; /* the same in periods of the drive's own clock, also without SYNC */
};

struct cia402_drive {
    struct cia402_drive_config config;
    void (*send)(void *user, const struct dpl_can_frame *frame);
    void *user;
    /* may be read */
    enum dpl_canopen_state nmt;
    enum dpl_cia402_state state;
    struct drive_motor motor;
    bool cut; /* set by the caller: receives and sends nothing; continues to run */
    uint64_t syncs, watchdogs, faults;
    /* private */
    struct drive_store store;
    struct dpl_canopen_dictionary dictionary;
    struct dpl_canopen_server server;
    struct dpl_can_frame waiting[DRIVE_PDOS]; /* synchronous RPDOs */
    bool is_waiting[DRIVE_PDOS];
    uint16_t controlword;
    dpl_ns instant; /* of the newest SYNC, without its delay */
    dpl_ns now, heartbeat_at, commanded_at;
    dpl_ns slept, woken_at; /* duration of the last pause between calls; and its end */
    dpl_ns burst_since;
    bool has_target;  /* since the newest SYNC */
    bool is_limited;  /* the newest target was outside of 607Dh */
    bool has_offset;  /* 60B1h was different from 0 since it was enabled */
    unsigned missing; /* consecutive SYNCs without a target */
    unsigned burst;   /* SYNCs within half a period */
    bool is_watched;  /* set-points have arrived since it was enabled or has stopped by itself */
};

/* Off: sends nothing before cia402_drive_power. The struct must not be moved in memory
 * afterwards. */
void cia402_drive_init(struct cia402_drive *drive, const struct cia402_drive_config *config);

/* Switches on, or restarts: sends the boot-up message. */
void cia402_drive_power(struct cia402_drive *drive, dpl_ns now);

/* Processes a frame on the bus, from any sender. */
void cia402_drive_hear(struct cia402_drive *drive, const struct dpl_can_frame *frame, dpl_ns now);

/* Advances the time: loop, heartbeat, watchdog. Call it every few ms. */
void cia402_drive_advance(struct cia402_drive *drive, dpl_ns now);

/* Sets a fault of the drive, with this emergency code. */
void cia402_drive_fail(struct cia402_drive *drive, uint16_t code);

#endif
