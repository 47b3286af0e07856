/* SPDX-License-Identifier: Apache-2.0 */
/* Localization. */
#include "localization.h"

#include <stddef.h>

#define MOST_NOISE_M   0.02
#define MOST_NOISE_RAD (DPL_PI / 180.0)

enum { XX, XY, YY, XT, YT, TT, N_COVARIANCES };

/* Of a determinant as a share of the product of its diagonal: less is rounding. */
#define LEAST_DETERMINANT (-1e-9)

static double share_of(double product, double of)
{
    return of > 0.0 ? product / of : product > 0.0 ? (double)INFINITY : 0.0;
}

/* By its principal minors (Sylvester), with the variances at 1. */
static bool is_semidefinite(const double p[N_COVARIANCES])
{
    double xy = share_of(p[XY] * p[XY], p[XX] * p[YY]);
    double xt = share_of(p[XT] * p[XT], p[XX] * p[TT]);
    double yt = share_of(p[YT] * p[YT], p[YY] * p[TT]);
    double all = p[XX] * p[YY] * p[TT];
    double three = all > 0.0 ? 2.0 * p[XY] * p[XT] * p[YT] / all : 0.0;
    return 1.0 - fmax(xy, fmax(xt, yt)) >= LEAST_DETERMINANT &&
           1.0 - xy - xt - yt + three >= LEAST_DETERMINANT;
}

const char *dpl_sync_localization_flaw(const struct dpl_sync_localization *localization)
{
    const double *p = localization->covariance;
    bool finite = true;
    for (int i = 0; i < N_COVARIANCES; i++) {
        finite = finite && isfinite(p[i]);
    }
    if (!dpl_pose2_is_finite(localization->correction)) {
        return "its pose is not finite";
    }
    if (!finite) {
        return "its covariance is not finite";
    }
    if (p[XX] < 0.0 || p[YY] < 0.0) {
        return "its position has a negative variance";
    }
    if (p[TT] < 0.0) {
        return "its heading has a negative variance";
    }
    if (!is_semidefinite(p)) {
        return "its covariance is not positive";
    }
    if (!(localization->doubt_m >= 0.0) || !isfinite(localization->doubt_m)) {
        return "its doubt is negative or not finite";
    }
    if (dpl_sync_localization_is_decided(localization) &&
        !(localization->level_m > 0.0 && isfinite(localization->level_m))) {
        return "its protection level is not positive or not finite";
    }
    return (unsigned)localization->state <= DPL_SYNC_LOCALIZER_MAP_WRONG ? NULL
                                                                         : "its state is unknown";
}

bool dpl_sync_localization_is_decided(const struct dpl_sync_localization *localization)
{
    switch (localization->state) {
    case DPL_SYNC_LOCALIZER_TRACKING:
    case DPL_SYNC_LOCALIZER_DEGRADED: return true;
    default: return false;
    }
}

struct dpl_sync_sigma dpl_sync_localization_sigma(const struct dpl_sync_localization *localization)
{
    const double *p = localization->covariance;
    double half = hypot((p[XX] - p[YY]) / 2.0, p[XY]);
    return (struct dpl_sync_sigma){sqrt((p[XX] + p[YY]) / 2.0 + half), sqrt(p[TT])};
}

struct dpl_sync_sigma dpl_sync_localization_noise(const struct dpl_sync_localization *localization,
                                                  struct dpl_sync_sigma floor)
{
    const double *p = localization->covariance;
    double map = fmax(localization->map_error_m, 0.0); /* also of NaN */
    double position = sqrt(fmax(0.0, (p[XX] + p[YY]) / 2.0 - map * map));
    return (struct dpl_sync_sigma){
        fmax(floor.position, fmin(position, MOST_NOISE_M)),
        fmax(floor.heading, fmin(sqrt(p[TT]), MOST_NOISE_RAD)),
    };
}
