/* SPDX-License-Identifier: Apache-2.0 */
#include "pose_graph.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS    12
#define WIDE      5 /* of them with an ever narrower kernel */
#define KERNEL    4.0
#define STEPS_MAX 20000
#define ENOUGH    1e-10 /* of the square of the first residual */

/* One edge at the present poses: r + A d(from) + B d(to), d in the plan; B's position block is the
 * turn back by `from`, A = -B but for the lever. */
struct row {
    double c, s;             /* of `from` */
    double lever_x, lever_y; /* change of the relative position with the turn of `from` */
    double r[3], w[3];       /* residual; weight */
};

struct graph {
    const struct pose_graph_edge *edges;
    size_t n_edges, n; /* n: unknowns, 3 a pose */
    struct row *rows;
    double *memory, *x, *residual, *way, *product, *diagonal;
};

static void linearize(struct graph *g, const struct dpl_pose2 *poses, double kernel)
{
    for (size_t i = 0; i < g->n_edges; i++) {
        const struct pose_graph_edge *e = &g->edges[i];
        struct row *row = &g->rows[i];
        struct dpl_pose2 is = dpl_pose2_relative(poses[e->from], poses[e->to]);
        double m = 1.0 / (e->sigma_m * e->sigma_m), rad = 1.0 / (e->sigma_rad * e->sigma_rad);
        *row = (struct row){
            .c = cos(poses[e->from].theta),
            .s = sin(poses[e->from].theta),
            .lever_x = is.y,
            .lever_y = -is.x,
            .r = {is.x - e->relative.x, is.y - e->relative.y,
                  dpl_wrap_angle(is.theta - e->relative.theta)},
        };
        double chi2 =
            m * (row->r[0] * row->r[0] + row->r[1] * row->r[1]) + rad * row->r[2] * row->r[2];
        double k = e->may_be_wrong ? 1.0 / (1.0 + chi2 / (kernel * kernel)) : 1.0;
        row->w[0] = row->w[1] = k * k * m;
        row->w[2] = k * k * rad;
    }
}

/* J d of one edge. */
static void forward(const struct graph *g, size_t i, const double *d, double ret[3])
{
    const struct row *row = &g->rows[i];
    const double *a = &d[3 * g->edges[i].from], *b = &d[3 * g->edges[i].to];
    double x = b[0] - a[0], y = b[1] - a[1];
    ret[0] = row->c * x + row->s * y + row->lever_x * a[2];
    ret[1] = -row->s * x + row->c * y + row->lever_y * a[2];
    ret[2] = b[2] - a[2];
}

/* Adds J' v of one edge. */
static void backward(const struct graph *g, size_t i, const double v[3], double *sum)
{
    const struct row *row = &g->rows[i];
    double *a = &sum[3 * g->edges[i].from], *b = &sum[3 * g->edges[i].to];
    double x = row->c * v[0] - row->s * v[1], y = row->s * v[0] + row->c * v[1];
    b[0] += x;
    b[1] += y;
    b[2] += v[2];
    a[0] -= x;
    a[1] -= y;
    a[2] += row->lever_x * v[0] + row->lever_y * v[1] - v[2];
}

static void multiply(const struct graph *g, const double *d, double *ret)
{
    memset(ret, 0, g->n * sizeof *ret);
    for (size_t i = 0; i < g->n_edges; i++) {
        double v[3];
        forward(g, i, d, v);
        for (int k = 0; k < 3; k++) {
            v[k] *= g->rows[i].w[k];
        }
        backward(g, i, v, ret);
    }
    memset(ret, 0, 3 * sizeof *ret); /* the first pose stays */
}

/* The right side, and the diagonal as the preconditioner. */
static void begin(struct graph *g)
{
    memset(g->residual, 0, g->n * sizeof *g->residual);
    memset(g->diagonal, 0, g->n * sizeof *g->diagonal);
    memset(g->x, 0, g->n * sizeof *g->x);
    for (size_t i = 0; i < g->n_edges; i++) {
        const struct row *row = &g->rows[i];
        double *a = &g->diagonal[3 * g->edges[i].from], *b = &g->diagonal[3 * g->edges[i].to];
        double v[3], lever2 = row->lever_x * row->lever_x + row->lever_y * row->lever_y;
        for (int k = 0; k < 3; k++) {
            v[k] = -row->w[k] * row->r[k];
            a[k] += row->w[k];
            b[k] += row->w[k];
        }
        a[2] += row->w[0] * lever2;
        backward(g, i, v, g->residual);
    }
    memset(g->residual, 0, 3 * sizeof *g->residual);
}

/* Preconditioned conjugate gradients (Hestenes and Stiefel, 1952): g->x. */
static void solve(struct graph *g)
{
    double rho = 0.0, first;
    begin(g);
    for (size_t i = 0; i < g->n; i++) {
        g->way[i] = i < 3 ? 0.0 : g->residual[i] / g->diagonal[i];
        rho += g->residual[i] * g->way[i];
    }
    first = rho;
    for (int step = 0; step < STEPS_MAX && rho > ENOUGH * first; step++) {
        double along = 0.0, next = 0.0;
        multiply(g, g->way, g->product);
        for (size_t i = 0; i < g->n; i++) {
            along += g->way[i] * g->product[i];
        }
        double alpha = rho / along;
        for (size_t i = 3; i < g->n; i++) {
            g->x[i] += alpha * g->way[i];
            g->residual[i] -= alpha * g->product[i];
            next += g->residual[i] * g->residual[i] / g->diagonal[i];
        }
        for (size_t i = 3; i < g->n; i++) {
            g->way[i] = g->residual[i] / g->diagonal[i] + next / rho * g->way[i];
        }
        rho = next;
    }
}

int pose_graph_solve(struct dpl_pose2 *poses, size_t n, const struct pose_graph_edge *edges,
                     size_t n_edges)
{
    struct graph g = {.edges = edges, .n_edges = n_edges, .n = 3 * n};
    g.rows = calloc(n_edges + 1, sizeof *g.rows);
    g.memory = calloc(5 * g.n + 1, sizeof *g.memory);
    int err = g.rows && g.memory ? 0 : -ENOMEM;
    if (err == 0) {
        g.x = g.memory;
        g.residual = g.x + g.n;
        g.way = g.residual + g.n;
        g.product = g.way + g.n;
        g.diagonal = g.product + g.n;
    }
    for (int round = 0; err == 0 && round < ROUNDS; round++) {
        linearize(&g, poses, KERNEL * (round < WIDE ? pow(2.0, WIDE - round) : 1.0));
        solve(&g);
        for (size_t i = 0; i < n; i++) {
            poses[i].x += g.x[3 * i];
            poses[i].y += g.x[3 * i + 1];
            poses[i].theta = dpl_wrap_angle(poses[i].theta + g.x[3 * i + 2]);
        }
    }
    free(g.rows);
    free(g.memory);
    return err;
}
