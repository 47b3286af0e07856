/* SPDX-License-Identifier: Apache-2.0 */
/* Distances in the mock laser's room. */
#include <criterion/criterion.h>

#include "room.h"

#define NEAR(value, expected) cr_assert_float_eq(value, expected, 1e-9, "%.12g", value)

Test(room, measures_to_each_wall)
{
    struct dpl_pose2 sensor = {0.5, -0.25, 0.0};
    NEAR(room_distance(4.0, 2.0, sensor, 0.0), 1.5);
    NEAR(room_distance(4.0, 2.0, sensor, DPL_PI), 2.5);
    NEAR(room_distance(4.0, 2.0, sensor, DPL_PI / 2.0), 1.25);
    NEAR(room_distance(4.0, 2.0, sensor, -DPL_PI / 2.0), 0.75);
}

Test(room, turns_with_the_sensor)
{
    struct dpl_pose2 sensor = {0.0, 0.0, DPL_PI / 2.0};
    NEAR(room_distance(4.0, 2.0, sensor, 0.0), 1.0);
    NEAR(room_distance(4.0, 2.0, sensor, -DPL_PI / 2.0), 2.0);
}

Test(room, takes_the_nearer_wall_of_a_corner)
{
    struct dpl_pose2 middle = {0};
    NEAR(room_distance(4.0, 2.0, middle, DPL_PI / 4.0), sqrt(2.0));
    NEAR(room_distance(2.0, 2.0, middle, DPL_PI / 4.0), sqrt(2.0));
}

Test(room, gives_0_on_the_wall_that_is_looked_at_and_outside)
{
    NEAR(room_distance(4.0, 2.0, (struct dpl_pose2){2.0, 0.0, 0.0}, 0.0), 0.0);
    NEAR(room_distance(4.0, 2.0, (struct dpl_pose2){2.0, 0.0, 0.0}, DPL_PI), 4.0);
    NEAR(room_distance(4.0, 2.0, (struct dpl_pose2){2.1, 0.0, 0.0}, DPL_PI), 0.0);
    NEAR(room_distance(4.0, 2.0, (struct dpl_pose2){0.0, -1.1, 0.0}, 0.0), 0.0);
    NEAR(room_distance(4.0, 2.0, (struct dpl_pose2){(double)NAN, 0.0, 0.0}, 0.0), 0.0);
}

Test(room, is_finite_in_every_direction_from_every_place)
{
    for (int i = 0; i < 720; i++) {
        struct dpl_pose2 sensor = {(i % 21 - 10) * 0.2, (i % 11 - 5) * 0.2, i * 0.1};
        double range = room_distance(4.0, 2.0, sensor, i * DPL_PI / 360.0);
        cr_assert(range >= 0.0 && range <= hypot(4.0, 2.0) + 1e-9, "%d: %g", i, range);
    }
}
