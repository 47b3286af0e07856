/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict is text that anybody can show, whatever a component wrote into it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "component.h"
#include "runtime.h"

static const struct dpl_verdict *given(const struct dpl_verdict *verdict)
{
    static struct dpl_runtime runtime;
    static struct dpl__component component;
    memset(&runtime, 0, sizeof runtime);
    atomic_store(&runtime.stop_requested, 1); /* nobody is to be woken */
    component.runtime = &runtime;
    component.self.runtime = &component;
    dpl_component_give_verdict(&component.self, verdict);
    return dpl_runtime_verdict(&runtime);
}

Test(verdict, is_clean_text)
{
    struct dpl_verdict verdict = {
        .name = "hit\x1b[2J",
        .text = "the unit said \xc2\x9b"
                "31m\n\xff",
        .n_measures = 1,
        .measures = {{.name = "path\a", .unit = "m\x9b"}},
    };
    const struct dpl_verdict *found = given(&verdict);
    cr_assert_not_null(found);
    cr_expect_str_eq(found->name, "hit\\x1b[2J");
    cr_expect_str_eq(found->text, "the unit said \\x9b31m\\x0a\\xff");
    cr_expect_str_eq(found->measures[0].name, "path\\x07");
    cr_expect_str_eq(found->measures[0].unit, "m\\x9b");
}

Test(verdict, that_does_not_end_is_cut_off_at_a_character)
{
    struct dpl_verdict verdict = {.n_measures = 99999};
    memset(verdict.name, 'a', sizeof verdict.name);
    memset(verdict.text, 0xff, sizeof verdict.text);
    const struct dpl_verdict *found = given(&verdict);
    cr_assert_not_null(found);
    cr_expect_eq(strlen(found->name), sizeof verdict.name - 1);
    cr_expect_eq(strlen(found->text), 508);
    cr_expect_eq(found->n_measures, DPL_MEASURES_MAX);
}
