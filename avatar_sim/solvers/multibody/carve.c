/* SPDX-License-Identifier: Apache-2.0 */
/* Where the arrays of a system lie in its block. */
#include "build.h"

static void carve_cluster(struct dpl__mb_arena *arena, struct dpl__mb_cluster *cluster)
{
    size_t n = (size_t)cluster->n, rows = (size_t)cluster->n_rows;
    size_t most = n < rows ? n : rows, longer = n > rows ? n : rows;
    if (cluster->n_chords == 0) {
        return;
    }
    cluster->chords = dpl__mb_carve(arena, rows, sizeof(int));
    cluster->pivots = dpl__mb_carve(arena, rows, sizeof(int));
    cluster->deps = dpl__mb_carve(arena, n, sizeof(int));
    cluster->frees = dpl__mb_carve(arena, n, sizeof(int));
    cluster->ints = dpl__mb_carve(arena, n + rows, sizeof(int));
    cluster->swaps = dpl__mb_carve(arena, most, sizeof(int));
    cluster->rows = dpl__mb_carve(arena, rows * 8, sizeof(double));
    cluster->residual = dpl__mb_carve(arena, rows, sizeof(double));
    cluster->matrix = dpl__mb_carve(arena, rows * n, sizeof(double));
    cluster->lu = dpl__mb_carve(arena, most * most, sizeof(double));
    cluster->b = dpl__mb_carve(arena, most * n, sizeof(double));
    cluster->past_b = dpl__mb_carve(arena, 2 * most * n, sizeof(double));
    cluster->bias = dpl__mb_carve(arena, longer, sizeof(double));
    cluster->h = dpl__mb_carve(arena, n * n, sizeof(double));
    cluster->f = dpl__mb_carve(arena, n * 8, sizeof(double));
    cluster->hg = dpl__mb_carve(arena, n * n, sizeof(double));
    cluster->d = dpl__mb_carve(arena, n * n, sizeof(double));
    cluster->u = dpl__mb_carve(arena, n * 8, sizeof(double));
    cluster->y = dpl__mb_carve(arena, n, sizeof(double));
    cluster->t = dpl__mb_carve(arena, longer, sizeof(double));
    cluster->past = dpl__mb_carve(arena, 3 * n, sizeof(double));
}

static void carve_links(struct dpl__mb_arena *arena, struct dpl__mb *m)
{
    size_t n = (size_t)m->n_links;
    m->parent = dpl__mb_carve(arena, n, sizeof(int));
    m->kernel = dpl__mb_carve(arena, n, sizeof(int));
    m->axis = dpl__mb_carve(arena, n, sizeof(int));
    m->cluster = dpl__mb_carve(arena, n, sizeof(int));
    m->branch = dpl__mb_carve(arena, n, sizeof(int));
    m->joint_of = dpl__mb_carve(arena, n, sizeof(int));
    m->float_of = dpl__mb_carve(arena, n, sizeof(int));
    m->depth = dpl__mb_carve(arena, n, sizeof(int));
    m->pitch = dpl__mb_carve(arena, n, sizeof(double));
    m->seat = dpl__mb_carve(arena, n, sizeof *m->seat);
    m->mass = dpl__mb_carve(arena, n, sizeof(double));
    m->centre = dpl__mb_carve(arena, n, sizeof *m->centre);
    m->inertia = dpl__mb_carve(arena, n, sizeof *m->inertia);
    m->frame = dpl__mb_carve(arena, n, sizeof *m->frame);
    m->sine = dpl__mb_carve(arena, n, sizeof(double));
    m->cosine = dpl__mb_carve(arena, n, sizeof(double));
    m->s = dpl__mb_carve(arena, n, sizeof *m->s);
    m->velocity = dpl__mb_carve(arena, n, sizeof *m->velocity);
    m->drift = dpl__mb_carve(arena, n, sizeof *m->drift);
    m->momentum = dpl__mb_carve(arena, n, sizeof *m->momentum);
    m->articulated = dpl__mb_carve(arena, n, sizeof *m->articulated);
    m->force = dpl__mb_carve(arena, n, sizeof *m->force);
    m->u = dpl__mb_carve(arena, n, sizeof *m->u);
    m->d = dpl__mb_carve(arena, n, sizeof(double));
    m->w = dpl__mb_carve(arena, n, sizeof(double));
    m->acceleration = dpl__mb_carve(arena, n, sizeof *m->acceleration);
    m->armature = dpl__mb_carve(arena, n, sizeof(double));
}

static size_t law_numbers(const struct dpl_mb_piecewise *law)
{
    size_t n = 0;
    for (size_t i = 0; i <= law->n_knots; i++) {
        n += law->n_of[i];
    }
    return n;
}

