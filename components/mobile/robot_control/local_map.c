/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy by counting evidence; after Moravec and Elfes, "High resolution maps from wide angle
 * sonar", ICRA 1985, with integers in place of probabilities. */
#include "local_map.h"

#include <stdlib.h>
#include <string.h>

#define HIT        3
#define MISS       1
#define MOST       9
#define LEAST      (-3)
#define MARK_M     4.5 /* the spacing of farther points is too large for the cells */
#define BEAM_GROUP 6   /* beams that clear together, up to the nearest range of the group */
#define FAR_CELL   1e8

static int8_t *at(struct dpl_nav_map *map, struct dpl_nav_cell cell)
{
    const uint32_t mask = DPL_NAV_MAP_CELLS - 1;
    return &map->evidence[(uint32_t)cell.i & mask][(uint32_t)cell.j & mask];
}

void dpl_nav_map_clear(struct dpl_nav_map *map)
{
    map->placed = false;
    memset(map->evidence, 0, sizeof map->evidence);
    memset(map->barriers, 0, sizeof map->barriers);
}

void dpl_nav_map_add_barrier(struct dpl_nav_map *map, double x, double y, double until_s)
{
    map->barriers[map->next_barrier] = (struct dpl_nav_barrier){x, y, until_s};
    map->next_barrier = (map->next_barrier + 1) % DPL_NAV_BARRIERS;
}

struct dpl_nav_cell dpl_nav_map_cell(double x, double y)
{
    return (struct dpl_nav_cell){
        (int32_t)floor(dpl_clamp(x / DPL_NAV_MAP_CELL_M, -FAR_CELL, FAR_CELL)),
        (int32_t)floor(dpl_clamp(y / DPL_NAV_MAP_CELL_M, -FAR_CELL, FAR_CELL)),
    };
}

bool dpl_nav_map_contains(const struct dpl_nav_map *map, struct dpl_nav_cell cell)
{
    return cell.i >= map->i0 && cell.i < map->i0 + DPL_NAV_MAP_CELLS && cell.j >= map->j0 &&
           cell.j < map->j0 + DPL_NAV_MAP_CELLS;
}

bool dpl_nav_map_is_occupied(const struct dpl_nav_map *map, struct dpl_nav_cell cell)
{
    const uint32_t mask = DPL_NAV_MAP_CELLS - 1;
    return dpl_nav_map_contains(map, cell) &&
           map->evidence[(uint32_t)cell.i & mask][(uint32_t)cell.j & mask] >= DPL_NAV_MAP_OCCUPIED;
}

/* Clears the cells that leave the window, because the same storage is used for the new cells. */
static void move_window(struct dpl_nav_map *map, struct dpl_nav_cell robot)
{
    int32_t i0 = robot.i - DPL_NAV_MAP_CELLS / 2, j0 = robot.j - DPL_NAV_MAP_CELLS / 2;
    int32_t di = i0 - map->i0, dj = j0 - map->j0;
    if (!map->placed || abs(di) >= DPL_NAV_MAP_CELLS || abs(dj) >= DPL_NAV_MAP_CELLS) {
        dpl_nav_map_clear(map);
        di = dj = 0;
    }
    for (int32_t k = 0; k < abs(di); k++) {
        int32_t i = di > 0 ? map->i0 + k : map->i0 - 1 - k;
        memset(at(map, (struct dpl_nav_cell){i, 0}), 0, DPL_NAV_MAP_CELLS);
    }
    for (int32_t k = 0; k < abs(dj); k++) {
        int32_t j = dj > 0 ? map->j0 + k : map->j0 - 1 - k;
        for (int32_t i = 0; i < DPL_NAV_MAP_CELLS; i++) {
            *at(map, (struct dpl_nav_cell){i, j}) = 0;
        }
    }
    map->i0 = i0;
    map->j0 = j0;
    map->placed = true;
}

static void add(struct dpl_nav_map *map, struct dpl_nav_cell cell, int change)
{
    if (dpl_nav_map_contains(map, cell)) {
        int sum = *at(map, cell) + change;
        *at(map, cell) = (int8_t)(sum > MOST ? MOST : sum < LEAST ? LEAST : sum);
    }
}

static void clear_along(struct dpl_nav_map *map, struct dpl_pose2 laser, double c, double s,
                        double length)
{
    for (double way = 0.0; way < length; way += DPL_NAV_MAP_CELL_M) {
        add(map, dpl_nav_map_cell(laser.x + way * c, laser.y + way * s), -MISS);
    }
}

static void clear_beams(struct dpl_nav_map *map, const struct dpl_nav_scan *scan,
                        const struct dpl_nav_beams *beams, struct dpl_pose2 laser)
{
    double c = cos(laser.theta), s = sin(laser.theta);
    for (size_t first = 0; first + BEAM_GROUP <= scan->count; first += BEAM_GROUP) {
        double nearest = HUGE_VAL;
        for (size_t i = first; i < first + BEAM_GROUP; i++) {
            double range = (double)scan->ranges_m[i];
            nearest = range >= scan->range_min_m && range < nearest ? range : nearest;
        }
        if (nearest < HUGE_VAL) {
            size_t middle = first + BEAM_GROUP / 2;
            double bc = beams->c[middle], bs = beams->s[middle];
            clear_along(map, laser, c * bc - s * bs, s * bc + c * bs,
                        fmin(nearest, MARK_M) - DPL_NAV_MAP_CELL_M);
        }
    }
}

void dpl_nav_map_update(struct dpl_nav_map *map, const struct dpl_nav_scan *scan,
                        const struct dpl_nav_beams *beams, struct dpl_pose2 laser,
                        const struct dpl_nav_points *points)
{
    move_window(map, dpl_nav_map_cell(laser.x, laser.y));
    clear_beams(map, scan, beams, laser);
    for (size_t i = 0; i < points->count; i++) {
        double dx = points->x[i] - laser.x, dy = points->y[i] - laser.y;
        if (dx * dx + dy * dy < MARK_M * MARK_M) {
            add(map, dpl_nav_map_cell(points->x[i], points->y[i]), HIT);
        }
    }
}

void dpl_nav_map_mark(struct dpl_nav_map *map, double x, double y)
{
    struct dpl_nav_cell cell = dpl_nav_map_cell(x, y);
    if (dpl_nav_map_contains(map, cell)) {
        *at(map, cell) = DPL_NAV_MAP_OCCUPIED;
    }
}
