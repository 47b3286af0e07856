/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that are wrong: what is said, and where. */
#include <errno.h>

#include <doppel/sim/load.h>
#include <doppel/sim/schema.h>

#include "plan_rig.h"

static void expect_finding(const char *steps, int line, int column, const char *said)
{
    char text[4096];
    struct plan_rig rig;
    snprintf(text, sizeof text, "<test_plan name='p' world='w'>\n%s\n</test_plan>", steps);
    cr_assert_eq(plan_rig_read(&rig, text, 1), -EINVAL, "%s", steps);
    cr_assert_eq(rig.diags.n, 1, "%zu findings: %s", rig.diags.n, steps);
    const struct dpl_diag *diag = &rig.diags.items[0];
    cr_assert_not_null(strstr(diag->text, said), "%s: %s", steps, diag->text);
    cr_assert(diag->place.line == line && diag->place.column == column, "%s: %d:%d: %s", steps,
              diag->place.line, diag->place.column, diag->text);
    plan_rig_close(&rig);
}

#define STEP(text)            "<step name='a'>\n" text "</step>"
#define CONTROL_UNIT(command) "<unit command=\"" command "\"/>\n" STEP("<wait for='1'/>")

Test(plan_xml, what_is_wrong_is_an_error_where_it_is)
{
    static const struct {
        const char *steps;
        int line, column;
        const char *said;
    } rows[] = {
        /* wrong attribute is an error where it is */
        {STEP("<wait/>"), 3, 1, "either for or until"},
        {STEP("<wait for='1' until='1'/>"), 3, 1, "either for or until"},
        {STEP("<wait for='1' within='1'/>"), 3, 1, "within is for until"},
        {STEP("<wait for='1 m'/>"), 3, 12, "for"},
        {STEP("<wait for='-1 s'/>"), 3, 12, "expected"},
        {STEP("<put channel='m/drive/setpoint'/>"), 3, 1, "lacks the attribute 'value'"},
        {STEP("<watch name='x' of='1' take='most'/>"), 3, 30, "not one of max|min"},
        {STEP("<sequence of='1' expect='3 x'/>"), 3, 26, "expected numbers"},
        {STEP("<sequence of='1' expect=' '/>"), 3, 26, "no values"},
        {STEP("<Repeat count='{1/0}'><wait for='1'/></Repeat>"), 3, 18, "division"},
        {"", 1, 1, "the plan has no <step>"},
        {"<step name='a'/><step name='a'/>", 2, 17, "a name of its own"},
        /* wrong command of the unit is an error where it is */
        {CONTROL_UNIT("u {controllers_prot}"), 2, 18, "did you mean {controllers_port}?"},
        {CONTROL_UNIT("u &lt;&#9;{prt}"), 2, 26, "what can be filled in: {controllers_port}"},
        {CONTROL_UNIT("u {seed"), 2, 18, "a single '{'"},
        {CONTROL_UNIT("u\n}"), 3, 1, "a single '}'"},
        {CONTROL_UNIT("u 'a"), 2, 18, "a ' without its end"},
        {"<If test='1'>\n" CONTROL_UNIT("u {prt}") "</If>", 3, 18, "the command has {prt}"},
        /* unknown channel is an error with the nearest one */
        {STEP("<put channel='m/drive/setpont' value='1'/>"), 3, 15, "'m/drive/setpoint'"},
        {STEP("<put channel='m/rail/position' value='1'/>"), 3, 15, "cannot be put"},
        {STEP("<wait until='1 + [m/rail/positon] &gt; 2'/>"), 3, 19, "'m/rail/position'"},
        {STEP("<wait until='[m/cart/pose] > 1'/>"), 3, 15, "say which"},
        {STEP("<wait until='[m/cart/pose[9]] > 1'/>"), 3, 15, "7 elements"},
        {STEP("<wait until='[m/rail/position'/>"), 3, 14, "has no ']'"},
        /* wrong expression is an error where it is */
        {STEP("<expect value='1 +'/>"), 3, 19, "the expression ends"},
        {STEP("<expect value='1' min='nobody'/>"), 3, 24, "unknown name 'nobody'"},
        {STEP("<expect value='T'/><wait for='1' as='T'/>"), 3, 16, "unknown name 'T'"},
        {STEP("<Repeat count='1' index='k'><expect value='q + {k}'/></Repeat>"), 3, 44,
         "(in repeat k=0)"},
        /* name is known once and in its step only */
        {STEP("<let name='x' value='1'/><let name='x' value='2'/>"), 3, 37, "known already"},
        {STEP("<let name='a b' value='1'/>"), 3, 12, "is no name"},
        {STEP("<let name='and' value='1'/>"), 3, 12, "is no name"},
        {STEP("<let name='t' value='1'/>"), 3, 12, "known already"},
        {"<step name='a'><let name='x' value='1'/></step>\n"
         "<step name='b'><expect value='x'/></step>",
         3, 31, "unknown name 'x'"},
        {STEP("<watch name='ab' of='1' take='max'/><end name='ac'/>"), 3, 48, "did you mean 'ab'?"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_finding(rows[i].steps, rows[i].line, rows[i].column, rows[i].said);
    }
}

Test(plan_xml, parameters_of_the_plan_are_for_its_unit_and_its_world)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<Param name='N' value='3'/><Param name='M' value='{2*N}'/>"
                  "<unit command='u {N} {M} {modbus_port}'/>" STEP("<wait for='1'/>"),
                  7);
    const struct dpl_sim_plan *plan = rig.plan;
    cr_assert_eq(plan->n_values, 3);
    cr_assert_str_eq(plan->values[0].name, "seed");
    cr_assert_str_eq(plan->values[0].value, "7");
    cr_assert_str_eq(plan->values[2].name, "M");
    cr_assert_str_eq(plan->values[2].value, "6");
    cr_assert_str_eq(plan->unit.command, "u {N} {M} {modbus_port}");
    plan_rig_close(&rig);
    expect_finding("<Param name='N' value='3'/>" CONTROL_UNIT("u {M}"), 2, 45,
                   "the command has {M}");
    expect_finding("<Param name='N' value='{1/0}'/>" CONTROL_UNIT("u {N}"), 2, 26,
                   "division by zero");
}

