/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate cia402`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/math/number_rows.h>

#include "can_line.h"
#include "device.h"
#include "hexa_ik.h"

#define TICK        (2 * DPL_MS)
#define STOP_ROOM_M 0.005 /* from the end of the machine's travel to the end stop */
#define FREE_WAY_M  1.0   /* to each side of a given position */

struct emergency {
    int drive;
    dpl_ns at;
    bool is_done;
};

struct cia402_device {
    struct session session;
    struct can_line line;
    struct faults_windows cut[CAN_LINE_DRIVES_MAX], block[CAN_LINE_DRIVES_MAX];
    struct emergency emergencies[FAULTS_WINDOWS_MAX];
    size_t n_emergencies;
    uint64_t told_lost, told_refused; /* frames of the bus */
    bool is_on;
    bool waits; /* waits for a signal, from which the times of faults count */
    dpl_ns zero;
};

/* ---- session ---- */

static void on_connected(void *device, dpl_ns now)
{
    (void)now;
    struct cia402_device *self = device;
    can_line_connected(&self->line);
}

static void on_signalled(void *device, dpl_ns now)
{
    struct cia402_device *self = device;
    if (self->waits) {
        self->waits = false;
        self->zero = now;
    }
}

static void cause_faults(struct cia402_device *self, dpl_ns now)
{
    now -= self->zero;
    if (self->waits) {
        return;
    }
    for (size_t i = 0; i < self->line.n_drives; i++) {
        self->line.drives[i].cut = faults_windows_hold(&self->cut[i], now);
        self->line.drives[i].motor.blocked = faults_windows_hold(&self->block[i], now);
    }
    for (size_t i = 0; i < self->n_emergencies; i++) {
        struct emergency *emergency = &self->emergencies[i];
        if (!emergency->is_done && now >= emergency->at) {
            emergency->is_done = true;
            cia402_drive_fail(&self->line.drives[emergency->drive], 0x7300);
        }
    }
}

/* A permanently full bus is reported with a limited rate (session_print_host). */
static void report_full_bus(struct cia402_device *self)
{
    const struct can_line *line = &self->line;
    char text[128];
    if (line->lost_frames == self->told_lost && line->refused_frames == self->told_refused) {
        return;
    }
    snprintf(text, sizeof text,
             "the bus is full: %llu frames of the host refused, %llu of drives lost",
             (unsigned long long)(line->refused_frames - self->told_refused),
             (unsigned long long)(line->lost_frames - self->told_lost));
    self->told_lost = line->lost_frames;
    self->told_refused = line->refused_frames;
    session_print_host(&self->session, text);
}

static void on_received(void *device, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct cia402_device *self = device;
    cause_faults(self, now);
    can_line_receive(&self->line, bytes, n, now);
    report_full_bus(self);
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct cia402_device *self = device;
    if (!self->is_on) {
        self->is_on = true;
        can_line_power(&self->line, now);
    }
    cause_faults(self, now);
    can_line_advance(&self->line, now);
    report_full_bus(self);
    dpl_ns next = can_line_next(&self->line);
    return next < now + TICK ? next : now + TICK;
}

static const struct session_device ops = {
    .connected = on_connected,
    .received = on_received,
    .tick = on_tick,
    .signalled = on_signalled,
    .forgets_when_frozen = true,
};

static void send_text(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct cia402_device *self = user;
    session_send(&self->session, bytes, n, now);
}

/* ---- options ---- */

struct options {
    uint64_t axes, missing_targets, late_targets;
    double counts_per_m, rated_force_n, top_speed_m_s;
    const char *start; /* NULL: the reference machine's home */
    const char *ends;  /* NULL: beyond the machine's travel */
    struct option_list cuts, blocks, emergencies;
    bool faults_on_signal;
};

static const struct options defaults = {
    .axes = 6,
    .missing_targets = 2,
    .counts_per_m = 1e6,
    .rated_force_n = 1000.0,
    .top_speed_m_s = 2.0,
};

#define OPTION(...) DEVICE_OPTION(struct options, __VA_ARGS__)

static const struct option options[] = {
    {OPTION("axes", "N", OPTION_COUNT, axes, "number of drives on the bus, nodes 1 to N (6)"),
     .min = 1, .max = CAN_LINE_DRIVES_MAX},
    {OPTION("start", "'Q1 Q2 ...'", OPTION_STRING, start,
            "positions of the axes, m (home of the machine HX-A)")},
    {OPTION("ends", "'LOW HIGH'", OPTION_STRING, ends,
            "end stops of all axes, m (those of HX-A; with --start, 1 m to either side)")},
    {OPTION("top-speed", "M/S", OPTION_NUMBER, top_speed_m_s, "largest speed of the motors (2)"),
     .min = 0.01, .max = 100},
    {OPTION("counts", "N", OPTION_NUMBER, counts_per_m, "units of the drives per metre (1000000)"),
     .min = 1, .max = 1e9},
    {OPTION("rated-force", "N", OPTION_NUMBER, rated_force_n,
            "force of an axis at the drive's rated torque (1000)"),
     .min = 1, .max = 1e6},
    {OPTION("missing-targets", "N", OPTION_COUNT, missing_targets,
            "N SYNCs in a row without a target are a fault (2; 0: never)"),
     .max = 1000},
    {OPTION("late-targets", "N", OPTION_COUNT, late_targets,
            "N periods of the drive's own clock without a target are a fault (0: never)"),
     .max = 1000},
    {OPTION("cut", "N,FROM,TO", OPTION_LIST, cuts,
            "fault: drive N is off the bus between these seconds; may be repeated")},
    {OPTION("block", "N,FROM,TO", OPTION_LIST, blocks,
            "fault: axis N is blocked between these seconds; may be repeated")},
    {OPTION("emergency", "N,AT", OPTION_LIST, emergencies,
            "fault: the encoder of drive N fails at this second; may be repeated")},
    {OPTION("on-signal", NULL, OPTION_FLAG, faults_on_signal,
            "the seconds of --cut, --block and --emergency count from SIGUSR2")},
};

/* Parses "N,..." with the number of a drive: *ret_rest is after the comma. */
static int read_drive(const struct cia402_device *self, const char *name, const char *text,
                      const char **ret_rest, struct dpl_diag *reterr)
{
    char *end;
    long drive = strtol(text, &end, 10);
    if (end == text || *end != ',' || drive < 1 || drive > (long)self->line.n_drives) {
        dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                 "--%s: found '%s', expected a drive of 1 to %zu, a comma and seconds", name, text,
                 self->line.n_drives);
        return -EINVAL;
    }
    *ret_rest = end + 1;
    return (int)drive - 1;
}

static int add_windows(const struct cia402_device *self, const char *name,
                       const struct option_list *list, struct faults_windows *windows,
                       struct dpl_diag *reterr)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *rest;
        int drive = read_drive(self, name, list->items[i], &rest, reterr);
        int err = drive < 0 ? drive : faults_add_window(&windows[drive], name, rest, reterr);
        if (err < 0) {
            return err;
        }
    }
    return 0;
}

static int add_emergencies(struct cia402_device *self, const struct option_list *list,
                           struct dpl_diag *reterr)
{
    for (size_t i = 0; i < list->n; i++) {
        const char *rest;
        char *end = NULL;
        int drive = read_drive(self, "emergency", list->items[i], &rest, reterr);
        if (drive < 0) {
            return drive;
        }
        double at_s = strtod(rest, &end);
        if (end == rest || *end != '\0' || !(at_s >= 0.0 && at_s <= 1e6) ||
            self->n_emergencies == FAULTS_WINDOWS_MAX) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "--emergency: found '%s', expected N,SECONDS, %d times at most",
                            list->items[i], FAULTS_WINDOWS_MAX);
        }
        self->emergencies[self->n_emergencies++] =
            (struct emergency){.drive = drive, .at = dpl_ns_from_s(at_s)};
    }
    return 0;
}

/* Start position of an axis, and its end stops. */
struct travel {
    double start_m, low_m, high_m;
};

/* The reference machine at home; further axes stand at 0. */
static void choose_home(size_t n, struct travel ret[CAN_LINE_DRIVES_MAX])
{
    const struct dpl_hexa_geometry *machine = &dpl_hexa_reference;
    double home_m[DPL_AXES_N] = {0};
    dpl_hexa_ik(machine, machine->home, home_m);
    for (size_t i = 0; i < n; i++) {
        ret[i] = (struct travel){0.0, -FREE_WAY_M, FREE_WAY_M};
        if (i < DPL_AXES_N) {
            ret[i] = (struct travel){home_m[i], machine->low_m[i] - STOP_ROOM_M,
                                     machine->high_m[i] + STOP_ROOM_M};
        }
    }
}

/* Exactly `n` numbers. */
static bool read_numbers(const char *text, size_t n, double *ret)
{
    double more;
    struct dpl_rows rows = dpl_rows_begin(text);
    return dpl_rows_next(&rows, n, n, ret) == (int)n && dpl_rows_next(&rows, 1, 1, &more) == 0;
}

static int choose_starts(const char *text, size_t n, struct travel ret[CAN_LINE_DRIVES_MAX],
                         struct dpl_diag *reterr)
{
    double start_m[CAN_LINE_DRIVES_MAX];
    choose_home(n, ret);
    if (!text) {
        return 0;
    }
    if (!read_numbers(text, n, start_m)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--start: found '%s', expected %zu positions in m", text, n);
    }
    for (size_t i = 0; i < n; i++) {
        ret[i] = (struct travel){start_m[i], start_m[i] - FREE_WAY_M, start_m[i] + FREE_WAY_M};
    }
    return 0;
}

static int choose_ends(const char *text, size_t n, struct travel ret[CAN_LINE_DRIVES_MAX],
                       struct dpl_diag *reterr)
{
    double ends_m[2];
    bool is_good = !text || (read_numbers(text, 2, ends_m) && ends_m[0] < ends_m[1]);
    for (size_t i = 0; is_good && text && i < n; i++) {
        ret[i].low_m = ends_m[0];
        ret[i].high_m = ends_m[1];
        is_good = ret[i].start_m >= ends_m[0] && ret[i].start_m <= ends_m[1];
    }
    return is_good ? 0
                   : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                              "--ends: found '%s', expected two positions in m, the lower one "
                              "first, with all axes between them",
                              text);
}

static int set_up(struct cia402_device *self, const struct options *own, struct dpl_diag *reterr)
{
    struct cia402_drive_config drives[CAN_LINE_DRIVES_MAX];
    struct travel travels[CAN_LINE_DRIVES_MAX];
    size_t n = own->axes;
    int err = choose_starts(own->start, n, travels, reterr);
    err = err < 0 ? err : choose_ends(own->ends, n, travels, reterr);
    if (err < 0) {
        return err;
    }
    for (size_t i = 0; i < n; i++) {
        drives[i] = (struct cia402_drive_config){
            .node = (uint8_t)(i + 1),
            .counts_per_m = own->counts_per_m,
            .rated_force_n = own->rated_force_n,
            .start_m = travels[i].start_m,
            .motor = drive_motor_config_default(),
            .missing_targets = (unsigned)own->missing_targets,
            .late_targets = (unsigned)own->late_targets,
        };
        drives[i].motor.plant.low_m = travels[i].low_m;
        drives[i].motor.plant.high_m = travels[i].high_m;
        drives[i].motor.speed_max_m_s = own->top_speed_m_s;
    }
    self->waits = own->faults_on_signal;
    can_line_init(&self->line, drives, n);
    self->line.send = send_text;
    self->line.user = self;
    err = add_windows(self, "cut", &own->cuts, self->cut, reterr);
    err = err < 0 ? err : add_windows(self, "block", &own->blocks, self->block, reterr);
    return err < 0 ? err : add_emergencies(self, &own->emergencies, reterr);
}

/* ---- running ---- */

#define STATES                                                                                     \
    "not ready|switch on disabled|ready|switched on|operation enabled|quick stop|fault reaction|"  \
    "fault"
#define COMMON_VALUES    5
#define VALUES_OF_DRIVE  3
#define SHOWN_DRIVES_MAX 6
#define DRIVE(i_, name_)                                                                           \
    DPL_EXPORT_CHOICE(struct cia402_device, line.drives[i_].state, name_ "_state", STATES,         \
                      DPL_FIELD_TRACE, "of the power drive state machine"),                        \
        DPL_EXPORT_NUMBER(struct cia402_device, line.drives[i_].motor.plant.load_position_m,       \
                          name_ "_position", "m", DPL_FIELD_TRACE, "of the axis"),                 \
        DPL_EXPORT_NUMBER(struct cia402_device, line.drives[i_].motor.wanted_m, name_ "_target",   \
                          "m", DPL_FIELD_TRACE, "that its targets give")

static const struct dpl_field values[] = {
    DPL_EXPORT_INT(struct cia402_device, line.frames_in, "frames_in", NULL, DPL_FIELD_TRACE,
                   "of the host"),
    DPL_EXPORT_INT(struct cia402_device, line.frames_out, "frames_out", NULL, DPL_FIELD_TRACE,
                   "of the drives"),
    DPL_EXPORT_INT(struct cia402_device, line.refused_frames, "refused_frames", NULL,
                   DPL_FIELD_TRACE, "of the host"),
    DPL_EXPORT_INT(struct cia402_device, line.lost_frames, "lost_frames", NULL, DPL_FIELD_TRACE,
                   "by a full bus"),
    DPL_EXPORT_INT(struct cia402_device, line.parser.dropped_bytes, "invalid_bytes", NULL,
                   DPL_FIELD_TRACE, "of the host"),
    DRIVE(0, "drive1"),
    DRIVE(1, "drive2"),
    DRIVE(2, "drive3"),
    DRIVE(3, "drive4"),
    DRIVE(4, "drive5"),
    DRIVE(5, "drive6"),
};

static size_t count_values(const void *device)
{
    const struct cia402_device *self = device;
    size_t n = self->line.n_drives < SHOWN_DRIVES_MAX ? self->line.n_drives : SHOWN_DRIVES_MAX;
    return COMMON_VALUES + VALUES_OF_DRIVE * n;
}

static void print_summary(const void *device)
{
    const struct cia402_device *self = device;
    uint64_t watchdogs = 0, faults = 0;
    const struct can_line *line = &self->line;
    for (size_t i = 0; i < line->n_drives; i++) {
        watchdogs += line->drives[i].watchdogs;
        faults += line->drives[i].faults;
    }
    fprintf(stderr,
            "doppel emulate cia402: %llu frames received, %llu refused, %llu sent, %llu lost by a "
            "full bus, %llu invalid bytes, %llu faults, %llu times stopped without set-points\n",
            (unsigned long long)line->frames_in, (unsigned long long)line->refused_frames,
            (unsigned long long)line->frames_out, (unsigned long long)line->lost_frames,
            (unsigned long long)line->parser.dropped_bytes, (unsigned long long)faults,
            (unsigned long long)watchdogs);
}

static int cia402_open(void *device, const struct emulate_options *all, const void *own,
                       struct dpl_diag *reterr)
{
    struct cia402_device *self = device;
    int err = set_up(self, own, reterr);
    return err < 0 ? err : emulate_open_port(all, &self->session, reterr);
}

#define NO_WORLD "drives have axes of their own: --world and --log are not for them"

const struct emulated_device emulated_cia402 = {
    .set = {.name = "cia402",
            .summary = "CiA 402 drives on a CAN bus",
            DEVICE_OPTIONS(options, defaults)},
    .no_world = NO_WORLD,
    .no_log = NO_WORLD,
    .ops = &ops,
    .size = sizeof(struct cia402_device),
    .open = cia402_open,
    .values = values,
    .n_values = DPL_COUNT(values),
    .count_values = count_values,
    .print_summary = print_summary,
};
