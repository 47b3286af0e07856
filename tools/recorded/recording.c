/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what kind of recording a path names, and reads it. */
#include "recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bag.h"
#include "file_bytes.h"
#include "log_player.h"
#include <doppel/protocol/kobuki.h>

#define BYTES_MAX     ((size_t)1 << 30)
#define CSV_BEGINS    "t,x,y,theta,"
#define CARMEN_BEGINS ((size_t)1 << 16) /* bytes in which its first message is looked for */

int recording_add_scan(struct recording *recording, const struct recorded_scan *scan)
{
    if (recording->n == RECORDING_SCANS_MAX) {
        return -ENOSPC;
    }
    if ((recording->n & (recording->n - 1)) == 0) { /* full at each power of two */
        size_t capacity = recording->n ? 2 * recording->n : 1;
        struct recorded_scan *scans = realloc(recording->scans, capacity * sizeof *scans);
        if (!scans) {
            return -ENOMEM;
        }
        recording->scans = scans;
    }
    recording->scans[recording->n] = *scan;
    recording->scans[recording->n].first = recording->n_ranges;
    recording->scans[recording->n++].n = 0;
    return 0;
}

int recording_add_range(struct recording *recording, double range_m)
{
    struct recorded_scan *scan = &recording->scans[recording->n - 1];
    size_t n = recording->n_ranges;
    if (scan->n == RECORDING_BEAMS_MAX || n == RECORDING_RANGES_MAX) {
        return -ENOSPC;
    }
    if ((n & (n - 1)) == 0) {
        float *ranges = realloc(recording->ranges, (n ? 2 * n : 1) * sizeof *ranges);
        if (!ranges) {
            return -ENOMEM;
        }
        recording->ranges = ranges;
    }
    recording->ranges[recording->n_ranges++] =
        isfinite(range_m) && range_m > 0.0 ? (float)range_m : 0.0f;
    scan->n++;
    return 0;
}

void recording_finish(struct recording *recording)
{
    free(recording->scans);
    free(recording->ranges);
    *recording = (struct recording){0};
}

/* ---- a robot's log ---- */

static struct dpl_pose2 drive(struct dpl_pose2 pose, double left_m, double right_m, double axle_m)
{
    double forward = 0.5 * (left_m + right_m), turn = (right_m - left_m) / axle_m;
    double chord = fabs(turn) > 1e-9 ? forward * sin(0.5 * turn) / (0.5 * turn) : forward;
    return (struct dpl_pose2){
        .x = pose.x + chord * cos(pose.theta + 0.5 * turn),
        .y = pose.y + chord * sin(pose.theta + 0.5 * turn),
        .theta = dpl_wrap_angle(pose.theta + turn),
    };
}

/* Each scan with the odometry of its stamp, not of its arrival. */
static int add_row(struct recording *recording, const struct log_row *row, struct dpl_pose2 pose)
{
    const double step = 2.0 * DPL_PI / 1024.0; /* of the URG-04LX; step 384 looks ahead */
    struct recorded_scan scan = {
        .time_s = dpl_ns_to_s(row->scan_time),
        .odometry = pose,
        .start_angle = (LOG_FIRST_STEP - 384) * step,
        .step_angle = step,
    };
    int err = recording_add_scan(recording, &scan);
    for (size_t i = 0; i < LOG_RANGES && err == 0; i++) {
        uint16_t mm = row->ranges_mm[i];
        err = recording_add_range(recording, mm < 20 ? 0.0 : 1e-3 * mm); /* below 20: an error */
    }
    return err;
}

static int read_log(const char *file, struct recording *recording, struct dpl_diag *reterr)
{
    struct log_player log;
    int err = log_player_load(file, &log, reterr);
    if (err < 0) {
        return err;
    }
    struct log_motion before = log_player_motion(&log, log.rows[0].scan_time);
    struct dpl_pose2 pose = {0};
    for (size_t i = 0; i < log.n && err == 0; i++) {
        struct log_motion now = log_player_motion(&log, log.rows[i].scan_time);
        pose = drive(pose, DPL_KOBUKI_WHEEL_RADIUS_M * (now.left_rad - before.left_rad),
                     DPL_KOBUKI_WHEEL_RADIUS_M * (now.right_rad - before.right_rad),
                     DPL_KOBUKI_AXLE_M);
        err = add_row(recording, &log.rows[i], pose);
        before = now;
    }
    recording->axle_m = log.geometry.axle_m;
    log_player_finish(&log);
    recording->is_log = true;
    return err < 0
               ? dpl_fail(reterr, err, (struct dpl_place){.file = file},
                          err == -ENOSPC ? "more than %d scans" : "no memory", RECORDING_SCANS_MAX)
               : 0;
}

