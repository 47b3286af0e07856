/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of all joints, masses of all bodies, and the nearest accelerations that fulfil the rows. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/linear.h>
#include <doppel/math/orthogonal.h>

#include "oracle_rows.h"

static const double least_pivot = 1e-6;

struct equations {
    int n;           /* unknowns: 6 a body */
    int n_rows;      /* so far */
    int width;       /* n + 1: the last one is the right-hand side */
    double *rows;    /* [most][width] */
    double *factors; /* [bodies][36]: Cholesky's of their mass matrices */
};

static struct equations begin_equations(const struct dpl_mb_graph *graph)
{
    struct equations it = {.n = 6 * (int)(graph->n_bodies - 1)};
    it.width = it.n + 1;
    size_t most = 6 * graph->n_joints + graph->n_gears;
    it.rows = calloc(most * (size_t)it.width + 1, sizeof *it.rows);
    it.factors = calloc(36 * graph->n_bodies, sizeof *it.factors);
    cr_assert(it.rows && it.factors);
    return it;
}

static void end_equations(struct equations *it)
{
    free(it->rows);
    free(it->factors);
}

/* ---- rows ---- */

/* What of `direction` is at right angles to all motions of a joint. */
static void project_out_motions(const struct motion *motion, double direction[6])
{
    for (int k = 0; k < motion->n; k++) {
        const double *s = motion->columns[k];
        double share = dpl_dot(s, direction, 6) / dpl_dot(s, s, 6);
        for (int i = 0; i < 6; i++) {
            direction[i] -= share * s[i];
        }
    }
}

/* What a rate must be besides what the accelerations do: that of the columns, less the bias. */
static double demand(const struct pair *pair, const struct motion *motion,
                     const double direction[6])
{
    double sum = -dpl_dot(direction, pair->bias, 6);
    for (int k = 0; k < motion->n; k++) {
        sum += dpl_dot(direction, motion->rates[k], 6) * motion->velocity[k];
    }
    return sum;
}

static void add_joint_rows(struct equations *it, const struct dpl_mb_graph *graph,
                           const struct oracle_body *bodies, const struct dpl_mb_joint *joint)
{
    struct pair pair;
    struct motion motion;
    oracle_pair(graph, bodies, joint->frames, &pair);
    oracle_motion(joint, &pair, &motion);
    for (int i = 0; i < 6; i++) {
        double direction[6] = {0.0};
        direction[i] = 1.0;
        project_out_motions(&motion, direction);
        if (dpl_dot(direction, direction, 6) < 1e-18) {
            continue;
        }
        double *row = &it->rows[(long)it->n_rows++ * it->width];
        oracle_add_row(&pair, direction, 1.0, row);
        row[it->n] = demand(&pair, &motion, direction);
    }
}

static void add_gear_row(struct equations *it, const struct dpl_mb_graph *graph,
                         const struct oracle_body *bodies, const struct dpl_mb_gear *gear)
{
    double *row = &it->rows[(long)it->n_rows++ * it->width];
    for (int k = 0; k < 2; k++) {
        const struct dpl_mb_joint *joint = &graph->joints[gear->joints[k]];
        struct pair pair;
        struct motion motion;
        oracle_pair(graph, bodies, joint->frames, &pair);
        oracle_motion(joint, &pair, &motion);
        const double *s = motion.columns[0];
        double factor = (k ? gear->ratio : 1.0) / dpl_dot(s, s, 6);
        oracle_add_row(&pair, s, factor, row);
        row[it->n] -= factor * dpl_dot(s, pair.bias, 6);
    }
}

static void add_rows(struct equations *it, const struct dpl_mb_graph *graph,
                     const struct oracle_body *bodies)
{
    for (size_t i = 0; i < graph->n_joints; i++) {
        if (dpl_mb_is_active(graph, DPL_MB_JOINT, (int)i)) {
            add_joint_rows(it, graph, bodies, &graph->joints[i]);
        }
    }
    for (size_t i = 0; i < graph->n_gears; i++) {
        if (dpl_mb_is_active(graph, DPL_MB_GEAR, (int)i)) {
            add_gear_row(it, graph, bodies, &graph->gears[i]);
        }
    }
}

