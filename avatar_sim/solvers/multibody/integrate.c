/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of fixed length: the semi-implicit one, and the classical Runge-Kutta method. */
#include "rotation.h"

#include <errno.h>

/* PARTS: of a step of Runge and Kutta, at most; a power of two. BEND_MOST: of the largest rate of a
 * dependent by an independent one, at least 1, what a step may bend one. */
enum { PARTS = 1024 };
static const double BEND_MOST = 5e-4;

/* The derivative of a quaternion: half the angular velocity times it. */
static void quaternion_rate(const double *q, const double *w, double *ret_rate)
{
    ret_rate[0] = -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    ret_rate[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    ret_rate[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    ret_rate[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
}

void dpl__mb_derivative(struct dpl__mb *m, double *ret_f)
{
    dpl__mb_evaluate(m);
    memcpy(ret_f, m->v, (size_t)m->n_links * sizeof *ret_f);
    memcpy(ret_f + m->nx, m->a, (size_t)m->nv * sizeof *ret_f);
    for (int f = 0; f < m->n_floats; f++) {
        const struct dpl__mb_float *body = &m->floats[f];
        memcpy(ret_f + body->x, &m->v[body->v + 3], 3 * sizeof *ret_f);
        quaternion_rate(&m->x[body->x + 3], &m->v[body->v], ret_f + body->x + 3);
    }
}

void dpl__mb_derivative_at(struct dpl__mb *m, const double *y, double *ret_f)
{
    memcpy(m->y, y, (size_t)m->ny * sizeof *y);
    dpl__mb_touch(m);
    m->in_step = true;
    dpl__mb_derivative(m, ret_f);
    m->in_step = false;
}

void dpl__mb_arrive(struct dpl__mb *m)
{
    for (int f = 0; f < m->n_floats; f++) {
        double *q = &m->x[m->floats[f].x + 3];
        double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int i = 0; i < 4; i++) {
            q[i] *= scale;
        }
    }
    dpl__mb_touch(m);
    dpl__mb_project(m);
    dpl__mb_accept(m);
}

static void move_float(struct dpl__mb *m, const struct dpl__mb_float *body, double step)
{
    double *v = &m->v[body->v], *x = &m->x[body->x], turn[3], axes[4];
    for (int i = 0; i < 3; i++) {
        x[i] += step * v[3 + i];
        turn[i] = step * v[i];
    }
    double angle = sqrt(dpl__dot3(turn, turn));
    double factor = angle > 1e-9 ? 2.0 * tan(0.5 * angle) / angle : 1.0;
    for (int i = 0; i < 3; i++) {
        turn[i] *= factor; /* the length is normalised away */
    }
    quaternion_rate(x + 3, turn, axes);
    for (int i = 0; i < 4; i++) {
        x[3 + i] += axes[i];
    }
}

/* Moves the dependents by what the velocity leaves out, and in the lagged mode by what was open
 * before the step. */
static void move_dependents(struct dpl__mb *m, struct dpl__mb_cluster *cluster, double step)
{
    double *x = &m->x[cluster->first];
    bool lagged = m->settings.correction == DPL_MB_LAGGED;
    for (int i = 0; i < cluster->rank; i++) {
        cluster->t[i] = lagged ? cluster->residual[cluster->pivots[i]] : 0.0;
    }
    if (lagged) {
        dpl__mb_solve(cluster, cluster->t);
    }
    for (int i = 0; i < cluster->rank; i++) {
        int local = cluster->deps[i];
        x[local] -= cluster->t[i] + 0.5 * step * step * cluster->bias[local];
    }
}

static void step_semi_implicit(struct dpl__mb *m, double step)
{
    m->implicit = step;
    dpl__mb_evaluate(m);
    m->implicit = 0.0;
    for (int i = 0; i < m->nv; i++) {
        m->v[i] += step * m->a[i];
    }
    for (int i = 0; i < m->n_links; i++) {
        m->x[i] += step * m->v[i];
    }
    for (int f = 0; f < m->n_floats; f++) {
        move_float(m, &m->floats[f], step);
    }
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords > 0 && !cluster->stopped) {
            move_dependents(m, cluster, step);
        }
    }
    if (m->settings.correction == DPL_MB_LAGGED) {
        dpl__mb_touch(m);
        dpl__mb_accept(m);
    } else {
        dpl__mb_arrive(m);
    }
}

