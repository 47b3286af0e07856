/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what an OK was worth. */
#include "tally.h"

#include <criterion/criterion.h>

static struct tally tally;

static void rows(double *time_s, int n, double error_m, double level_m, bool ok)
{
    for (int i = 0; i < n; i++) {
        struct tally_row row = { *time_s += 0.1, error_m, level_m, ok};
        tally_add(&tally, &row);
    }
}

static void run(enum drive_case what, double carried_m, int n_wrong)
{
    struct drive_about about = {WORLD_OFFICE, what, .carried_m = carried_m};
    double time_s = 0.0;
    tally_begin(&tally);
    rows(&time_s, 50, 0.01, 0.1, true);
    rows(&time_s, n_wrong, 1.0, 0.1, true);
    rows(&time_s, 20, 1.0, 0.1, false);
    tally_end(&tally, &about);
}

Test(tally, error_is_hazardous_beyond_the_time_to_alert)
{
    run(DRIVE_CARRIED, 1.0, 4);
    cr_expect_eq(tally.all.hazardous, 0);
    cr_expect_float_eq(tally.carried_alert_s, 0.3, 1e-9);
    run(DRIVE_CARRIED, 1.0, 16);
    cr_expect_eq(tally.all.hazardous, 10);
    cr_expect_eq(tally.all.hazardous_runs, 1);
    cr_expect_eq(tally.all.runs, 2);
    cr_expect_eq(tally.cases[DRIVE_CARRIED].misleading, 10);
    cr_expect_eq(tally.all.misleading_small, 0);
    cr_expect_float_eq(tally.carried_alert_s, 1.5, 1e-9);
}

Test(tally, short_carries_and_undisturbed_runs_count_apart)
{
    run(DRIVE_CARRIED_AGAIN, 0.4, 16);
    cr_expect_eq(tally.carried_alert_s, 0.0);
    cr_expect_float_eq(tally.worst_alert_s, 1.5, 1e-9);
    cr_expect_eq(tally.cases[DRIVE_CARRIED].runs, 1);
    run(DRIVE_RIGHT, 0.0, 0);
    cr_expect_eq(tally.undisturbed.runs, 1);
    cr_expect_eq(tally.undisturbed_kinds[WORLD_OFFICE].ok, 50);
    cr_expect_eq(tally.undisturbed_kinds[WORLD_OFFICE].rows, 70);
}

Test(tally, small_error_beyond_the_level_is_misleading)
{
    struct drive_about about = {WORLD_HALL, DRIVE_RIGHT};
    double time_s = 0.0;
    tally_begin(&tally);
    rows(&time_s, 16, 0.2, 0.1, true);
    tally_end(&tally, &about);
    cr_expect_eq(tally.all.misleading_small, 10);
    cr_expect_eq(tally.all.hazardous, 0);
}
