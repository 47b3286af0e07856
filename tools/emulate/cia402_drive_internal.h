/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of an emulated drive share: cia402_drive.c (objects, network, time),
 * drive_power.c (states, stopping, faults) and drive_data.c (process data). */
#ifndef EMULATE_CIA402_DRIVE_INTERNAL_H
#define EMULATE_CIA402_DRIVE_INTERNAL_H

#include "cia402_drive.h"

#define DRIVE_RPDO_TIMEOUT 0x8250 /* emergency codes */

/* ---- cia402_drive.c ---- */

/* As far as it is on the bus. */
void drive_send(struct cia402_drive *drive, const struct dpl_can_frame *frame);
/* What follows from a new value. */
void drive_changed(struct cia402_drive *drive, size_t entry);

/* ---- drive_power.c ---- */

/* A state of the power drive, and what its motor does in it. */
void drive_enter(struct cia402_drive *drive, enum dpl_cia402_state state);
/* An emergency message, 603Fh, 1001h and 1003h; 0: the error is gone. */
void drive_tell_error(struct cia402_drive *drive, uint16_t code);
/* A controlword. */
void drive_command(struct cia402_drive *drive, uint16_t word);
/* Nobody is there to command it any more: 6007h. */
void drive_abandon(struct cia402_drive *drive);
/* The ramp of the quick stop, for targets that are missing too. */
void drive_take_ramp(struct cia402_drive *drive);
/* Following error, and states that are left by standing still. */
void drive_watch_power(struct cia402_drive *drive);

/* ---- drive_data.c ---- */

/* 60C2h. */
dpl_ns drive_period(const struct cia402_drive *drive);
/* Fills the objects that tell how the axis is. */
void drive_sense(struct cia402_drive *drive, dpl_ns now);
void drive_hear_sync(struct cia402_drive *drive, dpl_ns now);
/* A frame of RPDO `pdo`, 0 or 1. */
void drive_hear_rpdo(struct cia402_drive *drive, int pdo, const struct dpl_can_frame *frame,
                     dpl_ns now);
/* Set-points that do not come. */
void drive_watch_data(struct cia402_drive *drive, dpl_ns now);

#endif
