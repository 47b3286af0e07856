/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the table of states. */
#include "rules.h"

#include <criterion/criterion.h>
#include <math.h>

static struct rules rules;
static struct rules_outcome outcome;
static struct rules_scan good;

static void begin_with(double credit)
{
    struct rules_config config = {.alert_limit_m = 0.3, .start_credit = credit, .scan_gap_s = 0.35};
    rules_init(&rules, &config);
    good = (struct rules_scan){.placed = true,
                               .n_compared = 300,
                               .n_enough = 60,
                               .continuity = 0.98,
                               .fit = 0.95,
                               .level_m = 0.1,
                               .sigma_m = 0.01,
                               .sigma_rad = 0.01};
}

static void begin(void)
{
    begin_with(4.0);
}

static void see(const struct rules_scan *scan, double seconds)
{
    for (int i = 0; i < (int)lround(10.0 * seconds); i++) {
        struct rules_scan now = *scan;
        good.stamp_s += 0.1;
        good.way_m += 0.03;
        now.stamp_s = good.stamp_s;
        now.way_m = good.way_m;
        now.has_lead = false;
        rules_scan(&rules, &now, &outcome);
    }
}

static void lead(double nats)
{
    struct rules_scan now = good;
    good.stamp_s += 0.1;
    good.way_m += 0.2;
    now.stamp_s = good.stamp_s;
    now.way_m = good.way_m;
    now.has_lead = true;
    now.lead = nats;
    rules_scan(&rules, &now, &outcome);
}

static void prove(void)
{
    see(&good, 2.0);
    lead(25.0);
    lead(25.0);
    cr_assert_eq(rules.state, INTEGRITY_OK);
}

