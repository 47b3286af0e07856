/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of components/mobile/imu/mount.h. */
#include "mount.h"

#include <criterion/criterion.h>

#define NEAR(a, b) cr_assert_float_eq(a, b, 1e-12, "%.15g, expected %.15g", a, b)

Test(imu_mount, turns_a_vector_of_the_unit_into_the_robots_frame)
{
    double robot[3];
    struct imu_mount mount = imu_mount_from_rpy((double[]){0.0, -DPL_PI / 2, 0.0});
    imu_mount_turn(&mount, (double[]){1.0, 2.0, 3.0}, robot); /* its x axis points up */
    NEAR(robot[0], -3.0);
    NEAR(robot[1], 2.0);
    NEAR(robot[2], 1.0);
}

/* The robot's orientation, seen by the unit, comes back from what the unit says. */
Test(imu_mount, takes_the_mount_out_of_the_orientation)
{
    const double angles[] = {-1.2, -0.4, 0.0, 0.3, 1.1};
    for (size_t i = 0; i < 125; i++) {
        const double robot[3] = {angles[i % 5], angles[i / 5 % 5], angles[i / 25]};
        const double mounted[3] = {0.4, -0.7, 2.1};
        struct imu_mount mount = imu_mount_from_rpy(mounted);
        struct dpl_quaternion unit = dpl_quaternion_multiply(
            dpl_quaternion_from_rpy(robot[0], robot[1], robot[2]), mount.orientation);
        double unit_rpy[3], found[3];
        dpl_quaternion_to_rpy(unit, &unit_rpy[0], &unit_rpy[1], &unit_rpy[2]);
        imu_mount_orient(&mount, unit_rpy, found);
        for (int k = 0; k < 3; k++) {
            cr_assert_float_eq(found[k], robot[k], 1e-9, "%zu: angle %d is %g", i, k, found[k]);
        }
    }
}
