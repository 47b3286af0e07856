/* SPDX-License-Identifier: Apache-2.0 */
/* Exact discretization by the exponential of the augmented matrix. */
#include "discretize.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define SIZE_MAX_N    (DPL_LTI_STATES_MAX + 2 * DPL_LTI_INPUTS_MAX)
#define TAYLOR_TERMS  SIZE_MAX_N /* exact for the longest chain of integrators */
#define SCALED_NORM   0.25
#define SQUARINGS_MAX 22

struct matrix {
    int n;
    double v[SIZE_MAX_N][SIZE_MAX_N];
};

static void multiply(const struct matrix *x, const struct matrix *y, struct matrix *ret)
{
    struct matrix product = {.n = x->n};
    for (int i = 0; i < x->n; i++) {
        for (int k = 0; k < x->n; k++) {
            for (int j = 0; x->v[i][k] != 0.0 && j < x->n; j++) {
                product.v[i][j] += x->v[i][k] * y->v[k][j];
            }
        }
    }
    *ret = product;
}

static double norm(const struct matrix *x)
{
    double largest = 0.0;
    for (int i = 0; i < x->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < x->n; j++) {
            sum += fabs(x->v[i][j]);
        }
        largest = sum > largest || isnan(sum) ? sum : largest;
    }
    return largest;
}

static void scale(struct matrix *x, double by)
{
    for (int i = 0; i < x->n; i++) {
        for (int j = 0; j < x->n; j++) {
            x->v[i][j] *= by;
        }
    }
}

/* exp(x) of a matrix whose norm is at most SCALED_NORM, summed by Horner's rule. */
static void taylor(const struct matrix *x, struct matrix *ret_exp)
{
    struct matrix sum = {.n = x->n};
    for (int term = TAYLOR_TERMS; term >= 0; term--) {
        if (term < TAYLOR_TERMS) {
            multiply(x, &sum, &sum);
            scale(&sum, 1.0 / (term + 1));
        }
        for (int i = 0; i < x->n; i++) {
            sum.v[i][i] += 1.0;
        }
    }
    *ret_exp = sum;
}

static int exponential(struct matrix *x)
{
    double size = norm(x);
    int squarings = 0;
    if (!isfinite(size)) {
        return -EINVAL;
    }
    while (size > SCALED_NORM) {
        size *= 0.5;
        squarings++;
    }
    if (squarings > SQUARINGS_MAX) {
        return -ERANGE;
    }
    scale(x, ldexp(1.0, -squarings));
    taylor(x, x);
    for (int i = 0; i < squarings; i++) {
        multiply(x, x, x);
    }
    return isfinite(norm(x)) ? 0 : -ERANGE;
}

/* [a T, b T, 0; 0, 0, 1; 0, 0, 0]: the last block row is the input's slope; a zero-order hold does
 * not have it. */
static void augment(const struct dpl_lti *lti, double period_s, enum dpl_hold hold,
                    struct matrix *ret)
{
    int n = lti->n_states, m = lti->n_inputs;
    *ret = (struct matrix){.n = hold == DPL_HOLD_FIRST ? n + 2 * m : n + m};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            ret->v[i][j] = lti->a[i][j] * period_s;
        }
        for (int j = 0; j < m; j++) {
            ret->v[i][n + j] = lti->b[i][j] * period_s;
        }
    }
    for (int j = 0; hold == DPL_HOLD_FIRST && j < m; j++) {
        ret->v[n + j][n + m + j] = 1.0;
    }
}

static bool valid(const struct dpl_lti *lti, double period_s)
{
    return lti->n_states >= 1 && lti->n_states <= DPL_LTI_STATES_MAX && lti->n_inputs >= 1 &&
           lti->n_inputs <= DPL_LTI_INPUTS_MAX && period_s > 0.0 && isfinite(period_s);
}

int dpl_discretize(const struct dpl_lti *lti, double period_s, enum dpl_hold hold,
                   struct dpl_lti_discrete *ret_discrete)
{
    struct matrix x;
    if (!valid(lti, period_s)) {
        return -EINVAL;
    }
    augment(lti, period_s, hold, &x);
    int r = exponential(&x), n = lti->n_states, m = lti->n_inputs;
    if (r < 0) {
        return r;
    }
    *ret_discrete = (struct dpl_lti_discrete){.n_states = n, .n_inputs = m};
    for (int i = 0; i < n; i++) {
        memcpy(ret_discrete->ad[i], x.v[i], (size_t)n * sizeof x.v[i][0]);
        for (int j = 0; j < m; j++) {
            double slope = hold == DPL_HOLD_FIRST ? x.v[i][n + m + j] : 0.0;
            ret_discrete->b0[i][j] = x.v[i][n + j] - slope;
            ret_discrete->b1[i][j] = slope;
        }
    }
    return 0;
}
