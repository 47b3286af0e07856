/* SPDX-License-Identifier: Apache-2.0 */
/* The solver against the oracle. tests/experiments/multibody does it with more seeds. */
#include <criterion/criterion.h>

#include "compare.h"

static void check(uint64_t seed, int *inout_used)
{
    struct compare_result result = compare_seed(seed);
    cr_expect_neq(result.verdict, COMPARE_REFUSED, "seed %d: %s", (int)seed, result.text);
    if (result.verdict == COMPARE_USED) {
        *inout_used += 1;
        cr_expect_leq(result.place, 1e-9, "seed %d: %g", (int)seed, result.place);
        cr_expect_leq(result.velocity, 1e-9, "seed %d: %g", (int)seed, result.velocity);
        cr_expect_leq(result.acceleration, 1e-9, "seed %d: %g", (int)seed, result.acceleration);
        cr_expect_leq(result.effort, 1e-9, "seed %d: %g", (int)seed, result.effort);
    }
}

Test(compare, mechanisms_by_chance_accelerate_as_the_oracle_says)
{
    int used = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        check(seed, &used);
    }
    cr_expect_gt(used, 360);
}

/* One end of the gear is a joint between two bodies that rigid joints put into one link. */
Test(compare, gears_on_joints_that_cannot_move_hold_the_other_joint)
{
    static const uint64_t seeds[] = {491, 1183, 1835, 2135, 2162, 2548};
    int used = 0;
    for (int i = 0; i < 6; i++) {
        check(seeds[i], &used);
    }
    cr_expect_eq(used, 6);
}
