/* SPDX-License-Identifier: Apache-2.0 */
#include "recording_log.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define STEP        (2.0 * DPL_PI / 1024.0) /* of the log's laser, which looks ahead at step 384 */
#define RANGE_LEAST 20                      /* mm: below these are errors */

/* The range of the ray that is nearest to a direction. */
static uint16_t range_at(const struct recording *recording, const struct recorded_scan *scan,
                         double angle)
{
    double index = round((angle - scan->start_angle) / scan->step_angle);
    if (!(index >= 0.0 && index < (double)scan->n)) {
        return 0;
    }
    double mm = round(1000.0 * (double)recording->ranges[scan->first + (size_t)index]);
    return mm >= RANGE_LEAST && mm <= UINT16_MAX ? (uint16_t)mm : 0;
}

/* Adds the way between two poses to the ticks of the row before. */
static void drive(const struct log_geometry *geometry, const struct dpl_pose2 *from,
                  const struct dpl_pose2 *to, struct log_row *row)
{
    struct dpl_pose2 way = dpl_pose2_relative(*from, *to);
    double half = 0.5 * way.theta, chord = way.x * cos(half) + way.y * sin(half);
    double forward = fabs(half) > 1e-9 ? chord * half / sin(half) : chord;
    double side = half * geometry->axle_m;
    double per_m = geometry->ticks_per_turn / (2.0 * DPL_PI * geometry->wheel_radius_m);
    row->left_ticks = row[-1].left_ticks + (forward - side) * per_m;
    row->right_ticks = row[-1].right_ticks + (forward + side) * per_m;
}

int recording_log_make(const struct recording *recording, struct log_player *ret_player)
{
    struct log_player player = {
        .n = recording->n, .geometry = log_geometry_default(), .speed = 1.0};
    const struct recorded_scan *scans = recording->scans;
    if (player.n < 2 || player.n > LOG_ROWS_MAX) {
        return -EINVAL;
    }
    player.rows = calloc(player.n, sizeof *player.rows);
    if (!player.rows) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < player.n; i++) {
        struct log_row *row = &player.rows[i];
        row->time = row->scan_time = dpl_ns_from_s(scans[i].time_s - scans[0].time_s);
        if (i > 0) {
            drive(&player.geometry, &scans[i - 1].odometry, &scans[i].odometry, row);
        }
        for (size_t k = 0; k < LOG_RANGES; k++) {
            row->ranges_mm[k] =
                range_at(recording, &scans[i], ((double)k + LOG_FIRST_STEP - 384) * STEP);
        }
    }
    player.period = player.rows[player.n - 1].time / (dpl_ns)(player.n - 1);
    *ret_player = player;
    return 0;
}

int recording_log_load(const char *path, char *ret_file, size_t size, struct log_player *ret_player,
                       struct dpl_diag *reterr)
{
    struct recording recording = {0};
    struct stat about;
    bool is_read_once =
        stat(path, &about) < 0 || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
    int r = is_read_once ? 0 : recording_read_every(path, ret_file, size, &recording, reterr);
    if (r < 0) {
        return r;
    }
    if (is_read_once || recording.is_log) {
        snprintf(ret_file, size, "%s", path);
        r = log_player_load(ret_file, ret_player, reterr);
    } else {
        r = recording_log_make(&recording, ret_player);
        r = r < 0 ? dpl_fail(reterr, r, (struct dpl_place){.file = ret_file},
                             r == -EINVAL ? "found %zu scans, expected 2 to %d" : "no memory",
                             recording.n, LOG_ROWS_MAX)
                  : 0;
    }
    recording_finish(&recording);
    return r;
}
