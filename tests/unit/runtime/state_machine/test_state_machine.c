/* SPDX-License-Identifier: Apache-2.0 */
/* State machines: what a file says, what is wrong with one and where, and each rule of a step. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/state_machine.h>

#define MACHINE(contents) "<state_machine name='m'>" contents "</state_machine>"

static struct dpl_state_machine *machine;
static struct dpl_state_machine_run run;
static struct dpl_state_machine_transition taken;
static struct dpl_diag why;

static void end(void)
{
    dpl_state_machine_destroy(machine);
}

TestSuite(state_machine, .fini = end, .timeout = 60);

static void read_text(const char *text)
{
    struct dpl_diags diags = {0};
    int err = dpl_state_machine_read_text("m.xml", text, strlen(text), &diags, &machine);
    cr_assert_eq(err, 0, "%s", diags.n > 0 ? diags.items[0].text : "?");
    dpl_diags_finish(&diags);
}

/* The number of a channel that is read or put. */
static size_t channel(const char *name, bool put)
{
    for (size_t i = 0; i < dpl_state_machine_n_channels(machine); i++) {
        const struct dpl_state_machine_channel *at = dpl_state_machine_channel(machine, i);
        if (at->put == put && strcmp(at->name, name) == 0) {
            return i;
        }
    }
    cr_assert_fail("no channel %s", name);
    return 0;
}

static int step_at(double seconds)
{
    return dpl_state_machine_step(machine, &run, dpl_ns_from_s(seconds), &taken, &why);
}

static const char *state(void)
{
    return dpl_state_machine_state(machine, run.state);
}

static double output(const char *name)
{
    size_t i = channel(name, true);
    cr_assert(run.is_put[i], "%s was not put", name);
    return run.values[i];
}

/* ---- steps ---- */

Test(state_machine, begins_in_its_first_state_and_does_what_that_has_for_the_entry)
{
    read_text(MACHINE("<state name='a'><entry><put channel='o' value='3'/></entry>"
                      "<transition to='b' when='1'/></state><state name='b'/>"));
    cr_assert_eq(step_at(5.0), 0);
    cr_assert_str_eq(state(), "a");
    cr_assert_eq(output("o"), 3.0);
}

Test(state_machine, begins_where_initial_says)
{
    read_text("<state_machine name='m' initial='b'><state name='a'/><state name='b'>"
              "<transition to='a' when='1'/></state></state_machine>");
    step_at(0.0);
    cr_assert_str_eq(state(), "b");
}

Test(state_machine, takes_the_first_transition_that_holds_and_one_a_step)
{
    read_text(MACHINE("<state name='a'><transition to='b' when='[x] > 5'/>"
                      "<transition to='c' when='[x] > 1'/><transition to='b' when='[x] > 1'/>"
                      "</state><state name='b'/>"
                      "<state name='c'><transition to='b' when='1'/></state>"));
    run.values[channel("x", false)] = 0.0;
    step_at(0.0);
    cr_assert_eq(step_at(0.1), 0);
    run.values[channel("x", false)] = 2.0;
    cr_assert_eq(step_at(0.2), 1);
    cr_assert_str_eq(state(), "c");
    cr_assert_eq(taken.stayed, dpl_ns_from_s(0.2));
    cr_assert_str_eq(taken.when, "[x] > 1");
    cr_assert_eq(step_at(0.3), 1);
    cr_assert_str_eq(state(), "b");
}

Test(state_machine, looks_at_transitions_from_any_state_first_but_not_at_those_to_its_own)
{
    read_text(MACHINE("<any><transition to='stop' when='[x]'/></any>"
                      "<state name='a'><transition to='b' when='[x]'/></state><state name='b'/>"
                      "<state name='stop'><transition to='a' when='not [x]'/></state>"));
    size_t x = channel("x", false);
    step_at(0.0);
    run.values[x] = 1.0;
    cr_assert_eq(step_at(0.1), 1);
    cr_assert_str_eq(state(), "stop");
    cr_assert_eq(step_at(0.2), 0, "it is there: the time in the state goes on");
    cr_assert_eq(run.since, dpl_ns_from_s(0.1));
    run.values[x] = 0.0;
    cr_assert_eq(step_at(0.3), 1);
    cr_assert_str_eq(state(), "a");
}

Test(state_machine, waits_for_the_time_in_the_state_to_the_nanosecond)
{
    read_text(MACHINE("<state name='a'><transition to='b' after='300 ms'/></state>"
                      "<state name='b'><transition to='a' when='time >= 0.5'/></state>"));
    dpl_state_machine_step(machine, &run, 7, &taken, &why);
    cr_assert_eq(dpl_state_machine_step(machine, &run, 300000006, &taken, &why), 0);
    cr_assert_eq(dpl_state_machine_step(machine, &run, 300000007, &taken, &why), 1);
    cr_assert_eq(dpl_state_machine_step(machine, &run, 800000006, &taken, &why), 0);
    cr_assert_eq(dpl_state_machine_step(machine, &run, 800000007, &taken, &why), 1);
    cr_assert_eq(run.n_transitions, 2);
}

