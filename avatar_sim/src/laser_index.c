/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting outlines into a uniform grid: see laser_index.h. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "laser_grid.h"

enum {
    CELLS_MAX = 1 << 21, /* beyond it the cells grow */
    MOVING_CELLS = 16,   /* room for cells a moving outline; what needs more is kept loose */
};

/* Outlines count for all cells within this distance: rounding in the walk cannot miss them. */
static const double slack_m = 1e-6;

struct box {
    double min_x, min_y, max_x, max_y;
};

struct cell_range {
    int x0, y0, x1, y1; /* inclusive */
};

static struct box outline_box(const struct dpl_laser_outline *o)
{
    if (o->radius > 0.0) {
        return (struct box){o->x - o->radius, o->y - o->radius, o->x + o->radius, o->y + o->radius};
    }
    return (struct box){fmin(o->x, o->x + o->dx), fmin(o->y, o->y + o->dy),
                        fmax(o->x, o->x + o->dx), fmax(o->y, o->y + o->dy)};
}

static struct box scene_box(const struct dpl_laser_outline *outlines, size_t n)
{
    struct box all = {-1.0, -1.0, 1.0, 1.0};
    for (size_t i = 0; i < n; i++) {
        struct box b = outline_box(&outlines[i]);
        all.min_x = fmin(all.min_x, b.min_x);
        all.min_y = fmin(all.min_y, b.min_y);
        all.max_x = fmax(all.max_x, b.max_x);
        all.max_y = fmax(all.max_y, b.max_y);
    }
    return all;
}

static void lay_grid(struct dpl_laser_index *index, struct box scene, double cell_m)
{
    double width = scene.max_x - scene.min_x + 2.0 * cell_m;
    double depth = scene.max_y - scene.min_y + 2.0 * cell_m;
    double cell = fmax(cell_m, sqrt(width * depth / (CELLS_MAX / 2)));
    /* A thin and very long scene must not exceed the count either. */
    cell = fmax(cell, fmax(width, depth) / (CELLS_MAX / 4));
    index->min_x = scene.min_x - cell_m;
    index->min_y = scene.min_y - cell_m;
    index->cell_m = cell;
    index->inverse_cell = 1.0 / cell;
    index->nx = (int)ceil(width / cell);
    index->ny = (int)ceil(depth / cell);
}

static struct cell_range cells_of_box(const struct dpl_laser_index *index, struct box b)
{
    double s = index->inverse_cell;
    return (struct cell_range){
        dpl__grid_cell((b.min_x - slack_m - index->min_x) * s, index->nx),
        dpl__grid_cell((b.min_y - slack_m - index->min_y) * s, index->ny),
        dpl__grid_cell((b.max_x + slack_m - index->min_x) * s, index->nx),
        dpl__grid_cell((b.max_y + slack_m - index->min_y) * s, index->ny),
    };
}

/* Whether an outline touches a cell of whose range it is: by the distance of the cell's centre from
 * the line, or of the circle's centre from the cell. */
static bool touches_cell(const struct dpl_laser_index *index, const struct dpl_laser_outline *o,
                         int cx, int cy)
{
    double half = 0.5 * index->cell_m;
    double x = index->min_x + (cx + 0.5) * index->cell_m - o->x;
    double y = index->min_y + (cy + 0.5) * index->cell_m - o->y;
    if (o->radius > 0.0) {
        double gap_x = fmax(0.0, fabs(x) - half), gap_y = fmax(0.0, fabs(y) - half);
        return hypot(gap_x, gap_y) <= o->radius + slack_m;
    }
    double reach = half * (fabs(o->dx) + fabs(o->dy)) + slack_m * hypot(o->dx, o->dy);
    return fabs(o->dx * y - o->dy * x) <= reach;
}

/* Adds one outline to the counts of its cells, or, once `place` is set, to the cells themselves. */
static void enter_static(struct dpl_laser_index *index, const struct dpl_laser_outline *o,
                         bool place)
{
    struct cell_range r = cells_of_box(index, outline_box(o));
    for (int cy = r.y0; cy <= r.y1; cy++) {
        for (int cx = r.x0; cx <= r.x1; cx++) {
            if (!touches_cell(index, o, cx, cy)) {
                continue;
            }
            struct cell *cell = &index->cells[cy * index->nx + cx];
            uint32_t *count = o->radius > 0.0 ? &cell->circles : &cell->segments;
            if (place && o->radius > 0.0) {
                index->circles[*count] = (struct circle){o->x, o->y, o->radius};
            } else if (place) {
                index->segments[*count] = (struct segment){o->x, o->y, o->dx, o->dy};
            }
            ++*count;
        }
    }
}

