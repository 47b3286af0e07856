/* SPDX-License-Identifier: Apache-2.0 */
/* Draws around the believed pose. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "outlook.h"

static const double wide[6] = {0.04, 0.01, 0.09, 0.0, 0.002, 0.01}, none[2] = {0.0, 0.0};

Test(spread, the_first_draw_is_the_mean)
{
    struct spread spread;
    spread_init(&spread, 8, 3);
    struct spread_start start = spread_draw(&spread, 0, wide, (double[]){0.1, 0.1});
    cr_assert(start.offset.x == 0.0 && start.offset.y == 0.0 && start.offset.theta == 0.0);
    cr_assert(start.scale_left == 1.0 && start.scale_right == 1.0);
}

Test(spread, a_seed_gives_the_same_draws_and_another_one_others)
{
    struct spread a, b, c;
    spread_init(&a, 8, 3);
    spread_init(&b, 8, 3);
    spread_init(&c, 8, 4);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
    cr_assert_neq(memcmp(&a, &c, sizeof a), 0);
}

Test(spread, many_draws_have_the_covariance)
{
    double sum[6] = {0.0};
    int n = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct spread spread;
        spread_init(&spread, SPREAD_MAX, seed);
        for (size_t i = 1; i < spread.n; i++, n++) {
            struct dpl_pose2 at = spread_draw(&spread, i, wide, none).offset;
            const double products[6] = {at.x * at.x,     at.x * at.y,     at.y * at.y,
                                        at.x * at.theta, at.y * at.theta, at.theta * at.theta};
            for (int k = 0; k < 6; k++) {
                sum[k] += products[k];
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        cr_assert_float_eq(sum[k] / n, wide[k], 0.002, "%d: %g, expected %g", k, sum[k] / n,
                           wide[k]);
    }
}

Test(spread, wheels_keep_turning_however_wide_their_sigma_is)
{
    struct spread spread;
    spread_init(&spread, SPREAD_MAX, 1);
    for (size_t i = 0; i < spread.n; i++) {
        struct spread_start start = spread_draw(&spread, i, wide, (double[]){5.0, 5.0});
        cr_assert(start.scale_left >= 0.5 && start.scale_left <= 1.5);
        cr_assert(start.scale_right >= 0.5 && start.scale_right <= 1.5);
    }
}

Test(spread, a_covariance_that_is_none_gives_finite_poses)
{
    struct spread spread;
    spread_init(&spread, 8, 1);
    const double wrong[6] = {0.0, 1.0, -1.0, 2.0, 3.0, 0.0};
    struct spread_start start = spread_draw(&spread, 3, wrong, none);
    cr_assert(isfinite(start.offset.x + start.offset.y + start.offset.theta));
}
