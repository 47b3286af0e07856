/* SPDX-License-Identifier: Apache-2.0 */
/* ScanRecorder: periodically stores a scan with the newest odometry, and writes all of them to
 * scans.csv in the folder of the run when it stops. Memory is allocated at the start; nothing is
 * written in a cycle. Ranges of all scans are one after the other in one block, so that many scans
 * with few beams need no more memory than few scans with many. Records and ranges are rings. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/output.h>
#include <doppel/plugin.h>

#define SCANS_MAX  1000000
#define RANGES_MAX 2048 /* of a scan */
#define MIB        (1024.0 * 1024.0)

enum port {
    PORT_SCAN,
    PORT_ODOMETRY,
};

enum keep {
    KEEP_NEWEST,
    KEEP_FIRST,
};

struct properties {
    double interval_s;
    int64_t most; /* 0: as many as there is memory for */
    double memory_mib;
    int keep;
    char file[64];
};

struct record {
    dpl_ns stamp;
    struct dpl_pose2 pose;  /* of the base, the newest when the scan arrived */
    struct dpl_pose2 mount; /* of the scanner */
    double start_angle_rad, step_angle_rad;
    uint64_t first; /* of all ranges; in state.ranges_m it is the one first % n_ranges */
    size_t n;
};

struct state {
    struct record *records; /* [n_records]: number i of all is the one i % n_records */
    float *ranges_m;        /* [n_ranges] */
    size_t n_records, n_ranges;
    uint64_t oldest, used; /* number of the oldest record; ranges that were given away */
    int64_t n, skipped;
    dpl_ns next;
};

/* A quarter of the memory is for the records, so that there is room for all scans with more than
 * about 70 beams. */
static void divide_memory(const struct properties *props, struct state *state)
{
    double bytes = props->memory_mib * MIB;
    double records = bytes / 4.0 / (double)sizeof *state->records;
    double most = props->most > 0 ? (double)props->most : (double)SCANS_MAX;
    state->n_records = (size_t)(records < most ? records : most);
    double left = bytes - (double)(state->n_records * sizeof *state->records);
    double ranges = left / (double)sizeof *state->ranges_m;
    double needed = (double)state->n_records * RANGES_MAX;
    state->n_ranges = (size_t)(ranges < needed ? ranges : needed);
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (!dpl_component_keeps_results(self)) {
        return 0; /* without --out there is no folder for results */
    }
    divide_memory(props, state);
    state->records = calloc(state->n_records, sizeof *state->records);
    state->ranges_m = calloc(state->n_ranges, sizeof *state->ranges_m);
    return state->records && state->ranges_m
               ? 0
               : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory: %g MiB for scans",
                          props->memory_mib);
}

static size_t ranges_of(const Doppel__Scan *scan)
{
    return scan->n_ranges < RANGES_MAX ? scan->n_ranges : RANGES_MAX;
}

static struct record *record_at(const struct state *state, int64_t i)
{
    return &state->records[(state->oldest + (uint64_t)i) % state->n_records];
}

static void keep(struct state *state, const struct dpl_message *scan_message,
                 const Doppel__Odometry *odometry)
{
    const Doppel__Scan *scan = scan_message->body;
    struct record *record = record_at(state, state->n++);
    *record = (struct record){
        .stamp = scan_message->stamp,
        .pose = dpl_pose2_get(odometry->pose), /* of the base */
        .start_angle_rad = scan->start_angle,
        .step_angle_rad = scan->step_angle,
        .first = state->used,
        .n = ranges_of(scan),
    };
    if (scan->mount) {
        record->mount = dpl_pose2_get(scan->mount);
    }
    memcpy(&state->ranges_m[state->used % state->n_ranges], scan->ranges,
           record->n * sizeof *state->ranges_m);
    state->used += record->n;
}

static bool fits(const struct state *state, size_t n)
{
    uint64_t first = state->n > 0 ? record_at(state, 0)->first : state->used;
    return state->n < (int64_t)state->n_records && state->used + n - first <= state->n_ranges;
}

/* The first scan that is left out is told at once: the run may go on for hours. */
static void leave_out(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (state->skipped++ > 0) {
        return;
    }
    if (props->keep == KEEP_NEWEST) {
        dpl_component_log(self, DPL_LOG_INFO,
                          "from now on %s has the newest %lld scans (MaximumScans, MemoryMiB)",
                          props->file, (long long)state->n);
    } else {
        dpl_component_log(self, DPL_LOG_WARN,
                          "no room for more scans: %s ends with the first %lld (MaximumScans, "
                          "MemoryMiB, Keep)",
                          props->file, (long long)state->n);
    }
}

