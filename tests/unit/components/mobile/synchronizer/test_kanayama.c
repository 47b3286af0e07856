/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the strategy kanayama. */
#include "control_law.h"

#include <criterion/criterion.h>

static const struct dpl_twist2 reference = {0.2, 0.1};

Test(kanayama, repeats_the_reference_when_the_poses_agree)
{
    struct dpl_pose2 pose = {1.0, 2.0, 3.0};
    struct dpl_twist2 u =
        dpl_sync_kanayama(pose, pose, reference, (struct dpl_sync_loop){0.1, 0.2}, 1.0);
    cr_assert_float_eq(u.linear, 0.2, 1e-12);
    cr_assert_float_eq(u.angular, 0.1, 1e-12);
}

Test(kanayama, sees_the_error_in_the_frame_of_the_avatar)
{
    /* The avatar looks along +y; a real robot at +x is to its right. */
    struct dpl_pose2 avatar = {0.0, 0.0, DPL_PI / 2.0}, real = {0.02, 0.0, DPL_PI / 2.0};
    struct dpl_twist2 u =
        dpl_sync_kanayama(real, avatar, reference, (struct dpl_sync_loop){0.1, 0.2}, 1.0);
    cr_assert_float_eq(u.linear, 0.2, 1e-12);
    cr_assert_float_eq(u.angular, 0.1 - 81.0 * 0.2 * 0.02, 1e-9);
}

Test(kanayama, trusts_old_poses_less)
{
    struct dpl_pose2 avatar = {0.0, 0.0, 0.0}, real = {0.02, 0.0, 0.0};
    double all =
        dpl_sync_kanayama(real, avatar, reference, (struct dpl_sync_loop){0.1, 0.2}, 1.0).linear -
        0.2;
    double half =
        dpl_sync_kanayama(real, avatar, reference, (struct dpl_sync_loop){0.1, 0.2}, 0.5).linear -
        0.2;
    cr_assert_float_eq(half, all / 2.0, 1e-12);
    cr_assert_float_eq(
        dpl_sync_kanayama(real, avatar, reference, (struct dpl_sync_loop){0.1, 0.2}, 0.0).linear,
        0.2, 1e-15);
}
