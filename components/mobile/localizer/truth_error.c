/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of errors: see truth_error.h. */
#include "truth_error.h"

#include <math.h>

#define CHI2_95 7.815 /* 95 % of a chi-squared variable with 3 degrees of freedom are below */

/* e' P^-1 e by Cholesky's factors; NAN: P is not positive definite. */
static double normalized(const double p[6], const double e[3])
{
    double l00 = sqrt(p[0]), l10 = p[1] / l00, l11 = sqrt(p[2] - l10 * l10);
    double l20 = p[3] / l00, l21 = (p[4] - l20 * l10) / l11;
    double l22 = sqrt(p[5] - l20 * l20 - l21 * l21);
    double y0 = e[0] / l00, y1 = (e[1] - l10 * y0) / l11;
    double y2 = (e[2] - l20 * y0 - l21 * y1) / l22;
    return y0 * y0 + y1 * y1 + y2 * y2;
}

void truth_error_add(struct truth_error *error, struct dpl_pose2 truth, struct dpl_pose2 pose,
                     const double covariance[6])
{
    const double e[3] = {pose.x - truth.x, pose.y - truth.y,
                         dpl_wrap_angle(pose.theta - truth.theta)};
    double nees = normalized(covariance, e);
    if (!isfinite(nees)) {
        return;
    }
    error->n++;
    error->now_m = hypot(e[0], e[1]);
    error->now_rad = e[2];
    error->max_m = fmax(error->max_m, error->now_m);
    error->sum2_m2 += error->now_m * error->now_m;
    error->sum2_rad2 += e[2] * e[2];
    error->sum_nees += nees;
    error->n_inside += nees <= CHI2_95;
}

static double mean(const struct truth_error *error, double sum)
{
    return error->n > 0 ? sum / (double)error->n : (double)NAN;
}

double truth_error_rms_m(const struct truth_error *error)
{
    return sqrt(mean(error, error->sum2_m2));
}

double truth_error_rms_rad(const struct truth_error *error)
{
    return sqrt(mean(error, error->sum2_rad2));
}

double truth_error_nees(const struct truth_error *error)
{
    return mean(error, error->sum_nees) / 3.0;
}

double truth_error_inside(const struct truth_error *error)
{
    return mean(error, (double)error->n_inside);
}
