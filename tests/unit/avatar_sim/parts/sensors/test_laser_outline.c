/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-sections of solids at the height of a laser. */
#include <math.h>

#include <criterion/criterion.h>

#include "laser_outline.h"

static struct dpl_raycast_outline outlines[DPL_OUTLINES_A_SHAPE];
static const struct dpl_pose2 origin;

Test(laser_outline, sphere_is_a_circle_that_shrinks_towards_its_poles)
{
    struct dpl_sim_shape ball = {.kind = DPL_SIM_SPHERE, .x = 1.0, .z = 0.5, .radius = 0.5};
    cr_assert_eq(dpl__laser_outline(&ball, origin, 0.5, 3, outlines), 1);
    cr_assert_float_eq(outlines[0].radius, 0.5, 1e-12);
    cr_assert_eq(outlines[0].owner, 3);
    cr_assert_eq(dpl__laser_outline(&ball, origin, 0.8, 3, outlines), 1);
    cr_assert_float_eq(outlines[0].radius, 0.4, 1e-12);
    cr_assert_eq(dpl__laser_outline(&ball, origin, 1.01, 3, outlines), 0);
}

Test(laser_outline, box_is_four_closed_segments_in_its_turned_frame)
{
    struct dpl_sim_shape box = {.kind = DPL_SIM_BOX,
                                .z = 0.5,
                                .yaw = DPL_PI / 2.0,
                                .size_x = 4.0,
                                .size_y = 2.0,
                                .size_z = 1.0};
    struct dpl_pose2 frame = {10.0, 20.0, 0.0};
    cr_assert_eq(dpl__laser_outline(&box, frame, 0.2, 0, outlines), 4);
    double x = 0.0, y = 0.0, around = 0.0, far_y = 0.0;
    for (int i = 0; i < 4; i++) {
        x += outlines[i].dx;
        y += outlines[i].dy;
        around += hypot(outlines[i].dx, outlines[i].dy);
        far_y = fmax(far_y, outlines[i].y);
    }
    cr_assert_float_eq(hypot(x, y), 0.0, 1e-12);
    cr_assert_float_eq(around, 12.0, 1e-12);
    cr_assert_float_eq(far_y, 22.0, 1e-12);
}

Test(laser_outline, upright_capsule_keeps_its_radius_along_the_straight_part)
{
    struct dpl_sim_shape post = {.kind = DPL_SIM_CAPSULE, .z = 1.0, .radius = 0.1, .height = 1.0};
    cr_assert_eq(dpl__laser_outline(&post, origin, 1.4, 0, outlines), 1);
    cr_assert_float_eq(outlines[0].radius, 0.1, 1e-12);
    cr_assert_eq(dpl__laser_outline(&post, origin, 1.56, 0, outlines), 1);
    cr_assert_float_eq(outlines[0].radius, 0.08, 1e-12);
    cr_assert_eq(dpl__laser_outline(&post, origin, 1.61, 0, outlines), 0);
}

Test(laser_outline, lying_capsule_has_two_ends_and_two_sides)
{
    struct dpl_sim_shape log = {
        .kind = DPL_SIM_CAPSULE, .z = 0.3, .radius = 0.3, .height = 2.0, .lying = true};
    cr_assert_eq(dpl__laser_outline(&log, origin, 0.3, 0, outlines), 4);
    cr_assert_float_eq(outlines[0].x, -1.0, 1e-12);
    cr_assert_float_eq(outlines[0].radius, 0.3, 1e-12);
    cr_assert_float_eq(outlines[1].y, -0.3, 1e-12);
    cr_assert_float_eq(outlines[1].dx, 2.0, 1e-12);
    cr_assert_float_eq(outlines[3].y, 0.3, 1e-12);
}
