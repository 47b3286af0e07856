/* SPDX-License-Identifier: Apache-2.0 */
/* The actions of a step: what they do, when they are over, when they fail. */
#include "plan_rig.h"

Test(plan_run, waits_until_something_holds_and_measures_the_time)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><put channel='m/drive/setpoint' value='0.5'/>"
                  "<wait until='[m/rail/position] >= 0.5' within='2' as='T'/>"
                  "<expect value='T' min='0.99' max='1.01'/>"
                  "<let name='x' value='[m/rail/position]'/>"
                  "<wait for='0.2 s'/>"
                  "<expect name='way' value='[m/rail/position] - x' min='0.099' max='0.101'/>"
                  "</step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_pass(&rig, 0);
    cr_assert_float_eq(result->duration_s, plan_rig_measure(result, "T") + 0.2, 1e-9);
    cr_assert_float_eq(plan_rig_measure(result, "way"), 0.1, 1e-3);
    plan_rig_close(&rig);
}

Test(plan_run, condition_that_does_not_hold_in_time_ends_the_step)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'>\n<wait until='[m/rail/position] > 1' within='0.1'/>"
                  "<expect value='0'/></step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_fail(
        &rig, "line 3: [m/rail/position] > 1 did not hold within 0.1 s; [m/rail/position] is 0");
    cr_assert_eq(result->n_failures, 1, "what follows was judged");
    cr_assert_float_eq(result->duration_s, 0.1, 1e-9);
    plan_rig_close(&rig);
}

Test(plan_run, verdict_names_the_element_of_a_channel_that_has_several)
{
    struct plan_rig rig;
    plan_rig_open(
        &rig,
        "<step name='a'><put channel='m/drive/setpoint' value='0.5'/><wait for='0.1'/>"
        "<expect name='w' value='[m/cart/velocity[0]] + [m/cart/velocity[5]]' max='0'/></step>",
        1);
    plan_rig_fail(&rig,
                  "expected at most 0; [m/cart/velocity[0]] is 0.5, [m/cart/velocity[5]] is 0");
    plan_rig_close(&rig);
}

Test(plan_run, expectation_that_fails_lets_the_step_go_on)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><wait for='0.1'/><expect name='one' value='1' max='0.5'/>"
                  "<expect value='2' min='3'/><expect value='not [m/near/on]'/>"
                  "<expect value='4' min='3.5' max='4'/><expect value='1/0'/></step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_fail(&rig, "one is 1, expected at most 0.5");
    cr_assert_eq(result->n_failures, 4);
    cr_assert_not_null(strstr(result->failures[1], "2 is 2, expected at least 3"));
    cr_assert_not_null(
        strstr(result->failures[2], "not [m/near/on] does not hold; [m/near/on] is"));
    cr_assert_not_null(strstr(result->failures[3], "division by zero"));
    cr_assert_eq(result->n_measures, 5);
    cr_assert(result->measures[3].good && !result->measures[0].good);
    plan_rig_close(&rig);
}

Test(plan_run, always_fails_at_the_step_of_the_world_at_which_it_does_not_hold)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><always that='[time] &lt; 0.1'/><wait for='1'/></step>"
                  "<step name='b'><always name='x' that='[time] &lt; 0.3'/><wait for='0.1'/>"
                  "<end name='x'/><wait for='1'/></step>",
                  1);
    const struct dpl_plan_result *result =
        plan_rig_fail(&rig, "[time] < 0.1 did not hold always; [time] is 0.1");
    cr_assert_float_eq(result->duration_s, 0.1, 1e-9);
    plan_rig_pass(&rig, 1);
    plan_rig_close(&rig);
}

Test(plan_run, pulse_ends_and_what_was_put_before_counts_again)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><pulse channel='m/drive/setpoint' value='1' for='0.1'/>"
                  "<wait for='0.3'/><expect value='[m/rail/position]' min='0.098' max='0.102'/>"
                  "<expect value='abs([m/rail/velocity])' max='1e-6'/></step>"
                  "<step name='b'><put channel='m/drive/setpoint' value='0.5'/>"
                  "<pulse channel='m/drive/setpoint' value='-1' for='0.1'/><wait for='0.05'/>"
                  "<expect value='[m/rail/velocity]' max='-0.9'/><wait for='0.1'/>"
                  "<expect value='[m/rail/velocity]' min='0.49' max='0.51'/></step>"
                  "<step name='c'><wait for='0.1'/>"
                  "<expect value='[m/rail/velocity]' min='0.49' max='0.51'/></step>",
                  1);
    plan_rig_pass(&rig, 0);
    plan_rig_pass(&rig, 1);
    plan_rig_pass(&rig, 2); /* a put outlives its step */
    plan_rig_close(&rig);
}