size_t dpl__mb_carve_all(struct dpl__mb *m, char *base)
{
    struct dpl__mb_arena arena = {base, 0};
    dpl__mb_carve(&arena, 1, sizeof(struct dpl_mb_system));
    dpl__mb_carve(&arena, 1, sizeof *m);
    m->parts = dpl__mb_carve(&arena, (size_t)m->n_bodies, sizeof *m->parts);
    m->joints = dpl__mb_carve(&arena, (size_t)m->n_joints, sizeof *m->joints);
    m->chords = dpl__mb_carve(&arena, (size_t)m->n_chords, sizeof *m->chords);
    m->clusters = dpl__mb_carve(&arena, (size_t)m->n_clusters, sizeof *m->clusters);
    m->path = dpl__mb_carve(&arena, (size_t)m->n_path, sizeof *m->path);
    m->restraints = dpl__mb_carve(&arena, (size_t)m->n_restraints, sizeof *m->restraints);
    m->floats = dpl__mb_carve(&arena, (size_t)m->n_floats, sizeof *m->floats);
    m->points = dpl__mb_carve(&arena, (size_t)m->n_branches, sizeof *m->points);
    m->list = dpl__mb_carve(&arena, (size_t)(m->n_joints + m->n_links), sizeof(int));
    m->list_of = dpl__mb_carve(&arena, (size_t)m->n_clusters + 1, sizeof(int));
    m->pieces = dpl__mb_carve(&arena, (size_t)(m->n_restraints + m->n_joints), sizeof(int));
    m->sphericals = dpl__mb_carve(&arena, (size_t)m->n_joints, sizeof(int));
    m->acting = dpl__mb_carve(&arena, (size_t)m->n_joints, sizeof(int));
    size_t most = (size_t)m->drives.most;
    m->drives.joints = dpl__mb_carve(&arena, most, sizeof(int));
    m->drives.round = dpl__mb_carve(&arena, most, sizeof(int));
    m->drives.matrix = dpl__mb_carve(&arena, most * most, sizeof(double));
    m->drives.scratch = dpl__mb_carve(&arena, most * most, sizeof(double));
    m->push = dpl__mb_carve(&arena, (size_t)m->n_bodies, sizeof *m->push);
    m->drags = dpl__mb_carve(&arena, (size_t)m->n_bodies, sizeof *m->drags);
    carve_links(&arena, m);
    m->y = dpl__mb_carve(&arena, (size_t)m->ny, sizeof(double));
    m->a = dpl__mb_carve(&arena, (size_t)m->nv, sizeof(double));
    m->effort = dpl__mb_carve(&arena, (size_t)m->nv, sizeof(double));
    m->before = dpl__mb_carve(&arena, (size_t)m->ny, sizeof(double));
    for (int i = 0; i < m->n_work; i++) {
        m->work[i] = dpl__mb_carve(&arena, (size_t)m->ny, sizeof(double));
    }
    return arena.used;
}

int dpl__mb_rows_of(const struct dpl__mb_sketch *sketch, const struct dpl__mb_sketch_chord *chord)
{
    return chord->gear >= 0 ? 1 : dpl__mb_row_count(sketch->graph->joints[chord->joint].type);
}

size_t dpl__mb_carve_more(struct dpl__mb *m, const struct dpl__mb_sketch *sketch, char *base,
                          size_t used)
{
    struct dpl__mb_arena arena = {base, used};
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_sketch_cluster *from = &sketch->clusters[k];
        struct dpl__mb_cluster cluster = {.first = from->first,
                                          .n = from->n,
                                          .first_chord = from->first_chord,
                                          .n_chords = from->n_chords,
                                          .size = 1.0,
                                          .norm = 1.0};
        cluster.parent = sketch->links[from->parent].final;
        if (from->n_chords > 0) {
            for (int c = 0; c < sketch->n_chords; c++) {
                cluster.n_rows += sketch->chords[c].cluster == k
                                      ? dpl__mb_rows_of(sketch, &sketch->chords[c])
                                      : 0;
            }
        }
        carve_cluster(&arena, &cluster);
        if (base) {
            m->clusters[k] = cluster;
        }
    }
    const struct dpl_mb_graph *graph = sketch->graph;
    int r = 0;
    for (int i = 0; i < (int)graph->n_restraints; i++) {
        if (!dpl_mb_is_active(graph, DPL_MB_RESTRAINT, i)) {
            continue;
        }
        const struct dpl_mb_piecewise *law = &graph->restraints[i].law;
        size_t knots = law->n_knots, numbers = law_numbers(law);
        double *copy = dpl__mb_carve(&arena, knots + numbers, sizeof(double));
        size_t *counts = dpl__mb_carve(&arena, knots + 1, sizeof(size_t));
        if (base) {
            memcpy(copy + knots, law->coefficients, numbers * sizeof *copy);
            memcpy(counts, law->n_of, (knots + 1) * sizeof *counts);
            if (knots > 0) {
                memcpy(copy, law->knots, knots * sizeof *copy);
            }
            m->restraints[r++].law = (struct dpl_mb_piecewise){knots, copy, counts, copy + knots};
        }
    }
    return arena.used;
}
