/* SPDX-License-Identifier: Apache-2.0 */
/* Which coordinates of a cluster depend on which: elimination with complete pivoting chooses the
 * rows that are used and the coordinates that they determine. */
#include "system.h"

/* PIVOT_CHANGE: rows and coordinates are chosen again when the least pivot is so much smaller or
 * larger than at the last choice. */
static const double RANK_LEAST = 1e-7, SINGULAR_LEAST = 1e-9, SLOWED = 0.9, PIVOT_CHANGE = 2.0;

static void all_jacobians(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    for (int row = 0; row < cluster->n_rows; row++) {
        dpl__mb_row_jacobian(m, cluster, &m->chords[cluster->chords[row]], &cluster->rows[8 * row],
                             &cluster->matrix[row * cluster->n]);
    }
}

static void swap_ints(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

/* Eliminates with complete pivoting, in the order of rows and columns that it makes, up to `most`
 * pivots. Returns the rank, or `most`; *ret_least is the last pivot. */
static int eliminate(double *matrix, int n_rows, int n, int most, int *rows, int *columns,
                     double *ret_least)
{
    double first = 0.0;
    int k = 0;
    *ret_least = 0.0;
    for (; k < n_rows && k < n && k < most; k++) {
        int best_row = k, best_column = k;
        double best = 0.0;
        for (int i = k; i < n_rows; i++) {
            for (int j = k; j < n; j++) {
                double value = fabs(matrix[rows[i] * n + columns[j]]);
                if (value > best * (1.0 + 1e-9)) { /* the first of equal ones */
                    best = value;
                    best_row = i;
                    best_column = j;
                }
            }
        }
        first = fmax(first, best);
        if (!(best > RANK_LEAST * first)) {
            break;
        }
        swap_ints(&rows[k], &rows[best_row]);
        swap_ints(&columns[k], &columns[best_column]);
        *ret_least = best;
        const double *pivot = &matrix[rows[k] * n];
        for (int i = k + 1; i < n_rows; i++) {
            double *row = &matrix[rows[i] * n];
            double share = row[columns[k]] / pivot[columns[k]];
            for (int j = k; share != 0.0 && j < n; j++) {
                row[columns[j]] -= share * pivot[columns[j]];
            }
        }
    }
    return k;
}

/* The order of rows and columns by the present positions, in `ints`: columns, then rows. Returns
 * how many of them are pivots, at most `most`. */
static int order(struct dpl__mb *m, struct dpl__mb_cluster *cluster, int most, double *ret_least)
{
    int n = cluster->n, *columns = cluster->ints, *rows = cluster->ints + n;
    dpl__mb_all_rows(m, cluster);
    all_jacobians(m, cluster);
    for (int i = 0; i < cluster->n_rows; i++) {
        rows[i] = i;
    }
    for (int j = 0; j < n; j++) {
        columns[j] = j;
    }
    return eliminate(cluster->matrix, cluster->n_rows, n, most, rows, columns, ret_least);
}

double dpl__mb_weakest(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    double least;
    return order(m, cluster, cluster->rank, &least) < cluster->rank ? 0.0 : least;
}

static void store_order(struct dpl__mb_cluster *cluster, int rank)
{
    int n = cluster->n;
    const int *columns = cluster->ints, *rows = cluster->ints + n;
    cluster->rank = rank;
    cluster->is_new = true;
    memcpy(cluster->pivots, rows, (size_t)rank * sizeof *rows);
    memcpy(cluster->deps, columns, (size_t)rank * sizeof *columns);
    memcpy(cluster->frees, columns + rank, (size_t)(n - rank) * sizeof *columns);
}

/* LU with row swaps of the dependents' columns of the pivot rows; `b` holds the others' before and
 * -K_d^-1 K_i after. */
static bool factor_in_place(struct dpl__mb_cluster *cluster)
{
    int r = cluster->rank, f = cluster->n - r;
    double *lu = cluster->lu, *b = cluster->b, first = 0.0;
    cluster->least = r > 0 ? (double)INFINITY : 1.0;
    cluster->flips = false;
    for (int k = 0; k < r; k++) {
        int best = k;
        for (int i = k + 1; i < r; i++) {
            best = fabs(lu[i * r + k]) > fabs(lu[best * r + k]) ? i : best;
        }
        cluster->swaps[k] = best;
        for (int j = 0; best != k && j < r; j++) {
            double kept = lu[k * r + j];
            lu[k * r + j] = lu[best * r + j];
            lu[best * r + j] = kept;
        }
        double pivot = lu[k * r + k];
        first = fmax(first, fabs(pivot));
        cluster->least = fmin(cluster->least, fabs(pivot));
        cluster->flips ^= (pivot < 0.0) != (best != k);
        if (!(fabs(pivot) > SINGULAR_LEAST * first)) {
            return false;
        }
        for (int i = k + 1; i < r; i++) {
            double share = lu[i * r + k] /= pivot;
            for (int j = k + 1; share != 0.0 && j < r; j++) {
                lu[i * r + j] -= share * lu[k * r + j];
            }
        }
    }
    for (int j = 0; j < f; j++) {
        double *column = cluster->t;
        for (int i = 0; i < r; i++) {
            column[i] = -b[i * f + j];
        }
        dpl__mb_solve(cluster, column);
        for (int i = 0; i < r; i++) {
            b[i * f + j] = column[i];
        }
    }
    return true;
}

void dpl__mb_solve(const struct dpl__mb_cluster *cluster, double *inout)
{
    int r = cluster->rank;
    const double *lu = cluster->lu;
    for (int k = 0; k < r; k++) {
        int other = cluster->swaps[k];
        double kept = inout[k];
        inout[k] = inout[other];
        inout[other] = kept;
    }
    for (int i = 1; i < r; i++) {
        double sum = inout[i];
        for (int k = 0; k < i; k++) {
            sum -= lu[i * r + k] * inout[k];
        }
        inout[i] = sum;
    }
    for (int i = r - 1; i >= 0; i--) {
        double sum = inout[i];
        for (int k = i + 1; k < r; k++) {
            sum -= lu[i * r + k] * inout[k];
        }
        inout[i] = sum / lu[i * r + i];
    }
}

bool dpl__mb_factor(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    int r = cluster->rank, f = cluster->n - r;
    double *k = cluster->y; /* a row's derivatives by all coordinates */
    for (int i = 0; i < r; i++) {
        int row = cluster->pivots[i];
        dpl__mb_row_jacobian(m, cluster, &m->chords[cluster->chords[row]], &cluster->rows[8 * row],
                             k);
        for (int j = 0; j < r; j++) {
            cluster->lu[i * r + j] = k[cluster->deps[j]];
        }
        for (int j = 0; j < f; j++) {
            cluster->b[i * f + j] = k[cluster->frees[j]];
        }
    }
    return factor_in_place(cluster);
}

static double norm_of(const struct dpl__mb_cluster *cluster)
{
    int f = cluster->n - cluster->rank;
    double largest = 0.0;
    for (int i = 0; i < cluster->rank; i++) {
        double sum = 0.0;
        for (int j = 0; j < f; j++) {
            sum += fabs(cluster->b[i * f + j]);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

bool dpl__mb_partition(struct dpl__mb *m, struct dpl__mb_cluster *cluster, int rank)
{
    double least;
    int found = order(m, cluster, rank >= 0 ? rank : cluster->n, &least);
    if (rank >= 0 && found < rank) {
        return false;
    }
    store_order(cluster, found);
    if (!dpl__mb_factor(m, cluster)) {
        return false;
    }
    cluster->norm = fmax(1.0, norm_of(cluster));
    cluster->chosen_least = cluster->least;
    return true;
}

static void stop(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    cluster->stopped = true;
    cluster->stands = cluster->stands || !m->in_step; /* its loops are closed here */
    dpl__mb_event(m, DPL_MB_EVENT_SINGULAR, cluster, cluster->norm);
}

/* Goes on with the rows that are left, slower each time. */
static void damp(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    for (int i = cluster->first; i < cluster->first + cluster->n; i++) {
        m->v[i] *= SLOWED;
    }
}

/* A step has led through a singular pose, or to one. */
static void pass(struct dpl__mb *m, struct dpl__mb_cluster *cluster, enum dpl__mb_passage passage)
{
    if (passage == DPL__MB_CLEAR) {
        return;
    }
    if (!m->settings.damps_singular) {
        cluster->passage = passage > cluster->passage ? passage : cluster->passage;
        m->is_asked = true;
    } else if (passage == DPL__MB_THROUGH) {
        dpl__mb_keep_rates(m, cluster); /* those of the step say little */
        damp(m, cluster);
        dpl__mb_event(m, DPL_MB_EVENT_SINGULAR, cluster, cluster->norm);
    }
}

/* Other rows and coordinates, if the present ones are not good any more. `works`: the present ones
 * are factored. */
static void choose_again(struct dpl__mb *m, struct dpl__mb_cluster *cluster, bool works)
{
    double most = m->settings.repartition > 0.0 ? m->settings.repartition : 2.0;
    double norm = works ? norm_of(cluster) : (double)INFINITY;
    bool was_damped = cluster->rank < cluster->whole;
    bool is_weak = cluster->least * PIVOT_CHANGE < cluster->chosen_least ||
                   cluster->least > PIVOT_CHANGE * cluster->chosen_least;
    if (works && (m->in_step || (norm <= most * cluster->norm && !is_weak))) {
        return; /* inside of a step other dependents would cost its order */
    }
    if (m->tries) {
        m->failed = true; /* not accepted yet: tried again with a shorter step */
        return;
    }
    if (!dpl__mb_partition(m, cluster, m->settings.damps_singular ? -1 : cluster->rank)) {
        stop(m, cluster);
    } else if (cluster->rank >= cluster->whole) {
        dpl__mb_event(m, DPL_MB_EVENT_REPARTITION, cluster, norm);
    } else {
        if (!was_damped) {
            dpl__mb_event(m, DPL_MB_EVENT_SINGULAR, cluster, norm);
        }
        damp(m, cluster);
    }
}

void dpl__mb_prepare(struct dpl__mb *m, struct dpl__mb_cluster *cluster)
{
    if (cluster->stopped) {
        return;
    }
    bool is_damped = cluster->rank < cluster->whole && !m->in_step;
    bool works = !is_damped && dpl__mb_factor(m, cluster);
    if (!m->in_step && !is_damped) {
        pass(m, cluster, dpl__mb_detect_passage(m, cluster, works));
    }
    choose_again(m, cluster, works);
    if (!m->in_step && !cluster->stopped) {
        dpl__mb_keep_past(m, cluster);
    }
}
