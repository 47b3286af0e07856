/* SPDX-License-Identifier: Apache-2.0 */
#include "walls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define TOLERANCE   0.020 /* m, from the line */
#define BESIDE_M    0.050 /* from the line of a wall that is grown: its own scatter */
#define SCATTER     3.5   /* deviations of the ends of one wall */
#define MIN_COSINE  0.82  /* of directions: 35 deg */
#define MAX_PASSES  0.33  /* share of the scans at an element */
#define MIN_ENDS    6.0   /* beams of a wall */
#define BLOB_ENDS   25.0  /* of one without direction: a leg of a chair */
#define BLOB_LENGTH 0.03
#define JOIN_M      0.15
#define JOIN_SINE   0.34 /* 20 deg */
#define NEIGHBOURS  2    /* cells: gaps up to one cell are bridged */

struct growth {
    const struct surfels *map;
    unsigned char *state; /* [n of the map] */
    uint32_t *queue;      /* [n] */
    struct moments sum;   /* about (x, y) */
    double x, y;
    double noise_m; /* SCATTER deviations of the laser's ranges */
    struct moments_line line;
    size_t n_queue;
};

enum {
    FREE,
    TAKEN,
    UNUSABLE,
};

/* ---- growing ---- */

static struct moments_line absolute(const struct growth *g)
{
    struct moments_line line = g->line;
    line.x += g->x;
    line.y += g->y;
    return line;
}

static double across(const struct moments_line *line, const struct surfel *s)
{
    return (s->x - line->x) * line->nx + (s->y - line->y) * line->ny;
}

static double along(const struct moments_line *line, const struct surfel *s)
{
    return (s->y - line->y) * line->nx - (s->x - line->x) * line->ny;
}

static bool is_alike(const struct moments_line *line, const struct surfel *s)
{
    return s->nx * line->nx + s->ny * line->ny >= (s->has_normal ? MIN_COSINE : 0.5);
}

static bool fits(const struct growth *g, const struct surfel *s)
{
    struct moments_line line = absolute(g);
    double most = TOLERANCE + 0.5 * fmin(s->spread, TOLERANCE);
    return is_alike(&line, s) && fabs(across(&line, s)) < most;
}

static void add_surfel(struct growth *g, uint32_t number)
{
    const struct surfel *s = &g->map->items[number];
    double size = g->map->size;
    moments_add(&g->sum, &s->own, (s->ix + 0.5) * size - g->x, (s->iy + 0.5) * size - g->y);
    g->state[number] = TAKEN;
    g->queue[g->n_queue++] = number;
}

/* The line of the region; of the first element alone: through its point along its own direction. */
static void refit(struct growth *g, const struct surfel *seed)
{
    struct moments_line line;
    if (g->n_queue < 3 || !moments_fit(&g->sum, &line) || line.along < 0.02) {
        g->line =
            (struct moments_line){seed->x - g->x, seed->y - g->y, seed->nx, seed->ny, 0.0, 0.0};
        return;
    }
    g->line = line;
}

static void grow_around(struct growth *g, const struct surfel *s, const struct surfel *seed)
{
    for (int32_t dx = -NEIGHBOURS; dx <= NEIGHBOURS; dx++) {
        for (int32_t dy = -NEIGHBOURS; dy <= NEIGHBOURS; dy++) {
            const struct surfel *near = surfels_at(g->map, s->ix + dx, s->iy + dy);
            if (!near || g->state[near - g->map->items] != FREE || !fits(g, near)) {
                continue;
            }
            add_surfel(g, (uint32_t)(near - g->map->items));
            refit(g, seed);
        }
    }
}

/* Extends the wall to the ends on an element: sqrt(3) sigma is the half of an even distribution. */
static void measure(const struct growth *g, const struct moments_line *line, double ret_span[2])
{
    ret_span[0] = (double)INFINITY;
    ret_span[1] = -(double)INFINITY;
    double tx = -line->ny, ty = line->nx;
    for (size_t i = 0; i < g->n_queue; i++) {
        const struct surfel *s = &g->map->items[g->queue[i]];
        const struct moments *m = &s->own;
        double xx = m->xx / m->n - m->x * m->x / (m->n * m->n);
        double yy = m->yy / m->n - m->y * m->y / (m->n * m->n);
        double xy = m->xy / m->n - m->x * m->y / (m->n * m->n);
        double var = tx * tx * xx + 2.0 * tx * ty * xy + ty * ty * yy;
        double at = along(line, s);
        double half = sqrt(3.0 * fmax(0.0, var));
        ret_span[0] = fmin(ret_span[0], at - half);
        ret_span[1] = fmax(ret_span[1], at + half);
    }
}

/* How far the ends of this wall scatter around it: across the neighbourhoods of its elements, which
 * reach further than the tolerance. */
