/* SPDX-License-Identifier: Apache-2.0 */
/* What an error of the plan does to the estimate, against the same sums by hand. */
#include "loc_influence.h"

#include <string.h>

#include <criterion/criterion.h>

/* A match that has seen surface 1 of two, and an update that keeps half of each parameter. */
static void see_one(struct loc_match *match, struct loc_update *update)
{
    cr_assert(loc_match_init(match, NULL, 2, 0));
    match->map_error_m = 0.01;
    match->told_error_m = 0.02;
    match->n_touched = 1;
    match->touched[0] = 1;
    match->surfaces[1] =
        (struct loc_surface){.g = {[LOC_X] = 4e4, [LOC_BIAS] = 2e4}, .h = 3e4, .trust = 0.5};
    memset(update, 0, sizeof *update);
    update->correlation = 5.0;
    for (int i = 0; i < LOC_STATES; i++) {
        update->change.keep[i][i] = 0.5;
    }
    update->change.by_b[LOC_STATE_BIAS][LOC_BIAS] = 1e-4;
    update->change.by_b[LOC_STATE_X][LOC_X] = 1e-4;
}

Test(influence, of_an_offset_lasts_and_moves_with_the_robot)
{
    struct loc_influence influence;
    struct loc_match match;
    struct loc_update update;
    struct loc_filter filter = {.has_way = true};
    /* share: trust / map^2 / (h + 1 / map^2) / correlation */
    double share = 0.5 * 1e4 / (3e4 + 1e4) / 5.0, once = 1e-4 * share * 2e4;
    see_one(&match, &update);
    cr_assert(loc_influence_init(&influence, 2));
    cr_assert_eq(loc_influence_variance(&influence, LOC_STATE_BIAS), 0.0, "before any scan");
    loc_filter_begin_way(&filter);
    loc_influence_scan(&influence, &match, &update, &filter);
    cr_assert_float_eq(influence.by[1][LOC_STATE_BIAS], once, 1e-12);
    cr_assert_float_eq(influence.by[1][LOC_STATE_X], 2.0 * once, 1e-12);
    cr_assert_eq(influence.by[0][LOC_STATE_BIAS], 0.0, "of a surface that nobody saw");

    /* the way makes y of x, and the second scan keeps half */
    filter.way[LOC_STATE_Y][LOC_STATE_X] = 0.25;
    loc_influence_scan(&influence, &match, &update, &filter);
    cr_assert_float_eq(influence.by[1][LOC_STATE_BIAS], 1.5 * once, 1e-12);
    cr_assert_float_eq(influence.by[1][LOC_STATE_X], 3.0 * once, 1e-12);
    cr_assert_float_eq(influence.by[1][LOC_STATE_Y], 0.5 * 0.25 * 2.0 * once, 1e-12);
    cr_assert_eq(filter.way[LOC_STATE_Y][LOC_STATE_X], 0.0, "the way is used up");
    cr_assert_float_eq(loc_influence_variance(&influence, LOC_STATE_BIAS),
                       LOC_MAP_SHARE * 0.02 * 0.02 * 1.5 * once * 1.5 * once, 1e-15);
    loc_influence_finish(&influence);
    loc_match_finish(&match);
}

/* Along a corridor a scan says nothing, and an error of the plan says nothing either. */
Test(influence, of_a_direction_that_is_not_seen_is_none)
{
    struct loc_influence influence;
    struct loc_match match;
    struct loc_update update;
    struct loc_filter filter = {.has_way = true};
    see_one(&match, &update);
    update.unobservable = true;
    update.unobservable_rad = 0.0;
    cr_assert(loc_influence_init(&influence, 2));
    loc_filter_begin_way(&filter);
    loc_influence_scan(&influence, &match, &update, &filter);
    cr_assert_eq(influence.by[1][LOC_STATE_X], 0.0);
    cr_assert_gt(influence.by[1][LOC_STATE_BIAS], 0.0);
    loc_influence_finish(&influence);
    loc_match_finish(&match);
}
