/* SPDX-License-Identifier: Apache-2.0 */
#include "surfels.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 4096
#define MEDIAN_BEND 0.826 /* sigmas: 0.6745 sqrt(1 + 1 / 4 + 1 / 4) */

/* ---- moments ---- */

void moments_add(struct moments *a, const struct moments *b, double dx, double dy)
{
    a->xx += b->xx + 2.0 * dx * b->x + b->n * dx * dx;
    a->yy += b->yy + 2.0 * dy * b->y + b->n * dy * dy;
    a->xy += b->xy + dx * b->y + dy * b->x + b->n * dx * dy;
    a->x += b->x + b->n * dx;
    a->y += b->y + b->n * dy;
    a->vx += b->vx;
    a->vy += b->vy;
    a->n += b->n;
}

bool moments_fit(const struct moments *m, struct moments_line *ret_line)
{
    if (m->n < 2.5) {
        return false;
    }
    double x = m->x / m->n, y = m->y / m->n;
    double xx = m->xx / m->n - x * x, yy = m->yy / m->n - y * y, xy = m->xy / m->n - x * y;
    double half = 0.5 * (xx + yy), root = hypot(0.5 * (xx - yy), xy);
    if (half + root < 1e-8) {
        return false;
    }
    double angle = 0.5 * atan2(2.0 * xy, xx - yy); /* along */
    double nx = -sin(angle), ny = cos(angle);
    double side = nx * m->vx + ny * m->vy < 0.0 ? -1.0 : 1.0;
    *ret_line = (struct moments_line){
        x, y, side * nx, side * ny, sqrt(half + root), sqrt(fmax(0.0, half - root))};
    return true;
}

/* ---- cells ---- */

int surfels_init(struct surfels *map, double size_m)
{
    *map = (struct surfels){.size = size_m, .n_slots = SLOTS_FIRST};
    map->slots = calloc(map->n_slots, sizeof *map->slots);
    return map->slots ? 0 : -ENOMEM;
}

void surfels_finish(struct surfels *map)
{
    free(map->items);
    free(map->slots);
    *map = (struct surfels){0};
}

void surfels_clear(struct surfels *map)
{
    memset(map->slots, 0, map->n_slots * sizeof *map->slots);
    memset(map->bends, 0, sizeof map->bends);
    map->n = 0;
}

int32_t surfels_index(const struct surfels *map, double m)
{
    return (int32_t)floor(m / map->size);
}

/* The slot of a cell, or the free one where it would be. */
static size_t slot_of(const struct surfels *map, int32_t ix, int32_t iy)
{
    uint64_t hash = (uint64_t)(uint32_t)ix * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 29) ^ (uint32_t)iy) * 0xbf58476d1ce4e5b9u;
    size_t slot = (size_t)(hash >> 20) & (map->n_slots - 1);
    while (map->slots[slot]) {
        const struct surfel *s = &map->items[map->slots[slot] - 1];
        if (s->ix == ix && s->iy == iy) {
            break;
        }
        slot = (slot + 1) & (map->n_slots - 1);
    }
    return slot;
}

struct surfel *surfels_at(const struct surfels *map, int32_t ix, int32_t iy)
{
    uint32_t number = map->slots[slot_of(map, ix, iy)];
    return number ? &map->items[number - 1] : NULL;
}

static int grow(struct surfels *map)
{
    if (map->n == SURFELS_MAX) {
        return -ENOSPC;
    }
    if (map->n == map->capacity) {
        size_t capacity = map->capacity ? 2 * map->capacity : 1024;
        struct surfel *items = realloc(map->items, capacity * sizeof *items);
        if (!items) {
            return -ENOMEM;
        }
        map->items = items;
        map->capacity = capacity;
    }
    if (2 * map->n < map->n_slots) {
        return 0;
    }
    uint32_t *slots = calloc(2 * map->n_slots, sizeof *slots);
    if (!slots) {
        return -ENOMEM;
    }
    free(map->slots);
    map->slots = slots;
    map->n_slots *= 2;
    for (size_t i = 0; i < map->n; i++) {
        map->slots[slot_of(map, map->items[i].ix, map->items[i].iy)] = (uint32_t)i + 1;
    }
    return 0;
}

static int touch(struct surfels *map, int32_t ix, int32_t iy, struct surfel **ret_cell)
{
    *ret_cell = surfels_at(map, ix, iy);
    if (*ret_cell) {
        return 0;
    }
    int err = grow(map);
    if (err < 0) {
        return err;
    }
    *ret_cell = &map->items[map->n++];
    **ret_cell = (struct surfel){.ix = ix, .iy = iy};
    map->slots[slot_of(map, ix, iy)] = (uint32_t)map->n;
    return 0;
}