/* ---- masses ---- */

/* About the origin, along the axes of the world: linear, then angular; and the force and torque
 * that keep its accelerations 0 while it turns. */
static void mass_of(const struct dpl_mb_body *body, const struct oracle_body *state,
                    double ret_matrix[36], double ret_bias[6])
{
    const double *e = body->inertia, *r = state->place.rotation;
    const double own[9] = {e[0], e[3], e[5], e[3], e[1], e[4], e[5], e[4], e[2]};
    double c[3], tensor[9], w[3], spin[3], speed[3], inward[3], about[3];
    oracle_turn(r, body->centre, c);
    for (int i = 0; i < 9; i++) { /* R J Rt */
        oracle_turn(own, &r[3 * (i % 3)], w);
        tensor[i] = dpl_dot(&r[3 * (i / 3)], w, 3);
    }
    oracle_turn(tensor, state->angular, spin);
    const double cross[9] = {0.0, -c[2], c[1], c[2], 0.0, -c[0], -c[1], c[0], 0.0};
    double square = dpl_dot(c, c, 3);
    for (int i = 0; i < 9; i++) {
        int row = i / 3, column = i % 3;
        double one = i % 4 == 0 ? 1.0 : 0.0;
        ret_matrix[6 * row + column] = body->mass * one;
        ret_matrix[6 * (3 + row) + column] = body->mass * cross[i];
        ret_matrix[6 * row + 3 + column] = -body->mass * cross[i];
        ret_matrix[6 * (3 + row) + 3 + column] =
            tensor[i] + body->mass * (square * one - c[row] * c[column]);
    }
    oracle_cross(state->angular, spin, about);
    oracle_cross(state->angular, c, speed);
    oracle_cross(state->angular, speed, inward);
    oracle_cross(c, inward, speed);
    for (int i = 0; i < 3; i++) {
        ret_bias[i] = body->mass * inward[i];
        ret_bias[3 + i] = about[i] + body->mass * speed[i];
    }
}

/* Fills the factors; turns `inout` from forces into accelerations of free bodies (NULL: not
 * wanted). Bodies that are not active do not accelerate; no row has them. */
static void add_masses(struct equations *it, const struct dpl_mb_graph *graph,
                       const struct oracle_body *bodies, double *inout)
{
    for (size_t b = 1; b < graph->n_bodies; b++) {
        double bias[6], *factor = &it->factors[36 * (b - 1)],
                        *at = inout ? &inout[6 * (b - 1)] : NULL;
        bool is_active = dpl_mb_is_active(graph, DPL_MB_BODY, (int)b);
        mass_of(&graph->bodies[b], &bodies[b], factor, bias);
        for (int i = 0; i < 36 && !is_active; i++) {
            factor[i] = i % 7 == 0 ? 1.0 : 0.0;
        }
        dpl_cholesky(factor, 6, 1e-300);
        for (int i = 0; i < 6 && at; i++) {
            at[i] = is_active ? at[i] - bias[i] : 0.0;
        }
        if (at) {
            double solution[6];
            dpl_cholesky_solve(factor, 6, at, solution);
            memcpy(at, solution, sizeof solution);
        }
    }
}

/* v of L v = v, and of Lt v = v, body by body. */
static void divide_by_factors(const struct equations *it, double *inout)
{
    for (int b = 0; b < it->n / 6; b++) {
        const double *factor = &it->factors[36 * b];
        double *v = &inout[6 * b];
        for (int i = 0; i < 6; i++) {
            v[i] = (v[i] - dpl_dot(&factor[6 * i], v, i)) / factor[7 * i];
        }
    }
}

