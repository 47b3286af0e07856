/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_joseph.h"

#include <string.h>

/* PJ' X, for the states that change: the others have none. */
static void weigh_gain(const struct loc_correction *by, const double x[LOC_DIMS][LOC_DIMS],
                       double ret[LOC_STATES][LOC_DIMS])
{
    for (int i = 0; i < LOC_STATES; i++) {
        for (int c = 0; c < LOC_DIMS; c++) {
            ret[i][c] = 0.0;
            for (int r = 0; r < LOC_DIMS && i < by->n_changed; r++) {
                ret[i][c] += by->pj[i][r] * x[r][c];
            }
        }
    }
}

/* F = I - G J. */
static void keep_of(const double g[LOC_STATES][LOC_DIMS], const double j[LOC_DIMS][LOC_STATES],
                    double ret[LOC_STATES][LOC_STATES])
{
    for (int i = 0; i < LOC_STATES; i++) {
        for (int k = 0; k < LOC_STATES; k++) {
            ret[i][k] = i == k ? 1.0 : 0.0;
            for (int r = 0; r < LOC_DIMS; r++) {
                ret[i][k] -= g[i][r] * j[r][k];
            }
        }
    }
}

/* (B X) B' of `n` columns, added to the lower half of p; X is symmetric. */
static void add_congruence(double p[LOC_STATES][LOC_STATES], const double *b, const double *x,
                           int n)
{
    for (int i = 0; i < LOC_STATES; i++) {
        double row[LOC_STATES] = {0.0};
        for (int k = 0; k < n; k++) {
            for (int c = 0; c < n; c++) {
                row[c] += b[i * n + k] * x[k * n + c];
            }
        }
        for (int j = 0; j <= i; j++) {
            for (int c = 0; c < n; c++) {
                p[i][j] += row[c] * b[j * n + c];
            }
        }
    }
}

void loc_joseph(const double prior[LOC_STATES][LOC_STATES], const struct loc_correction *by,
                double ret_p[LOC_STATES][LOC_STATES], struct loc_change *ret_change)
{
    double g[LOC_STATES][LOC_DIMS];
    weigh_gain(by, by->ya, g);
    weigh_gain(by, by->z, ret_change->by_b);
    keep_of((const double(*)[LOC_DIMS])g, by->j, ret_change->keep);
    memset(ret_p, 0, LOC_STATES * sizeof ret_p[0]);
    add_congruence(ret_p, &ret_change->keep[0][0], &prior[0][0], LOC_STATES);
    add_congruence(ret_p, &ret_change->by_b[0][0], &by->a[0][0], LOC_DIMS);
    for (int i = 0; i < LOC_STATES; i++) {
        for (int j = 0; j < i; j++) {
            ret_p[j][i] = ret_p[i][j];
        }
    }
}
