/* SPDX-License-Identifier: Apache-2.0 */
/* Accelerations by articulated bodies (Featherstone 2008), where all links of a loop cluster are
 * one joint of several coordinates (constraint embedding, Jain 2009: loops' dependents are taken
 * out before the elimination). */
#include "system.h"

void dpl__mb_dependents(struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    int f = cluster->n - cluster->rank;
    double *v = &m->v[cluster->first];
    for (int i = 0; i < cluster->rank; i++) {
        double sum = 0.0;
        for (int j = 0; j < f; j++) {
            sum += cluster->b[i * f + j] * v[cluster->frees[j]];
        }
        v[cluster->deps[i]] = sum;
    }
}

void dpl__mb_refresh(struct dpl__mb *m)
{
    for (int k = 0; !m->velocities_hold && k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (!m->positions_hold) {
            dpl__mb_positions(m, cluster);
        }
        if (cluster->n_chords > 0) {
            if (!m->positions_hold) {
                dpl__mb_used_rows(m, cluster);
            }
            dpl__mb_prepare(m, cluster);
            if (cluster->stopped) {
                memset(&m->v[cluster->first], 0, (size_t)cluster->n * sizeof *m->v);
            } else {
                dpl__mb_dependents(m, cluster);
            }
        }
        dpl__mb_velocities(m, cluster);
        m->forces_hold = false;
    }
    m->positions_hold = m->velocities_hold = true;
}

/* Cholesky's factor in the lower half, in place. Pivots that are not above 0 (which only rounding
 * makes) count as the smallest number. */
static void factor(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[j * n + j];
        }
    }
}

/* What a link hands to its parent. */
static void hand_over(struct dpl__mb *m, int link, const double *u, double scale, double share,
                      const double *drift)
{
    int parent = m->parent[link];
    double *restrict rows = m->articulated[parent], *restrict force = m->force[parent];
    const double *restrict own = m->articulated[link];
    double times[8], along = dpl__dot8(u, drift) * scale;
    dpl__times6(own, drift, times);
    for (int i = 0; i < 8; i++) {
        force[i] += m->force[link][i] + times[i] + u[i] * (share - along);
    }
    for (int j = 0; j < 6; j++) {
        double factor_j = u[dpl__mb_lane(j)] * scale;
        for (int i = 0; i < 8; i++) {
            rows[8 * j + i] += own[8 * j + i] - factor_j * u[i];
        }
    }
}

static void inward_single(struct dpl__mb *m, int link)
{
    const double *s = m->s[link];
    double *u = m->u[link];
    dpl__times6(m->articulated[link], s, u);
    double d = 1.0 / (dpl__dot8(s, u) + m->armature[link]);
    double w = m->effort[link] - dpl__dot8(s, m->force[link]);
    m->d[link] = d;
    m->w[link] = w;
    if (m->parent[link] != 0) {
        hand_over(m, link, u, d, d * w, m->drift[link]);
    }
}

/* Implicit dampers of chords add inertia between coordinates that no link shares. */
static void soften(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    int n = cluster->n;
    double motion[8], *k = cluster->t;
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        const struct dpl__mb_chord *chord = &m->chords[c];
        if (!(chord->softness > 0.0)) {
            continue;
        }
        dpl__mb_coordinate(chord->type, 0, &chord->now[0], &chord->now[1], motion);
        dpl__mb_row_jacobian(m, cluster, chord, motion, k);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                cluster->h[i * n + j] += chord->softness * k[i] * k[j];
            }
        }
    }
}

static void clear_soft(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        cluster->is_soft = cluster->is_soft || m->chords[c].softness > 0.0;
    }
    if (cluster->is_soft) {
        memset(cluster->h, 0, (size_t)cluster->n * (size_t)cluster->n * sizeof *cluster->h);
    }
}