/* Turns counts into where each cell begins; the extra last cell holds the totals. */
static void counts_to_starts(struct dpl_laser_index *index, size_t n_cells)
{
    uint32_t segments = 0, circles = 0;
    for (size_t i = 0; i <= n_cells; i++) {
        struct cell *cell = &index->cells[i];
        uint32_t here_segments = cell->segments, here_circles = cell->circles;
        cell->segments = segments;
        cell->circles = circles;
        cell->moving = DPL_GRID_NOTHING;
        segments += here_segments;
        circles += here_circles;
    }
}

/* Placing moved every start to its end, which is where the next cell starts. */
static void ends_to_starts(struct dpl_laser_index *index, size_t n_cells)
{
    for (size_t i = n_cells; i > 0; i--) {
        index->cells[i].segments = index->cells[i - 1].segments;
        index->cells[i].circles = index->cells[i - 1].circles;
    }
    index->cells[0].segments = 0;
    index->cells[0].circles = 0;
}

static bool build_static(struct dpl_laser_index *index, const struct dpl_laser_outline *outlines,
                         size_t n)
{
    size_t n_cells = (size_t)index->nx * (size_t)index->ny;
    index->cells = calloc(n_cells + 1, sizeof *index->cells);
    if (!index->cells) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        enter_static(index, &outlines[i], false);
    }
    counts_to_starts(index, n_cells);
    /* One more than needed, so that none is an allocation of nothing. */
    index->segments = calloc(index->cells[n_cells].segments + 1u, sizeof *index->segments);
    index->circles = calloc(index->cells[n_cells].circles + 1u, sizeof *index->circles);
    if (!index->segments || !index->circles) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        enter_static(index, &outlines[i], true);
    }
    ends_to_starts(index, n_cells);
    return true;
}

static bool make_room(struct dpl_laser_index *index, size_t max_moving)
{
    index->max_moving = max_moving;
    index->moving = calloc(max_moving + 1, sizeof *index->moving);
    index->loose = calloc(max_moving + 1, sizeof *index->loose);
    index->entries = calloc(max_moving * MOVING_CELLS + 1, sizeof *index->entries);
    return index->moving && index->loose && index->entries;
}

struct dpl_laser_index *dpl__laser_index_create(const struct dpl_laser_outline *outlines, size_t n,
                                                size_t max_moving, double cell_m)
{
    struct dpl_laser_index *index = calloc(1, sizeof *index);
    if (!index) {
        return NULL;
    }
    lay_grid(index, scene_box(outlines, n), cell_m);
    if (!build_static(index, outlines, n) || !make_room(index, max_moving)) {
        dpl__laser_index_destroy(index);
        return NULL;
    }
    return index;
}

void dpl__laser_index_destroy(struct dpl_laser_index *index)
{
    if (!index) {
        return;
    }
    free(index->cells);
    free(index->segments);
    free(index->circles);
    free(index->moving);
    free(index->loose);
    free(index->entries);
    free(index);
}

static bool inside_grid(const struct dpl_laser_index *index, struct box b)
{
    return b.min_x > index->min_x && b.min_y > index->min_y &&
           b.max_x < index->min_x + index->nx * index->cell_m &&
           b.max_y < index->min_y + index->ny * index->cell_m;
}

static void enter_moving(struct dpl_laser_index *index, int32_t number)
{
    struct box b = outline_box(&index->moving[number]);
    struct cell_range r = cells_of_box(index, b);
    int n_cells = (r.x1 - r.x0 + 1) * (r.y1 - r.y0 + 1);
    if (!inside_grid(index, b) || n_cells > MOVING_CELLS) {
        index->loose[index->n_loose++] = number;
        return;
    }
    for (int cy = r.y0; cy <= r.y1; cy++) {
        for (int cx = r.x0; cx <= r.x1; cx++) {
            uint32_t at = (uint32_t)(cy * index->nx + cx);
            index->entries[index->n_entries] = (struct entry){number, index->cells[at].moving, at};
            index->cells[at].moving = (int32_t)index->n_entries++;
        }
    }
}

void dpl__laser_index_move(struct dpl_laser_index *index, const struct dpl_laser_outline *outlines,
                           size_t n)
{
    for (size_t i = 0; i < index->n_entries; i++) {
        index->cells[index->entries[i].cell].moving = DPL_GRID_NOTHING;
    }
    index->n_entries = 0;
    index->n_loose = 0;
    index->n_moving = n < index->max_moving ? n : index->max_moving;
    memcpy(index->moving, outlines, index->n_moving * sizeof *outlines);
    for (size_t i = 0; i < index->n_moving; i++) {
        enter_moving(index, (int32_t)i);
    }
}