Test(state_machine, needs_both_the_time_and_the_condition)
{
    read_text(MACHINE("<state name='a'><transition to='b' when='[x]' after='1 s'/></state>"
                      "<state name='b'/>"));
    run.values[channel("x", false)] = 1.0;
    step_at(0.0);
    cr_assert_eq(step_at(0.9), 0);
    run.values[channel("x", false)] = 0.0;
    cr_assert_eq(step_at(1.1), 0);
    run.values[channel("x", false)] = 1.0;
    cr_assert_eq(step_at(1.2), 1);
}

Test(state_machine, does_the_exit_of_the_old_state_then_the_entry_then_the_while_of_the_new_one)
{
    read_text(MACHINE("<variable name='n' value='1'/>"
                      "<state name='a'><while><set name='n' value='n*10'/></while>"
                      "<exit><set name='n' value='n + 1'/></exit>"
                      "<transition to='b' when='total >= 2'/></state>"
                      "<state name='b'><entry><set name='n' value='n*10 + 2'/></entry>"
                      "<while><set name='n' value='n*10 + 3'/><put channel='o' value='n'/></while>"
                      "</state>"));
    step_at(1.0);
    cr_assert_eq(run.variables[0], 10.0);
    step_at(2.0);
    cr_assert_eq(run.variables[0], 100.0);
    step_at(3.0);
    cr_assert_eq(run.variables[0], 10123.0, "%g", run.variables[0]);
    cr_assert_eq(output("o"), 10123.0);
}

Test(state_machine, says_the_time_in_the_state_as_that_of_the_new_one_at_its_entry)
{
    read_text(MACHINE("<state name='a'><transition to='b' after='1 s'/></state><state name='b'>"
                      "<entry><put channel='o' value='time'/><put channel='t' value='total'/>"
                      "</entry><while><put channel='w' value='time'/></while></state>"));
    step_at(2.0);
    step_at(3.5);
    cr_assert_eq(output("o"), 0.0);
    cr_assert_eq(output("t"), 1.5);
    cr_assert_eq(output("w"), 0.0);
    step_at(4.0);
    cr_assert_eq(output("w"), 0.5);
    cr_assert_eq(output("o"), 0.0);
}

Test(state_machine, puts_nothing_that_no_state_has_put)
{
    read_text(MACHINE("<state name='a'><transition to='b' when='[x]'/></state>"
                      "<state name='b'><entry><put channel='o' value='1'/></entry></state>"));
    step_at(0.0);
    cr_assert(!run.is_put[channel("o", true)]);
}

Test(state_machine, reads_and_puts_a_channel_of_one_name_as_two)
{
    read_text(MACHINE("<state name='a'><while><put channel='o' value='[o] + 1'/></while></state>"));
    cr_assert_eq(dpl_state_machine_n_channels(machine), 2);
    run.values[channel("o", false)] = 41.0;
    step_at(0.0);
    cr_assert_eq(output("o"), 42.0);
    cr_assert_eq(run.values[channel("o", false)], 41.0);
}

Test(state_machine, says_where_an_expression_has_no_value)
{
    read_text(MACHINE("<state name='a'>\n <transition to='a' when='2 &gt; 1/[x]'/></state>"));
    run.values[channel("x", false)] = 0.0;
    cr_assert_eq(step_at(0.0), 0);
    cr_assert_eq(step_at(0.1), -EDOM);
    cr_assert_eq(why.place.line, 2);
    cr_assert_eq(why.place.column, 35, "%d: references count as they were written",
                 why.place.column);
    cr_assert_str_eq(why.text, "when: division by zero");
}

Test(state_machine, goes_on_the_same_from_a_copy_of_its_run)
{
    read_text(MACHINE("<variable name='n' value='0'/><state name='a'>"
                      "<while><set name='n' value='sin(n + [x]) + time'/></while>"
                      "<transition to='b' when='n > 0.9'/></state><state name='b'>"
                      "<while><set name='n' value='n*0.99'/></while>"
                      "<transition to='a' when='n &lt; 0.3'/></state>"));
    struct dpl_state_machine_run copy = {.begun = false}, first = {.begun = false};
    size_t x = channel("x", false);
    for (int round = 0; round < 2; round++) {
        run = copy;
        for (int i = round * 500; i < 1000; i++) {
            if (i == 500) {
                copy = run;
            }
            run.values[x] = 0.001 * i;
            step_at(0.01 * i);
        }
        if (round == 0) {
            first = run;
            cr_assert_gt(run.n_transitions, 3);
        }
    }
    cr_assert_eq(memcmp(&first.variables, &run.variables, sizeof run.variables), 0);
    cr_assert_eq(first.n_transitions, run.n_transitions);
    cr_assert_eq(first.since, run.since);
}

/* ---- files ---- */

