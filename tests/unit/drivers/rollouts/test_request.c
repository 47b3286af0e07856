/* SPDX-License-Identifier: Apache-2.0 */
/* Which requests of rollouts are refused. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include "request.h"

static struct dpl_rollouts_want wants[2];
static struct dpl_rollouts_twist twists[2];
static struct dpl_rollouts_request request;

static void begin(void)
{
    for (int i = 0; i < 2; i++) {
        wants[i] =
            (struct dpl_rollouts_want){.duration_s = 3.0, .scale_left = 1.0, .scale_right = 1.0};
        twists[i] = (struct dpl_rollouts_twist){.rollout = (uint32_t)i, .twist = {0.2, 0.1}};
    }
    request = (struct dpl_rollouts_request){
        .n = 2, .sample_s = 0.125, .wants = wants, .twists = twists, .n_twists = 2};
}

TestSuite(request, .init = begin);

Test(request, one_that_makes_sense_is_taken)
{
    cr_assert_eq(rollouts_check(&request), 0);
    request = (struct dpl_rollouts_request){.sample_s = 0.1};
    cr_assert_eq(rollouts_check(&request), 0, "no rollouts at all");
}

Test(request, more_poses_than_an_answer_has_are_refused)
{
    wants[1].duration_s = 0.125 * (DPL_ROLLOUTS_POSES_MAX - 2);
    cr_assert_eq(rollouts_check(&request), 0);
    wants[1].duration_s += 0.01;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
}

Test(request, numbers_that_are_none_are_refused)
{
    wants[0].duration_s = (double)NAN;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
    begin();
    wants[1].scale_left = 0.0;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
    begin();
    wants[1].pose.x = (double)INFINITY;
    cr_assert_eq(rollouts_check(&request), 0, "it begins where the base is");
    wants[1].start = DPL_ROLLOUTS_OFFSET;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
    begin();
    twists[1].twist.angular = (double)NAN;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
    begin();
    twists[1].at_s = -0.1;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
}

Test(request, a_twist_of_no_rollout_or_too_many_are_refused)
{
    twists[1].rollout = 2;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
    begin();
    request.n_twists = DPL_ROLLOUTS_TWISTS_MAX + 1;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
    begin();
    request.wants = NULL;
    cr_assert_eq(rollouts_check(&request), -EINVAL);
}
