/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_information.h"

#include <doppel/math/geometry.h>
#include <doppel/math/linear.h>

#define WEAK    1.0  /* information added to each direction: 1 m, 1 rad */
#define SHOWN_M 0.10 /* 1 sigma of a position that counts as shown */

bool loc_solve(double *rows, int n_rhs)
{
    int n = LOC_DIMS + n_rhs;
    if (dpl_eliminate(rows, LOC_DIMS, n, 0.0) < 0) {
        return false;
    }
    for (int r = LOC_DIMS - 1; r >= 0; r--) {
        for (int k = LOC_DIMS; k < n; k++) {
            double sum = rows[r * n + k];
            for (int c = r + 1; c < LOC_DIMS; c++) {
                sum -= rows[r * n + c] * rows[c * n + k];
            }
            rows[r * n + k] = sum / rows[r * n + r];
        }
    }
    return true;
}

void loc_invert_pose(const double a[LOC_DIMS][LOC_DIMS], double ret[3][3])
{
    double m[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = a[i][j] + (i == j ? WEAK : 0.0);
        }
    }
    double c0 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double c1 = m[1][2] * m[2][0] - m[1][0] * m[2][2];
    double c2 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
    double scale = 1.0 / (m[0][0] * c0 + m[0][1] * c1 + m[0][2] * c2);
    ret[0][0] = c0 * scale;
    ret[0][1] = ret[1][0] = c1 * scale;
    ret[0][2] = ret[2][0] = c2 * scale;
    ret[1][1] = (m[0][0] * m[2][2] - m[0][2] * m[2][0]) * scale;
    ret[1][2] = ret[2][1] = (m[0][2] * m[1][0] - m[0][0] * m[1][2]) * scale;
    ret[2][2] = (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * scale;
}

/* ---- directions in the plan that a scan does not show, as along a corridor ---- */

/* The information about the position alone, the heading unknown: the Schur complement. */
static void position_information(const struct loc_information *information, double s[3])
{
    const double(*a)[LOC_DIMS] = information->a;
    double yaw = a[LOC_YAW][LOC_YAW] > 0.0 ? 1.0 / a[LOC_YAW][LOC_YAW] : 0.0;
    s[0] = a[LOC_X][LOC_X] - a[LOC_X][LOC_YAW] * a[LOC_X][LOC_YAW] * yaw;
    s[1] = a[LOC_X][LOC_Y] - a[LOC_X][LOC_YAW] * a[LOC_Y][LOC_YAW] * yaw;
    s[2] = a[LOC_Y][LOC_Y] - a[LOC_Y][LOC_YAW] * a[LOC_Y][LOC_YAW] * yaw;
}

/* T A T with T = 1 - v v', for the first n rows and columns of a matrix with rows of `width`. */
static void project_matrix(double *a, int n, int width, const double v[2])
{
    double along[LOC_DIMS];
    for (int i = 0; i < n; i++) {
        along[i] = v[0] * a[LOC_X * width + i] + v[1] * a[LOC_Y * width + i];
    }
    double twice = v[0] * along[LOC_X] + v[1] * along[LOC_Y];
    for (int i = 0; i < n; i++) {
        double vi = i < 2 ? v[i] : 0.0;
        for (int j = 0; j < n; j++) {
            double vj = j < 2 ? v[j] : 0.0;
            a[i * width + j] += -vi * along[j] - along[i] * vj + vi * vj * twice;
        }
    }
}

/* T A T and T b. */
static void project_out(struct loc_information *information, const double v[2])
{
    project_matrix(&information->a[0][0], LOC_DIMS, LOC_DIMS, v);
    project_matrix(&information->map[0][0], 3, 3, v);
    double b = v[0] * information->b[LOC_X] + v[1] * information->b[LOC_Y];
    information->b[LOC_X] -= v[0] * b;
    information->b[LOC_Y] -= v[1] * b;
}

bool loc_information_project(struct loc_information *information, double *ret_direction)
{
    double s[3];
    position_information(information, s);
    double mean = 0.5 * (s[0] + s[2]), half = 0.5 * (s[0] - s[2]);
    double smaller = mean - hypot(half, s[1]);
    if (smaller >= 1.0 / (SHOWN_M * SHOWN_M)) {
        return false;
    }
    /* The axis of the larger eigenvalue, and the one across it. */
    double direction = 0.5 * atan2(s[1], half) + 0.5 * DPL_PI;
    direction = direction > 0.5 * DPL_PI ? direction - DPL_PI : direction;
    project_out(information, (double[]){cos(direction), sin(direction)});
    *ret_direction = direction;
    return true;
}
