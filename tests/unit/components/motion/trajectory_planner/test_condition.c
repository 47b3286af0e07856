/* SPDX-License-Identifier: Apache-2.0 */
/* Which references the trajectory planner takes. */
#include <stdint.h>

#include <criterion/criterion.h>

#include "machine.h"

static const struct dpl_traj_condition_config config = {
    .absurd = 1e3, .expire_after = 10 * DPL_MS, .n_fault = 3};

static struct dpl_traj_condition begun(void)
{
    struct dpl_traj_condition condition;
    dpl_traj_condition_begin(&condition, machine_centre);
    return condition;
}

static bool is_accepted(struct dpl_traj_condition *condition, int axis, double value, dpl_ns age)
{
    struct dpl_traj_reference reference = {.stamp = DPL_S - age};
    reference.pose[axis] = value;
    return dpl_traj_condition_accept(condition, &config, &reference, DPL_S);
}

Test(traj_condition, takes_a_sane_and_fresh_reference)
{
    struct dpl_traj_condition condition = begun();
    cr_assert(is_accepted(&condition, 1, -1e3, 10 * DPL_MS));
    cr_assert_eq(condition.last[1], -1e3);
    cr_assert_eq(condition.n_rejected, 0);
}

Test(traj_condition, keeps_the_last_good_one_when_a_component_is_no_number_or_absurd)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1000.1, -1e300};
    struct dpl_traj_condition condition = begun();
    cr_assert(is_accepted(&condition, 0, 0.125, 0));
    for (int i = 0; i < 5; i++) {
        for (int axis = 0; axis < DPL_SIX; axis++) {
            cr_assert_not(is_accepted(&condition, axis, bad[i], 0), "%g on axis %d", bad[i], axis);
            cr_assert_eq(condition.last[0], 0.125);
        }
    }
    cr_assert_eq(condition.n_rejected, 30);
}

Test(traj_condition, rejects_what_is_too_old_too_far_ahead_or_missing)
{
    struct dpl_traj_condition condition = begun();
    cr_assert_not(is_accepted(&condition, 0, 0.1, 10 * DPL_MS + 1));
    cr_assert_not(is_accepted(&condition, 0, 0.1, -10 * DPL_MS - 1));
    cr_assert_not(dpl_traj_condition_accept(&condition, &config, NULL, DPL_S));
    struct dpl_traj_reference edge = {.stamp = INT64_MIN};
    cr_assert_not(dpl_traj_condition_accept(&condition, &config, &edge, INT64_MAX));
    edge.stamp = INT64_MAX;
    cr_assert_not(dpl_traj_condition_accept(&condition, &config, &edge, INT64_MIN));
    cr_assert_eq(condition.last[2], machine_centre[2], "where it began stands in");
}

Test(traj_condition, fails_after_so_many_rejections_in_a_row_only)
{
    struct dpl_traj_condition condition = begun();
    struct dpl_traj_condition_config patient = config;
    is_accepted(&condition, 0, (double)NAN, 0);
    is_accepted(&condition, 0, (double)NAN, 0);
    cr_assert_not(dpl_traj_condition_failed(&condition, &config));
    is_accepted(&condition, 0, 0.0, 0);
    is_accepted(&condition, 0, (double)NAN, 0);
    is_accepted(&condition, 0, (double)NAN, 0);
    cr_assert_not(dpl_traj_condition_failed(&condition, &config));
    is_accepted(&condition, 0, (double)NAN, 0);
    cr_assert(dpl_traj_condition_failed(&condition, &config));
    patient.n_fault = 0;
    cr_assert_not(dpl_traj_condition_failed(&condition, &patient));
}
