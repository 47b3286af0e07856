/* SPDX-License-Identifier: Apache-2.0 */
/* The electronics of an emulated CiA 402 drive. */
#include "cia402_drive.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define LAST_SYNCHRONOUS 240u   /* kinds of PDOs that go with SYNC: 1 to 240, taken as each */
#define COMMUNICATION    0x2000 /* objects below belong to it */
#define FOLLOWING_ERROR  0x8611
#define RPDO_TIMEOUT     0x8250
#define SYNC_CONTROLLER  0x8700
#define SYNCS_AT_ONCE    25 /* that a late host, or a late emulator, may still cause */

static void send(struct cia402_drive *drive, const struct dpl_can_frame *frame)
{
    if (!drive->cut) {
        drive->send(drive->user, frame);
    }
}

/* ---- objects ---- */

static uint32_t check_write(void *user, size_t entry, uint32_t value)
{
    const struct cia402_drive *drive = user;
    int part, pdo = drive_object_pdo(entry, &part);
    if (pdo >= 0) {
        return drive_store_check(&drive->store, pdo, part, value);
    }
    if (entry == DRIVE_MODE && value != 0 && value != DPL_CIA402_CSP) {
        return DPL_SDO_OUT_OF_RANGE;
    }
    bool must_be_0 = entry == DRIVE_ERROR_COUNT; /* clears the list */
    bool must_not = entry == DRIVE_INTERPOLATION_VALUE;
    return (must_be_0 && value != 0) || (must_not && value == 0) ? DPL_SDO_OUT_OF_RANGE : 0;
}

static void command(struct cia402_drive *drive, uint16_t word);

static void on_changed(void *user, size_t entry)
{
    struct cia402_drive *drive = user;
    int part, pdo = drive_object_pdo(entry, &part);
    if (pdo >= 0 && part == DRIVE_PDO_COUNT) {
        drive_store_map(&drive->store, pdo);
    } else if (entry == DRIVE_MODE) {
        drive->store.values[DRIVE_MODE_DISPLAY] = drive->store.values[DRIVE_MODE];
    } else if (entry == DRIVE_QUICK_STOP_DECELERATION) {
        double counts = drive->store.values[DRIVE_QUICK_STOP_DECELERATION];
        drive->motor.ramp_m_s2 = fmax(counts / fabs(drive->config.counts_per_m), 0.001);
    } else if (entry == DRIVE_HEARTBEAT) {
        drive->heartbeat_at = drive->now;
    } else if (entry == DRIVE_ERROR_COUNT) {
        memset(&drive->store.values[DRIVE_ERRORS], 0, DRIVE_ERRORS_MAX * sizeof(uint32_t));
    } else if (entry == DRIVE_TARGET) {
        drive->has_target = true;
    } else if (entry == DRIVE_CONTROLWORD) {
        command(drive, (uint16_t)drive->store.values[DRIVE_CONTROLWORD]);
    }
}

/* ---- power ---- */

static void enter(struct cia402_drive *drive, enum dpl_cia402_state state)
{
    if (state == drive->state) {
        return;
    }
    switch (state) {
    case DPL_CIA402_ENABLED:
        drive_motor_enable(&drive->motor, true);
        drive->is_watched = false;
        break;
    case DPL_CIA402_QUICK_STOP:
    case DPL_CIA402_FAULT_REACTION: drive_motor_stop(&drive->motor); break;
    default: drive_motor_enable(&drive->motor, false); break;
    }
    drive->state = state;
}

/* The list of 1003h. */
static void note_error(struct cia402_drive *drive, uint16_t code)
{
    uint32_t *errors = &drive->store.values[DRIVE_ERRORS];
    uint32_t *count = &drive->store.values[DRIVE_ERROR_COUNT];
    memmove(errors + 1, errors, (DRIVE_ERRORS_MAX - 1) * sizeof *errors);
    errors[0] = code;
    *count += *count < DRIVE_ERRORS_MAX;
}

static void tell_error(struct cia402_drive *drive, uint16_t code)
{
    struct dpl_canopen_emcy emcy = {.code = code, .registers = code != 0};
    struct dpl_can_frame frame = dpl_canopen_emcy(drive->config.node, &emcy);
    drive->store.values[DRIVE_ERROR_CODE] = code;
    drive->store.values[DRIVE_ERROR_REGISTER] = code != 0;
    if (code != 0) {
        note_error(drive, code);
    }
    send(drive, &frame);
}

