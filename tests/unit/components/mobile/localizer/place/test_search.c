/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the global search and of choosing between places. */
#include "loc_hypotheses.h"
#include "loc_nudge.h"
#include "loc_search.h"

#include <criterion/criterion.h>

#include "plan.h"

static struct loc_search search;
static struct loc_scan scan;
static const struct dpl_raycast_index *plan;
static const struct loc_laser nominal;

static void begin(size_t n)
{
    plan = plan_index(plan_room, n);
    cr_assert(loc_search_init(&search, plan, plan_room, n));
    cr_assert(loc_scan_init(&scan, PLAN_BEAMS));
}

static void end(void)
{
    loc_search_finish(&search);
    loc_scan_finish(&scan);
}

static int find(struct dpl_pose2 laser)
{
    bool equal;
    int slices = 0;
    struct localizer_scan taken = plan_scan(plan, laser, 1.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    loc_search_begin(&search, &scan, &nominal);
    while (!loc_search_step(&search) && slices < 10000) {
        slices++;
    }
    return slices;
}

static double off(struct dpl_pose2 a, struct dpl_pose2 b)
{
    return dpl_pose2_distance(a, b) + fabs(dpl_wrap_angle(a.theta - b.theta));
}

Test(loc_search, free_space_is_inside_of_the_room, .fini = end)
{
    begin(9);
    cr_assert(search.n_free > 400, "%zu", search.n_free);
    for (size_t i = 0; i < search.n_free; i++) {
        float x = search.free[i][0], y = search.free[i][1];
        cr_assert(x > 0.0f && x < 6.0f && y > 0.0f && y < 4.0f, "%g %g", (double)x, (double)y);
    }
}

Test(loc_search, finds_any_pose_in_a_room_with_furniture, .fini = end)
{
    static const struct dpl_pose2 poses[] = {
        {2.5, 1.4, 0.3}, {0.7, 0.6, 2.0}, {5.3, 3.4, -2.5}, {3.1, 2.9, 1.1}, {1.9, 3.3, -0.4},
    };
    begin(9);
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        int slices = find(poses[i]);
        cr_assert(search.n_places > 0 && slices < 200);
        double best = 9.0;
        for (size_t k = 0; k < search.n_places && k < 8; k++) {
            best = fmin(best, off(search.places[k].laser, poses[i]));
        }
        cr_assert(best < 0.1, "pose %zu: nearest of the best is %g off", i, best);
    }
}

Test(loc_search, an_empty_room_has_two_places_that_fit_alike, .fini = end)
{
    begin(4);
    struct dpl_pose2 pose = {1.5, 1.2, 0.4}, turned = {4.5, 2.8, 0.4 + DPL_PI};
    find(pose);
    bool one = false, other = false;
    for (size_t i = 0; i < 4 && i < search.n_places; i++) {
        one |= off(search.places[i].laser, pose) < 0.1;
        other |= off(search.places[i].laser, turned) < 0.1;
    }
    cr_assert(one && other);
}

Test(loc_search, a_scan_without_returns_finds_nothing, .fini = end)
{
    begin(9);
    loc_search_begin(&search, &scan, &nominal);
    cr_assert(!loc_search_step(&search) && !search.running);
}

Test(loc_search, a_plan_without_outlines_has_no_free_space, .fini = end)
{
    begin(0);
    cr_assert(search.n_free == 0);
}

/* ---- choosing ---- */

static struct loc_hypotheses hypotheses;
static struct loc_match match;
static struct loc_history history;
static struct loc_filter like;
static const struct loc_motion motion = {&history, false};

static struct loc_observation observation(void)
{
    return (struct loc_observation){&match, &scan, &history, 0.0, 5.0, 2};
}

static void look(struct dpl_pose2 laser, double stamp_s)
{
    bool equal;
    struct localizer_scan taken = plan_scan(plan, laser, stamp_s);
    scan.n = 0;
    cr_assert(loc_scan_take(&scan, &taken, &equal));
}