Test(plan_run, fault_ends_with_its_step)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><wait for='0.1'/><expect value='[m/near/on]'/>"
                  "<fault channel='m/near/stuck_off'/><wait for='0.1'/>"
                  "<expect value='not [m/near/on]'/></step>"
                  "<step name='b'><wait for='0.1'/><expect value='[m/near/on]'/></step>",
                  1);
    plan_rig_pass(&rig, 0);
    plan_rig_pass(&rig, 1);
    plan_rig_close(&rig);
}

Test(plan_run, nobody_else_commands_what_a_plan_holds)
{
    struct plan_rig rig;
    const double fast = 2.0;
    plan_rig_open(&rig,
                  "<step name='a'><fault channel='m/drive/setpoint' value='0'/><wait for='0.1'/>"
                  "</step>",
                  1);
    int channel = dpl_world_channels_find(
        rig.channels, &(struct dpl_channel_want){.path = "m/drive/setpoint", .put = true}, NULL);
    dpl_plan_run_begin(rig.run, 0, 0);
    for (int i = 0; i < 20; i++) {
        dpl_world_step(rig.mechanism.world, 1);
        dpl_world_channels_put(rig.channels, (size_t)channel, &fast); /* a unit */
        dpl_plan_run_look(rig.run, plan_rig_now(&rig));
    }
    cr_assert_float_eq(plan_rig_get(&rig, "m/rail/position"), 0.0, 1e-9);
    cr_assert_eq(dpl_plan_run_held(rig.run, (size_t)channel), 0.0);
    dpl_plan_run_fail(rig.run, "somebody came in");
    cr_assert(isnan(dpl_plan_run_held(rig.run, (size_t)channel)));
    cr_assert_eq(dpl_plan_run_result(rig.run)->state, DPL_PLAN_FAILED);
    plan_rig_close(&rig);
}

Test(plan_run, ramp_goes_on_from_what_was_put)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><ramp channel='m/drive/setpoint' to='1' rate='2'/>"
                  "<expect value='t' min='0.5' max='0.5'/>"
                  "<expect value='[m/rail/position]' min='0.245' max='0.255'/>"
                  "<ramp channel='m/drive/setpoint' to='0.5' rate='5'/>"
                  "<expect value='t' min='0.599' max='0.603'/>"
                  "<ramp channel='m/drive/setpoint' from='-1' to='-1' rate='5'/>"
                  "<wait for='0.01'/><expect value='[m/rail/velocity]' max='-0.99'/></step>",
                  1);
    plan_rig_pass(&rig, 0);
    plan_rig_close(&rig);
}

Test(plan_run, random_delay_depends_on_the_seed_only)
{
    static const char steps[] = "<step name='a'><wait for='0.1' jitter='1 s' as='T'/>"
                                "<expect value='T' min='0.1' max='1.102'/>"
                                "<expect name='seed' value='seed + {seed}' min='0'/></step>";
    double times[3];
    for (int i = 0; i < 3; i++) {
        struct plan_rig rig;
        plan_rig_open(&rig, steps, i < 2 ? 7 : 8);
        const struct dpl_plan_result *result = plan_rig_pass(&rig, 0);
        times[i] = plan_rig_measure(result, "T");
        cr_assert_eq(plan_rig_measure(result, "seed"), i < 2 ? 14.0 : 16.0);
        plan_rig_close(&rig);
    }
    cr_assert_eq(times[0], times[1]);
    cr_assert_neq(times[0], times[2]);
}

Test(plan_run, step_has_a_limit)
{
    struct plan_rig rig;
    plan_rig_open(&rig, "<step name='a' timeout='0.2 s'><wait until='[time] > 9'/></step>", 1);
    plan_rig_fail(&rig, "the step takes longer than its 0.2 s");
    plan_rig_close(&rig);
}

Test(plan_run, value_outside_of_the_channels_range_is_a_failure)
{
    struct plan_rig rig;
    plan_rig_open(&rig, "<step name='a'><put channel='m/drive/setpoint' value='3*4'/></step>", 1);
    plan_rig_fail(&rig, "12 is outside of what 'm/drive/setpoint' takes, -2 to 2");
    plan_rig_close(&rig);
}
