/* SPDX-License-Identifier: Apache-2.0 */
/* Solves six linear equations. Whole columns are combined, including finished rows, so that each
 * inner loop has six iterations and no branch. This is faster than elimination, although
 * elimination does half of the work. */
#include "fk_descent.h"

#define LEAST_PIVOT 1e-12

static double largest_entry(double column[DPL_SIX][DPL_SIX])
{
    double row[DPL_SIX] = {0.0}, largest = 0.0;
    for (int j = 0; j < DPL_SIX; j++) {
        for (int i = 0; i < DPL_SIX; i++) {
            double size = fabs(column[j][i]);
            row[i] = size > row[i] ? size : row[i];
        }
    }
    for (int i = 0; i < DPL_SIX; i++) {
        largest = row[i] > largest ? row[i] : largest;
    }
    return largest;
}

/* `open`: 1 for rows without a pivot, else 0. */
static int pivot_row(const double *column, const double *open)
{
    int row = 0;
    double largest = -1.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double size = fabs(column[i]) * open[i];
        if (size > largest) {
            row = i;
            largest = size;
        }
    }
    return row;
}

bool dpl__fk_solve(double column[DPL_SIX][DPL_AXES_N], double *right, double *ret_x)
{
    double open[DPL_SIX] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double least = LEAST_PIVOT * largest_entry(column);
    int row_of[DPL_SIX];
    double inverse_of[DPL_SIX];
    for (int k = 0; k < DPL_SIX; k++) {
        int row = pivot_row(column[k], open);
        double pivot = column[k][row];
        if (!(fabs(pivot) * open[row] > least)) {
            return false;
        }
        double factor[DPL_SIX];
        double inverse = 1.0 / pivot;
        for (int i = 0; i < DPL_SIX; i++) {
            factor[i] = column[k][i] * inverse;
        }
        factor[row] = 0.0;
        for (int j = k + 1; j < DPL_SIX; j++) {
            double top = column[j][row];
            for (int i = 0; i < DPL_SIX; i++) {
                column[j][i] -= factor[i] * top;
            }
        }
        double top = right[row];
        for (int i = 0; i < DPL_SIX; i++) {
            right[i] -= factor[i] * top;
        }
        open[row] = 0.0;
        row_of[k] = row;
        inverse_of[k] = inverse;
    }
    for (int k = 0; k < DPL_SIX; k++) {
        ret_x[k] = right[row_of[k]] * inverse_of[k];
    }
    return true;
}
