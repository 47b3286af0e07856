/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and plays the log of a recorded robot. */
#include "log_player.h"

#include <doppel/math/geometry.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "log_stamps.h"
#include <doppel/protocol/kobuki.h>

#define FOUND_BYTES    40 /* of a cell, in messages */
#define LINE_MAX_BYTES 16384
#define COLUMN_LEFT    2
#define COLUMN_RIGHT   3
#define COLUMN_RANGES  24
#define RANGE_MAX      65535.0

struct log_geometry log_geometry_default(void)
{
    return (struct log_geometry){.wheel_radius_m = 0.077, .axle_m = 0.33, .ticks_per_turn = 2000};
}

/* ---- loading ---- */

struct reading {
    const char *file;
    int line;
    const char *text;
    double first_us;
    struct dpl_diag *reterr;
};

static int fail_at(const struct reading *reading, const char *at, const char *what)
{
    struct dpl_place place = {reading->file, reading->line, (int)(at - reading->text) + 1};
    char found[4 * FOUND_BYTES + 1];
    size_t length = strcspn(at, " \t\r\n");
    dpl_diag_quote(at, length < FOUND_BYTES ? length : FOUND_BYTES, found, sizeof found);
    return dpl_fail(reading->reterr, -EINVAL, place, "found '%s', expected %s", found, what);
}

static int store(const struct reading *reading, size_t column, double value, const char *at,
                 struct log_row *row)
{
    if (column == 0) {
        row->time = (dpl_ns)(value * 1e3);
    } else if (column == COLUMN_LEFT) {
        row->left_ticks = value;
    } else if (column == COLUMN_RIGHT) {
        row->right_ticks = value;
    } else if (column >= COLUMN_RANGES && column < COLUMN_RANGES + LOG_RANGES) {
        if (value < 0.0 || value > RANGE_MAX) {
            return fail_at(reading, at, "a range of 0 to 65535 mm");
        }
        row->ranges_mm[column - COLUMN_RANGES] = (uint16_t)value;
    }
    return 0;
}

static int read_row(const struct reading *reading, struct log_row *row)
{
    const char *at = reading->text;
    for (size_t column = 0;; column++) {
        at += strspn(at, " \t\r\n");
        if (*at == '\0') {
            return column >= LOG_COLUMNS_MIN
                       ? 0
                       : fail_at(reading, at, "at least 706 columns: the row ends too early");
        }
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value) || fabs(value) > 1e15) {
            bool may_be_carmen = column == 0 && ((*at >= 'A' && *at <= 'Z') || *at == '#');
            return fail_at(reading, at,
                           may_be_carmen
                               ? "a number (a log of CARMEN is read from a file, not from a pipe)"
                               : "a number");
        }
        int err = store(reading, column, value, at, row);
        if (err < 0) {
            return err;
        }
        at = end;
    }
}

static int append(struct log_player *player, const struct reading *reading)
{
    if ((player->n & (player->n - 1)) == 0) { /* the array is full at each power of two */
        size_t capacity = player->n ? player->n * 2 : 1;
        struct log_row *rows = realloc(player->rows, capacity * sizeof *rows);
        if (!rows) {
            return -ENOMEM;
        }
        player->rows = rows;
    }
    if (player->n == LOG_ROWS_MAX) {
        return fail_at(reading, reading->text, "no more than 200000 rows");
    }
    struct log_row *row = &player->rows[player->n];
    memset(row, 0, sizeof *row);
    int err = read_row(reading, row);
    if (err < 0) {
        return err;
    }
    if (player->n > 0 && row->time <= row[-1].time) {
        return fail_at(reading, reading->text, "a time later than that of the row before");
    }
    player->n++;
    return 0;
}

static int read_rows(FILE *stream, struct log_player *player, struct reading *reading, char *line)
{
    while (memset(line, ' ', LINE_MAX_BYTES), fgets(line, LINE_MAX_BYTES, stream)) {
        reading->line++;
        const char *end = memrchr(line, '\0', LINE_MAX_BYTES); /* the zero that fgets has put */
        if (end != line + strlen(line)) {
            struct dpl_place place = {reading->file, reading->line, (int)strlen(line) + 1};
            return dpl_fail(reading->reterr, -EINVAL, place, "found '\\x00', expected text");
        }
        if (!strchr(line, '\n') && !feof(stream)) {
            return fail_at(reading, line, "a row of at most 16382 characters");
        }
        if (line[strspn(line, " \t\r\n")] == '\0') {
            continue;
        }
        int err = append(player, reading);
        if (err < 0) {
            return err;
        }
    }
    if (player->n < 2) {
        return dpl_fail(reading->reterr, -EINVAL, (struct dpl_place){.file = reading->file},
                        "found %zu rows, expected at least 2", player->n);
    }
    return 0;
}

static void start_at_zero(struct log_player *player)
{
    dpl_ns first = player->rows[0].time;
    for (size_t i = 0; i < player->n; i++) {
        player->rows[i].time -= first;
    }
    player->period = player->rows[player->n - 1].time / (dpl_ns)(player->n - 1);
}

static int stamp_scans(struct log_player *player)
{
    dpl_ns *times = calloc(2 * player->n, sizeof *times);
    if (!times) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < player->n; i++) {
        times[i] = player->rows[i].time;
    }
    int err = log_stamps_even(times, player->n, times + player->n);
    for (size_t i = 0; i < player->n; i++) {
        player->rows[i].scan_time = times[player->n + i];
    }
    free(times);
    return err;
}

