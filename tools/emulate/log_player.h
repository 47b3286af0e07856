/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded robot: a text log with one row a scan (time in us, wheel ticks, ranges in mm), played
 * at a time that the caller gives. After loading pure and const.
 *
 * The robot of the log has other wheels and another axle than a Kobuki. So that a host which
 * believes in a Kobuki sees the recorded motion, the player turns the ticks of the log into the
 * path and heading of the body (radius, axle and ticks of the log's robot), and these into the
 * angles that the wheels of a Kobuki would have turned by on the same path. */
#ifndef EMULATE_LOG_PLAYER_H
#define EMULATE_LOG_PLAYER_H

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
    double wheel_radius_m, axle_m, ticks_per_turn; /* of the robot that was recorded */
};

struct log_row {
    dpl_ns time; /* since the first row */
    double left_ticks, right_ticks;
    uint16_t ranges_mm[LOG_RANGES]; /* 0: no return; 1..19: error codes of the sensor */
};

struct log_player {
    struct log_row *rows;
    size_t n;
    dpl_ns period; /* mean time between rows: also from the last to the first in a loop */
    struct log_geometry geometry;
    double speed; /* recorded seconds a second */
    bool loops;
};

/* What a Kobuki would have seen. */
struct log_motion {
    double left_rad, right_rad; /* of a Kobuki's wheels, since the first row */
    double heading_rad, rate_rad_s;
};

/* Wheels of 77 mm radius, 330 mm apart, 2000 ticks a turn. */
struct log_geometry log_geometry_default(void);

/* Reads a log; allocates. Speed 1, no loop. -errno with reterr: file, line and column of what is
 * wrong. `file` is borrowed by reterr. */
int log_player_load(const char *file, struct log_player *ret_player, struct dpl_diag *reterr);
void log_player_finish(struct log_player *player);

/* Motion at `time` since the start of playing: between rows interpolated, before the first and
 * after the last (without a loop) standing still. */
struct log_motion log_player_motion(const struct log_player *player, dpl_ns time);

/* The number of the row whose scan is the newest at `time`: counts on from loop to loop, and beyond
 * the end at the log's pace, with the last scan again. Before the start: 0. */
uint64_t log_player_scan_number(const struct log_player *player, dpl_ns time);

/* Its ranges, and the time (since the start of playing) when it was measured. */
const uint16_t *log_player_scan(const struct log_player *player, uint64_t number, dpl_ns *ret_time);

/* Is the last row over (never, in a loop)? */
bool log_player_is_over(const struct log_player *player, dpl_ns time);

#endif