static void divide_by_transposed(const struct equations *it, double *inout)
{
    for (int b = 0; b < it->n / 6; b++) {
        const double *factor = &it->factors[36 * b];
        double *v = &inout[6 * b];
        for (int i = 6; i-- > 0;) {
            for (int k = i + 1; k < 6; k++) {
                v[i] -= factor[6 * k + i] * v[k];
            }
            v[i] /= factor[7 * i];
        }
    }
}

/* ---- the solution ---- */

static void scale(double *row, int n, double by)
{
    for (int i = 0; i < n; i++) {
        row[i] *= by;
    }
}

/* The rows become those of L^-1 * unknowns, of length 1; the right-hand sides what `inout` does not
 * fulfil yet. */
static void prepare(struct equations *it, const double *start)
{
    for (int i = 0; i < it->n_rows; i++) {
        double *row = &it->rows[(long)i * it->width];
        row[it->n] -= dpl_dot(row, start, it->n);
        divide_by_factors(it, row);
        double length = sqrt(dpl_dot(row, row, it->n));
        scale(row, it->width, length > 1e-12 ? 1.0 / length : 0.0);
    }
}

/* The longest row from `from` on comes there. Returns its length. */
static double pivot(struct equations *it, int from)
{
    int best = from;
    double most = -1.0;
    for (int i = from; i < it->n_rows; i++) {
        const double *row = &it->rows[(long)i * it->width];
        double square = dpl_dot(row, row, it->n);
        if (square > most) {
            most = square;
            best = i;
        }
    }
    dpl_swap_rows(&it->rows[(long)from * it->width], &it->rows[(long)best * it->width], it->width);
    return sqrt(most);
}

/* Adds to `inout` the shortest (by the masses) change after which all rows hold. Gram-Schmidt with
 * pivoting: each row that is taken is taken out of all that are left. */
static void solve(struct equations *it, double *inout, struct oracle_rank *ret_rank)
{
    int n = it->n;
    struct dpl_basis basis = {calloc((size_t)n * (size_t)n + 1, sizeof(double)), n, 0};
    double *shares = calloc((size_t)n + 1, sizeof *shares), *y = calloc((size_t)n + 1, sizeof *y);
    double *values = calloc((size_t)n + 1, sizeof *values); /* y along the vectors of the basis */
    cr_assert(basis.vectors && shares && y && values);
    *ret_rank = (struct oracle_rank){.rows = it->n_rows, .pivot = 1.0};
    prepare(it, inout);
    while (basis.n < n && basis.n < it->n_rows) {
        double *row = &it->rows[(long)basis.n * it->width], length = pivot(it, basis.n);
        if (length < least_pivot) {
            ret_rank->rest = length;
            break;
        }
        ret_rank->pivot = fmin(ret_rank->pivot, length);
        memset(shares, 0, (size_t)n * sizeof *shares);
        length = dpl_basis_reduce(&basis, row, shares);
        row[n] = (row[n] - dpl_dot(shares, values, basis.n)) / length;
        scale(row, n, 1.0 / length);
        memcpy(&basis.vectors[(long)basis.n * n], row, (size_t)n * sizeof *row);
        values[basis.n++] = row[n];
        for (int i = basis.n; i < it->n_rows; i++) {
            double *other = &it->rows[(long)i * it->width], share = dpl_dot(other, row, n);
            for (int k = 0; k < it->width; k++) {
                other[k] -= share * row[k];
            }
        }
    }
    for (int i = basis.n; i < it->n_rows; i++) {
        ret_rank->odds = fmax(ret_rank->odds, fabs(it->rows[(long)i * it->width + n]));
    }
    for (int k = 0; k < basis.n; k++) {
        for (int i = 0; i < n; i++) {
            y[i] += values[k] * basis.vectors[(long)k * n + i];
        }
    }
    divide_by_transposed(it, y);
    for (int i = 0; i < n; i++) {
        inout[i] += y[i];
    }
    ret_rank->rank = basis.n;
    free(basis.vectors);
    free(shares);
    free(values);
    free(y);
}

/* ---- what others call ---- */

