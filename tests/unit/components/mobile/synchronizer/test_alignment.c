/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the frame alignment. */
#include "alignment.h"

#include <criterion/criterion.h>

static void assert_pose(struct dpl_pose2 p, double x, double y, double theta)
{
    cr_assert_float_eq(p.x, x, 1e-9, "x %g, expected %g", p.x, x);
    cr_assert_float_eq(p.y, y, 1e-9, "y %g, expected %g", p.y, y);
    cr_assert_float_eq(dpl_wrap_angle(p.theta - theta), 0.0, 1e-9, "theta %g, expected %g", p.theta,
                       theta);
}

Test(alignment, takes_ten_poses_of_each_then_maps_one_frame_into_the_other)
{
    struct dpl_sync_alignment a;
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_FRAMES, 10);
    for (int i = 0; i < 10; i++) {
        struct dpl_sync_stamped_pose real = {{1.0, 2.0, 0.5}, i};
        struct dpl_sync_stamped_pose avatar = {{-3.0, 1.0, 0.5 + DPL_PI / 2.0}, i};
        cr_assert_eq(dpl_sync_alignment_offer(&a, &real, &avatar, false), i == 9);
    }
    assert_pose(dpl_sync_alignment_apply(&a, (struct dpl_pose2){1.0, 2.0, 0.5}), -3.0, 1.0,
                0.5 + DPL_PI / 2.0);
    /* One metre along +x of the real frame is one along +y of the avatar's. */
    assert_pose(dpl_sync_alignment_apply(&a, (struct dpl_pose2){2.0, 2.0, 0.0}), -3.0, 2.0,
                DPL_PI / 2.0);
}

Test(alignment, averages_headings_on_the_circle)
{
    struct dpl_sync_alignment a;
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_FRAMES, 2);
    struct dpl_sync_stamped_pose real[2] = {{{0.0, 0.0, 3.1}, 1.0}, {{0.0, 0.0, -3.1}, 2.0}};
    struct dpl_sync_stamped_pose avatar[2] = {{{1.0, 0.0, 0.0}, 1.0}, {{3.0, 0.0, 0.0}, 2.0}};
    dpl_sync_alignment_offer(&a, &real[0], &avatar[0], false);
    cr_assert(dpl_sync_alignment_offer(&a, &real[1], &avatar[1], false));
    assert_pose(dpl_sync_pose_median_get(&a.real), 0.0, 0.0, DPL_PI);
    assert_pose(dpl_sync_pose_median_get(&a.avatar), 2.0, 0.0, 0.0);
}

/* Also where the first is wrong, and points away from the others. */
Test(alignment, some_wrong_poses_do_not_move_it)
{
    struct dpl_sync_alignment a;
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_FRAMES, 10);
    for (int i = 0; i < 10; i++) {
        bool wrong = i == 0 || i == 3 || i == 4 || i == 8;
        double noise = 0.001 * (i % 3 - 1);
        struct dpl_sync_stamped_pose real = {{1.0 + noise, 2.0, 3.1 + noise}, i};
        struct dpl_sync_stamped_pose avatar = {{1.0, 2.0, 3.1}, i};
        if (wrong) {
            real.pose = (struct dpl_pose2){3.0 + i, -4.0, 0.3 * i};
        }
        dpl_sync_alignment_offer(&a, &real, &avatar, false);
    }
    cr_assert(a.done);
    struct dpl_pose2 p = dpl_sync_pose_median_get(&a.real);
    cr_assert_float_eq(p.x, 1.0, 0.0021, "x %g", p.x);
    cr_assert_float_eq(p.y, 2.0, 1e-9, "y %g", p.y);
    cr_assert_float_eq(dpl_wrap_angle(p.theta - 3.1), 0.0, 0.0021, "theta %g", p.theta);
}

Test(alignment, does_not_count_a_repeated_pose_twice)
{
    struct dpl_sync_alignment a;
    struct dpl_sync_stamped_pose same = {{1.0, 0.0, 0.0}, 1.0};
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_FRAMES, 2);
    cr_assert_not(dpl_sync_alignment_offer(&a, &same, &same, false));
    cr_assert_not(dpl_sync_alignment_offer(&a, &same, &same, false));
    cr_assert_eq(a.real.count, 1);
}

/* One drove on for a while before the other was seen. */
Test(alignment, compares_poses_of_one_time)
{
    struct dpl_sync_alignment a;
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_FRAMES, 10);
    for (int i = 0; i < 20; i++) {
        struct dpl_sync_stamped_pose avatar = {{i * 0.1, 0.0, 0.0}, i};
        cr_assert_not(dpl_sync_alignment_offer(&a, NULL, &avatar, true));
    }
    struct dpl_sync_stamped_pose real = {{7.0, 0.0, 0.0}, 20.0}, avatar = {{2.0, 0.0, 0.0}, 20.0};
    cr_assert(dpl_sync_alignment_offer(&a, &real, &avatar, true));
    assert_pose(dpl_sync_alignment_apply(&a, real.pose), 2.0, 0.0, 0.0);
}

Test(alignment, ends_the_collection_when_the_robot_starts_to_move)
{
    struct dpl_sync_alignment a;
    struct dpl_sync_stamped_pose real = {{1.0, 0.0, 0.0}, 1.0}, avatar = {{5.0, 5.0, 0.0}, 1.0};
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_FRAMES, 10);
    cr_assert_not(dpl_sync_alignment_offer(&a, &real, NULL, true), "one of each is needed");
    cr_assert(dpl_sync_alignment_offer(&a, &real, &avatar, true));
    assert_pose(dpl_sync_alignment_apply(&a, real.pose), 5.0, 5.0, 0.0);
}

Test(alignment, leaves_common_frames_alone)
{
    struct dpl_sync_alignment a;
    dpl_sync_alignment_init(&a, DPL_SYNC_ALIGN_NONE, 10);
    cr_assert(a.done);
    assert_pose(dpl_sync_alignment_apply(&a, (struct dpl_pose2){1.0, 2.0, 3.0}), 1.0, 2.0, 3.0);
}