void cia402_drive_fail(struct cia402_drive *drive, uint16_t code)
{
    if (drive->state == DPL_CIA402_FAULT || drive->state == DPL_CIA402_FAULT_REACTION) {
        return;
    }
    bool moves = drive->state == DPL_CIA402_ENABLED || drive->state == DPL_CIA402_QUICK_STOP;
    drive->faults++;
    tell_error(drive, code);
    enter(drive, moves ? DPL_CIA402_FAULT_REACTION : DPL_CIA402_FAULT);
}

static void command(struct cia402_drive *drive, uint16_t word)
{
    enum dpl_cia402_state next = dpl_cia402_step(drive->state, drive->controlword, word);
    if (drive->state == DPL_CIA402_FAULT && next != DPL_CIA402_FAULT) {
        tell_error(drive, 0);
    }
    if (next == DPL_CIA402_ENABLED && drive->store.values[DRIVE_MODE] != DPL_CIA402_CSP) {
        next = drive->state; /* no mode, no operation */
    }
    drive->controlword = word;
    enter(drive, next);
}

/* Nobody is there to command it any more. */
static void abandon(struct cia402_drive *drive)
{
    if (drive->state != DPL_CIA402_ENABLED) {
        return;
    }
    switch (drive->store.values[DRIVE_ABORT_OPTION]) {
    case DPL_CIA402_ABORT_NOTHING: break;
    case DPL_CIA402_ABORT_FAULT: cia402_drive_fail(drive, RPDO_TIMEOUT); break;
    case DPL_CIA402_ABORT_QUICK_STOP: enter(drive, DPL_CIA402_QUICK_STOP); break;
    default: enter(drive, DPL_CIA402_SWITCH_ON_DISABLED); break;
    }
}

/* ---- process data ---- */

static dpl_ns period_of(const struct cia402_drive *drive)
{
    dpl_ns period =
        dpl_cia402_interpolation_ns((uint8_t)drive->store.values[DRIVE_INTERPOLATION_VALUE],
                                    (int8_t)drive->store.values[DRIVE_INTERPOLATION_POWER]);
    return period > 0 ? period : DPL_MS;
}

/* The lock of a drive's time to SYNC: its way takes longer or shorter, never less than the
 * shortest. So what comes early moves the instants at once, if softly, and what comes late hardly:
 * as much as two clocks may differ. */
static dpl_ns lock(const struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns period = period_of(drive);
    dpl_ns nearest = (now - drive->instant + period / 2) / period;
    dpl_ns expected = drive->instant + nearest * period;
    if (nearest < 1 || nearest > 10) {
        return now;
    }
    return expected + (now - expected) / (now < expected ? 8 : 512);
}

/* The target as far as the software limits let it. */
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
    struct drive_motor_reference target = {
        .position_m = limited_target(drive) / counts,
        .velocity_m_s = drive_store_signed(&drive->store, DRIVE_VELOCITY_OFFSET) / counts,
    };
    if (drive->is_limited) {
        target.velocity_m_s = 0.0;
    }
    double force_n = 1e-3 * drive_store_signed(&drive->store, DRIVE_TORQUE_OFFSET) *
                     drive->config.rated_force_n * copysign(1.0, counts);
    if (drive->state == DPL_CIA402_ENABLED) {
        drive_motor_aim(&drive->motor, &target, force_n, period_of(drive), now);
    }
}

static void take_rpdo(struct cia402_drive *drive, int pdo, const struct dpl_can_frame *frame)
{
    int32_t values[DPL_CANOPEN_MAP_MAX];
    if (dpl_canopen_unpack(&drive->store.maps[pdo], frame, values) < 0) {
        return;
    }
    for (int i = 0; i < drive->store.maps[pdo].n; i++) {
        size_t entry = drive->store.mapped[pdo][i];
        drive->store.values[entry] = (uint32_t)values[i];
        on_changed(drive, entry);
    }
}

static double round_to(double value, double least, double most)
{
    return fmin(fmax(nearbyint(value), least), most);
}