static double scatter(const struct growth *g)
{
    double sum = 0.0;
    for (size_t i = 0; i < g->n_queue; i++) {
        const struct surfel *s = &g->map->items[g->queue[i]];
        sum += s->own.n * s->spread;
    }
    return SCATTER * sum / g->sum.n;
}

/* Elements that look to the wall's side, up to `beside` from its line, along its length. */
struct band {
    struct moments_line line;
    double span[2], beside;
};

static bool is_in(const struct band *band, const struct surfel *s)
{
    double at = along(&band->line, s);
    return is_alike(&band->line, s) && fabs(across(&band->line, s)) < band->beside &&
           at > band->span[0] && at < band->span[1];
}

static void absorb_around(struct growth *g, const struct band *band, const struct surfel *s)
{
    for (int32_t dx = -NEIGHBOURS; dx <= NEIGHBOURS; dx++) {
        for (int32_t dy = -NEIGHBOURS; dy <= NEIGHBOURS; dy++) {
            const struct surfel *near = surfels_at(g->map, s->ix + dx, s->iy + dy);
            if (near && g->state[near - g->map->items] == FREE && is_in(band, near)) {
                add_surfel(g, (uint32_t)(near - g->map->items));
            }
        }
    }
}

/* Where ends scatter by more than the tolerance, elements beside a wall are a part of it, no second
 * wall. Where they do not, what stands before a wall (the frame of a door) is a thing of its own.
 * Beyond the size of a cell the noise of the laser must be the reason: poses that have drifted,
 * too, make ends scatter, and two walls. */
static void absorb(struct growth *g, const struct surfel *seed)
{
    struct band band = {.line = absolute(g),
                        .beside = fmin(scatter(g), fmax(BESIDE_M, g->noise_m))};
    if (g->n_queue < 3) {
        return; /* no line yet */
    }
    measure(g, &band.line, band.span);
    for (size_t i = 0; i < g->n_queue; i++) {
        absorb_around(g, &band, &g->map->items[g->queue[i]]);
    }
    refit(g, seed);
}

/* All that belongs to the wall. Where the laser's noise alone leaves the tolerance, what was
 * absorbed leads on: the first elements may have told a wrong line. */
static void extend(struct growth *g, const struct surfel *seed)
{
    size_t n;
    do {
        n = g->n_queue;
        for (size_t i = 0; i < g->n_queue; i++) {
            grow_around(g, &g->map->items[g->queue[i]], seed);
        }
        absorb(g, seed);
    } while (g->noise_m > TOLERANCE && g->n_queue > n);
}

/* Grows a wall from an element; false: too little was seen of it. */
static bool grow(struct growth *g, uint32_t number, struct wall *ret_wall)
{
    const struct surfel *seed = &g->map->items[number];
    double span[2];
    g->sum = (struct moments){0};
    g->n_queue = 0;
    g->x = seed->x;
    g->y = seed->y;
    add_surfel(g, number);
    refit(g, seed);
    extend(g, seed);
    struct moments_line line = absolute(g);
    measure(g, &line, span);
    double least = BLOB_LENGTH - (span[1] - span[0]);
    if (least > 0.0) { /* what is seen of a thin leg */
        span[0] -= 0.5 * least;
        span[1] += 0.5 * least;
    }
    double tx = -line.ny, ty = line.nx;
    *ret_wall = (struct wall){line.x + span[0] * tx,
                              line.y + span[0] * ty,
                              line.x + span[1] * tx,
                              line.y + span[1] * ty,
                              line.nx,
                              line.ny,
                              g->sum.n};
    return g->sum.n >= (seed->has_normal ? MIN_ENDS : BLOB_ENDS);
}

/* ---- order ---- */

struct seed {
    uint32_t number;
    double weight;
};

/* By weight, then by number: the same walls on every machine. */
static int compare_seeds(const void *a, const void *b)
{
    const struct seed *p = a, *q = b;
    if (p->weight != q->weight) {
        return p->weight > q->weight ? -1 : 1;
    }
    return p->number < q->number ? -1 : p->number > q->number;
}

static int compare_walls(const void *a, const void *b)
{
    const struct wall *p = a, *q = b;
    double lp = wall_length(p), lq = wall_length(q);
    if (lp != lq) {
        return lp > lq ? -1 : 1;
    }
    return p->x1 != q->x1 ? (p->x1 < q->x1 ? -1 : 1) : (p->y1 > q->y1) - (p->y1 < q->y1);
}

static bool is_usable(const struct surfel *s, uint32_t min_scans)
{
    double passes = s->passes;
    return s->n_scans >= min_scans && passes <= MAX_PASSES * (passes + s->stops);
}

