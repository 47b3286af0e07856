/* SPDX-License-Identifier: Apache-2.0 */
/* Linear models of six degrees of freedom: from matrices to steps. */
#include "linear_model.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <doppel/math/linear.h>
#include <doppel/math/number_rows.h>

#define SQUARINGS 30   /* a billion steps */
#define GROWN     1e60 /* a limit that no stable model and no free mass reaches */

static bool finite_all(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

int dpl_linear_mechanics_parse(const char *text, struct dpl_linear_mechanics *ret_mechanics,
                               int *ret_line, int *ret_column)
{
    struct dpl_linear_mechanics mechanics;
    double(*const matrices[])[DPL_SIX] = {mechanics.mass, mechanics.damping, mechanics.stiffness};
    struct dpl_rows rows = dpl_rows_begin(text);
    double surplus[1];
    int n = DPL_SIX;
    for (int row = 0; n == DPL_SIX && row < 3 * DPL_SIX; row++) {
        n = dpl_rows_next(&rows, DPL_SIX, DPL_SIX, matrices[row / DPL_SIX][row % DPL_SIX]);
    }
    if (n != DPL_SIX || dpl_rows_next(&rows, 1, 1, surplus) != 0) {
        dpl_rows_place(text, n == DPL_SIX ? rows.row : rows.at, ret_line, ret_column);
        return -EINVAL;
    }
    *ret_mechanics = mechanics;
    return 0;
}

/* Solves for the right-hand two thirds of [mass | right] by Gauss-Jordan elimination. */
static int solve(double (*rows)[3 * DPL_SIX])
{
    if (dpl_eliminate(rows[0], DPL_SIX, 3 * DPL_SIX, 1e-300) < 0) {
        return -EDOM;
    }
    for (int c = 1; c < DPL_SIX; c++) {
        for (int i = 0; i < c; i++) {
            double factor = rows[i][c] / rows[c][c];
            for (int j = c; j < 3 * DPL_SIX; j++) {
                rows[i][j] -= factor * rows[c][j];
            }
        }
    }
    for (int i = 0; i < DPL_SIX; i++) {
        for (int j = DPL_SIX; j < 3 * DPL_SIX; j++) {
            rows[i][j] /= rows[i][i];
        }
    }
    return 0;
}

/* One elimination is used for all right-hand sides except the last: [mass | -stiffness | -damping],
 * then [mass | 1]. */
int dpl_linear_system_from_mechanics(const struct dpl_linear_mechanics *mechanics,
                                     struct dpl_linear_system *ret_system)
{
    double motion[DPL_SIX][3 * DPL_SIX], inverse[DPL_SIX][3 * DPL_SIX] = {{0.0}};
    if (!finite_all(&mechanics->mass[0][0], sizeof *mechanics / sizeof(double))) {
        return -EINVAL;
    }
    for (int i = 0; i < DPL_SIX; i++) {
        for (int j = 0; j < DPL_SIX; j++) {
            motion[i][j] = inverse[i][j] = mechanics->mass[i][j];
            motion[i][DPL_SIX + j] = -mechanics->stiffness[i][j];
            motion[i][2 * DPL_SIX + j] = -mechanics->damping[i][j];
        }
        inverse[i][DPL_SIX + i] = 1.0;
    }
    if (solve(motion) != 0 || solve(inverse) != 0) {
        return -EDOM;
    }
    *ret_system = (struct dpl_linear_system){.lti = {.n_states = 2 * DPL_SIX, .n_inputs = DPL_SIX}};
    for (int i = 0; i < DPL_SIX; i++) {
        ret_system->lti.a[i][DPL_SIX + i] = 1.0;
        memcpy(ret_system->lti.a[DPL_SIX + i], &motion[i][DPL_SIX], 2 * DPL_SIX * sizeof(double));
        memcpy(ret_system->lti.b[DPL_SIX + i], &inverse[i][DPL_SIX], DPL_SIX * sizeof(double));
        ret_system->c[i][i] = 1.0;
    }
    return 0;
}

int dpl_linear_model_init(struct dpl_linear_model *ret_model,
                          const struct dpl_linear_system *system, double period_s,
                          enum dpl_hold hold)
{
    struct dpl_lti_discrete discrete;
    if (system->lti.n_inputs != DPL_SIX ||
        !finite_all(system->c[0], DPL_SIX * DPL_LTI_STATES_MAX) ||
        !finite_all(system->d[0], DPL_SIX * DPL_SIX)) {
        return -EINVAL;
    }
    int r = dpl_discretize(&system->lti, period_s, hold, &discrete);
    if (r < 0) {
        return r;
    }
    *ret_model = (struct dpl_linear_model){.hold = hold, .discrete = discrete};
    memcpy(ret_model->c, system->c, sizeof ret_model->c);
    memcpy(ret_model->d, system->d, sizeof ret_model->d);
    return 0;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void dpl_linear_model_step(const struct dpl_linear_model *model, struct dpl_linear_state *state,
                           const double wrench[DPL_SIX], double ret_output[DPL_SIX])
{
    const struct dpl_lti_discrete *m = &model->discrete;
    const double *from = model->hold == DPL_HOLD_FIRST ? state->input : wrench;
    double next[DPL_LTI_STATES_MAX];
    for (int i = 0; i < m->n_states; i++) {
        next[i] = dot(m->ad[i], state->x, m->n_states) + dot(m->b0[i], from, DPL_SIX) +
                  dot(m->b1[i], wrench, DPL_SIX);
    }
    memcpy(state->x, next, (size_t)m->n_states * sizeof next[0]);
    memcpy(state->input, wrench, sizeof state->input);
    for (int i = 0; i < DPL_SIX; i++) {
        ret_output[i] = dot(model->c[i], state->x, m->n_states) + dot(model->d[i], wrench, DPL_SIX);
    }
}

/* ---- stability ---- */

static double square(int n, double matrix[DPL_LTI_STATES_MAX][DPL_LTI_STATES_MAX])
{
    double product[DPL_LTI_STATES_MAX][DPL_LTI_STATES_MAX] = {{0.0}}, most = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                product[i][j] += matrix[i][k] * matrix[k][j];
            }
            most = fmax(most, fabs(product[i][j]));
        }
    }
    memcpy(matrix, product, sizeof product);
    return most;
}

double dpl_linear_model_growth(const struct dpl_linear_model *model, double period_s)
{
    double power[DPL_LTI_STATES_MAX][DPL_LTI_STATES_MAX], steps = 1.0;
    memcpy(power, model->discrete.ad, sizeof power);
    for (int i = 0; i < SQUARINGS; i++) {
        double most = square(model->discrete.n_states, power);
        steps *= 2.0;
        if (most > GROWN) {
            return log(most) / (steps * period_s);
        }
    }
    return 0.0;
}
