/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of an emulated drive: cia402_drive.c (objects, network, time), drive_power.c
 * (states, stopping, faults) and drive_data.c (process data). */
#ifndef EMULATE_CIA402_DRIVE_INTERNAL_H
#define EMULATE_CIA402_DRIVE_INTERNAL_H

#include "cia402_drive.h"

#define DRIVE_RPDO_TIMEOUT 0x8250 /* emergency codes */

/* ---- cia402_drive.c ---- */

/* Sends if the drive is connected to the bus. */
void drive_send(struct cia402_drive *drive, const struct dpl_can_frame *frame);
/* Applies the consequences of a new value. */
void drive_changed(struct cia402_drive *drive, size_t entry);

/* ---- drive_power.c ---- */

/* Enters a state of the power drive state machine, and sets the motor's mode. */
void drive_enter(struct cia402_drive *drive, enum dpl_cia402_state state);
/* Sends an emergency message, and sets 603Fh, 1001h and 1003h; 0: no error any more. */
void drive_send_error(struct cia402_drive *drive, uint16_t code);
/* Processes a controlword. */
void drive_command(struct cia402_drive *drive, uint16_t word);
/* The master is lost: applies 6007h. */
void drive_abandon(struct cia402_drive *drive);
/* Sets the ramp of the quick stop, which is also used for missing targets. */
void drive_set_ramp(struct cia402_drive *drive);
/* Checks the following error, and leaves states that end at standstill. */
void drive_watch_power(struct cia402_drive *drive);

/* ---- drive_data.c ---- */

/* 60C2h. */
dpl_ns drive_period(const struct cia402_drive *drive);
/* Fills the objects with the state of the axis. */
void drive_sense(struct cia402_drive *drive, dpl_ns now);
void drive_hear_sync(struct cia402_drive *drive, dpl_ns now);
/* Processes a frame of RPDO `pdo`, 0 or 1. */
void drive_hear_rpdo(struct cia402_drive *drive, int pdo, const struct dpl_can_frame *frame,
                     dpl_ns now);
/* Checks for missing set-points. */
void drive_watch_data(struct cia402_drive *drive, dpl_ns now);

#endif