static void suppose(size_t n_outlines, struct dpl_pose2 truth)
{
    struct loc_start start = plan_start((struct dpl_pose2){0});
    begin(n_outlines);
    cr_assert(loc_match_init(&match, plan, n_outlines, 2));
    loc_history_init(&history);
    loc_filter_init(&like, &start);
    like.time_s = 1.0;
    memset(&hypotheses, 0, sizeof hypotheses);
    hypotheses.born_s = (double)NAN;
    look(truth, 1.0);
    struct dpl_pose2 turned = {6.0 - truth.x, 4.0 - truth.y, truth.theta + DPL_PI};
    struct loc_observation o = observation();
    loc_hypotheses_add(&hypotheses, &like, turned, &o);
    loc_hypotheses_add(&hypotheses, &like, truth, &o);
    loc_hypotheses_add(&hypotheses, &like, (struct dpl_pose2){3.0, 0.6, 1.0}, &o);
}

/* `most`: hypotheses in a slice. */
static enum loc_verdict scans_in_slices(struct dpl_pose2 truth, int n, size_t most)
{
    enum loc_verdict verdict = LOC_OPEN;
    for (int i = 1; i <= n && verdict == LOC_OPEN; i++) {
        look(truth, 1.0 + 0.1 * i);
        struct loc_observation o = observation();
        do {
            verdict = loc_hypotheses_scan(&hypotheses, &o, &motion, most);
        } while (verdict == LOC_GOES_ON);
    }
    return verdict;
}

static enum loc_verdict scans(struct dpl_pose2 truth, int n)
{
    return scans_in_slices(truth, n, LOC_HYPOTHESES_MAX);
}

Test(loc_hypotheses, an_empty_room_stays_ambiguous, .fini = end)
{
    struct dpl_pose2 truth = {1.5, 1.2, 0.4};
    suppose(4, truth);
    cr_assert(hypotheses.n == 2, "%zu", hypotheses.n);
    cr_assert(scans(truth, 200) == LOC_OPEN);
    struct loc_moment moment;
    loc_hypotheses_moment(&hypotheses, &moment);
    cr_assert(moment.covariance[0][0] > 1.0, "%g", moment.covariance[0][0]);
    loc_match_finish(&match);
}

Test(loc_hypotheses, furniture_decides, .fini = end)
{
    struct dpl_pose2 truth = {2.5, 1.4, 0.3};
    suppose(9, truth);
    cr_assert(scans(truth, 200) == LOC_DECIDED);
    cr_assert(off(loc_filter_pose(&hypotheses.list[0].track.filter), truth) < 0.05);
    loc_match_finish(&match);
}

/* All that were possible are within the deviation until one is decided for. */
Test(loc_hypotheses, the_deviation_holds_all_places_also_those_that_were_dropped, .fini = end)
{
    struct dpl_pose2 truth = {2.5, 1.4, 0.3};
    suppose(9, truth);
    loc_hypotheses_add(&hypotheses, &like, (struct dpl_pose2){3.5, 2.6, truth.theta + DPL_PI},
                       &(struct loc_observation){&match, &scan, &history, 0.0, 5.0, 2});
    size_t n = hypotheses.n;
    cr_assert(n > 1, "%zu", n);
    double far_x = 0.0;
    struct dpl_pose2 best = loc_filter_pose(&hypotheses.list[0].track.filter);
    for (size_t i = 1; i < n; i++) {
        struct dpl_pose2 other = loc_filter_pose(&hypotheses.list[i].track.filter);
        far_x = fmax(far_x, fabs(other.x - best.x));
    }
    bool dropped = false;
    for (int i = 0; i < 200 && hypotheses.n > 0 && !dropped; i++) {
        struct loc_moment moment;
        loc_hypotheses_moment(&hypotheses, &moment);
        cr_assert(sqrt(moment.covariance[0][0]) >= 0.9 * far_x, "%g, of %g at the beginning",
                  sqrt(moment.covariance[0][0]), far_x);
        dropped = hypotheses.n == 1;
        look(truth, 2.0 + 0.1 * i);
        struct loc_observation o = observation();
        cr_assert(loc_hypotheses_scan(&hypotheses, &o, &motion, LOC_HYPOTHESES_MAX) != LOC_NONE);
    }
    cr_assert(dropped);
    loc_match_finish(&match);
}

