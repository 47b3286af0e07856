/* SPDX-License-Identifier: Apache-2.0 */
/* The pose buffer: order, its two ends, and poses that the brake has to synthesise. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include "buffer.h"

static struct dpl_pose_buffer buffer;
static const double home[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};

static int write_x(double x)
{
    double last[2][6], pose[6] = {x};
    return dpl_pose_buffer_write(&buffer, dpl_pose_buffer_resume(&buffer, last), pose);
}

/* Half the step each time. */
static void halve(void *context, const double pose[6], const double step[6], double ret_pose[6])
{
    *(int *)context += 1;
    for (int i = 0; i < 6; i++) {
        ret_pose[i] = pose[i] + 0.5 * step[i];
    }
}

Test(pose_buffer, gives_the_poses_in_the_order_they_came)
{
    dpl_pose_buffer_reset(&buffer, home);
    cr_assert_null(dpl_pose_buffer_peek(&buffer));
    for (int k = 0; k < 100; k++) {
        cr_assert_eq(write_x(k), 0);
        cr_assert_eq(write_x(k + 0.5), 0);
        cr_assert_eq(dpl_pose_buffer_distance(&buffer), 2);
        cr_assert_eq(dpl_pose_buffer_peek(&buffer)[0], k);
        dpl_pose_buffer_advance(&buffer);
        cr_assert_eq(dpl_pose_buffer_peek(&buffer)[0], k + 0.5);
        dpl_pose_buffer_advance(&buffer);
    }
    cr_assert_eq(buffer.n_overruns, 0);
    cr_assert_eq(buffer.n_synthesised, 0);
}

Test(pose_buffer, makes_the_planner_skip_when_it_is_full)
{
    dpl_pose_buffer_reset(&buffer, home);
    for (int k = 0; k < DPL_POSE_BUFFER_SLOTS; k++) {
        cr_assert(dpl_pose_buffer_admits(&buffer));
        cr_assert_eq(write_x(k), 0);
    }
    cr_assert_not(dpl_pose_buffer_admits(&buffer));
    cr_assert_eq(buffer.n_overruns, 1);
    cr_assert_eq(write_x(99.0), -ENOSPC);
    cr_assert_eq(dpl_pose_buffer_peek(&buffer)[0], 0.0);
    dpl_pose_buffer_advance(&buffer);
    cr_assert(dpl_pose_buffer_admits(&buffer));
    cr_assert_eq(buffer.n_overruns, 1);
}

Test(pose_buffer, synthesises_a_pose_where_none_is)
{
    int calls = 0;
    struct dpl_brake brake = {halve, &calls};
    double last[2][6];
    dpl_pose_buffer_reset(&buffer, home);
    write_x(1.0);
    write_x(2.0);
    cr_assert(dpl_pose_buffer_ensure(&buffer, &brake));
    cr_assert_eq(calls, 0);
    dpl_pose_buffer_advance(&buffer);
    dpl_pose_buffer_advance(&buffer);
    cr_assert_not(dpl_pose_buffer_ensure(&buffer, &brake));
    cr_assert_eq(calls, 1);
    cr_assert_eq(dpl_pose_buffer_peek(&buffer)[0], 2.5);
    cr_assert_eq(buffer.n_synthesised, 1);
    cr_assert_eq(dpl_pose_buffer_resume(&buffer, last), 3);
    cr_assert_eq(last[0][0], 2.5);
    cr_assert_eq(last[1][0], 2.0);
}

Test(pose_buffer, refuses_a_pose_whose_place_was_taken_meanwhile)
{
    int calls = 0;
    struct dpl_brake brake = {halve, &calls};
    double last[2][6], pose[6] = {7.0};
    dpl_pose_buffer_reset(&buffer, home);
    uint64_t sequence = dpl_pose_buffer_resume(&buffer, last);
    cr_assert_arr_eq(last[0], home, sizeof home);
    dpl_pose_buffer_ensure(&buffer, &brake);
    cr_assert_eq(dpl_pose_buffer_write(&buffer, sequence, pose), -ESTALE);
    cr_assert_eq(buffer.synthesised_to, sequence + 1);
    cr_assert_eq(dpl_pose_buffer_distance(&buffer), 1);
    cr_assert_eq(write_x(7.0), 0);
}

Test(pose_buffer, refuses_a_pose_that_is_not_finite)
{
    dpl_pose_buffer_reset(&buffer, home);
    cr_assert_eq(write_x((double)NAN), -EINVAL);
    cr_assert_eq(write_x((double)INFINITY), -EINVAL);
    cr_assert_eq(dpl_pose_buffer_distance(&buffer), 0);
}

Test(pose_buffer, rests_in_another_pose_and_goes_on_counting)
{
    static const double there[6] = {1.0, 2.0, 3.0, 0.1, 0.2, 0.3};
    double last[2][6];
    dpl_pose_buffer_reset(&buffer, (const double[6]){0.0});
    cr_assert_eq(dpl_pose_buffer_write(&buffer, 0, (const double[6]){0.5}), 0);
    cr_assert_not(dpl_pose_buffer_holds_only(&buffer, (const double[6]){0.5}));
    dpl_pose_buffer_rest_at(&buffer, there);
    cr_assert_eq(dpl_pose_buffer_distance(&buffer), 0);
    cr_assert(dpl_pose_buffer_holds_only(&buffer, there));
    cr_assert_eq(dpl_pose_buffer_resume(&buffer, last), 1);
    cr_assert_arr_eq(last[0], there, sizeof there);
    cr_assert_arr_eq(last[1], there, sizeof there);
    cr_assert_eq(dpl_pose_buffer_write(&buffer, 1, there), 0);
    cr_assert(dpl_pose_buffer_holds_only(&buffer, there));
    cr_assert_eq(dpl_pose_buffer_write(&buffer, 2, (const double[6]){0.5}), 0);
    cr_assert_not(dpl_pose_buffer_holds_only(&buffer, there));
}