/* Composite inertias and forces of the links, accelerations that velocities alone make. */
static void compose_loop(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    int first = cluster->first, n = cluster->n;
    clear_soft(m, cluster);
    memset(m->acceleration[cluster->parent], 0, sizeof m->acceleration[0]);
    for (int i = first; i < first + n; i++) {
        double times[8];
        for (int k = 0; k < 8; k++) {
            m->acceleration[i][k] = m->acceleration[m->parent[i]][k] + m->drift[i][k];
        }
        dpl__times6(m->articulated[i], m->acceleration[i], times);
        dpl__add8(m->force[i], 1.0, times);
    }
    for (int i = first + n - 1; i >= first; i--) {
        int local = i - first, parent = m->parent[i];
        double *f = &cluster->f[8 * local];
        dpl__times6(m->articulated[i], m->s[i], f);
        cluster->h[local * n + local] = dpl__dot8(m->s[i], f) + m->armature[i];
        for (; parent >= first; parent = m->parent[parent]) {
            double product = dpl__dot8(m->s[parent], f);
            cluster->h[local * n + parent - first] = product;
            cluster->h[(parent - first) * n + local] = product;
        }
        parent = m->parent[i];
        if (parent != 0) { /* also what the cluster hands to its parent */
            double *restrict rows = m->articulated[parent];
            const double *restrict own = m->articulated[i];
            for (int k = 0; k < 48; k++) {
                rows[k] += own[k];
            }
            dpl__add8(m->force[parent], 1.0, m->force[i]);
        }
    }
}

static void find_bias(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    memset(cluster->bias, 0, (size_t)cluster->n * sizeof *cluster->bias);
    for (int i = 0; i < cluster->rank; i++) {
        int row = cluster->pivots[i];
        const struct dpl__mb_chord *chord = &m->chords[cluster->chords[row]];
        cluster->t[i] =
            -dpl__mb_row_bias(m, chord, row - chord->first_row, &cluster->rows[8 * row]);
    }
    dpl__mb_solve(cluster, cluster->t);
    for (int i = 0; i < cluster->rank; i++) {
        cluster->bias[cluster->deps[i]] = cluster->t[i];
    }
}

/* Inertia, momentum and force of the independent coordinates. */
static void embed(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    int n = cluster->n, r = cluster->rank, f = n - r;
    const int *deps = cluster->deps, *frees = cluster->frees;
    const double *b = cluster->b;
    double *e = cluster->t; /* efforts that are left */
    for (int j = 0; j < n; j++) {
        int link = cluster->first + j;
        double sum = m->effort[link] - dpl__dot8(m->s[link], m->force[link]);
        const double *h = &cluster->h[j * n];
        for (int i = 0; i < r; i++) {
            sum -= h[deps[i]] * cluster->bias[deps[i]];
        }
        e[j] = sum;
        for (int k = 0; k < f; k++) {
            double product = h[frees[k]];
            for (int i = 0; i < r; i++) {
                product += h[deps[i]] * b[i * f + k];
            }
            cluster->hg[j * f + k] = product;
        }
    }
    for (int k = 0; k < f; k++) {
        double *u = &cluster->u[8 * k], sum = e[frees[k]];
        memcpy(u, &cluster->f[8 * frees[k]], 8 * sizeof *u);
        memcpy(&cluster->d[k * f], &cluster->hg[frees[k] * f], (size_t)f * sizeof *u);
        for (int i = 0; i < r; i++) {
            double share = b[i * f + k];
            sum += share * e[deps[i]];
            dpl__add8(u, share, &cluster->f[8 * deps[i]]);
            for (int l = 0; l < f; l++) {
                cluster->d[k * f + l] += share * cluster->hg[deps[i] * f + l];
            }
        }
        cluster->y[k] = sum;
    }
}

static void inward_loop(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    compose_loop(m, cluster);
    if (cluster->stopped) {
        return; /* it hands over all of its inertia */
    }
    int f = cluster->n - cluster->rank, parent = cluster->parent;
    if (cluster->is_soft) {
        soften(m, cluster);
    }
    find_bias(m, cluster);
    embed(m, cluster);
    factor(cluster->d, f);
    for (int k = 0; k < f; k++) { /* the factor's solution, of momenta and forces */
        double *u = &cluster->u[8 * k];
        for (int l = 0; l < k; l++) {
            double share = cluster->d[k * f + l];
            dpl__add8(u, -share, &cluster->u[8 * l]);
            cluster->y[k] -= share * cluster->y[l];
        }
        double scale = 1.0 / cluster->d[k * f + k];
        cluster->y[k] *= scale;
        for (int i = 0; i < 8; i++) {
            u[i] *= scale;
        }
    }
    if (parent == 0) {
        return;
    }
    double *restrict rows = m->articulated[parent];
    for (int k = 0; k < f; k++) {
        const double *restrict u = &cluster->u[8 * k];
        for (int j = 0; j < 6; j++) {
            dpl__add8(&rows[8 * j], -u[dpl__mb_lane(j)], u);
        }
        dpl__add8(m->force[parent], cluster->y[k], u);
    }
    for (int i = 0; i < cluster->rank; i++) {
        int local = cluster->deps[i];
        dpl__add8(m->force[parent], cluster->bias[local], &cluster->f[8 * local]);
    }
}

