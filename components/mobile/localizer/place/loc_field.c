/* SPDX-License-Identifier: Apache-2.0 */
/* What the search knows of the plan: the likelihood field, and the free space. */
#include "loc_search.h"

#include <stdlib.h>
#include <string.h>

#define CELL_M       0.05
#define CELLS_MAX    262144.0
#define FREE_STEP_M  0.2
#define FREE_MAX     100000.0
#define MARGIN_M     0.5
#define NEAR_M       0.08 /* no worse than on the surface */
#define FALL_M       0.12
#define REACH_M      0.45 /* 0.01 of the score */
#define PROBES       16
#define PROBE_M      10.0
#define LEAST_ROOM_M 0.12
#define LEAST_SEEN   10 /* probes that meet something: else it is outside */

static void grow(double box[4], double x, double y, double by)
{
    box[0] = fmin(box[0], x - by);
    box[1] = fmin(box[1], y - by);
    box[2] = fmax(box[2], x + by);
    box[3] = fmax(box[3], y + by);
}

static void box_of(const struct dpl_raycast_outline *o, double by, double box[4])
{
    box[0] = box[1] = (double)INFINITY;
    box[2] = box[3] = -(double)INFINITY;
    grow(box, o->x, o->y, o->radius + by);
    grow(box, o->x + o->dx, o->y + o->dy, o->radius + by);
}

static double distance_to(const struct dpl_raycast_outline *o, double x, double y)
{
    if (o->radius > 0.0) {
        return fabs(hypot(x - o->x, y - o->y) - o->radius);
    }
    double length2 = o->dx * o->dx + o->dy * o->dy;
    double t = length2 > 0.0 ? ((x - o->x) * o->dx + (y - o->y) * o->dy) / length2 : 0.0;
    t = dpl_clamp(t, 0.0, 1.0);
    return hypot(x - o->x - t * o->dx, y - o->y - t * o->dy);
}

static int clamp_cell(double place, int n)
{
    return (int)dpl_clamp(floor(place), 0.0, (double)(n - 1));
}

static void draw(struct loc_search *search, const struct dpl_raycast_outline *o)
{
    double box[4];
    box_of(o, REACH_M, box);
    int i1 = clamp_cell((box[0] - search->x1) / search->cell_m, search->nx);
    int j1 = clamp_cell((box[1] - search->y1) / search->cell_m, search->ny);
    int i2 = clamp_cell((box[2] - search->x1) / search->cell_m, search->nx);
    int j2 = clamp_cell((box[3] - search->y1) / search->cell_m, search->ny);
    for (int j = j1; j <= j2; j++) {
        for (int i = i1; i <= i2; i++) {
            double x = search->x1 + (i + 0.5) * search->cell_m;
            double y = search->y1 + (j + 0.5) * search->cell_m;
            double off = fmax(0.0, distance_to(o, x, y) - NEAR_M) / FALL_M;
            uint8_t value = (uint8_t)lround(255.0 * exp(-0.5 * off * off));
            uint8_t *cell = &search->field[(size_t)j * (size_t)search->nx + (size_t)i];
            *cell = value > *cell ? value : *cell;
        }
    }
}

/* How many probes around the place meet something; the nearest of it. */
static int probe(const struct dpl_raycast_index *plan, double x, double y, double *ret_nearest_m)
{
    int seen = 0;
    *ret_nearest_m = (double)INFINITY;
    for (int i = 0; i < PROBES; i++) {
        double angle = 2.0 * DPL_PI * i / PROBES;
        struct dpl_raycast_ray ray = {x, y, cos(angle), sin(angle), PROBE_M, DPL_RAYCAST_NO_OWNER};
        struct dpl_raycast_hit hit;
        dpl_raycast_ray(plan, &ray, &hit);
        *ret_nearest_m = fmin(*ret_nearest_m, hit.range);
        seen += isfinite(hit.range);
    }
    return seen;
}

bool loc_search_is_outside(const struct dpl_raycast_index *plan, double x, double y)
{
    double nearest_m;
    return probe(plan, x, y, &nearest_m) < LEAST_SEEN;
}

static bool is_free(const struct dpl_raycast_index *plan, double x, double y)
{
    double nearest_m;
    return probe(plan, x, y, &nearest_m) >= LEAST_SEEN && nearest_m >= LEAST_ROOM_M;
}

static void list_free(struct loc_search *search, const struct dpl_raycast_index *plan, double step,
                      const double box[4])
{
    for (double y = box[1] + 0.5 * step; y < box[3]; y += step) {
        for (double x = box[0] + 0.5 * step; x < box[2]; x += step) {
            if ((double)search->n_free < FREE_MAX && is_free(plan, x, y)) {
                search->free[search->n_free][0] = (float)x;
                search->free[search->n_free++][1] = (float)y;
            }
        }
    }
}

bool loc_search_init(struct loc_search *search, const struct dpl_raycast_index *plan,
                     const struct dpl_raycast_outline *outlines, size_t n)
{
    double box[4] = {(double)INFINITY, (double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    memset(search, 0, sizeof *search);
    if (n == 0) {
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        double own[4];
        box_of(&outlines[i], MARGIN_M, own);
        grow(box, own[0], own[1], 0.0);
        grow(box, own[2], own[3], 0.0);
    }
    double area = (box[2] - box[0]) * (box[3] - box[1]);
    search->x1 = box[0];
    search->y1 = box[1];
    search->cell_m = fmax(CELL_M, sqrt(area / CELLS_MAX));
    search->nx = (int)ceil((box[2] - box[0]) / search->cell_m);
    search->ny = (int)ceil((box[3] - box[1]) / search->cell_m);
    double step = fmax(FREE_STEP_M, sqrt(area / FREE_MAX));
    size_t most = (size_t)fmin(FREE_MAX, 2.0 * area / (step * step) + 16.0);
    search->field = calloc((size_t)search->nx * (size_t)search->ny, 1);
    search->free = calloc(most, sizeof *search->free);
    if (!search->field || !search->free) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        draw(search, &outlines[i]);
    }
    list_free(search, plan, step, box);
    return true;
}

void loc_search_finish(struct loc_search *search)
{
    free(search->field);
    free(search->free);
}
