/* SPDX-License-Identifier: Apache-2.0 */
/* Closes loops from afar: Levenberg's and Marquardt's damped least squares on all rows of a
 * cluster, also redundant ones: an overconstrained loop has its full rank where it is open, and
 * loses it where it is closed. */
#include <doppel/math/orthogonal.h>

#include "system.h"

enum { ROUNDS = 60 };
static const double DONE = 1e-13, STEP_MOST = 0.5, DAMPING_LEAST = 1e-7, DAMPED_MOST = 1e12;

struct problem {
    struct dpl__mb *m;
    struct dpl__mb_cluster *cluster;
    int n, n_rows;           /* unknowns, rows with those of held chords */
    int *unknown;            /* [n]: by number in the cluster */
    double *b, *step, *kept; /* [n_rows], [n], [cluster->n] */
    double *a, *right;       /* [n_used][n], [n_used]: rows that depend on an unknown, and b */
    int n_used;
    double *rest;
};

static int held_chords(const struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    int n = 0;
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        n += m->chords[c].is_held ? dpl_mb_joint_freedoms(m->chords[c].type) : 0;
    }
    return n;
}

size_t dpl__mb_assemble_numbers(const struct dpl__mb *m)
{
    size_t most = 1;
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        if (cluster->n_chords == 0) {
            continue;
        }
        size_t n = (size_t)cluster->n + 1;
        size_t rows = (size_t)(cluster->n_rows + held_chords(m, cluster));
        size_t numbers = n * rows + 2 * rows + 3 * n + n * (2 * n + rows) + rows + 5 * n;
        most = numbers > most ? numbers : most;
    }
    return most;
}

/* The derivatives of a row with residual b[row]. Rows that depend on nothing are left out: of a
 * loop in a plane three of five. */
static void use_row(struct problem *problem, const struct dpl__mb_chord *chord,
                    const double *motion, int row)
{
    double *k = problem->kept + problem->cluster->n, *a = &problem->a[problem->n_used * problem->n];
    bool depends = false;
    dpl__mb_row_jacobian(problem->m, problem->cluster, chord, motion, k);
    for (int j = 0; j < problem->n; j++) {
        a[j] = k[problem->unknown[j]];
        depends |= a[j] != 0.0;
    }
    if (depends) {
        problem->right[problem->n_used++] = problem->b[row];
    }
}

/* The coordinates of held chords as further rows. */
static int held_rows(struct problem *problem, int row, bool derivatives)
{
    struct dpl__mb *m = problem->m;
    struct dpl__mb_cluster *cluster = problem->cluster;
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        const struct dpl__mb_chord *chord = &m->chords[c];
        for (int i = 0; chord->is_held && i < dpl_mb_joint_freedoms(chord->type); i++, row++) {
            const double *given = m->joints[chord->joint].displacement;
            double q[3], motion[8];
            dpl__mb_displacements(chord->type, &chord->now[0], &chord->now[1], given, q);
            problem->b[row] = given[i] - q[i];
            dpl__mb_coordinate(chord->type, i, &chord->now[0], &chord->now[1], motion);
            if (derivatives) {
                use_row(problem, chord, motion, row);
            }
        }
    }
    return row;
}

/* The rows at the coordinates of now; returns the sum of squares. */
static double evaluate(struct problem *problem, double *ret_largest, bool derivatives)
{
    struct dpl__mb *m = problem->m;
    struct dpl__mb_cluster *cluster = problem->cluster;
    double sum = 0.0;
    problem->n_used = derivatives ? 0 : problem->n_used;
    dpl__mb_positions(m, cluster);
    dpl__mb_all_rows(m, cluster);
    for (int row = 0; row < cluster->n_rows; row++) {
        problem->b[row] = -cluster->residual[row];
        if (derivatives) {
            use_row(problem, &m->chords[cluster->chords[row]], &cluster->rows[8 * row], row);
        }
    }
    held_rows(problem, cluster->n_rows, derivatives);
    *ret_largest = 0.0;
    for (int row = 0; row < problem->n_rows; row++) {
        sum += problem->b[row] * problem->b[row];
        *ret_largest = fmax(*ret_largest, fabs(problem->b[row]));
    }
    return sum;
}

