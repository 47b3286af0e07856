/* SPDX-License-Identifier: Apache-2.0 */
/* Solves six linear equations. Whole columns are combined, including finished rows, so that each
 * inner loop has six iterations and no branch. This is faster than elimination, although
 * elimination does half of the work. */
#include "fk_descent.h"

#define N           DPL_HEXA_DOFS
#define LEAST_PIVOT 1e-12

static double largest_entry(double column[N][N])
{
    double row[N] = {0.0}, largest = 0.0;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            double size = fabs(column[j][i]);
            row[i] = size > row[i] ? size : row[i];
        }
    }
    for (int i = 0; i < N; i++) {
        largest = row[i] > largest ? row[i] : largest;
    }
    return largest;
}

/* `open`: 1 for rows without a pivot, else 0. */
static int pivot_row(const double *column, const double *open)
{
    int row = 0;
    double largest = -1.0;
    for (int i = 0; i < N; i++) {
        double size = fabs(column[i]) * open[i];
        if (size > largest) {
            row = i;
            largest = size;
        }
    }
    return row;
}

bool dpl__fk_solve(double column[N][N], double *right, double *ret_x)
{
    double open[N] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double least = LEAST_PIVOT * largest_entry(column);
    int row_of[N];
    double inverse_of[N];
    for (int k = 0; k < N; k++) {
        int row = pivot_row(column[k], open);
        double pivot = column[k][row];
        if (!(fabs(pivot) * open[row] > least)) {
            return false;
        }
        double factor[N];
        double inverse = 1.0 / pivot;
        for (int i = 0; i < N; i++) {
            factor[i] = column[k][i] * inverse;
        }
        factor[row] = 0.0;
        for (int j = k + 1; j < N; j++) {
            double top = column[j][row];
            for (int i = 0; i < N; i++) {
                column[j][i] -= factor[i] * top;
            }
        }
        double top = right[row];
        for (int i = 0; i < N; i++) {
            right[i] -= factor[i] * top;
        }
        open[row] = 0.0;
        row_of[k] = row;
        inverse_of[k] = inverse;
    }
    for (int k = 0; k < N; k++) {
        ret_x[k] = right[row_of[k]] * inverse_of[k];
    }
    return true;
}
