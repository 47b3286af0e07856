/* SPDX-License-Identifier: Apache-2.0 */
/* Process data of an emulated drive: receives targets, with SYNC, and sends the state of the
 * axis. */
#include <math.h>

#include "cia402_drive_internal.h"

/* transmission types of PDOs with SYNC: 1 to 240, all treated as every SYNC */
#define LAST_SYNCHRONOUS 240u
#define SYNC_CONTROLLER  0x8700
#define SYNCS_AT_ONCE    25            /* number of SYNCs that a late host may send at once */
#define AWAKE            (50 * DPL_MS) /* time in which waiting data is processed */

/* ---- targets ---- */

dpl_ns drive_period(const struct cia402_drive *drive)
{
    dpl_ns period =
        dpl_cia402_interpolation_ns((uint8_t)drive->store.values[DRIVE_INTERPOLATION_VALUE],
                                    (int8_t)drive->store.values[DRIVE_INTERPOLATION_POWER]);
    return period > 0 ? period : DPL_MS;
}

/* Synchronises the drive's time to SYNC. The transmission time varies, but is never below a
 * minimum. So an early SYNC corrects the time quickly, with smoothing. A late SYNC corrects it only
 * slightly, by the possible difference of the two clocks. */
static dpl_ns lock(const struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns period = drive_period(drive);
    dpl_ns nearest = (now - drive->instant + period / 2) / period;
    dpl_ns expected = drive->instant + nearest * period;
    if (nearest < 1 || nearest > 10) {
        return now;
    }
    return expected + (now - expected) / (now < expected ? 8 : 512);
}

/* The target, clamped to the software limits. */
static int32_t limited_target(struct cia402_drive *drive)
{
    int32_t target = drive_store_signed(&drive->store, DRIVE_TARGET);
    int32_t least = drive_store_signed(&drive->store, DRIVE_LIMIT_LEAST);
    int32_t greatest = drive_store_signed(&drive->store, DRIVE_LIMIT_GREATEST);
    drive->is_limited = least < greatest && (target < least || target > greatest);
    if (!drive->is_limited) {
        return target;
    }
    return target < least ? least : greatest;
}

static void aim(struct cia402_drive *drive, dpl_ns now)
{
    double counts = drive->config.counts_per_m;
    int32_t offset = drive_store_signed(&drive->store, DRIVE_VELOCITY_OFFSET);
    if (drive->state != DPL_CIA402_ENABLED) {
        return;
    }
    struct drive_motor_target target = {
        .position_m = limited_target(drive) / counts,
        .force_n = 1e-3 * drive_store_signed(&drive->store, DRIVE_TORQUE_OFFSET) *
                   drive->config.rated_force_n * copysign(1.0, counts),
    };
    drive->has_offset = drive->has_offset || offset != 0;
    target.is_straight = !drive->has_offset;
    target.velocity_m_s = drive->is_limited ? 0.0 : offset / counts;
    drive_motor_aim(&drive->motor, &target, drive_period(drive), now);
}

static void apply_rpdo(struct cia402_drive *drive, int pdo, const struct dpl_can_frame *frame)
{
    int32_t values[DPL_CANOPEN_MAP_MAX];
    if (dpl_canopen_unpack(&drive->store.maps[pdo], frame, values) < 0) {
        return;
    }
    for (int i = 0; i < drive->store.maps[pdo].n; i++) {
        size_t entry = drive->store.mapped[pdo][i];
        drive->store.values[entry] = (uint32_t)values[i];
        drive_changed(drive, entry);
    }
}

/* ---- motion of the axis ---- */

static double round_to(double value, double least, double most)
{
    return fmin(fmax(nearbyint(value), least), most);
}

void drive_sense(struct cia402_drive *drive, dpl_ns now)
{
    const struct dpl_axis_plant *plant = &drive->motor.plant;
    double counts = drive->config.counts_per_m;
    double torque = copysign(1e3, counts) * plant->effort_n / drive->config.rated_force_n;
    double position = drive_motor_position(&drive->motor, now) * counts;
    double velocity = plant->motor_velocity_m_s * counts;
    uint16_t word = dpl_cia402_statusword(drive->state) | DPL_CIA402_STATUS_REMOTE;
    word |= drive->state >= DPL_CIA402_READY ? DPL_CIA402_STATUS_VOLTAGE : 0;
    word |= drive->state == DPL_CIA402_ENABLED ? DPL_CIA402_STATUS_FOLLOWS : 0;
    bool is_limited = drive->is_limited || drive->motor.is_slowed;
    word |= drive->state == DPL_CIA402_ENABLED && is_limited ? DPL_CIA402_STATUS_LIMIT : 0;
    double error = (drive->motor.wanted_m - plant->motor_position_m) * counts;
    drive->store.values[DRIVE_FOLLOWING_ERROR] =
        (uint32_t)(int32_t)round_to(error, INT32_MIN, INT32_MAX);
    drive->store.values[DRIVE_STATUSWORD] = word;
    drive->store.values[DRIVE_POSITION] =
        (uint32_t)(int32_t)round_to(position, INT32_MIN, INT32_MAX);
    drive->store.values[DRIVE_VELOCITY] =
        (uint32_t)(int32_t)round_to(velocity, INT32_MIN, INT32_MAX);
    drive->store.values[DRIVE_TORQUE] = (uint16_t)(int16_t)round_to(torque, INT16_MIN, INT16_MAX);
}

