/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured beside the actions of a step. */
#include <math.h>

#include "plan_rig.h"

Test(plan_watch, takes_what_it_is_told_of_every_step)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><wait for='1'/><watch name='most' of='[time]' take='max'/>"
                  "<watch name='least' of='[time]' take='min'/>"
                  "<watch name='mean' of='[time] - 1' take='mean'/>"
                  "<watch name='rms' of='[time] - 1' take='rms'/>"
                  "<watch name='first' of='[time]' take='first'/>"
                  "<watch name='last' of='[time]' take='last'/>"
                  "<watch name='time' of='[time] > 1.7' take='time'/>"
                  "<watch name='slope' of='3*[time]' take='max' slope='true'/>"
                  "<wait for='1'/><expect name='last now' value='last' min='2' max='2'/></step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_pass(&rig, 0);
    cr_assert_float_eq(plan_rig_measure(result, "most"), 2.0, 1e-9);
    cr_assert_float_eq(plan_rig_measure(result, "least"), 1.0, 1e-9);
    cr_assert_float_eq(plan_rig_measure(result, "mean"), 0.5, 1e-9);
    cr_assert_float_eq(plan_rig_measure(result, "rms"), sqrt(1.0 / 3.0), 1e-3);
    cr_assert_float_eq(plan_rig_measure(result, "first"), 1.0, 1e-9);
    cr_assert_float_eq(plan_rig_measure(result, "last"), 2.0, 1e-9);
    cr_assert_float_eq(plan_rig_measure(result, "time"), 0.3, 0.0021);
    cr_assert_float_eq(plan_rig_measure(result, "slope"), 3.0, 1e-9);
    plan_rig_close(&rig);
}

Test(plan_watch, filter_is_a_low_pass_of_first_order)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><watch name='v' of='[time] > 0' take='last' filter='100 ms'/>"
                  "<wait for='0.1'/></step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_pass(&rig, 0);
    cr_assert_float_eq(plan_rig_measure(result, "v"), 1.0 - exp(-1.0), 1e-9);
    plan_rig_close(&rig);
}

Test(plan_watch, ended_watch_keeps_its_value)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><watch name='v' of='[time]' take='max'/><wait for='0.1'/>"
                  "<end name='v'/><wait for='0.1'/><expect name='x' value='v' min='0.1' max='0.1'/>"
                  "</step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_pass(&rig, 0);
    cr_assert_eq(result->n_measures, 2);
    plan_rig_close(&rig);
}

/* The integer part of a tenth of the time in ms: 0, 1, 2, ... every 0.1 s. */
#define TENTHS "floor([time]*10 + 1e-6)"

Test(plan_watch, sequence_takes_the_values_that_come_one_after_the_other)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><sequence name='n' of='" TENTHS "' expect='1 2 3'/>"
                  "<wait until='n == 3' within='1' as='T'/></step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_pass(&rig, 0);
    cr_assert_float_eq(plan_rig_measure(result, "T"), 0.3, 1e-9);
    plan_rig_close(&rig);
}

Test(plan_watch, other_value_than_the_next_of_a_sequence_ends_the_step)
{
    struct plan_rig rig;
    plan_rig_open(
        &rig, "<step name='a'><sequence of='" TENTHS "' expect='1 3'/><wait for='1'/></step>", 1);
    const struct dpl_plan_result *result = plan_rig_fail(&rig, "value 2 of the sequence");
    cr_assert_not_null(strstr(result->failures[0], "is 2, expected 3"));
    cr_assert_float_eq(result->duration_s, 0.2, 1e-9);
    plan_rig_close(&rig);
}

Test(plan_watch, sequence_with_a_value_too_few_or_too_many_fails)
{
    struct plan_rig rig;
    plan_rig_open(
        &rig, "<step name='a'><sequence of='" TENTHS "' expect='1 2'/><wait for='0.15'/></step>",
        1);
    plan_rig_fail(&rig, "has 1 of 2 values");
    plan_rig_close(&rig);
    plan_rig_open(
        &rig, "<step name='a'><sequence of='" TENTHS "' expect='1'/><wait for='0.25'/></step>", 1);
    plan_rig_fail(&rig, "comes 2");
    plan_rig_close(&rig);
}

Test(plan_watch, sequence_looks_when_a_condition_begins_to_hold)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><sequence name='n' of='" TENTHS "' expect='2 6' "
                  "when='abs([time] - 0.25) &lt; 0.02 or abs([time] - 0.65) &lt; 0.02'/>"
                  "<wait for='1'/><expect value='n == 2'/></step>",
                  1);
    plan_rig_pass(&rig, 0);
    plan_rig_close(&rig);
}