static void order_seeds(const struct growth *g, uint32_t min_scans, struct seed *ret_seeds)
{
    for (size_t i = 0; i < g->map->n; i++) {
        const struct surfel *s = &g->map->items[i];
        g->state[i] = is_usable(s, min_scans) ? FREE : UNUSABLE;
        double flat = s->has_normal ? 1.0 / (0.005 + s->spread) : 0.1;
        ret_seeds[i] = (struct seed){(uint32_t)i, fmin(s->own.n, 50.0) * flat};
    }
    qsort(ret_seeds, g->map->n, sizeof *ret_seeds, compare_seeds);
}

/* ---- corners ---- */

/* Where the lines of two walls cross; false: nearly parallel. */
static bool cross(const struct wall *a, const struct wall *b, double ret[2])
{
    double sine = a->nx * b->ny - a->ny * b->nx;
    if (fabs(sine) < JOIN_SINE) {
        return false;
    }
    double ca = a->nx * a->x1 + a->ny * a->y1, cb = b->nx * b->x1 + b->ny * b->y1;
    ret[0] = (ca * b->ny - cb * a->ny) / sine;
    ret[1] = (a->nx * cb - b->nx * ca) / sine;
    return true;
}

/* The end of a wall that is near a place: 0, 1 or -1. */
static int near_end(const struct wall *w, const double at[2])
{
    double d1 = hypot(at[0] - w->x1, at[1] - w->y1), d2 = hypot(at[0] - w->x2, at[1] - w->y2);
    double reach = fmin(JOIN_M, fmax(0.03, 0.5 * wall_length(w)));
    return fmin(d1, d2) > reach ? -1 : d2 < d1;
}

static void move_end(struct wall *w, int end, const double at[2])
{
    *(end ? &w->x2 : &w->x1) = at[0];
    *(end ? &w->y2 : &w->y1) = at[1];
}

/* Each end joins once, the longest walls first. */
static void join(struct walls *walls, unsigned char *joined)
{
    for (size_t i = 0; i < walls->n; i++) {
        for (size_t k = i + 1; k < walls->n; k++) {
            struct wall *a = &walls->items[i], *b = &walls->items[k];
            double at[2];
            if (!cross(a, b, at)) {
                continue;
            }
            int ea = near_end(a, at), eb = near_end(b, at);
            if (ea < 0 || eb < 0 || joined[i] & (1 << ea) || joined[k] & (1 << eb)) {
                continue;
            }
            move_end(a, ea, at);
            move_end(b, eb, at);
            joined[i] |= (unsigned char)(1 << ea);
            joined[k] |= (unsigned char)(1 << eb);
        }
    }
}

/* ---- all ---- */

static int find(struct growth *g, struct seed *seeds, uint32_t min_scans, struct walls *walls)
{
    order_seeds(g, min_scans, seeds);
    for (size_t i = 0; i < g->map->n; i++) {
        if (g->state[seeds[i].number] == FREE &&
            grow(g, seeds[i].number, &walls->items[walls->n])) {
            walls->n++;
        }
    }
    qsort(walls->items, walls->n, sizeof *walls->items, compare_walls);
    unsigned char *joined = calloc(walls->n + 1, 1);
    if (!joined) {
        return -ENOMEM;
    }
    join(walls, joined);
    free(joined);
    return 0;
}

int walls_find(const struct surfels *map, uint32_t min_scans, struct walls *ret_walls)
{
    struct walls walls = {.items = calloc(map->n + 1, sizeof *walls.items)};
    struct growth g = {
        .map = map, .state = calloc(map->n + 1, 1), .noise_m = SCATTER * surfels_noise(map)};
    g.queue = calloc(map->n + 1, sizeof *g.queue);
    struct seed *seeds = calloc(map->n + 1, sizeof *seeds);
    bool has_memory = walls.items && g.state && g.queue && seeds;
    int err = has_memory ? find(&g, seeds, min_scans, &walls) : -ENOMEM;
    free(g.state);
    free(g.queue);
    free(seeds);
    if (err < 0) {
        walls_finish(&walls);
        return err;
    }
    *ret_walls = walls;
    return 0;
}

void walls_finish(struct walls *walls)
{
    free(walls->items);
    *walls = (struct walls){0};
}

double wall_length(const struct wall *wall)
{
    return hypot(wall->x2 - wall->x1, wall->y2 - wall->y1);
}

double walls_distance(const struct walls *walls, double x, double y)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < walls->n; i++) {
        const struct wall *w = &walls->items[i];
        double dx = w->x2 - w->x1, dy = w->y2 - w->y1, ll = dx * dx + dy * dy;
        double t = ll > 0.0 ? ((x - w->x1) * dx + (y - w->y1) * dy) / ll : 0.0;
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        double ex = x - w->x1 - t * dx, ey = y - w->y1 - t * dy;
        least = fmin(least, ex * ex + ey * ey);
    }
    return sqrt(least);
}