static void sense(struct cia402_drive *drive, dpl_ns now)
{
    const struct dpl_axis_plant *plant = &drive->motor.plant;
    double counts = drive->config.counts_per_m;
    double torque = copysign(1e3, counts) * plant->effort_n / drive->config.rated_force_n;
    double position = drive_motor_position(&drive->motor, now) * counts;
    double velocity = plant->motor_velocity_m_s * counts;
    uint16_t word = dpl_cia402_statusword(drive->state) | DPL_CIA402_STATUS_REMOTE;
    word |= drive->state >= DPL_CIA402_READY ? DPL_CIA402_STATUS_VOLTAGE : 0;
    word |= drive->state == DPL_CIA402_ENABLED ? DPL_CIA402_STATUS_FOLLOWS : 0;
    word |= drive->state == DPL_CIA402_ENABLED && drive->is_limited ? DPL_CIA402_STATUS_LIMIT : 0;
    double error = (drive->motor.reference.position_m - plant->motor_position_m) * counts;
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
        send(drive, &frame);
    }
}

/* The target is taken at each SYNC; too many without one are a fault. */
static void watch_targets(struct cia402_drive *drive)
{
    bool is_missing = drive->state == DPL_CIA402_ENABLED && !drive->has_target;
    drive->missing = is_missing ? drive->missing + 1 : 0;
    drive->has_target = false;
    if (drive->config.missing_targets > 0 && drive->missing >= drive->config.missing_targets) {
        cia402_drive_fail(drive, RPDO_TIMEOUT);
    }
}

/* Targets that come all at once were for instants that have passed: no drive can go there. */
static void watch_syncs(struct cia402_drive *drive, dpl_ns now)
{
    if (now - drive->burst_since > period_of(drive) / 2) {
        drive->burst_since = now;
        drive->burst = 0;
    }
    drive->burst++;
    if (drive->burst > SYNCS_AT_ONCE && drive->state == DPL_CIA402_ENABLED) {
        cia402_drive_fail(drive, SYNC_CONTROLLER);
    }
}

static void hear_sync(struct cia402_drive *drive, dpl_ns now)
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
            take_rpdo(drive, pdo, &drive->waiting[pdo]);
            drive->is_waiting[pdo] = false;
            is_new = true;
        }
    }
    if (is_new) {
        aim(drive, drive->instant);
    }
    watch_targets(drive);
    sense(drive, now);
    send_tpdos(drive);
}

static void hear_rpdo(struct cia402_drive *drive, int pdo, const struct dpl_can_frame *frame,
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
    take_rpdo(drive, pdo, frame);
    aim(drive, now);
}

/* ---- network management ---- */

static void reset_objects(struct cia402_drive *drive, uint32_t end)
{
    for (size_t i = 0; i < DRIVE_OBJECTS; i++) {
        if (drive_objects[i].index < end) {
            drive->store.values[i] = drive_objects[i].initial;
        }
    }
    for (int pdo = 0; pdo < 2 * DRIVE_PDOS; pdo++) {
        drive->store.values[drive_pdo_entry(pdo, DRIVE_PDO_ID)] += drive->config.node;
        drive_store_map(&drive->store, pdo);
    }
    drive->store.values[DRIVE_EMCY_ID] = 0x80u + drive->config.node;
    on_changed(drive, DRIVE_QUICK_STOP_DECELERATION);
}

static void boot(struct cia402_drive *drive, dpl_ns now)
{
    struct dpl_can_frame frame = dpl_canopen_heartbeat(drive->config.node, DPL_CANOPEN_BOOT_UP);
    drive->nmt = DPL_CANOPEN_PRE_OPERATIONAL;
    drive->now = now;
    drive->is_waiting[0] = drive->is_waiting[1] = false;
    send(drive, &frame);
}

void cia402_drive_power(struct cia402_drive *drive, dpl_ns now)
{
    drive_motor_advance(&drive->motor, now);
    reset_objects(drive, UINT32_MAX);
    drive->controlword = 0;
    enter(drive, DPL_CIA402_SWITCH_ON_DISABLED);
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
    abandon(drive);
}