static int count_rates(const struct dpl__mb_cluster *cluster)
{
    bool is_loop = cluster->n_chords > 0 && !cluster->stopped;
    return is_loop ? cluster->rank * (cluster->n - cluster->rank) : 0;
}

/* Keeps how the dependents of loops follow, at the start (0) or in the middle (1) of a step. */
static void keep_rates(struct dpl__mb *m, int when)
{
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        int count = count_rates(cluster);
        for (int i = 0; i < count; i++) {
            cluster->past_b[when * count + i] = cluster->b[i];
        }
    }
}

/* Whether a loop turns too far in a step for its order to hold, as near a singular pose: by the
 * square of the first difference of its rates, and, where that is small, by the second one. */
static bool bends(const struct dpl__mb *m)
{
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        int count = count_rates(cluster);
        double most = 1.0, turn = 0.0, bend = 0.0;
        for (int i = 0; i < count; i++) {
            double b = cluster->b[i], first = cluster->past_b[i];
            most = fmax(most, fabs(b));
            turn = fmax(turn, fabs(b - first));
            bend = fmax(bend, fabs(b - 2.0 * cluster->past_b[count + i] + first));
        }
        if (turn * turn > 4.0 * BEND_MOST * most * most || bend > BEND_MOST * most) {
            return true;
        }
    }
    return false;
}

/* False: the step is too long; the state is that before it. */
static bool try_rk4(struct dpl__mb *m, double step, bool may_fail)
{
    double *start = m->work[0], *y = m->work[1], **k = &m->work[2];
    dpl__mb_derivative(m, k[0]);
    keep_rates(m, 0);
    memcpy(start, m->y, (size_t)m->ny * sizeof *start);
    m->failed = false;
    m->tries = may_fail;
    for (int stage = 1; stage < 4; stage++) {
        double part = stage < 3 ? 0.5 * step : step;
        for (int i = 0; i < m->ny; i++) {
            y[i] = start[i] + part * k[stage - 1][i];
        }
        dpl__mb_derivative_at(m, y, k[stage]);
        if (stage == 2) {
            keep_rates(m, 1);
        }
    }
    m->tries = false;
    if (may_fail && (m->failed || bends(m))) {
        memcpy(m->y, start, (size_t)m->ny * sizeof *start);
        dpl__mb_touch(m);
        return false;
    }
    for (int i = 0; i < m->ny; i++) {
        m->y[i] = start[i] + step / 6.0 * ((k[0][i] + k[3][i]) + 2.0 * (k[1][i] + k[2][i]));
    }
    dpl__mb_arrive(m);
    return true;
}

/* Divides the step by two as often as a loop needs it. */
static void step_rk4(struct dpl__mb *m, double step)
{
    int part = PARTS;
    for (int done = 0; done < PARTS;) {
        if (!try_rk4(m, step * part / PARTS, part > 1)) {
            part /= 2;
            continue;
        }
        done += part;
        part *= done % (2 * part) == 0 ? 2 : 1;
    }
}

/* A cluster that stopped in this step stands where its loops were closed last. How many stand. */
static int stand(struct dpl__mb *m)
{
    int standing = 0;
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        standing += cluster->stopped;
        if (!cluster->stopped || cluster->stands) {
            continue;
        }
        for (int i = cluster->first; i < cluster->first + cluster->n; i++) {
            m->x[i] = m->before[i];
            m->v[i] = 0.0;
        }
        cluster->stands = true;
        dpl__mb_touch(m);
    }
    return standing;
}

int dpl_mb_step(struct dpl_mb_system *system, double step)
{
    struct dpl__mb *m = system->m;
    if (!(step > 0.0) || !isfinite(step)) {
        return -EINVAL;
    }
    memcpy(m->before, m->y, (size_t)m->ny * sizeof *m->before);
    switch (m->settings.integrator) {
    case DPL_MB_RK4: step_rk4(m, step); break;
    case DPL_MB_DOPRI5:
    case DPL_MB_GRAGG: dpl__mb_step_adaptive(m, step); break;
    default: step_semi_implicit(m, step); break;
    }
    m->time += step;
    m->is_told = false;
    dpl__mb_refresh(m);
    dpl__mb_settle_passages(m);
    return stand(m) > 0 ? -EDOM : 0;
}
