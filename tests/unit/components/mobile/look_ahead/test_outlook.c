/* SPDX-License-Identifier: Apache-2.0 */
/* What rollouts say together. */
#include <math.h>

#include <criterion/criterion.h>

#include "outlook.h"

static const double times[4] = {0.0, 1.0, 2.0, 3.0};
static const struct dpl_pose2 ahead[4] = {
    {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {3.0, 0.0, 0.0}};
static const struct dpl_pose2 left[4] = {
    {0.0, 0.2, 0.0}, {1.0, 0.2, 0.0}, {2.0, 0.2, 0.1}, {3.0, 0.2, 0.2}};

static struct outlook_rollout rollout(const struct dpl_pose2 *poses, size_t n)
{
    return (struct outlook_rollout){
        .valid = true,
        .object = "",
        .clearance_m = 1.0,
        .n_poses = n,
        .poses = poses,
        .pose_s = times,
    };
}

Test(outlook, without_contacts_there_is_a_mean_with_covariance)
{
    struct outlook_rollout rollouts[] = {rollout(ahead, 4), rollout(left, 4)};
    struct outlook outlook;
    outlook_make(rollouts, 2, &outlook);
    cr_assert_not(outlook.contact);
    cr_assert_eq(outlook.probability, 0.0);
    cr_assert_eq(outlook.predicted_s, 3.0);
    cr_assert_float_eq(outlook.predicted.x, 3.0, 1e-12);
    cr_assert_float_eq(outlook.predicted.y, 0.1, 1e-12);
    cr_assert_float_eq(outlook.predicted.theta, 0.1, 1e-12);
    cr_assert_float_eq(outlook.covariance[2], 0.02, 1e-12);
    cr_assert_float_eq(outlook.covariance[5], 0.02, 1e-12);
    cr_assert_float_eq(outlook.covariance[4], 0.02, 1e-12);
}

Test(outlook, the_earliest_contact_counts)
{
    struct outlook_rollout rollouts[] = {rollout(ahead, 4), rollout(left, 3), rollout(ahead, 4)};
    rollouts[0].touched = true, rollouts[0].touched_s = 3.0, rollouts[0].x = 3.2;
    rollouts[0].object = "wall";
    rollouts[1].touched = true, rollouts[1].touched_s = 2.0, rollouts[1].x = 2.2;
    rollouts[1].y = 0.3, rollouts[1].object = "bench", rollouts[1].clearance_m = 0.0;
    struct outlook outlook;
    outlook_make(rollouts, 3, &outlook);
    cr_assert(outlook.contact);
    cr_assert_eq(outlook.contact_s, 2.0);
    cr_assert_str_eq(outlook.object, "bench");
    cr_assert_float_eq(outlook.way_m, 2.0, 1e-12);
    cr_assert_float_eq(outlook.turn_rad, 0.1, 1e-12);
    cr_assert_float_eq(outlook.probability, 2.0 / 3.0, 1e-12);
    cr_assert_eq(outlook.clearance_m, 0.0);
    /* places as seen from where the rollouts began */
    cr_assert_eq(outlook.n_contacts, 2);
    cr_assert_float_eq(outlook.contacts[0][0], 3.2, 1e-12);
    cr_assert_float_eq(outlook.contacts[1][1], 0.1, 1e-12);
    /* the second has ended with its contact, at 2 s: 1 s is the last time that all have */
    cr_assert_eq(outlook.predicted_s, 1.0);
}

Test(outlook, a_rollout_that_could_not_begin_does_not_count)
{
    struct outlook_rollout rollouts[] = {{.valid = false}, rollout(ahead, 4)};
    rollouts[1].touched = true, rollouts[1].touched_s = 3.0;
    struct outlook outlook;
    outlook_make(rollouts, 2, &outlook);
    cr_assert_eq(outlook.n, 1);
    cr_assert_eq(outlook.probability, 1.0);
    outlook_make(rollouts, 1, &outlook);
    cr_assert_eq(outlook.n, 0);
    cr_assert_eq(outlook.probability, 0.0);
    cr_assert(isnan(outlook.clearance_m));
}
