/* SPDX-License-Identifier: Apache-2.0 */
/* How far the estimate of one row of the motion map may be off. The covariance that decides the
 * gains of the least squares is one of an assumed noise, larger than any, of windows that know
 * nothing of each other, and of a memory that fades; it says how much the motion has shown, not how
 * well the row is known. This is the covariance of the error itself, for the gains that were used
 * and the noise that is found in what the row left unexplained. */
#ifndef DPL_SYNC_ROW_ERROR_H
#define DPL_SYNC_ROW_ERROR_H

#include <stdbool.h>

/* Symmetric 2 x 2: {a11, a12, a22}. */
struct dpl_sync_covariance {
    double a11, a12, a22;
};

/* What is left of a window's unexplained part once it is known that its two poses are those of its
 * neighbours, too: sums over some windows tell the one noise from the other. */
struct dpl_sync_row_noise {
    double learned_s;         /* time of windows, since the start */
    double sum;               /* of what was left, fading */
    double sum_own, sum_pose; /* its variance for unit noise of each window, of each pose */
    double n, way, square, sum_square, own, pose; /* fading sums over windows */
};

/* Fading sums over the windows of both rows, for a regression of what was left on what another
 * latency and another lag would leave: of candidates of the lag bank none is quite the drive. */
struct dpl_sync_slowness {
    double square[3], left[2];
};

struct dpl_sync_row_error {
    struct dpl_sync_covariance start; /* what is left of not knowing anything */
    struct dpl_sync_covariance own;   /* by a unit noise of each window: slip, a model that errs */
    struct dpl_sync_covariance pose;  /* by a unit noise of each pose, which two windows share */
    double slower[2][2];              /* by 1 s more of latency, of lag, than is believed */
    double last_gain[2];
    struct dpl_sync_row_noise noise;
};

/* One window that was learned. */
struct dpl_sync_row_step {
    double duration_s;
    double u[2], gain[2]; /* what the row was to explain it by, and what it was corrected by */
    double left;          /* what it did not explain before, as far as it was believed */
    double slower[2];     /* what it would leave of it with 1 s more of latency, of lag */
    bool joined;          /* it begins with the pose that the one before ended with */
};

/* Nothing is known but `covariance`. */
void dpl_sync_row_error_init(struct dpl_sync_row_error *error,
                             const struct dpl_sync_covariance *covariance);

void dpl_sync_row_error_step(struct dpl_sync_row_error *error,
                             const struct dpl_sync_slowness *slowness,
                             const struct dpl_sync_row_step *step);

/* Ages the sums before a window of `duration_s` is added. */
void dpl_sync_slowness_age(struct dpl_sync_slowness *slowness, double duration_s);

/* Adds what a window says to one row, also one that is not learned, but no contact. `gain` and
 * `joined` are not used. */
void dpl_sync_slowness_add(struct dpl_sync_slowness *slowness,
                           const struct dpl_sync_row_error *error,
                           const struct dpl_sync_row_step *step);

/* The row was changed by something else than a window: it is known no better than `covariance`, but
 * the noise stays known. */
void dpl_sync_row_error_restart(struct dpl_sync_row_error *error,
                                const struct dpl_sync_covariance *covariance);

/* Variances of the errors of the row's two coefficients. False, and nothing written, while too
 * little was learned to know the noise. */
bool dpl_sync_row_error_get(const struct dpl_sync_row_error *error,
                            const struct dpl_sync_slowness *slowness, double ret_variance[2]);

#endif
