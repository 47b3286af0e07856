/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded scans of a run. */
#include <math.h>
#include <stdlib.h>

#include <doppel/math/geometry.h>

#include "result.h"
#include "ways.h"

#define SCAN_COLUMNS 9 /* before the ranges */

static size_t add_scan(const struct table *scans, size_t row, struct ways *ways, double *x,
                       double *y)
{
    double cell[SCAN_COLUMNS];
    for (int i = 0; i < SCAN_COLUMNS; i++) {
        cell[i] = table_at(scans, row, i);
    }
    struct dpl_pose2 base = {cell[1], cell[2], cell[3]}, mount = {cell[4], cell[5], cell[6]};
    struct dpl_pose2 robot = dpl_pose2_compose(ways_frame_at(ways, cell[0]), base);
    struct dpl_pose2 sensor = dpl_pose2_compose(robot, mount);
    size_t n = 0, n_ranges = scans->start[row + 1] - scans->start[row] - SCAN_COLUMNS;
    for (size_t i = 0; i < n_ranges; i++) {
        double range = table_at(scans, row, SCAN_COLUMNS + (int)i);
        if (range > 0.0) {
            double angle = sensor.theta + cell[7] + (double)i * cell[8];
            x[n] = sensor.x + range * cos(angle);
            y[n++] = sensor.y + range * sin(angle);
        }
    }
    return n;
}

static size_t add_scans(const struct result *result, const struct scans *of, double *x, double *y)
{
    const struct table *scans = &of->table;
    size_t n = 0;
    struct ways ways;
    if (of->robot < result->n_robots) {
        ways_init_robot(&ways, &result->trace, &result->robots[of->robot]);
    } else {
        ways_init(&ways, &result->trace);
    }
    for (size_t row = 0; row < scans->n_rows; row++) {
        bool has_ranges = scans->start[row + 1] - scans->start[row] > SCAN_COLUMNS;
        if (has_ranges && ways_known_at(&ways, table_at(scans, row, 0))) {
            n += add_scan(scans, row, &ways, x + n, y + n);
        }
    }
    return n;
}

size_t result_scan_points(const struct result *result, double **ret_x, double **ret_y)
{
    size_t most = 0, n = 0;
    for (size_t i = 0; i < result->n_scans; i++) {
        const struct table *scans = &result->scans[i].table;
        most += scans->n_rows ? scans->start[scans->n_rows] : 0;
    }
    double *x = malloc((most + 1) * sizeof *x), *y = malloc((most + 1) * sizeof *y);
    for (size_t i = 0; x && y && i < result->n_scans; i++) {
        n += add_scans(result, &result->scans[i], x + n, y + n);
    }
    *ret_x = x;
    *ret_y = y;
    return n;
}
