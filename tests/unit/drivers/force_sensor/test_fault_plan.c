/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of what goes wrong with a mock sensor. */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "imperfections.h"

static struct fault_plan plan;
static struct force_error bad;

static void parse(const char *text)
{
    cr_assert_eq(fault_plan_parse(text, &plan, &bad), 0, "%s: %s", text, bad.what);
}

Test(fault_plan, has_each_fault_in_force_for_its_time)
{
    parse("1 stuck 0.5; 2 dropout 0.1; 3 nan 0.2; 4 lost");
    cr_assert_eq(plan.n, 4);
    cr_assert_not(fault_plan_at(&plan, 0.999).stuck);
    cr_assert(fault_plan_at(&plan, 1.0).stuck);
    cr_assert(fault_plan_at(&plan, 1.49).stuck);
    cr_assert_not(fault_plan_at(&plan, 1.5).stuck);
    cr_assert(fault_plan_at(&plan, 2.05).dropout);
    cr_assert(fault_plan_at(&plan, 3.1).nan);
    cr_assert_not(fault_plan_at(&plan, 3.9).lost);
    cr_assert(fault_plan_at(&plan, 1000.0).lost);
    parse("1 lost 0.5; 2 nan 1");
    cr_assert(fault_plan_at(&plan, 1.4).lost);
    cr_assert_not(fault_plan_at(&plan, 1.5).lost);
}

Test(fault_plan, adds_spikes_on_their_axis)
{
    parse("1 spike 1 50; 1 spike 1 25; 1 spike 1 -3 yaw");
    struct fault_effect effect = fault_plan_at(&plan, 1.5);
    cr_assert_eq(effect.added[0], 75.0);
    cr_assert_eq(effect.added[5], -3.0);
    cr_assert_eq(fault_plan_at(&plan, 2.0).added[0], 0.0);
}

static void refuse(const char *text, size_t offset)
{
    cr_assert_lt(fault_plan_parse(text, &plan, &bad), 0, "\"%s\" was taken", text);
    cr_assert_eq(bad.offset, offset, "\"%s\": %zu", text, bad.offset);
}

Test(fault_plan, refuses_what_it_does_not_know_and_says_where)
{
    refuse("1 stick 0.5", 2);
    refuse("x stuck 0.5", 0);
    refuse("1 stuck", 7);
    refuse("1 stuck 1 2", 10);
    refuse("1 spike 1", 9);
    refuse("1 spike 1 5 w", 12);
    refuse("1 lost x", 7);
    refuse("1 nan 1; 2 stuck -1", 9);
    char text[1024] = "";
    for (int i = 0; i <= FAULT_PLAN_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "1 nan 1;");
    }
    refuse(text, FAULT_PLAN_MAX * 8);
}
