/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the evidence for a place, and of the search for rivals. */
#include "rivals.h"

#include <criterion/criterion.h>
#include <string.h>

#include "plan.h"

static struct loc_match match;
static struct evidence_plan plan;
static struct loc_scan scan;
static struct local_map map;
static struct local_map_view view;
static struct loc_search search;
static struct rivals rivals;
static const struct dpl_raycast_index *index_;
static struct dpl_pose2 at;
static const struct dpl_pose2 first = {2.5, 1.4, 0.3};

static void begin_with(const struct dpl_raycast_outline *outlines, size_t n)
{
    index_ = plan_index(outlines, n);
    cr_assert(loc_match_init(&match, index_, n, 2) && loc_scan_init(&scan, PLAN_BEAMS));
    cr_assert(evidence_plan_init(&plan, &match, outlines, n));
    cr_assert(loc_search_init(&search, index_, outlines, n));
    rivals_init(&rivals, &search);
    local_map_init(&map);
    at = first;
}

static void begin(void)
{
    begin_with(plan_room, 9);
}

static void end(void)
{
    evidence_plan_finish(&plan);
    loc_match_finish(&match);
    loc_search_finish(&search);
    loc_scan_finish(&scan);
}

static void go(int steps, struct dpl_pose2 moved)
{
    for (int i = 0; i < steps; i++) {
        bool equal;
        at = dpl_pose2_compose(at, moved);
        struct localizer_scan taken = plan_scan(index_, at, 1.0 + map.way_m);
        cr_assert(loc_scan_take(&scan, &taken, &equal));
        local_map_scan(&map, &scan, moved);
    }
    local_map_look(&map, 5.0, &view);
}

/* The odometry's frame lies where the laser began. */
static double evidence_beside(double x, double y, double turn)
{
    const struct loc_laser laser = {{0}, 0, 0};
    struct dpl_pose2 place = {first.x + x, first.y + y, first.theta + turn};
    return evidence_of(&plan, &view, &laser, place);
}

Test(evidence, right_place_leads, .init = begin, .fini = end)
{
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    double right = evidence_beside(0, 0, 0);
    cr_expect_gt(right, 10.0);
    cr_expect_gt(right, evidence_beside(0.3, 0, 0) + 10.0);
    cr_expect_gt(right, evidence_beside(0, -0.3, 0) + 10.0);
    cr_expect_gt(right, evidence_beside(0, 0, DPL_PI) + 10.0);
}

/* A surface may be off by a centimetre: what that costs is little beside a place that is wrong. */
Test(evidence, a_centimetre_costs_little, .init = begin, .fini = end)
{
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    double right = evidence_beside(0, 0, 0), near = evidence_beside(0.01, 0.01, 0);
    double wrong = evidence_beside(0.3, 0, 0);
    cr_expect_lt(right - near, 0.1 * (right - wrong), "%g %g %g", right, near, wrong);
}

/* One object that is elsewhere costs no more than its prior says, however many beams meet it. */
Test(evidence, one_object_that_is_gone_is_one_fact, .init = begin, .fini = end)
{
    struct dpl_raycast_outline without[5];
    memcpy(without, plan_room, 4 * sizeof without[0]);
    without[4] = plan_room[8];
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    double there = evidence_beside(0, 0, 0);
    index_ = plan_index(without, 5);
    local_map_init(&map);
    at = first;
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    double gone = evidence_beside(0, 0, 0);
    cr_expect_gt(gone, evidence_beside(0.3, 0, 0) + 5.0);
    cr_expect_lt(gone, there);
}

Test(evidence, refining_finds_back, .init = begin, .fini = end)
{
    const struct loc_laser laser = {{0}, 0, 0};
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    struct dpl_pose2 place = {first.x + 0.08, first.y - 0.06, first.theta + 0.03};
    place = evidence_refine(&plan, &view, &laser, place);
    cr_expect_lt(dpl_pose2_distance(place, first), 0.02);
    cr_expect_lt(fabs(place.theta - first.theta), 0.01);
}

static double find_lead(struct dpl_pose2 followed)
{
    double lead = (double)NAN;
    struct rivals_input input = {&plan, &map, 5.0, {followed, 0, 0}};
    rivals_begin(&rivals, &scan, &input, true);
    for (int i = 0; i < 1000; i++) {
        if (rivals_step(&rivals, &input, &lead)) {
            return lead;
        }
    }
    cr_assert(false, "the search does not end");
    return lead;
}

Test(rivals, right_place_leads_and_a_wrong_one_is_led, .init = begin, .fini = end)
{
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    cr_expect_gt(find_lead(at), 10.0);
    struct dpl_pose2 wrong = {at.x - 1.0, at.y + 0.5, at.theta};
    cr_expect_lt(find_lead(wrong), -10.0);
    cr_expect_gt(rivals.n_kept, 0);
}

Test(rivals, known_rivals_are_weighed_without_a_search, .init = begin, .fini = end)
{
    double lead = (double)NAN;
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    find_lead((struct dpl_pose2){at.x - 1.0, at.y + 0.5, at.theta}); /* the right one is kept */
    struct rivals_input input = {&plan, &map, 5.0, {{at.x - 1.0, at.y + 0.5, at.theta}, 0, 0}};
    rivals_begin(&rivals, &scan, &input, false);
    cr_expect_eq(rivals.phase, RIVALS_WEIGHS);
    for (int i = 0; i < 100 && !rivals_step(&rivals, &input, &lead); i++) {
        cr_assert_neq(rivals.phase, RIVALS_SEARCHES);
    }
    cr_expect_lt(lead, -10.0);
}

/* Two equal halves: neither leads. */
Test(rivals, copy_of_a_place_does_not_lead, .fini = end)
{
    static const struct dpl_raycast_outline square[4] = {
        {0, 0, 4, 0, 0, -1}, {4, 0, 0, 4, 0, -1}, {4, 4, -4, 0, 0, -1}, {0, 4, 0, -4, 0, -1}};
    begin_with(square, 4);
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    cr_expect_lt(fabs(find_lead(at)), 3.0);
}

/* A corridor of 100 m: the places beside are as good as the followed one. */
Test(rivals, places_beside_that_evidence_does_not_exclude_are_told, .fini = end)
{
    begin_with(plan_corridor, 2);
    at = (struct dpl_pose2){0, 0.1, 0.1};
    go(5, (struct dpl_pose2){0.04, 0, 0});
    find_lead(at);
    cr_expect(rivals.near_m > 0.12 && rivals.near_m < 0.6, "%g", rivals.near_m);
    end();
    begin();
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    find_lead(at);
    cr_expect_eq(rivals.near_m, 0.0);
}

Test(rivals, stopped_search_says_nothing, .init = begin, .fini = end)
{
    double lead;
    go(20, (struct dpl_pose2){0.04, 0, 0.02});
    struct rivals_input input = {&plan, &map, 5.0, {at, 0, 0}};
    rivals_begin(&rivals, &scan, &input, true);
    rivals_stop(&rivals, true);
    for (int i = 0; i < 200; i++) {
        cr_assert(!rivals_step(&rivals, &input, &lead));
    }
}