static void outward_links(struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    for (int i = cluster->first; i < cluster->first + cluster->n; i++) {
        const double *parent = m->acceleration[m->parent[i]];
        for (int k = 0; k < 8; k++) {
            m->acceleration[i][k] = parent[k] + m->drift[i][k] + m->s[i][k] * m->a[i];
        }
    }
}

static void outward_loop(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    int f = cluster->n - cluster->rank;
    double *y = cluster->y, *a = &m->a[cluster->first];
    if (cluster->stopped) {
        memset(a, 0, (size_t)cluster->n * sizeof *a);
        outward_links(m, cluster);
        return;
    }
    for (int k = f - 1; k >= 0; k--) {
        double sum = y[k] - dpl__dot8(&cluster->u[8 * k], m->acceleration[cluster->parent]);
        for (int l = k + 1; l < f; l++) {
            sum -= cluster->d[l * f + k] * y[l];
        }
        y[k] = sum / cluster->d[k * f + k];
        a[cluster->frees[k]] = y[k];
    }
    for (int i = 0; i < cluster->rank; i++) {
        double sum = cluster->bias[cluster->deps[i]];
        for (int k = 0; k < f; k++) {
            sum += cluster->b[i * f + k] * y[k];
        }
        a[cluster->deps[i]] = sum;
    }
    outward_links(m, cluster);
}

static void outward_single(struct dpl__mb *m, int link)
{
    const double *restrict parent = m->acceleration[m->parent[link]];
    double before[8], *restrict own = m->acceleration[link];
    for (int i = 0; i < 8; i++) {
        before[i] = parent[i] + m->drift[link][i];
    }
    double a = (m->w[link] - dpl__dot8(m->u[link], before)) * m->d[link];
    m->a[link] = a;
    for (int i = 0; i < 8; i++) {
        own[i] = before[i] + m->s[link][i] * a;
    }
}

/* A free link: its articulated inertia against its force. */
static void outward_free(struct dpl__mb *m, int link)
{
    double a[36], b[6];
    const double *rows = m->articulated[link];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            a[6 * i + j] = rows[8 * i + dpl__mb_lane(j)];
        }
        b[i] = -m->force[link][dpl__mb_lane(i)];
    }
    factor(a, 6);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) {
            b[i] -= a[6 * i + k] * b[k];
        }
        b[i] /= a[6 * i + i];
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) {
            b[i] -= a[6 * k + i] * b[k];
        }
        b[i] /= a[6 * i + i];
    }
    double *acceleration = m->acceleration[link];
    acceleration[3] = acceleration[7] = 0.0;
    for (int i = 0; i < 6; i++) {
        acceleration[dpl__mb_lane(i)] = b[i];
    }
    /* of its origin, which moves: what the spatial acceleration leaves out */
    const double *v = m->velocity[link];
    double *ret = &m->a[m->floats[m->float_of[link]].v];
    memcpy(ret, b, 3 * sizeof *b);
    dpl__cross3(v, v + 4, ret + 3);
    for (int i = 0; i < 3; i++) {
        ret[3 + i] += b[3 + i] + m->gravity[i];
    }
}

void dpl__mb_accelerate(struct dpl__mb *m)
{
    m->is_told = false;
    if (m->velocities_hold && m->forces_hold) {
        m->velocities_hold = false; /* inertias and forces are not of single links any more */
    }
    dpl__mb_refresh(m);
    dpl__mb_forces(m);
    m->forces_hold = true;
    m->effort[m->probe_link] += m->probe;
    for (int k = m->n_clusters - 1; k >= 0; k--) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords > 0) {
            inward_loop(m, cluster);
        } else if (m->kernel[cluster->first] != DPL__MB_FREE) {
            inward_single(m, cluster->first);
        }
    }
    memset(m->acceleration[0], 0, sizeof m->acceleration[0]);
    for (int i = 0; i < 3; i++) {
        m->acceleration[0][4 + i] = -m->gravity[i];
    }
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords > 0) {
            outward_loop(m, cluster);
        } else if (m->kernel[cluster->first] != DPL__MB_FREE) {
            outward_single(m, cluster->first);
        } else {
            outward_free(m, cluster->first);
        }
    }
    m->effort[m->probe_link] -= m->probe;
}