/* ---- files ---- */

static bool has_end(const char *file, const char *end)
{
    size_t length = strlen(file), n = strlen(end);
    return length > n && strcmp(file + length - n, end) == 0;
}

static int parse(const char *file, const char *text, size_t n, bool is_csv,
                 struct recording *recording, struct dpl_diag *reterr)
{
    if (n > BYTES_MAX) {
        return dpl_fail(reterr, -EFBIG, (struct dpl_place){.file = file}, "larger than 1 GiB");
    }
    if (is_csv || (n >= strlen(CSV_BEGINS) && memcmp(text, CSV_BEGINS, strlen(CSV_BEGINS)) == 0)) {
        return recording_parse_csv(file, text, n, has_end(file, ".part"), recording, reterr);
    }
    return recording_is_carmen(text, n < CARMEN_BEGINS ? n : CARMEN_BEGINS)
               ? recording_parse_carmen(file, text, n, recording, reterr)
               : read_log(file, recording, reterr);
}

/* `is_csv`: it must be a scans.csv; else it tells by its beginning what it is. */
static int read_file(const char *file, bool is_csv, struct recording *recording,
                     struct dpl_diag *reterr)
{
    char *text = NULL;
    size_t n = 0;
    int opened, err = dpl_file_bytes(file, BYTES_MAX, &text, &n, &opened);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){.file = file}, "cannot be %s: %s",
                        opened ? "read" : "opened", strerror(-err));
    }
    err = parse(file, text, n, is_csv, recording, reterr);
    free(text);
    return err;
}

/* The file with the scans of a folder of results. */
static int find_scans(const char *folder, char *ret_file, size_t size, struct dpl_diag *reterr)
{
    static const char *const names[] = {"scans.csv", "scans.csv.part"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int n = snprintf(ret_file, size, "%s/%s", folder, names[i]);
        if (n > 0 && (size_t)n < size && access(ret_file, F_OK) == 0) {
            return 0;
        }
    }
    snprintf(ret_file, size, "%s", folder);
    return dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = ret_file},
                    "no scans.csv is there: a run with a ScanRecorder and --out writes one");
}

/* The scans of a recording of a run. */
static int read_bag(const char *file, bool every, struct recording *recording,
                    struct dpl_diag *reterr)
{
    struct bag bag;
    char *text = NULL, name[256];
    size_t n = 0;
    int err = bag_open(file, &bag, reterr);
    if (err < 0) {
        return err;
    }
    if (every || !bag_name(&bag, BAG_FIRST_SCANS, name, sizeof name)) {
        snprintf(name, sizeof name, "%s", every ? BAG_EVERY_SCAN : "scans.csv");
    }
    err = bag_text(&bag, name, &text, &n, reterr);
    err = err < 0 ? err : recording_parse_csv(file, text, n, false, recording, reterr);
    if (err < 0 && text && reterr) {
        reterr->place = (struct dpl_place){.file = file}; /* its line is in no file */
    }
    free(text);
    bag_close(&bag);
    return err;
}

static int read_any(const char *path, bool every, char *ret_file, size_t size,
                    struct recording *ret_recording, struct dpl_diag *reterr)
{
    struct recording recording = {0};
    struct stat info;
    snprintf(ret_file, size, "%s", path);
    int err = 0;
    if (strlen(path) + 1 > size) {
        return dpl_fail(reterr, -ENAMETOOLONG, (struct dpl_place){0}, "the path is too long");
    }
    bool is_there = stat(path, &info) == 0;
    if (is_there && S_ISDIR(info.st_mode)) {
        err = find_scans(path, ret_file, size, reterr);
        err = err < 0 ? err : read_file(ret_file, true, &recording, reterr);
    } else if (bag_is(path)) {
        err = read_bag(ret_file, every, &recording, reterr);
    } else if (is_there && S_ISREG(info.st_mode)) {
        err = read_file(ret_file, false, &recording, reterr);
    } else {
        err = read_log(ret_file, &recording, reterr);
    }
    if (err < 0) {
        recording_finish(&recording);
        return err;
    }
    *ret_recording = recording;
    return 0;
}

int recording_read(const char *path, char *ret_file, size_t size, struct recording *ret_recording,
                   struct dpl_diag *reterr)
{
    return read_any(path, false, ret_file, size, ret_recording, reterr);
}

int recording_read_every(const char *path, char *ret_file, size_t size,
                         struct recording *ret_recording, struct dpl_diag *reterr)
{
    return read_any(path, true, ret_file, size, ret_recording, reterr);
}