static void hear_request(struct cia402_drive *drive, const struct dpl_can_frame *frame)
{
    struct dpl_canopen_sdo request;
    if (drive->nmt == DPL_CANOPEN_STOPPED || dpl_canopen_sdo_request_decode(frame, &request) < 0 ||
        request.kind == DPL_SDO_ABORT) {
        return;
    }
    sense(drive, drive->now);
    struct dpl_canopen_sdo answer = dpl_canopen_serve(&drive->dictionary, &request);
    struct dpl_can_frame reply = dpl_canopen_sdo_answer(drive->config.node, &answer);
    send(drive, &reply);
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
            hear_rpdo(drive, pdo, frame, now);
            return;
        }
    }
    if (cob.service == DPL_CANOPEN_NMT) {
        hear_nmt(drive, frame, now);
    } else if (cob.service == DPL_CANOPEN_SYNC) {
        hear_sync(drive, now);
    } else if (cob.service == DPL_CANOPEN_SDO_REQUEST && cob.node == drive->config.node) {
        hear_request(drive, frame);
    }
}

/* ---- time ---- */

static void watch(struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns patience = (dpl_ns)drive->store.values[drive_pdo_entry(0, DRIVE_PDO_TIMER)] * DPL_MS;
    if (drive->nmt == DPL_CANOPEN_OPERATIONAL && drive->is_watched && patience > 0 &&
        now - drive->commanded_at > patience) {
        drive->is_watched = false;
        drive->watchdogs++;
        tell_error(drive, RPDO_TIMEOUT);
        abandon(drive);
    }
    if (drive->config.late_targets > 0 && drive->state == DPL_CIA402_ENABLED &&
        now - drive->commanded_at > drive->config.late_targets * period_of(drive)) {
        cia402_drive_fail(drive, RPDO_TIMEOUT);
    }
    double window_m =
        drive->store.values[DRIVE_FOLLOWING_WINDOW] / fabs(drive->config.counts_per_m);
    double error_m = drive->motor.reference.position_m - drive->motor.plant.motor_position_m;
    if (drive->state == DPL_CIA402_ENABLED &&
        drive->store.values[DRIVE_FOLLOWING_WINDOW] != UINT32_MAX && fabs(error_m) > window_m) {
        cia402_drive_fail(drive, FOLLOWING_ERROR);
    }
}

/* States that are left by standing still. */
static void settle(struct cia402_drive *drive)
{
    if (!drive_motor_stands(&drive->motor)) {
        return;
    }
    if (drive->state == DPL_CIA402_FAULT_REACTION) {
        enter(drive, DPL_CIA402_FAULT);
    } else if (drive->state == DPL_CIA402_QUICK_STOP &&
               drive->store.values[DRIVE_QUICK_STOP_OPTION] == DPL_CIA402_QUICK_STOP_AND_OFF) {
        enter(drive, DPL_CIA402_SWITCH_ON_DISABLED);
    }
}

static void beat(struct cia402_drive *drive, dpl_ns now)
{
    dpl_ns period = (dpl_ns)drive->store.values[DRIVE_HEARTBEAT] * DPL_MS;
    if (period > 0 && now >= drive->heartbeat_at) {
        struct dpl_can_frame frame = dpl_canopen_heartbeat(drive->config.node, drive->nmt);
        drive->heartbeat_at += period * (1 + (now - drive->heartbeat_at) / period);
        send(drive, &frame);
    }
}

void cia402_drive_advance(struct cia402_drive *drive, dpl_ns now)
{
    drive->now = now;
    drive_motor_advance(&drive->motor, now);
    if (drive->nmt == DPL_CANOPEN_BOOT_UP) {
        return;
    }
    watch(drive, now);
    settle(drive);
    beat(drive, now);
}

void cia402_drive_init(struct cia402_drive *drive, const struct cia402_drive_config *config)
{
    *drive = (struct cia402_drive){.config = *config, .nmt = DPL_CANOPEN_BOOT_UP};
    drive->dictionary = (struct dpl_canopen_dictionary){
        .entries = drive_objects,
        .n = DRIVE_OBJECTS,
        .values = drive->store.values,
        .check = check_write,
        .changed = on_changed,
        .user = drive,
    };
    drive_motor_init(&drive->motor, &config->motor, config->start_m, 0);
    reset_objects(drive, UINT32_MAX);
}