/* ---- fitting ---- */

/* The ends in the cell and in those around it that were seen from the same side. */
static struct moments gather(const struct surfels *map, const struct surfel *cell)
{
    struct moments sum = {0};
    for (int32_t dx = -1; dx <= 1; dx++) {
        for (int32_t dy = -1; dy <= 1; dy++) {
            const struct surfel *s =
                dx == 0 && dy == 0 ? cell : surfels_at(map, cell->ix + dx, cell->iy + dy);
            if (s && s->own.vx * cell->own.vx + s->own.vy * cell->own.vy > 0.0) {
                moments_add(&sum, &s->own, dx * map->size, dy * map->size);
            }
        }
    }
    return sum;
}

static void fit(const struct surfels *map, struct surfel *cell)
{
    struct moments_line line;
    struct moments around = gather(map, cell);
    cell->x = (cell->ix + 0.5) * map->size + cell->own.x / cell->own.n;
    cell->y = (cell->iy + 0.5) * map->size + cell->own.y / cell->own.n;
    bool fits = moments_fit(&around, &line);
    cell->has_normal = fits && line.along > 0.012 && line.across < 0.4 * line.along;
    cell->nx = fits ? line.nx : 0.0;
    cell->ny = fits ? line.ny : 0.0;
    cell->spread = fits ? line.across : 0.0;
}

/* The cells around a changed one; each once for a scan. */
static void fit_around(struct surfels *map, int32_t ix, int32_t iy, uint32_t number)
{
    for (int32_t k = 0; k < 9; k++) {
        struct surfel *s = surfels_at(map, ix + k / 3 - 1, iy + k % 3 - 1);
        if (s && s->fitted != number) {
            s->fitted = number;
            fit(map, s);
        }
    }
}

static int add_point(struct surfels *map, const double at[2], const double from[2], uint32_t number)
{
    struct surfel *cell;
    int32_t ix = surfels_index(map, at[0]), iy = surfels_index(map, at[1]);
    int err = touch(map, ix, iy, &cell);
    if (err < 0) {
        return err;
    }
    double x = at[0] - (ix + 0.5) * map->size, y = at[1] - (iy + 0.5) * map->size;
    double dx = from[0] - at[0], dy = from[1] - at[1], r = fmax(1e-6, hypot(dx, dy));
    struct moments one = {1.0, x, y, x * x, x * y, y * y, dx / r, dy / r};
    moments_add(&cell->own, &one, 0.0, 0.0);
    cell->n_scans += cell->last_scan != number;
    cell->last_scan = number;
    return 0;
}

static void place(const struct scan_point *p, struct dpl_pose2 pose, double ret_at[2],
                  double ret_from[2])
{
    double c = cos(pose.theta), s = sin(pose.theta);
    ret_at[0] = pose.x + c * p->x - s * p->y;
    ret_at[1] = pose.y + s * p->x + c * p->y;
    ret_from[0] = pose.x + c * p->ox - s * p->oy;
    ret_from[1] = pose.y + s * p->ox + c * p->oy;
}

static void count_bends(struct surfels *map, const struct scan_point *points, size_t n)
{
    for (size_t i = 1; i + 1 < n; i++) {
        double bend = points[i].range - 0.5 * (points[i - 1].range + points[i + 1].range);
        double mm = 1e3 * fabs(bend);
        if (mm < SURFELS_BENDS) {
            map->bends[(size_t)mm]++;
        }
    }
}

/* Half of the ends bend less than the median, whatever the edges do. */
double surfels_noise(const struct surfels *map)
{
    size_t all = 0, below = 0, k = 0;
    for (size_t i = 0; i < SURFELS_BENDS; i++) {
        all += map->bends[i];
    }
    if (all == 0) {
        return 0.0;
    }
    while (2 * (below + map->bends[k]) < all) {
        below += map->bends[k++];
    }
    double part = (0.5 * (double)all - (double)below) / (double)map->bends[k];
    return 1e-3 * ((double)k + part) / MEDIAN_BEND;
}

int surfels_add_scan(struct surfels *map, const struct scan_point *points, size_t n,
                     struct dpl_pose2 pose, uint32_t number)
{
    double at[2], from[2];
    count_bends(map, points, n);
    for (size_t i = 0; i < n; i++) {
        place(&points[i], pose, at, from);
        int err = add_point(map, at, from, number + 1);
        if (err < 0) {
            return err;
        }
    }
    for (size_t i = 0; i < n; i++) {
        place(&points[i], pose, at, from);
        fit_around(map, surfels_index(map, at[0]), surfels_index(map, at[1]), number + 1);
    }
    return 0;
}
