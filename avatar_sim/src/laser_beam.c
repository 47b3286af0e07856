/* SPDX-License-Identifier: Apache-2.0 */
/* Beams through the grid, and exactly where they end: see laser_index.h. */
#include <math.h>
#include <stdbool.h>

#include "laser_grid.h"

static const double never = (double)INFINITY;

struct beam {
    double x, y, dx, dy, best;
    int owner;
};

/* Shortens the beam if it meets the segment. Divides only on a hit: most tests miss. */
static inline void meet_segment(struct beam *beam, const struct segment *s)
{
    double denominator = beam->dx * s->dy - beam->dy * s->dx;
    double wx = s->x - beam->x, wy = s->y - beam->y;
    double along_segment = wx * beam->dy - wy * beam->dx;
    double along_beam = wx * s->dy - wy * s->dx;
    if (denominator < 0.0) {
        denominator = -denominator;
        along_segment = -along_segment;
        along_beam = -along_beam;
    }
    if (along_segment >= 0.0 && along_segment <= denominator && along_beam >= 0.0 &&
        along_beam < beam->best * denominator) {
        beam->best = along_beam / denominator;
    }
}

/* From inside a circle the beam meets its far side. */
static inline void meet_circle(struct beam *beam, const struct circle *c)
{
    double wx = c->x - beam->x, wy = c->y - beam->y;
    double middle = wx * beam->dx + wy * beam->dy;
    double aside = wx * beam->dy - wy * beam->dx;
    double square = c->radius * c->radius - aside * aside;
    if (square < 0.0) {
        return;
    }
    double half = sqrt(square);
    double distance = middle - half >= 0.0 ? middle - half : middle + half;
    if (distance >= 0.0 && distance < beam->best) {
        beam->best = distance;
    }
}

static void meet_moving(const struct dpl_laser_index *index, struct beam *beam, int32_t number)
{
    const struct dpl_laser_outline *o = &index->moving[number];
    if (o->owner == beam->owner) {
        return;
    }
    if (o->radius > 0.0) {
        meet_circle(beam, &(struct circle){o->x, o->y, o->radius});
    } else {
        meet_segment(beam, &(struct segment){o->x, o->y, o->dx, o->dy});
    }
}

static inline void meet_cell(const struct dpl_laser_index *index, struct beam *beam, int at)
{
    const struct cell *cell = &index->cells[at];
    for (uint32_t i = cell[0].segments; i < cell[1].segments; i++) {
        meet_segment(beam, &index->segments[i]);
    }
    for (uint32_t i = cell[0].circles; i < cell[1].circles; i++) {
        meet_circle(beam, &index->circles[i]);
    }
    for (int32_t i = cell->moving; i != DPL_GRID_NOTHING; i = index->entries[i].next) {
        meet_moving(index, beam, index->entries[i].outline);
    }
}

/* One axis of the walk: the cell it is in, which way it steps, and the distance along the beam to
 * the next border. */
struct axis {
    int cell, step, end;
    double border, delta;
};

static struct axis start_axis(double from, double direction, double cell_m, int n)
{
    struct axis a = {dpl__grid_cell(from / cell_m, n), direction > 0.0 ? 1 : -1,
                     direction > 0.0 ? n : -1, never, never};
    if (direction != 0.0) {
        a.border = ((a.cell + (direction > 0.0)) * cell_m - from) / direction;
        a.delta = cell_m / fabs(direction);
    }
    return a;
}

/* The distance at which a beam enters the grid: 0 when it starts inside, INFINITY when it never
 * does. */
static double entry_distance(const struct dpl_laser_index *index, const struct beam *beam)
{
    double near = 0.0, far = beam->best;
    double from[2] = {beam->x - index->min_x, beam->y - index->min_y};
    double direction[2] = {beam->dx, beam->dy};
    double size[2] = {index->nx * index->cell_m, index->ny * index->cell_m};
    for (int i = 0; i < 2; i++) {
        if (direction[i] == 0.0) {
            near = from[i] < 0.0 || from[i] > size[i] ? never : near;
            continue;
        }
        double a = -from[i] / direction[i], b = (size[i] - from[i]) / direction[i];
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    return near <= far ? near : never;
}

static void walk(const struct dpl_laser_index *index, struct beam *beam, double entry)
{
    double x = beam->x + entry * beam->dx - index->min_x;
    double y = beam->y + entry * beam->dy - index->min_y;
    struct axis ax = start_axis(x, beam->dx, index->cell_m, index->nx);
    struct axis ay = start_axis(y, beam->dy, index->cell_m, index->ny);
    ax.border += entry;
    ay.border += entry;
    while (ax.cell != ax.end && ay.cell != ay.end) {
        meet_cell(index, beam, ay.cell * index->nx + ax.cell);
        bool across_x = ax.border < ay.border;
        if (beam->best <= (across_x ? ax.border : ay.border)) {
            return;
        }
        if (across_x) {
            ax.cell += ax.step;
            ax.border += ax.delta;
        } else {
            ay.cell += ay.step;
            ay.border += ay.delta;
        }
    }
}

static double cast(const struct dpl_laser_index *index, struct beam beam)
{
    double limit = beam.best;
    for (size_t i = 0; i < index->n_loose; i++) {
        meet_moving(index, &beam, index->loose[i]);
    }
    double entry = entry_distance(index, &beam);
    if (entry < never) {
        walk(index, &beam, entry);
    }
    return beam.best < limit ? beam.best : never;
}

void dpl__laser_index_scan(const struct dpl_laser_index *index, const struct dpl_laser_beams *beams,
                           double *ranges)
{
    double c = cos(beams->yaw), s = sin(beams->yaw);
    for (size_t i = 0; i < beams->n; i++) {
        struct beam beam = {
            .x = beams->x,
            .y = beams->y,
            .dx = c * beams->cosine[i] - s * beams->sine[i],
            .dy = s * beams->cosine[i] + c * beams->sine[i],
            .best = beams->max_range,
            .owner = beams->owner,
        };
        ranges[i] = cast(index, beam);
    }
}
