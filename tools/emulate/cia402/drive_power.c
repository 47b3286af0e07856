/* SPDX-License-Identifier: Apache-2.0 */
/* The power side of an emulated drive: its states, its stops, its faults. */
#include <math.h>
#include <string.h>

#include "cia402_drive_internal.h"

#define FOLLOWING_ERROR 0x8611

/* ---- stopping ---- */

/* m/s^2 of 6084h or 6085h. */
static double ramp_of(const struct cia402_drive *drive, enum drive_object entry)
{
    return fmax(drive->store.values[entry] / fabs(drive->config.counts_per_m), 0.001);
}

void drive_set_ramp(struct cia402_drive *drive)
{
    drive->motor.ramp_m_s2 = ramp_of(drive, DRIVE_QUICK_STOP_DECELERATION);
}

/* Common part of 605Ah and 605Eh. */
static void stop_by(struct cia402_drive *drive, uint32_t option)
{
    switch (option) {
    case DPL_CIA402_STOP_SLOW:
        drive_motor_stop(&drive->motor, ramp_of(drive, DRIVE_DECELERATION));
        break;
    case DPL_CIA402_STOP_QUICK:
        drive_motor_stop(&drive->motor, ramp_of(drive, DRIVE_QUICK_STOP_DECELERATION));
        break;
    default: drive_motor_stop(&drive->motor, HUGE_VAL); break;
    }
}

static bool stays_after_stop(const struct cia402_drive *drive)
{
    return drive->store.values[DRIVE_QUICK_STOP_OPTION] > DPL_CIA402_STOP_AND_STAY;
}

/* Without a ramp, the state of the ramp is skipped. */
static enum dpl_cia402_state without_ramp(const struct cia402_drive *drive,
                                          enum dpl_cia402_state state)
{
    const uint32_t *values = drive->store.values;
    if (state == DPL_CIA402_QUICK_STOP && values[DRIVE_QUICK_STOP_OPTION] == DPL_CIA402_STOP_OFF) {
        return DPL_CIA402_SWITCH_ON_DISABLED;
    }
    if (state == DPL_CIA402_FAULT_REACTION && values[DRIVE_FAULT_OPTION] == DPL_CIA402_STOP_OFF) {
        return DPL_CIA402_FAULT;
    }
    return state;
}

/* ---- states ---- */

void drive_enter(struct cia402_drive *drive, enum dpl_cia402_state state)
{
    uint32_t option = drive->store.values[DRIVE_QUICK_STOP_OPTION];
    state = without_ramp(drive, state);
    if (state == drive->state) {
        return;
    }
    switch (state) {
    case DPL_CIA402_ENABLED:
        drive_motor_enable(&drive->motor, true);
        drive->is_watched = false;
        drive->has_offset = false;
        break;
    case DPL_CIA402_QUICK_STOP:
        stop_by(drive, stays_after_stop(drive) ? option - DPL_CIA402_STOP_AND_STAY : option);
        break;
    case DPL_CIA402_FAULT_REACTION: stop_by(drive, drive->store.values[DRIVE_FAULT_OPTION]); break;
    default: drive_motor_enable(&drive->motor, false); break;
    }
    drive->state = state;
}

/* Adds the error to the list of 1003h. */
static void record_error(struct cia402_drive *drive, uint16_t code)
{
    uint32_t *errors = &drive->store.values[DRIVE_ERRORS];
    uint32_t *count = &drive->store.values[DRIVE_ERROR_COUNT];
    memmove(errors + 1, errors, (DRIVE_ERRORS_MAX - 1) * sizeof *errors);
    errors[0] = code;
    *count += *count < DRIVE_ERRORS_MAX;
}

void drive_send_error(struct cia402_drive *drive, uint16_t code)
{
    struct dpl_canopen_emcy emcy = {.code = code, .registers = code != 0};
    struct dpl_can_frame frame = dpl_canopen_emcy(drive->config.node, &emcy);
    drive->store.values[DRIVE_ERROR_CODE] = code;
    drive->store.values[DRIVE_ERROR_REGISTER] = code != 0;
    if (code != 0) {
        record_error(drive, code);
    }
    drive_send(drive, &frame);
}

void cia402_drive_fail(struct cia402_drive *drive, uint16_t code)
{
    if (drive->state == DPL_CIA402_FAULT || drive->state == DPL_CIA402_FAULT_REACTION) {
        return;
    }
    bool moves = drive->state == DPL_CIA402_ENABLED || drive->state == DPL_CIA402_QUICK_STOP;
    drive->faults++;
    drive_send_error(drive, code);
    drive_enter(drive, moves ? DPL_CIA402_FAULT_REACTION : DPL_CIA402_FAULT);
}

void drive_command(struct cia402_drive *drive, uint16_t word)
{
    enum dpl_cia402_state next = dpl_cia402_step(drive->state, drive->controlword, word);
    if (drive->state == DPL_CIA402_FAULT && next != DPL_CIA402_FAULT) {
        drive_send_error(drive, 0);
    }
    if (next == DPL_CIA402_ENABLED && drive->store.values[DRIVE_MODE] != DPL_CIA402_CSP) {
        next = drive->state; /* without a mode, operation is not enabled */
    }
    drive->controlword = word;
    drive_enter(drive, next);
}

void drive_abandon(struct cia402_drive *drive)
{
    if (drive->state != DPL_CIA402_ENABLED) {
        return;
    }
    switch (drive->store.values[DRIVE_ABORT_OPTION]) {
    case DPL_CIA402_ABORT_NOTHING: break;
    case DPL_CIA402_ABORT_FAULT: cia402_drive_fail(drive, DRIVE_RPDO_TIMEOUT); break;
    case DPL_CIA402_ABORT_QUICK_STOP: drive_enter(drive, DPL_CIA402_QUICK_STOP); break;
    default: drive_enter(drive, DPL_CIA402_SWITCH_ON_DISABLED); break;
    }
}

static void watch_following(struct cia402_drive *drive)
{
    uint32_t window = drive->store.values[DRIVE_FOLLOWING_WINDOW];
    double window_m = window / fabs(drive->config.counts_per_m);
    double error_m = drive->motor.wanted_m - drive->motor.plant.motor_position_m;
    bool is_led = drive->state == DPL_CIA402_ENABLED || drive->state == DPL_CIA402_QUICK_STOP;
    if (is_led && window != UINT32_MAX && fabs(error_m) > window_m) {
        cia402_drive_fail(drive, FOLLOWING_ERROR);
    }
}

void drive_watch_power(struct cia402_drive *drive)
{
    watch_following(drive);
    if (!drive_motor_stands(&drive->motor)) {
        return;
    }
    if (drive->state == DPL_CIA402_FAULT_REACTION) {
        drive_enter(drive, DPL_CIA402_FAULT);
    } else if (drive->state == DPL_CIA402_QUICK_STOP && !stays_after_stop(drive)) {
        drive_enter(drive, DPL_CIA402_SWITCH_ON_DISABLED);
    }
}
