/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of localized poses where the true pose is known: how large they are, and whether the
 * published covariance explains them. Pure. */
#ifndef LOCALIZER_TRUTH_ERROR_H
#define LOCALIZER_TRUTH_ERROR_H

#include <stdint.h>

#include <doppel/math/geometry.h>

/* Zero-initialised: nothing was measured. The results are NAN until then. */
struct truth_error {
    int64_t n;
    double sum2_m2, sum2_rad2, sum_nees;
    double now_m, now_rad, max_m;
    int64_t n_inside; /* errors inside of the 95 % ellipsoid */
};

/* `covariance`: xx xy yy xt yt tt of the error of `pose`. A pose or covariance that is not finite
 * or not positive definite is not counted. */
void truth_error_add(struct truth_error *error, struct dpl_pose2 truth, struct dpl_pose2 pose,
                     const double covariance[6]);

double truth_error_rms_m(const struct truth_error *error);
double truth_error_rms_rad(const struct truth_error *error);
/* Mean of the normalized squared errors over 3: 1 when the covariance is exact (Bar-Shalom, Li,
 * Kirubarajan, Estimation with Applications to Tracking and Navigation, 2001, section 5.4). */
double truth_error_nees(const struct truth_error *error);
double truth_error_inside(const struct truth_error *error);

#endif