Test(state_machine, says_what_is_wrong_with_its_place)
{
    static const struct {
        const char *text, *error;
        int line, column;
    } wrong[] = {
        {"<world/>", "found <world>, expected <state_machine>", 1, 1},
        {"<state_machine name='m'/>", "lacks <state>", 1, 1},
        {"<state_machine><state name='a'/></state_machine>", "lacks the attribute 'name'", 1, 1},
        {MACHINE("<state name='a'/>\n<state name='a'/>"), "a second state 'a'", 2, 1},
        {MACHINE("<state name='open'><transition to='opn' when='1'/></state>"),
         "there is no state 'opn', did you mean 'open'?", 1, 60},
        {MACHINE("<state name='a'><transition to='a'/></state>"), "neither when nor after", 1, 41},
        {MACHINE("<state name='a'>\n<transition to='a' when='[x] >'/></state>"),
         "when: the expression ends where", 2, 31},
        {MACHINE("<state name='a'>\n<transition to='a' when='tme > 1'/></state>"), "'time'", 2, 26},
        {MACHINE("<state name='a'>\n<transition to='a' when='[]'/></state>"), "a channel", 2, 27},
        {MACHINE("<state name='a'><transition to='a' after='2 m'/></state>"), "after", 1, 67},
        {MACHINE("<state name='a'><transition to='a' after='-1 s'/></state>"), "after", 1, 67},
        {MACHINE("<state name='a'><transiton to='a' when='1'/></state>"),
         "unknown element <transiton> in <state>; did you mean 'transition'?", 1, 41},
        {MACHINE("<state name='a'><entry><put chanel='o' value='1'/></entry></state>"),
         "unknown attribute 'chanel' of <put>; did you mean 'channel'?", 1, 53},
        {MACHINE("<state name='a'><entry><set name='n' value='1'/></entry></state>"),
         "there is no <variable> 'n'", 1, 59},
        {MACHINE("<variable name='time' value='1'/><state name='a'/>"), "is a reserved name", 1,
         41},
        {MACHINE("<variable name='sin' value='1'/><state name='a'/>"), "cannot be the name", 1, 41},
        {MACHINE("<variable name='n' value='x'/><state name='a'/>"), "'x' is not a number", 1, 51},
        {"<state_machine name='m'>\n<state", "", 2, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct dpl_diags diags = {0};
        const char *text = wrong[i].text;
        int err = dpl_state_machine_read_text("m.xml", text, strlen(text), &diags, &machine);
        cr_assert_eq(err, -EINVAL, "%s", text);
        bool found = false;
        for (size_t k = 0; k < diags.n; k++) {
            const struct dpl_diag *diag = &diags.items[k];
            found |= strstr(diag->text, wrong[i].error) && diag->place.line == wrong[i].line &&
                     (wrong[i].column == 0 || diag->place.column == wrong[i].column);
        }
        cr_assert(found, "%s: %d:%d: %s", text, diags.items[0].place.line,
                  diags.items[0].place.column, diags.items[0].text);
        dpl_diags_finish(&diags);
    }
}

Test(state_machine, finds_all_errors_of_a_file_at_once)
{
    static const char text[] =
        MACHINE("<state name='a'><entry><put channel='o' value='1 +'/></entry>"
                "<transition to='x' when='('/></state>");
    struct dpl_diags diags = {0};
    cr_assert_eq(dpl_state_machine_read_text("m.xml", text, strlen(text), &diags, &machine),
                 -EINVAL);
    cr_assert_eq(diags.n_errors, 3);
    cr_assert_str_eq(diags.items[2].place.file, "m.xml");
    dpl_diags_finish(&diags);
}

Test(state_machine, warns_of_a_state_to_which_nothing_leads)
{
    static const char text[] = MACHINE("<state name='a'/>\n<state name='b'><transition to='b' "
                                       "when='1'/></state>");
    struct dpl_diags diags = {0};
    cr_assert_eq(dpl_state_machine_read_text("m.xml", text, strlen(text), &diags, &machine), 0);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_str_eq(diags.items[0].text, "no transition leads to state 'b'");
    cr_assert_eq(diags.items[0].place.line, 2);
    dpl_diags_finish(&diags);
}

Test(state_machine, refuses_more_channels_than_a_device_has)
{
    static char text[8192];
    char *at = text + sprintf(text, "<state_machine name='m'><state name='a'><entry>");
    for (int i = 0; i <= DPL_STATE_MACHINE_CHANNELS_MAX; i++) {
        at += sprintf(at, "<put channel='c%d' value='0'/>", i);
    }
    sprintf(at, "</entry></state></state_machine>");
    struct dpl_diags diags = {0};
    cr_assert_eq(dpl_state_machine_read_text("m.xml", text, strlen(text), &diags, &machine),
                 -EINVAL);
    cr_assert_eq(diags.n_errors, 1);
    cr_assert_not_null(strstr(diags.items[0].text, "more than 64 channels"));
    dpl_diags_finish(&diags);
}