static bool goes_with_sync(const struct cia402_drive *drive, int pdo)
{
    uint32_t kind = drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_KIND)];
    return !(drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] & DRIVE_PDO_DISABLED) &&
           kind >= 1 && kind <= LAST_SYNCHRONOUS;
}

static void send_tpdos(struct cia402_drive *drive)
{
    for (int pdo = DRIVE_PDOS; pdo < 2 * DRIVE_PDOS; pdo++) {
        int32_t values[DPL_CANOPEN_MAP_MAX];
        if (!goes_with_sync(drive, pdo)) {
            continue;
        }
        for (int i = 0; i < drive->store.maps[pdo].n; i++) {
            values[i] = (int32_t)drive->store.values[drive->store.mapped[pdo][i]];
        }
        struct dpl_can_frame frame = {
            .id = drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] & DPL_CAN_STANDARD_MAX};
        dpl_canopen_pack(&drive->store.maps[pdo], values, &frame);
        drive_send(drive, &frame);
    }
}

/* ---- with each SYNC ---- */

/* At each SYNC the target is taken; too many SYNCs without a target are a fault. */
static void watch_targets(struct cia402_drive *drive)
{
    bool is_missing = drive->state == DPL_CIA402_ENABLED && !drive->has_target;
    drive->missing = is_missing ? drive->missing + 1 : 0;
    drive->has_target = false;
    if (drive->config.missing_targets > 0 && drive->missing >= drive->config.missing_targets) {
        cia402_drive_fail(drive, DRIVE_RPDO_TIMEOUT);
    }
}

/* Targets that arrive all at once were for times in the past: no drive can follow them. */
static void watch_syncs(struct cia402_drive *drive, dpl_ns now)
{
    if (now - drive->burst_since > drive_period(drive) / 2) {
        drive->burst_since = now;
        drive->burst = 0;
    }
    drive->burst++;
    dpl_ns slept = now - drive->woken_at < AWAKE ? drive->slept : 0;
    if (drive->burst > SYNCS_AT_ONCE + slept / drive_period(drive) &&
        drive->state == DPL_CIA402_ENABLED) {
        cia402_drive_fail(drive, SYNC_CONTROLLER);
    }
}

void drive_hear_sync(struct cia402_drive *drive, dpl_ns now)
{
    if (drive->nmt != DPL_CANOPEN_OPERATIONAL) {
        return;
    }
    drive->syncs++;
    watch_syncs(drive, now);
    drive->instant = lock(drive, now);
    bool is_new = false;
    for (int pdo = 0; pdo < DRIVE_PDOS; pdo++) {
        if (drive->is_waiting[pdo]) {
            apply_rpdo(drive, pdo, &drive->waiting[pdo]);
            drive->is_waiting[pdo] = false;
            is_new = true;
        }
    }
    if (is_new) {
        aim(drive, drive->instant);
    }
    watch_targets(drive);
    drive_sense(drive, now);
    send_tpdos(drive);
}

void drive_hear_rpdo(struct cia402_drive *drive, int pdo, const struct dpl_can_frame *frame,
                     dpl_ns now)
{
    if (drive->nmt != DPL_CANOPEN_OPERATIONAL ||
        (drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] & DRIVE_PDO_DISABLED)) {
        return;
    }
    drive->commanded_at = now;
    if (!drive->is_watched) {
        drive->is_watched = drive->state == DPL_CIA402_ENABLED;
    }
    if (goes_with_sync(drive, pdo)) {
        drive->waiting[pdo] = *frame;
        drive->is_waiting[pdo] = true;
        return;
    }
    apply_rpdo(drive, pdo, frame);
    aim(drive, now);
}

void drive_watch_data(struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns patience = (dpl_ns)drive->store.values[drive_pdo_entry(0, DRIVE_PDO_TIMER)] * DPL_MS;
    if (drive->nmt == DPL_CANOPEN_OPERATIONAL && drive->is_watched && patience > 0 &&
        now - drive->commanded_at > patience) {
        drive->is_watched = false;
        drive->watchdogs++;
        drive_send_error(drive, DRIVE_RPDO_TIMEOUT);
        drive_abandon(drive);
    }
    if (drive->config.late_targets > 0 && drive->state == DPL_CIA402_ENABLED &&
        now - drive->commanded_at > drive->config.late_targets * drive_period(drive)) {
        cia402_drive_fail(drive, DRIVE_RPDO_TIMEOUT);
    }
}