Test(loc_hypotheses, one_place_alone_says_nothing_before_it_is_decided_for, .fini = end)
{
    struct dpl_pose2 truth = {2.5, 1.4, 0.3};
    suppose(9, truth);
    hypotheses.n = 1;
    struct loc_moment moment;
    loc_hypotheses_moment(&hypotheses, &moment);
    cr_assert(moment.covariance[0][0] >= 25.0 && moment.covariance[1][1] >= 25.0);
    loc_match_finish(&match);
}

Test(loc_hypotheses, one_scan_decides_nothing, .fini = end)
{
    struct dpl_pose2 truth = {2.5, 1.4, 0.3};
    suppose(9, truth);
    cr_assert(scans(truth, 5) == LOC_OPEN);
    loc_match_finish(&match);
}

Test(loc_hypotheses, places_that_nothing_explains_are_given_up, .fini = end)
{
    struct dpl_pose2 truth = {1.5, 1.2, 0.4}, elsewhere = {4.9, 0.7, 2.0};
    suppose(4, truth);
    cr_assert(scans(elsewhere, 200) == LOC_NONE);
    loc_match_finish(&match);
}

Test(loc_hypotheses, slices_decide_as_the_whole_does, .fini = end)
{
    struct dpl_pose2 truth = {2.5, 1.4, 0.3};
    suppose(9, truth);
    cr_assert(scans(truth, 3) == LOC_OPEN && hypotheses.n > 1);
    struct loc_hypotheses whole = hypotheses;
    loc_match_finish(&match);
    end();
    suppose(9, truth);
    cr_assert(scans_in_slices(truth, 3, 1) == LOC_OPEN && hypotheses.n == whole.n);
    for (size_t i = 0; i < whole.n; i++) {
        cr_assert(hypotheses.list[i].log_weight == whole.list[i].log_weight);
        cr_assert(memcmp(hypotheses.list[i].track.filter.x, whole.list[i].track.filter.x,
                         sizeof whole.list[i].track.filter.x) == 0);
    }
    loc_match_finish(&match);
}

Test(loc_hypotheses, what_was_followed_wins_against_a_place_that_fits_alike, .fini = end)
{
    struct dpl_pose2 truth = {1.5, 1.2, 0.4};
    suppose(4, truth);
    struct loc_track followed = hypotheses.list[0].track;
    loc_filter_place(&followed.filter, truth, 0.05, 0.03);
    memset(&hypotheses, 0, sizeof hypotheses);
    hypotheses.born_s = (double)NAN;
    struct loc_observation o = observation();
    struct dpl_pose2 turned = {6.0 - truth.x, 4.0 - truth.y, truth.theta + DPL_PI};
    loc_hypotheses_add(&hypotheses, &like, turned, &o);
    loc_hypotheses_keep(&hypotheses, &followed);
    scans(truth, 200);
    cr_assert(hypotheses.list[0].tracked);
    cr_assert(off(loc_filter_pose(&hypotheses.list[0].track.filter), truth) < 0.05);
    loc_match_finish(&match);
}

/* ---- places beside a pose ---- */

static enum loc_nudge_end nudge_to(struct dpl_pose2 truth, double most_m, struct dpl_pose2 *shift)
{
    struct loc_nudge nudge;
    struct loc_track track;
    memset(&track, 0, sizeof track);
    suppose(9, truth);
    track.filter = like;
    loc_filter_place(&track.filter, (struct dpl_pose2){truth.x - 0.4, truth.y, truth.theta}, 0.05,
                     0.03);
    struct loc_observation o = observation();
    loc_nudge_begin(&nudge, most_m, (double)INFINITY);
    enum loc_nudge_end ended = LOC_NUDGE_GOES_ON;
    while (ended == LOC_NUDGE_GOES_ON) {
        ended = loc_nudge_step(&nudge, &track, &o, shift);
    }
    loc_match_finish(&match);
    return ended;
}

Test(loc_nudge, finds_a_pose_beside_but_not_beyond_its_reach)
{
    struct dpl_pose2 truth = {2.5, 1.4, 0.3}, shift;
    cr_assert(nudge_to(truth, (double)INFINITY, &shift) == LOC_NUDGE_FOUND);
    cr_assert(fabs(hypot(shift.x, shift.y) - 0.4) < 0.03, "%g", hypot(shift.x, shift.y));
    end();
    cr_assert(nudge_to(truth, 0.15, &shift) == LOC_NUDGE_NOTHING);
    end();
}
