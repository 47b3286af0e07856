/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms move alike however they are told. tests/experiments/multibody does it for longer. */
#include <criterion/criterion.h>

#include "variant.h"

static void check(enum variant variant, double metres, double most)
{
    for (int world = 2; world <= 6; world++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            double apart = variant_difference(world, variant, seed, metres, 0.3, 5e-4);
            cr_expect_leq(apart, most, "world %d, seed %d: %g", world, (int)seed, apart);
        }
    }
}

Test(variant, the_order_of_the_file_does_not_matter)
{
    check(VARIANT_PERMUTED, 0.0, 1e-10);
}

Test(variant, the_direction_of_joints_does_not_matter)
{
    check(VARIANT_REVERSED, 0.0, 1e-10);
}

Test(variant, the_direction_of_the_world_does_not_matter)
{
    check(VARIANT_ROTATED, 0.0, 1e-10);
}

Test(variant, the_place_in_the_world_does_not_matter)
{
    check(VARIANT_MOVED, 10.0, 1e-10);
    check(VARIANT_MOVED, 1000.0, 1e-9);
}

Test(variant, assemblies_do_not_matter)
{
    check(VARIANT_ASSEMBLIES, 0.0, 0.0);
}

Test(variant, bodies_of_rigid_parts_are_bodies)
{
    check(VARIANT_SPLIT, 0.0, 1e-10);
}