static void drop_oldest(struct state *state)
{
    state->oldest++;
    state->n--;
}

/* Whether there is room for the scan, with its ranges in one piece; what is left out for it, or
 * itself, is counted. */
static bool make_room(struct dpl_component *self, const Doppel__Scan *scan)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    size_t n = ranges_of(scan), at = (size_t)(state->used % state->n_ranges);
    bool may_drop = props->keep == KEEP_NEWEST && n <= state->n_ranges;
    if (may_drop && at + n > state->n_ranges) {
        state->used += state->n_ranges - at;
    }
    while (!fits(state, n)) {
        leave_out(self);
        if (!may_drop) {
            return false;
        }
        drop_oldest(state);
    }
    return true;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const struct dpl_message *scan = dpl_port_take(self, PORT_SCAN);
    const struct dpl_message *odometry = dpl_port_latest(self, PORT_ODOMETRY);
    if (!state->records || !scan || !odometry || tick->now < state->next) {
        return 0;
    }
    if (!make_room(self, scan->body)) {
        return 0;
    }
    state->next = tick->now + dpl_ns_from_s(props->interval_s);
    keep(state, scan, odometry->body);
    return 0;
}

static void write_record(FILE *file, const struct record *r, const float *ranges_m)
{
    fprintf(file, "%.6f,%.4f,%.4f,%.5f,%.4f,%.4f,%.5f,%.6f,%.8f", dpl_ns_to_s(r->stamp), r->pose.x,
            r->pose.y, r->pose.theta, r->mount.x, r->mount.y, r->mount.theta, r->start_angle_rad,
            r->step_angle_rad);
    for (size_t i = 0; i < r->n; i++) {
        fprintf(file, ",%.3f", (double)ranges_m[i]);
    }
    fputc('\n', file);
}

static void write_records(FILE *file, const struct state *state)
{
    fprintf(file, "t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges...\n");
    for (int64_t i = 0; i < state->n; i++) {
        const struct record *record = record_at(state, i);
        write_record(file, record, &state->ranges_m[record->first % state->n_ranges]);
    }
}

static int stop(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (!state->records) {
        return 0;
    }
    if (state->skipped > 0) {
        bool is_first = props->keep == KEEP_FIRST;
        dpl_component_log(self, is_first ? DPL_LOG_WARN : DPL_LOG_INFO,
                          "%lld scans are not in %s: no room %s %lld (MaximumScans, MemoryMiB)",
                          (long long)state->skipped, props->file,
                          is_first ? "after" : "before the newest", (long long)state->n);
    }
    struct dpl_output output;
    struct dpl_diag error = {0};
    int err = dpl_component_open_result(self, props->file, &output, &error);
    if (err == 0) {
        write_records(output.stream, state);
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "%s", error.text);
    }
    return err;
}

static void destroy(struct dpl_component *self)
{
    struct state *state = self->state;
    free(state->records);
    free(state->ranges_m);
    state->records = NULL;
    state->ranges_m = NULL;
}

static const struct dpl_port_desc ports[] = {
    [PORT_SCAN] =
        {
            .name = "scan",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__scan__descriptor,
            .policy = DPL_QUEUE_LAST,
            .required = true,
            .summary = "scans to keep",
        },
    [PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__odometry__descriptor,
            .policy = DPL_QUEUE_LAST,
            .required = true,
            .summary = "where the base is",
        },
};

static const struct dpl_field properties[] = {
    DPL_NUMBER(struct properties, interval_s, "Interval", "s", "1", 0.0, 3600,
               "time between scans that are kept; 0: every scan"),
    DPL_INT(struct properties, most, "MaximumScans", "256", 0, SCANS_MAX,
            "how many are kept; 0: as many as MemoryMiB has room for"),
    DPL_NUMBER(struct properties, memory_mib, "MemoryMiB", NULL, "16", 0.01, 4096,
               "memory for scans, taken at the start; 16 MiB are 4600 scans of 682 beams"),
    DPL_CHOICE(struct properties, keep, "Keep", "newest", "newest|first",
               "which scans are kept where there is no room for all"),
    DPL_RESULT(struct properties, file, "File", "scans.csv",
               "name of the file; each ScanRecorder of an application needs its own"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n, "kept", NULL, DPL_FIELD_SUMMARY, "scans kept"),
    DPL_EXPORT_INT(struct state, skipped, "skipped", NULL, DPL_FIELD_SUMMARY,
                   "scans for which there was no room"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .execute = execute,
    .stop = stop,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "ScanRecorder",
    .summary = "keeps scans with the newest odometry for reports",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