Test(rules, place_is_ambiguous_until_evidence_has_decided_twice, .init = begin)
{
    see(&good, 3.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    cr_expect_eq(rules.reason, INTEGRITY_START);
    lead(12.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    lead(2.0);
    lead(12.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    lead(12.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    cr_expect_eq(rules_basis(&rules), INTEGRITY_PROVEN);
}

Test(rules, start_that_is_believed_is_ok_as_told_with_the_second_scan)
{
    begin_with(30.0);
    see(&good, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_INIT);
    see(&good, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    cr_expect_eq(rules_basis(&rules), INTEGRITY_TOLD);
    lead(0.5);
    lead(-4.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    cr_expect_eq(rules_basis(&rules), INTEGRITY_TOLD);
    lead(14.0);
    lead(14.0);
    cr_expect_eq(rules_basis(&rules), INTEGRITY_PROVEN);
    lead(1.0);
    cr_expect_eq(rules_basis(&rules), INTEGRITY_FOLLOWED);
}

Test(rules, start_that_is_believed_is_refuted_by_a_place_that_is_clearly_better)
{
    begin_with(30.0);
    see(&good, 0.2);
    lead(-10.0);
    cr_expect_eq(rules.reason, INTEGRITY_RIVAL);
    lead(-21.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    cr_expect_eq(rules.reason, INTEGRITY_OUTRANKED);
    lead(-4.0);
    see(&good, 3.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS, "told counts no more");
}

Test(rules, place_that_was_found_elsewhere_is_not_the_one_that_was_told)
{
    begin_with(30.0);
    struct rules_scan lost = good, found = good;
    lost.placed = false;
    found.relocated = true;
    see(&lost, 0.5);
    see(&found, 0.1);
    see(&good, 1.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    lead(0.5);
    lead(0.5);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
}

Test(rules, first_rule_that_fails_is_the_reason, .init = begin)
{
    prove();
    struct rules_scan unfit = good, untested = good, wide = good, blind = good;
    unfit.fit = 0.3;
    untested.sigma_m = 0.12;
    wide.level_m = 0.4;
    blind.n_compared = 10;
    see(&unfit, 0.2);
    cr_expect_eq(rules.reason, INTEGRITY_UNFIT);
    see(&good, 0.6);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    see(&untested, 0.4);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    see(&untested, 0.3);
    cr_expect_eq(rules.reason, INTEGRITY_UNTESTED);
    see(&good, 0.6);
    see(&blind, 0.7);
    cr_expect_eq(rules.reason, INTEGRITY_UNTESTED);
    see(&good, 0.6);
    see(&wide, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_DEGRADED);
    cr_expect_eq(rules.reason, INTEGRITY_INACCURATE);
    see(&good, 0.3);
    cr_expect_eq(rules.state, INTEGRITY_DEGRADED, "it does not flicker");
    see(&good, 0.6);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    lead(-8.0);
    cr_expect_eq(rules.reason, INTEGRITY_RIVAL);
}

Test(rules, long_bad_fit_wants_a_new_search, .init = begin)
{
    prove();
    struct rules_scan unfit = good;
    unfit.fit = 0.3;
    see(&unfit, 3.5);
    see(&good, 1.0);
    cr_expect_eq(rules.reason, INTEGRITY_UNFIT);
    lead(3.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
}

Test(rules, drift_wants_a_new_proof, .init = begin)
{
    prove();
    struct rules_scan drifts = good;
    drifts.drifts = true;
    see(&drifts, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_DEGRADED);
    cr_expect_eq(rules.reason, INTEGRITY_DRIFTED);
    lead(5.0);
    cr_expect_eq(rules.reason, INTEGRITY_DRIFTED);
    lead(15.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    cr_expect(outcome.proven);
}

Test(rules, scan_that_was_not_foretold_is_a_doubt_at_once, .init = begin)
{
    prove();
    struct rules_scan jump = good;
    jump.continuity = 0.1;
    see(&jump, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    cr_expect_eq(rules.reason, INTEGRITY_MOVED);
    cr_expect(outcome.doubted && outcome.empties);
    see(&good, 3.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    cr_expect_eq(rules_basis(&rules), INTEGRITY_NO_BASIS);
}

Test(rules, few_beams_do_not_break_continuity, .init = begin)
{
    prove();
    struct rules_scan few = good;
    few.continuity = 0.1;
    few.n_compared = 20;
    see(&few, 0.3);
    cr_expect_eq(rules.state, INTEGRITY_OK);
}

Test(rules, rival_is_a_doubt_where_the_fit_has_fallen_or_it_leads_by_much, .init = begin)
{
    prove();
    lead(-20.0);
    lead(-20.0);
    cr_expect_eq(rules.reason, INTEGRITY_RIVAL);
    cr_expect_eq(rules.state, INTEGRITY_DEGRADED);
    good.fit = 0.8;
    lead(-20.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    cr_expect_eq(rules.reason, INTEGRITY_OUTRANKED);
    cr_expect(outcome.doubted && !outcome.empties);
    good.fit = 0.95;
    prove();
    lead(-50.0);
    cr_expect_eq(rules.reason, INTEGRITY_OUTRANKED);
}

Test(rules, gap_coasts_and_then_doubts, .init = begin)
{
    prove();
    rules_step(&rules, good.stamp_s + 0.3);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    rules_step(&rules, good.stamp_s + 0.4);
    cr_expect_eq(rules.state, INTEGRITY_COASTING);
    good.stamp_s += 5.0;
    see(&good, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    cr_expect_eq(rules.reason, INTEGRITY_RETURNED);
}

Test(rules, short_gap_is_bridged_by_a_scan_that_was_foretold, .init = begin)
{
    prove();
    rules_step(&rules, good.stamp_s + 0.6);
    cr_expect_eq(rules.state, INTEGRITY_COASTING);
    good.stamp_s += 0.6;
    see(&good, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    cr_expect_neq(rules_basis(&rules), INTEGRITY_NO_BASIS);
    see(&good, 0.5);
    rules_step(&rules, good.stamp_s + 0.6);
    good.stamp_s += 0.6;
    good.continuity = 0.7;
    see(&good, 0.1);
    cr_expect_eq(rules.reason, INTEGRITY_RETURNED);
}

Test(rules, slow_scanner_has_no_gaps, .init = begin)
{
    for (int i = 0; i < 5; i++) {
        good.stamp_s += 0.9;
        see(&good, 0.1);
    }
    rules_step(&rules, good.stamp_s + 1.5);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
}

Test(rules, estimator_without_a_place_is_lost, .init = begin)
{
    prove();
    struct rules_scan lost = good, jumped = good;
    lost.placed = false;
    see(&lost, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_LOST);
    see(&good, 0.1);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    see(&good, 2.0);
    lead(35.0);
    lead(35.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
    jumped.relocated = true;
    see(&jumped, 0.1);
    cr_expect_eq(rules.reason, INTEGRITY_RELOCATED);
}

/* Each scan foretells the next, and the estimator jumps: the place that was followed has a lead. */
Test(rules, place_that_was_followed_beats_another_one, .init = begin)
{
    prove();
    struct rules_scan jumped = good, back = good;
    jumped.relocated = back.relocated = back.follows = true;
    see(&jumped, 0.1);
    see(&good, 2.0);
    lead(20.0);
    lead(20.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    see(&back, 0.1);
    see(&good, 2.0);
    lead(1.0);
    lead(1.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
}

Test(rules, shaken_scans_take_what_was_decided_so_far, .init = begin)
{
    see(&good, 2.0);
    lead(25.0);
    struct rules_scan shaken = good;
    shaken.nis = 15.0;
    see(&shaken, 0.1);
    cr_expect(outcome.empties && !outcome.doubted);
    lead(25.0);
    cr_expect_eq(rules.state, INTEGRITY_AMBIGUOUS);
    lead(25.0);
    cr_expect_eq(rules.state, INTEGRITY_OK);
}

Test(rules, every_state_and_reason_has_a_name)
{
    for (int i = 0; i < INTEGRITY_STATES; i++) {
        cr_expect_neq(rules_state_name((enum integrity_state)i), NULL);
    }
    for (int i = 0; i < INTEGRITY_REASONS; i++) {
        cr_expect_neq(rules_reason_name((enum integrity_reason)i), NULL);
    }
}