/* The world of a plan that names it by an element, read and let go. */
static int read_world(const char *text, struct dpl_diags *diags, char *ret_world, char *ret_params)
{
    struct dpl_arena arena = {0};
    struct dpl_sim_plan *plan = NULL;
    int err = dpl_sim_read_plan_text(&arena, "plan.xml", text, strlen(text), NULL, &plan, diags);
    ret_world[0] = ret_params[0] = '\0';
    if (err == 0) {
        snprintf(ret_world, 64, "%.60s", plan->world);
        for (size_t i = 0; i < plan->n_world_params; i++) {
            size_t n = strlen(ret_params);
            snprintf(ret_params + n, 64 - n, "%s@%d ", plan->world_params[i].text,
                     plan->world_params[i].place.column);
        }
    }
    dpl_arena_finish(&arena);
    return err;
}

static void expect_world(const char *attributes, const char *elements, const char *params)
{
    char text[500], world[64], got[64];
    struct dpl_diags diags = {0};
    snprintf(text, sizeof text,
             "<test_plan name='p'%s><Param name='N' value='3'/>\n%s%s</test_plan>", attributes,
             elements, "<step name='a'><wait for='1'/></step>");
    int err = read_world(text, &diags, world, got);
    if (params) {
        rig_print(&diags);
        cr_assert_eq(err, 0);
        cr_assert_eq(diags.n, 0);
        cr_assert_str_eq(world, "w");
        cr_assert_str_eq(got, params);
    } else {
        cr_assert_eq(err, -EINVAL, "%s", text);
        cr_assert_eq(diags.n, 1, "%zu findings: %s", diags.n, text);
    }
    dpl_diags_finish(&diags);
}

Test(plan_xml, world_has_values_for_its_parameters)
{
    expect_world(" world='w'", "", "");
    expect_world("", "<world file='w'/>", "");
    expect_world("", "<world file='w' FLOORS='{2*N}' H='3.2'/>", "FLOORS=6@17 H=3.2@32 ");
    expect_world("", "<world file='w'/><world file='w'/>", NULL);
    expect_world(" world='w'", "<world file='w'/>", NULL);
    expect_world("", "<world H='3.2'/>", NULL);
    expect_world("", "", NULL);
}

Test(plan_xml, command_is_not_expanded_and_the_seed_is_a_parameter)
{
    struct plan_rig rig;
    static const char text[] =
        "<test_plan name='p' world='w{seed}'><unit command='run {modbus_port} {{x}}'/>"
        "<Repeat count='2' index='i'><step name='s{i}'/></Repeat></test_plan>";
    cr_assert_eq(plan_rig_read(&rig, text, 42), 0);
    cr_assert_eq(rig.diags.n, 0);
    cr_assert_str_eq(rig.plan->world, "w42");
    cr_assert_str_eq(rig.plan->unit.command, "run {modbus_port} {{x}}");
    cr_assert_eq(rig.plan->n_steps, 2);
    cr_assert_str_eq(rig.plan->steps[1].name, "s1");
    plan_rig_close(&rig);
}

Test(plan_xml, channels_that_are_used_are_known)
{
    struct plan_rig rig;
    plan_rig_open(&rig,
                  "<step name='a'><expect value='[time] > 0 ? 1 : [m/near/on]'/>"
                  "<put channel='m/drive/setpoint' value='0'/></step>",
                  1);
    size_t n, n_used = 0;
    dpl_world_channels_describe(rig.channels, &n);
    for (size_t i = 0; i < n; i++) {
        n_used += dpl_sim_plan_uses(rig.plan, i);
    }
    cr_assert_eq(n_used, 3);
    plan_rig_close(&rig);
}

Test(plan_xml, has_a_schema)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_eq(dpl_sim_write_schema(stream, "test_plan", NULL), 0);
    fclose(stream);
    cr_assert_not_null(strstr(text, "name=\"test_plan\""));
    cr_assert_not_null(strstr(text, "name=\"sequence\""));
    free(text);
}
