/* SPDX-License-Identifier: Apache-2.0 */
/* Parses logs of CARMEN (carmen.sourceforge.net, "logger"): a message a line, words with blanks
 * between. Read are
 *   FLASER n range*n x y theta odom_x odom_y odom_theta time host logger_time
 *   ROBOTLASER1 type start fov step range_max accuracy remission n range*n m remission*m
 *       laser_x laser_y laser_theta x y theta tv rv safety_x safety_y turn_axis time host
 * logger_time PARAM robot_frontlaser_offset m, and PARAM robot_front_laser_max m. A FLASER looks
 * ahead over half a turn; of an even number of beams the last is a step before its end, as SICK's
 * scanners with 180 or 360 beams count. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

enum { WORD_MAX = 63, FOUND_BYTES = 40 };

static const double usual_farthest_m = 80.0; /* no return, in logs of SICK's scanners */
static const double mount_most_m = 1.0; /* farther is no mount, but a pose that was corrected */

struct carmen {
    const char *file, *at, *end, *line_begin, *row_end;
    int line;
    double farthest_m, offset_m; /* as PARAM says; NAN: it does not */
    struct recording *recording;
    struct dpl_diag *reterr;
};

static const char *const words[] = {"PARAM",     "ODOM",      "FLASER",      "RLASER", "TRUEPOS",
                                    "RAWLASER1", "RAWLASER2", "ROBOTLASER1", "SYNC",   "IMU"};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the row; its length is 0 at the row's end. */
