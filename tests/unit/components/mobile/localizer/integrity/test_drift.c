/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how far scans may pull the pose from odometry. */
#include "continuity.h"

#include <criterion/criterion.h>
#include <doppel/math/random.h>

static struct drift drift;
static struct dpl_pose2 at;
static struct dpl_random rng;
static const double sigma[2] = {0.01, 0.005};
static const struct drift_step step = {0.03, {7.5e-7, 3e-5}, {1e-4, 1e-4}};

static void begin(void)
{
    drift_forget(&drift);
    at = (struct dpl_pose2){1, 2, 0.5};
    rng = dpl_random_seeded(1, 1);
}

/* Odometry errs by its noise, and the estimate by `pulled` a scan besides. */
static unsigned go(int scans, struct dpl_pose2 pulled)
{
    const struct dpl_pose2 moved = {0.03, 0, 0.02};
    unsigned flagged = 0;
    for (int i = 0; i < scans; i++) {
        struct dpl_pose2 off = {8e-4 * dpl_random_normal(&rng), 8e-4 * dpl_random_normal(&rng),
                                5e-3 * dpl_random_normal(&rng)};
        at = dpl_pose2_compose(dpl_pose2_compose(dpl_pose2_compose(at, moved), off), pulled);
        flagged += drift_scan(&drift, at, moved, &step, sigma);
    }
    return flagged;
}

Test(drift, noise_of_odometry_is_none, .init = begin)
{
    cr_expect_eq(go(2000, (struct dpl_pose2){0}), 0);
}

Test(drift, slow_push_and_slow_slide_are, .init = begin)
{
    cr_expect_gt(go(40, (struct dpl_pose2){0, 0.006, 0}), 20);
    drift_forget(&drift);
    cr_expect_gt(go(40, (struct dpl_pose2){0, 0, 0.008}), 5);
}

Test(drift, forgets_with_the_way, .init = begin)
{
    go(40, (struct dpl_pose2){0, 0.01, 0});
    go(100, (struct dpl_pose2){0});
    cr_expect_eq(go(10, (struct dpl_pose2){0}), 0);
}
