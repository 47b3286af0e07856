/* SPDX-License-Identifier: Apache-2.0 */
/* The electronics of an emulated CiA 402 drive. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cia402_drive_internal.h"

#define COMMUNICATION   0x2000 /* objects below this index belong to it */
#define FIRST_RAMP_M_S2 5.0
#define LATE            (10 * DPL_MS) /* largest delay of a caller with a period of 2 ms */

void drive_send(struct cia402_drive *drive, const struct dpl_can_frame *frame)
{
    if (!drive->cut) {
        drive->send(drive->user, frame);
    }
}

/* ---- objects ---- */

static bool is_in_range(size_t entry, uint32_t value)
{
    switch (entry) {
    case DRIVE_MODE: return value == 0 || value == DPL_CIA402_CSP;
    case DRIVE_ERROR_COUNT: return value == 0; /* clears the list */
    case DRIVE_ABORT_OPTION: return value <= DPL_CIA402_ABORT_QUICK_STOP;
    case DRIVE_QUICK_STOP_OPTION:
        return value <= DPL_CIA402_STOP_VOLTAGE + DPL_CIA402_STOP_AND_STAY;
    case DRIVE_FAULT_OPTION: return value <= DPL_CIA402_STOP_VOLTAGE;
    case DRIVE_INTERPOLATION_VALUE:
    case DRIVE_DECELERATION:
    case DRIVE_QUICK_STOP_DECELERATION:
    case DRIVE_MAX_VELOCITY:
    case DRIVE_MAX_MOTOR_SPEED: return value != 0;
    default: return true;
    }
}

static uint32_t check_write(void *user, size_t entry, uint32_t value)
{
    const struct cia402_drive *drive = user;
    int part, pdo = drive_object_pdo(entry, &part);
    if (pdo >= 0) {
        return drive_store_check(&drive->store, pdo, part, value);
    }
    return is_in_range(entry, value) ? 0 : DPL_SDO_OUT_OF_RANGE;
}

/* The speed limit of a motor: its own, or a lower one from an object. */
static void set_speed_limit(struct cia402_drive *drive)
{
    const uint32_t *values = drive->store.values;
    double counts = fmin(values[DRIVE_MAX_MOTOR_SPEED], values[DRIVE_MAX_VELOCITY]);
    drive->motor.speed_limit_m_s = counts / fabs(drive->config.counts_per_m);
}

void drive_changed(struct cia402_drive *drive, size_t entry)
{
    uint32_t *values = drive->store.values;
    int part, pdo = drive_object_pdo(entry, &part);
    if (pdo >= 0 && part == DRIVE_PDO_COUNT) {
        drive_store_map(&drive->store, pdo);
    }
    switch (entry) {
    case DRIVE_MODE: values[DRIVE_MODE_DISPLAY] = values[DRIVE_MODE]; break;
    case DRIVE_QUICK_STOP_DECELERATION: drive_set_ramp(drive); break;
    case DRIVE_MAX_MOTOR_SPEED:
    case DRIVE_MAX_VELOCITY: set_speed_limit(drive); break;
    case DRIVE_HEARTBEAT: drive->heartbeat_at = drive->now; break;
    case DRIVE_ERROR_COUNT:
        memset(&values[DRIVE_ERRORS], 0, DRIVE_ERRORS_MAX * sizeof(uint32_t));
        break;
    case DRIVE_TARGET: drive->has_target = true; break;
    case DRIVE_CONTROLWORD: drive_command(drive, (uint16_t)values[DRIVE_CONTROLWORD]); break;
    default: break;
    }
}

static void on_changed(void *user, size_t entry)
{
    drive_changed(user, entry);
}

/* ---- network management ---- */

/* Sets objects that depend on the axis and its units, which the table does not contain. */
static void reset_motion(struct cia402_drive *drive)
{
    double counts = fabs(drive->config.counts_per_m);
    uint32_t ramp = (uint32_t)fmin(FIRST_RAMP_M_S2 * counts, UINT32_MAX);
    uint32_t speed = (uint32_t)fmin(drive->config.motor.speed_max_m_s * counts, UINT32_MAX);
    drive->store.values[DRIVE_QUICK_STOP_DECELERATION] = ramp;
    drive->store.values[DRIVE_DECELERATION] = ramp;
    drive->store.values[DRIVE_MAX_MOTOR_SPEED] = speed;
    drive->store.values[DRIVE_MAX_VELOCITY] = speed;
    drive_set_ramp(drive);
    set_speed_limit(drive);
}

static void reset_objects(struct cia402_drive *drive, uint32_t end)
{
    for (size_t i = 0; i < DRIVE_OBJECTS; i++) {
        if (drive_objects[i].index < end && drive_objects[i].size > 0) {
            drive->store.values[i] = drive_objects[i].initial;
        }
    }
    for (int pdo = 0; pdo < 2 * DRIVE_PDOS; pdo++) {
        drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] += drive->config.node;
        drive_store_map(&drive->store, pdo);
    }
    drive->store.values[DRIVE_EMCY_ID] = 0x80u + drive->config.node;
    drive->store.values[DRIVE_SERIAL] += drive->config.node;
    drive->server = (struct dpl_canopen_server){.dictionary = &drive->dictionary};
    if (end > COMMUNICATION) {
        reset_motion(drive);
        for (size_t i = 0; i < DRIVE_TEXTS; i++) {
            snprintf(drive->store.texts[i], sizeof drive->store.texts[i], "%s", drive_texts[i]);
        }
    }
}

