/* SPDX-License-Identifier: Apache-2.0 */
/* Localization. */
#include "localization.h"

#define MOST_NOISE_M   0.02
#define MOST_NOISE_RAD (DPL_PI / 180.0)

enum { XX, XY, YY, XT, YT, TT, N_COVARIANCES };

bool dpl_sync_localization_is_credible(const struct dpl_sync_localization *localization)
{
    const double *p = localization->covariance;
    bool finite = dpl_pose2_is_finite(localization->correction);
    for (int i = 0; i < N_COVARIANCES; i++) {
        finite = finite && isfinite(p[i]);
    }
    return finite && localization->doubt_m >= 0.0 && isfinite(localization->doubt_m) &&
           p[XX] >= 0.0 && p[YY] >= 0.0 && p[TT] >= 0.0 &&
           (unsigned)localization->state <= DPL_SYNC_LOCALIZER_MAP_WRONG;
}

bool dpl_sync_localization_is_decided(const struct dpl_sync_localization *localization)
{
    switch (localization->state) {
    case DPL_SYNC_LOCALIZER_TRACKING:
    case DPL_SYNC_LOCALIZER_DEGRADED:
    case DPL_SYNC_LOCALIZER_COASTING: return true;
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