static void apply_step(struct problem *problem)
{
    struct dpl__mb_cluster *cluster = problem->cluster;
    double most = 0.0;
    for (int j = 0; j < problem->n; j++) {
        int link = cluster->first + problem->unknown[j];
        double scale = problem->m->kernel[link] == DPL__MB_SLIDE ? cluster->size : 1.0;
        most = fmax(most, fabs(problem->step[j]) / scale);
    }
    double share = most > STEP_MOST ? STEP_MOST / most : 1.0;
    for (int j = 0; j < problem->n; j++) {
        problem->m->x[cluster->first + problem->unknown[j]] += share * problem->step[j];
    }
}

static bool solve(struct problem *problem, double *ret_largest)
{
    struct dpl__mb_cluster *cluster = problem->cluster;
    double *x = &problem->m->x[cluster->first], growth = 1.0;
    size_t bytes = (size_t)cluster->n * sizeof *x;
    double done = DONE * cluster->size, sum = evaluate(problem, ret_largest, true);
    for (int round = 0; round<ROUNDS && * ret_largest> done && problem->n > 0; round++) {
        double damping = fmax(DAMPING_LEAST, sqrt(growth * fmin(1e-2, sum)));
        dpl_damped_least_squares(problem->a, problem->right, problem->n_used, problem->n, damping,
                                 problem->rest, problem->step);
        memcpy(problem->kept, x, bytes);
        apply_step(problem);
        double largest, now = evaluate(problem, &largest, false);
        if (now < sum || largest <= done) {
            growth = fmax(1e-6, 0.3 * growth);
        } else {
            memcpy(x, problem->kept, bytes);
            if (*ret_largest < 1e2 * done || growth >= DAMPED_MOST) {
                break; /* as closed as rounding lets it be; or no step is better, however short */
            }
            growth = 10.0 * growth;
        }
        sum = evaluate(problem, ret_largest, true);
    }
    return *ret_largest <= 1e2 * done;
}

/* Whether axes point the way that they shall, not the other way: rows cannot tell. */
static bool is_turned_over(const struct dpl__mb_chord *chord)
{
    if (chord->gear >= 0 || chord->type == DPL_MB_SPHERICAL || chord->type == DPL_MB_UNIVERSAL) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        bool turns = chord->type <= DPL_MB_RZ ? axis != (int)chord->type
                     : chord->type == DPL_MB_CYLINDRICAL || chord->type == DPL_MB_PLANAR ||
                             chord->type == DPL_MB_SCREW
                         ? axis != 2
                         : false;
        if (!turns && dpl__dot3(chord->now[0].axes[axis], chord->now[1].axes[axis]) < 0.0) {
            return true;
        }
    }
    return false;
}

bool dpl__mb_assemble(struct dpl__mb *m, struct dpl__mb_cluster *cluster, double *scratch,
                      int *ret_chord, double *ret_residual)
{
    struct problem problem = {.m = m, .cluster = cluster, .unknown = cluster->ints};
    for (int j = 0; j < cluster->n; j++) {
        if (!m->joints[m->joint_of[cluster->first + j]].is_held) {
            problem.unknown[problem.n++] = j;
        }
    }
    problem.n_rows = cluster->n_rows + held_chords(m, cluster);
    problem.a = scratch;
    problem.b = problem.a + (problem.n_rows * problem.n);
    problem.right = problem.b + problem.n_rows;
    problem.step = problem.right + problem.n_rows;
    problem.kept = problem.step + cluster->n;
    problem.rest = problem.kept + (2 * cluster->n);
    bool closed = solve(&problem, ret_residual);
    int worst = 0;
    for (int row = 0; row < cluster->n_rows; row++) {
        worst = fabs(cluster->residual[row]) > fabs(cluster->residual[worst]) ? row : worst;
    }
    *ret_chord = cluster->chords[worst];
    for (int c = cluster->first_chord; c < cluster->first_chord + cluster->n_chords; c++) {
        if (closed && is_turned_over(&m->chords[c])) {
            *ret_chord = c;
            *ret_residual = 2.0;
            return false;
        }
    }
    return closed;
}
