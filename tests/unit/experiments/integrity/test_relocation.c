/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that a wrong place that the monitor finds is left. */
#include "drive.h"

#include <criterion/criterion.h>

#define RIGHT_M 0.3

struct found {
    size_t wrong, right; /* rows that are known */
};

static void take(void *user, const struct drive_row *row)
{
    struct found *found = user;
    found->wrong += row->decided && row->error_m > RIGHT_M;
    found->right += row->decided && row->error_m <= RIGHT_M;
}

/* The start was told in the copy of the room, and nearly each scan fits there. */
Test(relocation, a_told_place_that_another_one_outranks_is_left_for_it)
{
    struct found found = {0};
    struct drive_options options = {.seconds = 60.0, .correlation = LOCALIZER_USUAL_CORRELATION};
    struct drive_sink sink = {take, &found};
    struct drive_about about;
    drive_run(13, WORLD_SYMMETRIC, DRIVE_WRONG, &options, &sink, &about);
    cr_assert_gt(found.right, 100, "%zu rows at the right place, %zu at a wrong one", found.right,
                 found.wrong);
}
