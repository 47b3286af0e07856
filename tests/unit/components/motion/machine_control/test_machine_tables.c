/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of both state machines: every pair of state and request has an answer. */
#include <string.h>

#include <criterion/criterion.h>

#include "machine.h"

static void expect_whole(const struct machine_answer *answer, int n_next, const char *of,
                         int request)
{
    cr_assert_not_null(answer->why, "%s has no answer to %s", of,
                       machine_request_name((enum dpl_machine_request_kind)request));
    cr_assert(answer->next >= 0 && answer->next < n_next);
    bool can_refuse = answer->verdict == VERDICT_REFUSE || answer->guard != GUARD_NONE;
    cr_assert_eq(answer->why[0] != '\0', can_refuse, "%s, %s", of,
                 machine_request_name((enum dpl_machine_request_kind)request));
}

Test(machine_tables, answer_every_request_in_every_phase)
{
    for (int phase = 0; phase < PHASES; phase++) {
        for (int request = 0; request < DPL_MACHINE_REQUEST_KIND_N; request++) {
            const char *name = primary_phase_name((enum machine_phase)phase);
            expect_whole(&primary_answers[phase][request], PHASES, name, request);
        }
    }
}

Test(machine_tables, answer_every_request_in_every_row)
{
    for (int row = 0; row < ROWS; row++) {
        for (int request = 0; request < DPL_MACHINE_REQUEST_KIND_N; request++) {
            const char *name = secondary_row_name((enum machine_row)row);
            expect_whole(&secondary_answers[row][request], ROWS, name, request);
        }
    }
}

Test(machine_tables, know_an_emergency_everywhere)
{
    for (int phase = 0; phase < PHASES; phase++) {
        const struct machine_answer *answer = &primary_answers[phase][DPL_REQUEST_EMERGENCY];
        cr_assert_eq(answer->verdict, VERDICT_ACCEPT);
        cr_assert_eq(answer->next, PHASE_FAULT);
        cr_assert_eq(answer->guard, GUARD_NONE);
    }
}

Test(machine_tables, let_only_stopping_follow_admittance)
{
    for (int row = ROW_SYNC; row <= ROW_WAIT; row++) {
        for (int request = 0; request < DPL_MACHINE_REQUEST_KIND_N; request++) {
            const struct machine_answer *answer = &secondary_answers[row][request];
            bool inside = answer->next >= ROW_SYNC && answer->next <= ROW_WAIT;
            cr_assert(answer->verdict != VERDICT_ACCEPT || inside || answer->next == ROW_STOPPING);
        }
    }
}

Test(machine_tables, ask_the_secondary_only_where_motion_is_allowed)
{
    for (int phase = 0; phase < PHASES; phase++) {
        for (int request = 0; request < DPL_MACHINE_REQUEST_KIND_N; request++) {
            bool allowed = phase == PHASE_READY || phase == PHASE_MOTION;
            cr_assert(!primary_answers[phase][request].ask_secondary || allowed);
        }
    }
}

Test(machine_tables, have_a_rule_for_every_fault)
{
    for (int fault = FAULT_NONE + 1; fault < FAULTS; fault++) {
        const struct machine_fault_rule *rule = &machine_fault_rules[fault];
        cr_assert_not_null(rule->name);
        cr_assert_not_null(rule->what);
        cr_assert_neq(rule->reaction, REACT_NOT, "%s", rule->name);
    }
}

/* Numbers go out with MachineStatus: a new fault comes last. */
Test(machine_tables, keep_the_numbers_of_faults)
{
    cr_assert_eq((int)FAULT_EMERGENCY, 1);
    cr_assert_eq((int)FAULT_RESET_FAILED, 16);
    cr_assert_eq((int)FAULT_FORCE_LOST, 17);
    cr_assert_eq((int)FAULTS, 18);
}

Test(machine_tables, name_everything_and_nothing_beyond)
{
    for (int i = 0; i < PHASES; i++) {
        cr_assert_str_neq(primary_phase_name((enum machine_phase)i), "unknown");
    }
    for (int i = 0; i < ROWS; i++) {
        cr_assert_str_neq(secondary_row_name((enum machine_row)i), "unknown");
    }
    for (int i = 0; i < DPL_MACHINE_REQUEST_KIND_N; i++) {
        cr_assert_str_neq(machine_request_name((enum dpl_machine_request_kind)i), "unknown");
    }
    cr_assert_str_eq(primary_phase_name(PHASES), "unknown");
    cr_assert_str_eq(secondary_row_name(ROWS), "unknown");
    cr_assert_str_eq(machine_request_name(DPL_MACHINE_REQUEST_KIND_N), "unknown");
}