static void boot(struct cia402_drive *drive, dpl_ns now)
{
    struct dpl_can_frame frame = dpl_canopen_heartbeat(drive->config.node, DPL_CANOPEN_BOOT_UP);
    drive->nmt = DPL_CANOPEN_PRE_OPERATIONAL;
    drive->now = now;
    drive->is_waiting[0] = drive->is_waiting[1] = false;
    drive_send(drive, &frame);
}

void cia402_drive_power(struct cia402_drive *drive, dpl_ns now)
{
    drive_motor_advance(&drive->motor, now);
    reset_objects(drive, UINT32_MAX);
    drive->controlword = 0;
    drive_enter(drive, DPL_CIA402_SWITCH_ON_DISABLED);
    boot(drive, now);
}

static void hear_nmt(struct cia402_drive *drive, const struct dpl_can_frame *frame, dpl_ns now)
{
    enum dpl_canopen_nmt_command command;
    uint8_t node;
    if (dpl_canopen_nmt_decode(frame, &command, &node) < 0 ||
        (node != 0 && node != drive->config.node)) {
        return;
    }
    switch (command) {
    case DPL_CANOPEN_START: drive->nmt = DPL_CANOPEN_OPERATIONAL; return;
    case DPL_CANOPEN_RESET_NODE: cia402_drive_power(drive, now); return;
    case DPL_CANOPEN_STOP: drive->nmt = DPL_CANOPEN_STOPPED; break;
    case DPL_CANOPEN_ENTER_PRE_OPERATIONAL: drive->nmt = DPL_CANOPEN_PRE_OPERATIONAL; break;
    case DPL_CANOPEN_RESET_COMMUNICATION:
        reset_objects(drive, COMMUNICATION);
        boot(drive, now);
        break;
    }
    drive_abandon(drive);
}

static void hear_request(struct cia402_drive *drive, const struct dpl_can_frame *frame)
{
    struct dpl_canopen_sdo request;
    struct dpl_canopen_sdo answer;
    if (drive->nmt == DPL_CANOPEN_STOPPED || dpl_canopen_sdo_request_decode(frame, &request) < 0) {
        return;
    }
    drive_sense(drive, drive->now);
    if (dpl_canopen_serve(&drive->server, &request, &answer)) {
        struct dpl_can_frame reply = dpl_canopen_sdo_answer(drive->config.node, &answer);
        drive_send(drive, &reply);
    }
}

void cia402_drive_hear(struct cia402_drive *drive, const struct dpl_can_frame *frame, dpl_ns now)
{
    struct dpl_canopen_cob cob = dpl_canopen_classify(frame);
    cia402_drive_advance(drive, now);
    if (drive->cut || drive->nmt == DPL_CANOPEN_BOOT_UP) {
        return;
    }
    for (int pdo = 0; pdo < DRIVE_PDOS && !frame->extended && !frame->remote; pdo++) {
        if (frame->id ==
            (drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] & ~DRIVE_PDO_DISABLED)) {
            drive_hear_rpdo(drive, pdo, frame, now);
            return;
        }
    }
    if (cob.service == DPL_CANOPEN_NMT) {
        hear_nmt(drive, frame, now);
    } else if (cob.service == DPL_CANOPEN_SYNC) {
        drive_hear_sync(drive, now);
    } else if (cob.service == DPL_CANOPEN_SDO_REQUEST && cob.node == drive->config.node) {
        hear_request(drive, frame);
    }
}

/* ---- time ---- */

static void beat(struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns period = (dpl_ns)drive->store.values[DRIVE_HEARTBEAT] * DPL_MS;
    if (period > 0 && now >= drive->heartbeat_at) {
        struct dpl_can_frame frame = dpl_canopen_heartbeat(drive->config.node, drive->nmt);
        drive->heartbeat_at += period * (1 + (now - drive->heartbeat_at) / period);
        drive_send(drive, &frame);
    }
}

/* After a pause, received data from the host is processed first: the pause is not a silence of the
 * host. */
static void wake(struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns gap = now - drive->now;
    if (gap > LATE) {
        drive->slept = gap;
        drive->woken_at = now;
        drive->commanded_at += gap;
    }
    drive->now = now;
}

void cia402_drive_advance(struct cia402_drive *drive, dpl_ns now)
{
    wake(drive, now);
    drive_motor_advance(&drive->motor, now);
    if (drive->nmt == DPL_CANOPEN_BOOT_UP) {
        return;
    }
    drive_watch_data(drive, now);
    drive_watch_power(drive);
    beat(drive, now);
}

void cia402_drive_init(struct cia402_drive *drive, const struct cia402_drive_config *config)
{
    *drive = (struct cia402_drive){.config = *config, .nmt = DPL_CANOPEN_BOOT_UP};
    drive->dictionary = (struct dpl_canopen_dictionary){
        .entries = drive_objects,
        .n = DRIVE_OBJECTS,
        .values = drive->store.values,
        .texts = drive->store.texts,
        .check = check_write,
        .changed = on_changed,
        .user = drive,
    };
    drive_motor_init(&drive->motor, &config->motor, config->start_m, 0);
    reset_objects(drive, UINT32_MAX);
}
