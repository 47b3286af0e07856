/* SPDX-License-Identifier: Apache-2.0 */
#include "spread.h"

#include <doppel/math/linear.h>
#include <doppel/math/random.h>

#define LEAST_VARIANCE 1e-18

void spread_init(struct spread *spread, size_t n, uint64_t seed)
{
    struct dpl_random rng = dpl_random_named(seed, "look_ahead");
    *spread = (struct spread){.n = n};
    for (size_t i = 1; i < n; i++) {
        for (size_t k = 0; k < 5; k++) {
            spread->draws[i][k] = dpl_random_normal(&rng);
        }
    }
}

/* A wheel does not stand or turn back because of a wide sigma. */
static double scale(double sigma, double draw)
{
    return dpl_clamp(1.0 + sigma * draw, 0.5, 1.5);
}

struct spread_start spread_draw(const struct spread *spread, size_t i, const double c[6],
                                const double wheel_sigma[2])
{
    double factor[9] = {c[0], c[1], c[3], c[1], c[2], c[4], c[3], c[4], c[5]};
    const double *z = spread->draws[i];
    dpl_cholesky(factor, 3, LEAST_VARIANCE);
    return (struct spread_start){
        .offset = {factor[0] * z[0], factor[3] * z[0] + factor[4] * z[1],
                   factor[6] * z[0] + factor[7] * z[1] + factor[8] * z[2]},
        .scale_left = scale(wheel_sigma[0], z[3]),
        .scale_right = scale(wheel_sigma[1], z[4]),
    };
}
