/* SPDX-License-Identifier: Apache-2.0 */
/* Scans that look through a surface: it was a person, an open door, glass. */
#include <math.h>

#include "surfels.h"

struct beam {
    double x0, y0, x1, y1, behind; /* behind: how far its end must be behind a surface, m */
    uint32_t number;               /* of the scan, + 1 */
};

static bool goes_through(const struct surfels *map, const struct surfel *s, const struct beam *b)
{
    double before = (b->x0 - s->x) * s->nx + (b->y0 - s->y) * s->ny;
    double after = (b->x1 - s->x) * s->nx + (b->y1 - s->y) * s->ny;
    double dx = b->x1 - b->x0, dy = b->y1 - b->y0, length = hypot(dx, dy);
    if (!s->has_normal) { /* a blob: near its centre, and well beyond it */
        double along = ((s->x - b->x0) * dx + (s->y - b->y0) * dy) / length;
        double across = ((s->x - b->x0) * dy - (s->y - b->y0) * dx) / length;
        return fabs(across) < 0.3 * map->size && along > b->behind && length - along > b->behind;
    }
    if (before * after >= 0.0 || fabs(before) < b->behind || fabs(after) < b->behind) {
        return false;
    }
    double t = before / (before - after);
    double x = b->x0 + t * dx - s->x, y = b->y0 + t * dy - s->y;
    return fabs(-x * s->ny + y * s->nx) < 0.6 * map->size;
}

/* A beam of this scan has ended in the cell or beside it. */
static bool stops_beside(const struct surfels *map, const struct surfel *cell, uint32_t number)
{
    for (int32_t k = 0; k < 9; k++) {
        const struct surfel *s = surfels_at(map, cell->ix + k / 3 - 1, cell->iy + k % 3 - 1);
        if (s && s->ended == number) {
            return true;
        }
    }
    return false;
}

static void pass(const struct surfels *map, const struct beam *beam, int32_t ix, int32_t iy)
{
    struct surfel *s = surfels_at(map, ix, iy);
    if (s && s->met != beam->number && goes_through(map, s, beam) &&
        !stops_beside(map, s, beam->number)) {
        s->met = beam->number;
        s->passes++;
    }
}

static void stop(const struct surfels *map, const struct beam *beam)
{
    struct surfel *s = surfels_at(map, surfels_index(map, beam->x1), surfels_index(map, beam->y1));
    if (s && s->ended != beam->number) {
        s->ended = beam->number;
        s->stops++;
    }
}

/* One axis of a walk through the cells (Amanatides, Woo, Eurographics 1987): t counts 0..1 along
 * the beam. */
struct walk {
    int32_t at, last, step;
    double next, each; /* t at the next border; t from border to border */
};

static struct walk begin(const struct surfels *map, double from, double to)
{
    struct walk w = {.at = surfels_index(map, from), .last = surfels_index(map, to)};
    w.step = to > from ? 1 : -1;
    double border = (w.at + (w.step > 0)) * map->size;
    w.each = to == from ? (double)INFINITY : map->size / fabs(to - from);
    w.next = to == from ? (double)INFINITY : (border - from) / (to - from);
    return w;
}

static void follow(const struct surfels *map, const struct beam *beam)
{
    struct walk x = begin(map, beam->x0, beam->x1), y = begin(map, beam->y0, beam->y1);
    int32_t steps = (x.last - x.at) * x.step + (y.last - y.at) * y.step;
    pass(map, beam, x.at, y.at);
    for (int32_t i = 0; i < steps; i++) {
        struct walk *w = x.next < y.next ? &x : &y;
        w->at += w->step;
        w->next += w->each;
        pass(map, beam, x.at, y.at);
    }
}

static struct beam beam_of(const struct scan_point *p, struct dpl_pose2 pose, uint32_t number)
{
    double c = cos(pose.theta), s = sin(pose.theta);
    return (struct beam){
        pose.x + c * p->ox - s * p->oy, pose.y + s * p->ox + c * p->oy,
        pose.x + c * p->x - s * p->y,   pose.y + s * p->x + c * p->y,
        0.05 + 0.01 * p->range,         number + 1,
    };
}

void surfels_add_passes(struct surfels *map, const struct scan_point *points, size_t n,
                        struct dpl_pose2 pose, uint32_t number)
{
    for (size_t i = 0; i < n; i++) {
        struct beam beam = beam_of(&points[i], pose, number);
        stop(map, &beam);
    }
    for (size_t i = 0; i < n; i++) {
        struct beam beam = beam_of(&points[i], pose, number);
        follow(map, &beam);
    }
}

void surfels_clear_around(struct surfels *map, double x, double y, double radius_m)
{
    int32_t wide = (int32_t)ceil(radius_m / map->size);
    int32_t cx = surfels_index(map, x), cy = surfels_index(map, y);
    for (int32_t dx = -wide; dx <= wide; dx++) {
        for (int32_t dy = -wide; dy <= wide; dy++) {
            struct surfel *s = surfels_at(map, cx + dx, cy + dy);
            if (s && hypot(s->x - x, s->y - y) < radius_m) {
                s->passes = UINT32_MAX / 2;
            }
        }
    }
}
