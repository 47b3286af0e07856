/* SPDX-License-Identifier: Apache-2.0 */
/* What a step needs and what it judges; and what buses read of what it puts. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "plan_rig.h"

static struct plan_rig rig;

static void stop(void)
{
    plan_rig_close(&rig);
}

TestSuite(plan_judges, .fini = stop);

static double overruled(const char *path)
{
    struct dpl_channel_want want = {.path = path, .put = true};
    int channel = dpl_world_channels_find(rig.channels, &want, NULL);
    cr_assert_geq(channel, 0);
    return dpl_world_channels_overruled(rig.channels, (size_t)channel);
}

Test(plan_judges, what_is_put_is_what_buses_read)
{
    plan_rig_open(&rig,
                  "<step name='a'><put channel='m/drive/setpoint' value='0.5'/>"
                  "<pulse channel='m/drive/setpoint' value='0.2' for='10 ms'/>"
                  "<fault channel='m/near/stuck_off'/><wait for='4 ms'/></step>"
                  "<step name='b'><wait for='20 ms'/></step>",
                  1);
    cr_assert(isnan(overruled("m/drive/setpoint")));
    dpl_plan_run_begin(rig.run, 0, plan_rig_now(&rig));
    cr_assert_eq(overruled("m/drive/setpoint"), 0.2);
    cr_assert_eq(overruled("m/near/stuck_off"), 1.0);
    while (plan_rig_step(&rig) == DPL_PLAN_RUNNING) {
    }
    cr_assert_eq(overruled("m/drive/setpoint"), 0.5, "the pulse has ended with its step");
    cr_assert(isnan(overruled("m/near/stuck_off")));
    plan_rig_do(&rig, 1);
    cr_assert_eq(overruled("m/drive/setpoint"), 0.5, "a put holds on");
}

Test(plan_judges, a_step_that_nothing_can_fail_says_so)
{
    plan_rig_open(&rig,
                  "<step name='a'><put channel='m/drive/setpoint' value='0.5'/>"
                  "<watch name='v' of='[m/rail/velocity]' take='max'/><wait for='4 ms'/></step>"
                  "<step name='b'><expect value='[m/rail/velocity]' min='0.4'/></step>"
                  "<step name='c'><wait until='[m/rail/position] > 0'/></step>"
                  "<step name='d'><always that='[m/near/on]'/><wait for='4 ms'/></step>",
                  1);
    cr_assert_not(plan_rig_do(&rig, 0)->judges);
    for (size_t i = 1; i < 4; i++) {
        const struct dpl_plan_result *result = plan_rig_do(&rig, i);
        cr_assert(result->judges && result->state == DPL_PLAN_PASSED, "step %zu", i);
    }
}

Test(plan_judges, a_verdict_on_constants_alone_judges_nothing)
{
    static const struct {
        const char *actions;
        bool judges;
    } rows[] = {
        {"<expect value='1'/>", false},
        {"<expect value='t' max='seed + 1'/>", false},
        {"<always that='t >= 0'/>", false},
        {"<wait until='t > 0.01'/>", false},
        {"<sequence of='1' when='t > 0.005' expect='1'/>", false},
        {"<let name='A' value='1'/><let name='B' value='A + 1'/><expect value='B' min='A'/>",
         false},
        {"<wait until='t > 0' as='T'/><expect value='T' max='1'/>", false},
        {"<let name='A' value='[m/rail/position]'/><let name='AB' value='1'/><expect value='AB'/>",
         false},
        {"<let name='A' value='[m/rail/position]'/><let name='B' value='-A'/>"
         "<expect value='1 + B'/>",
         true},
        {"<expect value='0' max='1 + [m/rail/position]^2'/>", true},
        {"<watch name='v' of='[m/rail/velocity]' take='max'/><expect value='abs(v) &lt; 9'/>",
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char step[400];
        snprintf(step, sizeof step, "<step name='a'><wait for='4 ms'/>%s<wait for='4 ms'/></step>",
                 rows[i].actions);
        if (i > 0) {
            stop();
        }
        plan_rig_open(&rig, step, 1);
        const struct dpl_plan_result *result = plan_rig_do(&rig, 0);
        cr_expect(result->judges == rows[i].judges && result->state == DPL_PLAN_PASSED, "%s: %s",
                  rows[i].actions, result->failures[0]);
    }
}

Test(plan_judges, a_change_of_which_there_was_no_second_sample_fails)
{
    plan_rig_open(&rig,
                  "<step name='a'><watch name='a' of='[m/rail/velocity]' take='max' slope='true'/>"
                  "<end name='a'/></step>",
                  1);
    const struct dpl_plan_result *result = plan_rig_do(&rig, 0);
    cr_assert_eq(result->state, DPL_PLAN_FAILED);
    cr_assert(strstr(result->failures[0], "[m/rail/velocity] was never measured"), "%s",
              result->failures[0]);
}

Test(plan_judges, a_step_needs_one_before_it)
{
    int err = plan_rig_read(&rig,
                            "<test_plan name='p' world='w'><step name='first'/>"
                            "<step name='second' needs='frist'/></test_plan>",
                            1);
    cr_assert_eq(err, -EINVAL);
    cr_assert(strstr(rig.diags.items[0].text,
                     "there is no step 'frist' before it, did you mean 'first'?"),
              "%s", rig.diags.items[0].text);
}