/* The log may come from a pipe, e.g. from zcat. Opening a pipe waits for its writer. */
static int open_log(const char *file, FILE **ret_stream, struct dpl_diag *reterr)
{
    struct stat info;
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file},
                        "found a %s, expected a file or a pipe",
                        S_ISDIR(info.st_mode) ? "folder" : "device");
    }
    *ret_stream = fopen(file, "r");
    int err = *ret_stream ? 0 : -errno;
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){.file = file}, "cannot open: %s",
                              strerror(-err))
                   : 0;
}

int log_player_load(const char *file, struct log_player *ret_player, struct dpl_diag *reterr)
{
    struct log_player player = {.geometry = log_geometry_default(), .speed = 1.0};
    FILE *stream;
    int err = open_log(file, &stream, reterr);
    if (err < 0) {
        return err;
    }
    char *line = malloc(LINE_MAX_BYTES);
    struct reading reading = {.file = file, .text = line, .reterr = reterr};
    err = line ? read_rows(stream, &player, &reading, line) : -ENOMEM;
    fclose(stream);
    free(line);
    if (err == 0) {
        start_at_zero(&player);
        err = stamp_scans(&player);
    }
    if (err < 0) {
        log_player_finish(&player);
        return err;
    }
    *ret_player = player;
    return 0;
}

void log_player_finish(struct log_player *player)
{
    free(player->rows);
    player->rows = NULL;
    player->n = 0;
}

/* ---- playing ---- */

static dpl_ns length(const struct log_player *player)
{
    return player->rows[player->n - 1].time;
}

/* Time in the log, and the number of completed loops. */
static dpl_ns log_time(const struct log_player *player, dpl_ns time, int64_t *ret_loops)
{
    dpl_ns at = time > 0 ? (dpl_ns)((double)time * player->speed) : 0;
    *ret_loops = 0;
    if (!player->loops) {
        return at;
    }
    dpl_ns whole = length(player) + player->period;
    *ret_loops = at / whole;
    return at % whole;
}

/* The last row that is not after `at`. */
static size_t row_at(const struct log_player *player, dpl_ns at)
{
    size_t low = 0, high = player->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (player->rows[middle].time <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

struct travel {
    double left_m, right_m;
};

static struct travel travel_of(const struct log_player *player, double left_ticks,
                               double right_ticks)
{
    const struct log_geometry *g = &player->geometry;
    double per_tick = 2.0 * DPL_PI * g->wheel_radius_m / g->ticks_per_turn;
    return (struct travel){left_ticks * per_tick, right_ticks * per_tick};
}

struct log_motion log_player_motion(const struct log_player *player, dpl_ns time)
{
    const struct log_row *rows = player->rows;
    int64_t loops;
    dpl_ns at = log_time(player, time, &loops);
    size_t i = row_at(player, at);
    const struct log_row *a = &rows[i], *b = i + 1 < player->n ? a + 1 : a;
    double part = b > a ? (double)(at - a->time) / (double)(b->time - a->time) : 0.0;
    double left = a->left_ticks + part * (b->left_ticks - a->left_ticks) - rows[0].left_ticks;
    double right = a->right_ticks + part * (b->right_ticks - a->right_ticks) - rows[0].right_ticks;
    left += (double)loops * (rows[player->n - 1].left_ticks - rows[0].left_ticks);
    right += (double)loops * (rows[player->n - 1].right_ticks - rows[0].right_ticks);
    struct travel path = travel_of(player, left, right);
    double forward = (path.left_m + path.right_m) / 2.0;
    double heading = (path.right_m - path.left_m) / player->geometry.axle_m;
    struct log_motion motion = {
        .left_rad = (forward - heading * DPL_KOBUKI_AXLE_M / 2.0) / DPL_KOBUKI_WHEEL_RADIUS_M,
        .right_rad = (forward + heading * DPL_KOBUKI_AXLE_M / 2.0) / DPL_KOBUKI_WHEEL_RADIUS_M,
        .heading_rad = heading,
    };
    if (b > a && time > 0) {
        struct travel step =
            travel_of(player, b->left_ticks - a->left_ticks, b->right_ticks - a->right_ticks);
        double seconds = dpl_ns_to_s(b->time - a->time) / player->speed;
        motion.rate_rad_s = (step.right_m - step.left_m) / player->geometry.axle_m / seconds;
    }
    return motion;
}

uint64_t log_player_scan_number(const struct log_player *player, dpl_ns time)
{
    int64_t loops;
    dpl_ns at = log_time(player, time, &loops);
    uint64_t number = (uint64_t)loops * player->n + row_at(player, at);
    if (!player->loops && at > length(player)) {
        number += (uint64_t)((at - length(player)) / player->period);
    }
    return number;
}

const uint16_t *log_player_scan(const struct log_player *player, uint64_t number, dpl_ns *ret_time)
{
    size_t row = (size_t)(number % player->n);
    dpl_ns at = player->rows[row].scan_time +
                (dpl_ns)(number / player->n) * (length(player) + player->period);
    if (!player->loops && number >= player->n) {
        row = player->n - 1;
        at = player->rows[row].scan_time + (dpl_ns)(number - row) * player->period;
    }
    *ret_time = (dpl_ns)((double)at / player->speed);
    return player->rows[row].ranges_mm;
}

bool log_player_is_over(const struct log_player *player, dpl_ns time)
{
    return !player->loops && (double)time * player->speed > (double)length(player);
}