void oracle_project(const struct dpl_mb_graph *graph, struct oracle_body *inout_bodies,
                    struct oracle_rank *ret_rank)
{
    struct equations it = begin_equations(graph);
    double *v = calloc((size_t)it.n + 1, sizeof *v);
    cr_assert_not_null(v);
    for (int i = 0; i < it.n; i++) {
        const struct oracle_body *body = &inout_bodies[1 + i / 6];
        v[i] = i % 6 < 3 ? body->velocity[i % 6] : body->angular[i % 6 - 3];
    }
    add_rows(&it, graph, inout_bodies);
    for (int i = 0; i < it.n_rows; i++) {
        it.rows[(long)i * it.width + it.n] = 0.0;
    }
    add_masses(&it, graph, inout_bodies, NULL);
    solve(&it, v, ret_rank);
    for (int i = 0; i < it.n; i++) {
        struct oracle_body *body = &inout_bodies[1 + i / 6];
        *(i % 6 < 3 ? &body->velocity[i % 6] : &body->angular[i % 6 - 3]) = v[i];
    }
    free(v);
    end_equations(&it);
}

void oracle_accelerate(const struct dpl_mb_graph *graph, struct oracle_body *inout_bodies,
                       struct oracle_rank *ret_rank)
{
    struct equations it = begin_equations(graph);
    double *a = calloc((size_t)it.n + 1, sizeof *a);
    cr_assert_not_null(a);
    oracle_forces(graph, inout_bodies, a);
    add_rows(&it, graph, inout_bodies);
    add_masses(&it, graph, inout_bodies, a);
    solve(&it, a, ret_rank);
    for (int i = 0; i < it.n; i++) {
        struct oracle_body *body = &inout_bodies[1 + i / 6];
        *(i % 6 < 3 ? &body->acceleration[i % 6] : &body->angular_acceleration[i % 6 - 3]) = a[i];
    }
    free(a);
    end_equations(&it);
}

void oracle_joint(const struct dpl_mb_graph *graph, const struct oracle_body *bodies, int joint,
                  struct oracle_joint *ret_joint)
{
    const struct dpl_mb_joint *it = &graph->joints[joint];
    struct pair pair;
    struct motion motion;
    *ret_joint = (struct oracle_joint){0};
    oracle_pair(graph, bodies, it->frames, &pair);
    oracle_motion(it, &pair, &motion);
    oracle_displacement(it, &pair.place, ret_joint->displacement);
    memcpy(ret_joint->velocity, motion.velocity, sizeof motion.velocity);
    double left[6];
    memcpy(left, pair.twist, sizeof left);
    project_out_motions(&motion, left);
    for (int i = 0; i < 6; i++) {
        ret_joint->error = fmax(ret_joint->error, fabs(left[i]));
    }
    struct dpl_mb_joint at = *it;
    memcpy(at.displacement, ret_joint->displacement, sizeof at.displacement);
    at.place = it->type == DPL_MB_FLOAT ? pair.place : at.place;
    struct dpl_mb_place exact = oracle_displaced(&at);
    for (int i = 0; i < 12; i++) {
        double off = i < 9 ? pair.place.rotation[i] - exact.rotation[i]
                           : pair.place.position[i - 9] - exact.position[i - 9];
        ret_joint->error = fmax(ret_joint->error, fabs(off));
    }
    double *row = calloc(6 * graph->n_bodies, sizeof *row);
    cr_assert_not_null(row);
    for (int k = 0; k < motion.n; k++) {
        const double *s = motion.columns[k];
        memset(row, 0, 6 * graph->n_bodies * sizeof *row);
        oracle_add_row(&pair, s, 1.0, row);
        double sum = -demand(&pair, &motion, s);
        for (size_t i = 0; i < 6 * (graph->n_bodies - 1); i++) {
            const struct oracle_body *body = &bodies[1 + i / 6];
            sum += row[i] *
                   (i % 6 < 3 ? body->acceleration[i % 6] : body->angular_acceleration[i % 6 - 3]);
        }
        ret_joint->acceleration[k] = sum / dpl_dot(s, s, 6);
    }
    free(row);
}
