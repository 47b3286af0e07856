/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded robot: a text log with one row per scan (time in us, wheel ticks, ranges in mm),
 * played
 * at a time given by the caller. Pure and const after loading.
 *
 * The wheels and the axle of the log's robot differ from those of a Kobuki. A host for a Kobuki
 * must
 * see the recorded motion. Therefore the player converts the ticks of the log to the path and
 * heading of the body (radius, axle and ticks of the log's robot), and these to the wheel angles of
 * a Kobuki on the same path. */
#ifndef DOPPEL_RECORDED_LOG_PLAYER_H
#define DOPPEL_RECORDED_LOG_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

enum {
    LOG_ROWS_MAX = 200000,
    LOG_RANGES = 682,    /* columns 24..705 of a row */
    LOG_FIRST_STEP = 44, /* of the scanner, for the first range */
    LOG_COLUMNS_MIN = 706,
};

struct log_geometry {
    double wheel_radius_m, axle_m, ticks_per_turn; /* of the recorded robot */
};

struct log_row {
    dpl_ns time;      /* since the first row: of the ticks, and of the scan's arrival */
    dpl_ns scan_time; /* when the laser says that it measured: even, not after `time` */
    double left_ticks, right_ticks;
    uint16_t ranges_mm[LOG_RANGES]; /* 0: no return; 1..19: error codes of the sensor */
};

struct log_player {
    struct log_row *rows;
    size_t n;
    dpl_ns period; /* mean time between rows: in a loop also from the last to the first */
    struct log_geometry geometry;
    double speed; /* recorded seconds per second */
    bool loops;
};

/* Motion and wheel angles for a Kobuki. */
struct log_motion {
    double left_rad, right_rad; /* of a Kobuki's wheels, since the first row */
    double heading_rad, rate_rad_s;
};

/* Wheels of 77 mm radius, 330 mm apart, 2000 ticks a turn. */
struct log_geometry log_geometry_default(void);

/* Reads a log; allocates. Speed 1, no loop. -errno with reterr: file, line and column of the error.
 * `file` is borrowed by reterr. */
int log_player_load(const char *file, struct log_player *ret_player, struct dpl_diag *reterr);
void log_player_finish(struct log_player *player);

/* Motion at `time` since the start: interpolated between rows; before the first and after the last
 * (without a loop) standing still. */
struct log_motion log_player_motion(const struct log_player *player, dpl_ns time);

/* The number of the row with the newest scan at `time`: it continues to increase in further loops,
 * and after the end at the log's rate, with the last scan again. Before the start: 0. */
uint64_t log_player_scan_number(const struct log_player *player, dpl_ns time);

/* The ranges of that row, and its scan_time since the start. It may be some ms before the start. */
const uint16_t *log_player_scan(const struct log_player *player, uint64_t number, dpl_ns *ret_time);

/* Whether the last row is over (never in a loop). */
bool log_player_is_over(const struct log_player *player, dpl_ns time);

#endif
