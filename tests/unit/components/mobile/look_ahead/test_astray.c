/* SPDX-License-Identifier: Apache-2.0 */
/* An avatar that does not drive where the base does. */
#include <criterion/criterion.h>

#include "score.h"

static const struct dpl_pose2 start = {3.0, -1.0, 0.4};

static struct dpl_pose2 at(double x)
{
    return (struct dpl_pose2){x, 0.0, 0.0};
}

Test(astray, an_avatar_that_stands_while_the_base_drives_is_elsewhere)
{
    struct astray astray = {0};
    cr_assert_not(astray_see(&astray, at(7.0), start));
    cr_assert_not(astray_see(&astray, at(7.2), start));
    cr_assert(astray_see(&astray, at(7.4), start));
    cr_assert(astray_see(&astray, at(9.0), start));
}

Test(astray, one_that_has_moved_may_be_blocked)
{
    struct astray astray = {0};
    struct dpl_pose2 on = {3.01, -1.0, 0.4};
    cr_assert_not(astray_see(&astray, at(0.0), start));
    cr_assert_not(astray_see(&astray, at(0.1), on));
    cr_assert_not(astray_see(&astray, at(5.0), on));
    cr_assert_not(astray_see(&astray, at(5.0), start));
}

Test(astray, one_that_only_settles_has_not_moved)
{
    struct astray astray = {0};
    struct dpl_pose2 settled = {3.0, -1.0005, 0.401};
    cr_assert_not(astray_see(&astray, at(0.0), start));
    cr_assert(astray_see(&astray, at(-0.4), settled));
}

Test(astray, a_base_that_turns_says_nothing)
{
    struct astray astray = {0};
    cr_assert_not(astray_see(&astray, at(0.0), start));
    cr_assert_not(astray_see(&astray, (struct dpl_pose2){0.1, 0.0, 3.0}, start));
}