static const char *next_word(struct carmen *log, size_t *ret_length)
{
    while (log->at < log->row_end && is_blank(*log->at)) {
        log->at++;
    }
    const char *word = log->at;
    while (log->at < log->row_end && !is_blank(*log->at)) {
        log->at++;
    }
    *ret_length = (size_t)(log->at - word);
    return word;
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

static int fail_at(const struct carmen *log, const char *at, size_t length, const char *expected)
{
    struct dpl_place place = {log->file, log->line, (int)(at - log->line_begin) + 1};
    char found[4 * FOUND_BYTES + 1];
    dpl_diag_quote(at, length < FOUND_BYTES ? length : FOUND_BYTES, found, sizeof found);
    return dpl_fail(log->reterr, -EINVAL, place, "found '%s', expected %s", found, expected);
}

/* A number of at most `most`. */
static int read_number(struct carmen *log, const char *what, double most, double *ret)
{
    size_t length;
    const char *word = next_word(log, &length);
    char text[WORD_MAX + 1], *end = text;
    if (length > 0 && length <= WORD_MAX) {
        memcpy(text, word, length);
        text[length] = '\0';
        *ret = strtod(text, &end);
    }
    bool good = end != text && *end == '\0' && isfinite(*ret) && fabs(*ret) <= most;
    return good ? 0 : fail_at(log, word, length, what);
}

static int read_numbers(struct carmen *log, const char *what, double most, size_t n, double *ret)
{
    int err = 0;
    for (size_t i = 0; i < n && err == 0; i++) {
        err = read_number(log, what, most, &ret[i]);
    }
    return err;
}

static int read_count(struct carmen *log, const char *what, size_t *ret)
{
    const char *before = log->at;
    double n = 0.0;
    int err = read_number(log, what, 1e6, &n);
    if (err == 0 && !(n >= 0.0 && n <= RECORDING_BEAMS_MAX && n == floor(n))) {
        return fail_at(log, before, (size_t)(log->at - before), what);
    }
    *ret = (size_t)n;
    return err;
}

static int read_ranges(struct carmen *log, size_t n, double farthest_m)
{
    double range = 0.0;
    int err = 0;
    for (size_t i = 0; i < n && err == 0; i++) {
        err = read_number(log, "a range in m", 1e12, &range);
        err = err < 0 ? err : recording_add_range(log->recording, range < farthest_m ? range : 0.0);
    }
    return err;
}

/* ---- scans ---- */

/* Where the laser is on the robot. Logs of which somebody corrected the poses have them in place of
 * the laser's: then the laser is at the robot's frame. */
static struct dpl_pose2 mount_of(const struct carmen *log, const double laser[3],
                                 const double robot[3])
{
    if (isfinite(log->offset_m)) {
        return (struct dpl_pose2){.x = log->offset_m};
    }
    if (log->recording->n > 1) {
        return log->recording->scans[0].mount;
    }
    struct dpl_pose2 mount = dpl_pose2_relative((struct dpl_pose2){robot[0], robot[1], robot[2]},
                                                (struct dpl_pose2){laser[0], laser[1], laser[2]});
    return hypot(mount.x, mount.y) > mount_most_m ? (struct dpl_pose2){0} : mount;
}

/* Ends the scan that is being read: its poses, its time. One that is not later than the scan before
 * is left out, as loggers write a message twice. */
static void end_scan(struct carmen *log, const double laser[3], const double robot[3], double time)
{
    struct recording *recording = log->recording;
    struct recorded_scan *scan = &recording->scans[recording->n - 1];
    scan->odometry = (struct dpl_pose2){robot[0], robot[1], dpl_wrap_angle(robot[2])};
    scan->mount = mount_of(log, laser, robot);
    scan->time_s = time;
    if (recording->n > 1 && !(time > scan[-1].time_s)) {
        recording->n_ranges = scan->first;
        recording->n--;
    }
}

static const double half_turn = 3.14159265358979324;

static double step_of(size_t beams)
{
    size_t steps = beams % 2 == 1 ? beams - 1 : beams;
    return steps > 0 ? half_turn / (double)steps : half_turn;
}

static int read_flaser(struct carmen *log)
{
    double poses[6], time = 0.0;
    size_t n = 0;
    int err = read_count(log, "a number of ranges, at most 8192", &n);
    struct recorded_scan scan = {.start_angle = -half_turn / 2.0, .step_angle = step_of(n)};
    err = err < 0 ? err : recording_add_scan(log->recording, &scan);
    err = err < 0
              ? err
              : read_ranges(log, n, isfinite(log->farthest_m) ? log->farthest_m : usual_farthest_m);
    err = err < 0 ? err
                  : read_numbers(log, "poses x y theta of laser and robot within 10000 m", 1e4, 6,
                                 poses);
    err = err < 0 ? err : read_number(log, "a time in s", 1e12, &time);
    if (err == 0) {
        end_scan(log, poses, poses + 3, time);
    }
    return err;
}

static int read_robotlaser(struct carmen *log)
{
    double head[7], poses[11], ignored, time = 0.0;
    size_t n = 0, m = 0;
    int err = read_numbers(log, "type, angles, range, accuracy and remission", 1e6, 7, head);
    err = err < 0 ? err : read_count(log, "a number of ranges, at most 8192", &n);
    if (err == 0 && !(fabs(head[1]) <= 10.0 && head[3] >= 1e-6 && head[3] <= 1.0)) {
        err = fail_at(log, log->line_begin, (size_t)(log->row_end - log->line_begin),
                      "a start angle within 10 rad and a step of 1e-6 to 1 rad");
    }
    struct recorded_scan scan = {.start_angle = head[1], .step_angle = head[3]};
    err = err < 0 ? err : recording_add_scan(log->recording, &scan);
    err = err < 0 ? err
                  : read_ranges(log, n,
                                head[4] > 0.0 && head[4] < usual_farthest_m ? 0.999 * head[4]
                                                                            : usual_farthest_m);
    err = err < 0 ? err : read_count(log, "a number of remissions, at most 8192", &m);
    for (size_t i = 0; i < m && err == 0; i++) {
        err = read_number(log, "a remission", 1e12, &ignored);
    }
    err = err < 0 ? err
                  : read_numbers(log, "poses and speeds of laser and robot within 10000 m", 1e4, 11,
                                 poses);
    err = err < 0 ? err : read_number(log, "a time in s", 1e12, &time);
    if (err == 0) {
        end_scan(log, poses, poses + 3, time);
    }
    return err;
}

/* Values of others than the two that are used may be words. */
static int read_param(struct carmen *log)
{
    size_t length;
    const char *name = next_word(log, &length);
    if (is_word(name, length, "robot_frontlaser_offset")) {
        return read_number(log, "an offset of at most 10 m", 10.0, &log->offset_m);
    }
    if (is_word(name, length, "robot_front_laser_max")) {
        return read_number(log, "a range of at most 1000 m", 1000.0, &log->farthest_m);
    }
    return 0;
}

static int read_row(struct carmen *log)
{
    size_t length;
    const char *word = next_word(log, &length);
    return is_word(word, length, "FLASER")        ? read_flaser(log)
           : is_word(word, length, "ROBOTLASER1") ? read_robotlaser(log)
           : is_word(word, length, "PARAM")       ? read_param(log)
                                                  : 0;
}

/* ---- files ---- */

bool recording_is_carmen(const char *text, size_t size)
{
    struct carmen log = {.at = text, .end = text + size};
    while (log.at < log.end) {
        size_t length;
        const char *end = memchr(log.at, '\n', (size_t)(log.end - log.at));
        log.row_end = end ? end : log.end;
        const char *word = next_word(&log, &length);
        if (length > 0 && *word != '#') {
            for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
                if (is_word(word, length, words[i])) {
                    return true;
                }
            }
            return false;
        }
        log.at = log.row_end + (end != NULL);
    }
    return false;
}

int recording_parse_carmen(const char *file, const char *text, size_t size,
                           struct recording *ret_recording, struct dpl_diag *reterr)
{
    struct recording recording = {0};
    struct carmen log = {file, text,        text + size, text,       text,
                         0,    (double)NAN, (double)NAN, &recording, reterr};
    int err = 0;
    while (log.at < log.end && err == 0) {
        const char *end = memchr(log.at, '\n', (size_t)(log.end - log.at));
        log.line++;
        log.line_begin = log.at;
        log.row_end = end ? end : log.end;
        err = read_row(&log);
        log.at = log.row_end + (end != NULL);
    }
    if (err == -ENOMEM || err == -ENOSPC) {
        dpl_fail(reterr, err, (struct dpl_place){.file = file},
                 err == -ENOSPC ? "more than %d scans, or too many ranges" : "no memory",
                 RECORDING_SCANS_MAX);
    }
    if (err == 0 && recording.n == 0) {
        err = dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file},
                       "a log of CARMEN with no scan: only FLASER and ROBOTLASER1 are read, which "
                       "have odometry");
    }
    if (err < 0) {
        recording_finish(&recording);
        return err;
    }
    *ret_recording = recording;
    return 0;
}
