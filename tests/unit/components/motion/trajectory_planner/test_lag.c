/* SPDX-License-Identifier: Apache-2.0 */
/* For how long the planner is held off its reference, and when that is told. */
#include <criterion/criterion.h>

#include "lag.h"
#include "machine.h"

static struct dpl_traj_lag lag;
static int n_begins, n_ends;

static void run(int ticks, bool acts)
{
    struct dpl_traj_config config = machine_config(1.0);
    struct dpl_traj_trace trace = {.acted = acts ? DPL_TRAJ_SATURATION : DPL_TRAJ_GUARD};
    trace.deflected[1] = 0.001;
    trace.deflected[4] = 0.003;
    for (int k = 0; k < ticks; k++) {
        enum dpl_traj_lag_event event = dpl_traj_lag_step(&lag, 1.0, &config.axes, &trace);
        n_begins += event == DPL_TRAJ_LAG_BEGINS;
        n_ends += event == DPL_TRAJ_LAG_ENDS;
    }
}

Test(traj_lag, of_a_second_is_told_once_with_the_axis_that_is_farthest_off)
{
    run(399, true);
    cr_assert_eq(n_begins, 0);
    run(2000, true);
    cr_assert_eq(n_begins, 1);
    cr_assert_eq(lag.n, 1);
    cr_assert_float_eq(lag.lasts_s, 2399 * 0.0025, 1e-9);
    cr_assert_eq(lag.axis, 4, "3 mrad of 20 rad/s2 are more than 1 mm of 10 m/s2");
    cr_assert_float_eq(lag.off, 0.003, 1e-15);
    run(39, false);
    cr_assert_eq(n_ends, 0);
    run(2, false);
    cr_assert_eq(n_ends, 1);
    cr_assert_eq(lag.lasts_s, 0.0);
    run(1000, false);
    run(500, true);
    cr_assert_eq(n_begins, 2);
    cr_assert_float_eq(lag.longest_s, 2399 * 0.0025, 1e-9);
}

Test(traj_lag, goes_on_over_moments_on_the_reference)
{
    for (int k = 0; k < 20; k++) {
        run(20, true);
        run(20, false);
    }
    cr_assert_eq(n_begins, 1);
    cr_assert_float_eq(lag.lasts_s, (20 * 40 - 20) * 0.0025, 1e-9);
}

Test(traj_lag, that_is_shorter_is_not_told)
{
    for (int k = 0; k < 20; k++) {
        run(300, true);
        run(60, false);
    }
    cr_assert_eq(n_begins + n_ends, 0);
    cr_assert_float_eq(lag.longest_s, 0.75, 1e-9);
}

Test(traj_lag, ends_unsaid_when_nothing_is_followed)
{
    run(500, true);
    dpl_traj_lag_stop(&lag);
    run(100, false);
    cr_assert_eq(n_ends, 0);
    cr_assert_eq(lag.lasts_s, 0.0);
}
