/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the lag bank. */
#include "profile_model.h"

#include <criterion/criterion.h>

static void add_window(struct dpl_sync_lag_bank *bank, int best, double miss_m)
{
    dpl_sync_lag_bank_age(bank, 0.2);
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        struct dpl_twist2 residual = {i == best ? 0.0 : miss_m, 0.0};
        dpl_sync_lag_bank_add(bank, i, residual);
    }
}

Test(lag_bank, starts_at_20_ms_latency_and_50_ms_lag)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    cr_assert_float_eq(dpl_sync_lags[bank.chosen].latency_s, 0.02, 1e-12);
    cr_assert_float_eq(dpl_sync_lags[bank.chosen].lag_s, 0.05, 1e-12);
}

Test(lag_bank, switches_to_a_candidate_that_explains_clearly_more)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    add_window(&bank, 7, 0.005); /* 2.5e-5 each but candidate 7 */
    cr_assert(dpl_sync_lag_bank_choose(&bank));
    cr_assert_eq(bank.chosen, 7);
    cr_assert_not(dpl_sync_lag_bank_choose(&bank));
}

Test(lag_bank, keeps_its_choice_within_the_margin)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    bank.cost[1] = 1e-5;
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        bank.cost[i] = i == 4 ? 0.8e-5 - 0.9e-6 : 1e-5;
    }
    cr_assert_not(dpl_sync_lag_bank_choose(&bank));
    bank.cost[4] = 0.8e-5 - 1.1e-6;
    cr_assert(dpl_sync_lag_bank_choose(&bank));
}

Test(lag_bank, forgets_with_a_time_constant_of_six_seconds)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    bank.cost[3] = 1.0;
    dpl_sync_lag_bank_age(&bank, 6.0);
    cr_assert_float_eq(bank.cost[3], exp(-1.0), 1e-12);
}

Test(lag_bank, bounds_what_one_window_can_say)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    dpl_sync_lag_bank_add(&bank, 0, (struct dpl_twist2){5.0, 3.0});
    cr_assert_float_eq(bank.cost[0], 4e-4 + 0.01 * 0.04, 1e-15);
}

Test(lag_bank, knows_when_it_is_at_its_end)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    cr_assert_not(dpl_sync_lag_bank_at_end(&bank));
    bank.chosen = DPL_SYNC_LAGS - 1;
    cr_assert(dpl_sync_lag_bank_at_end(&bank));
}

Test(lag_bank, wants_more_evidence_for_a_delay_that_no_drive_has)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.0, 0.0);
    cr_assert_geq(dpl_sync_lags[DPL_SYNC_LAGS - 4].latency_s, 0.2);
    add_window(&bank, DPL_SYNC_LAGS - 4, 0.005);
    cr_assert_not(dpl_sync_lag_bank_choose(&bank));
    for (int i = 0; i < 20; i++) {
        add_window(&bank, DPL_SYNC_LAGS - 4, 0.005);
    }
    cr_assert(dpl_sync_lag_bank_choose(&bank));
}

Test(lag_bank, noise_of_a_few_windows_decides_nothing)
{
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.006, 0.0); /* a window: 7.2e-5 */
    add_window(&bank, 7, 0.010);
    add_window(&bank, 7, 0.010);
    cr_assert_not(dpl_sync_lag_bank_choose(&bank));
    add_window(&bank, 7, 0.010);
    cr_assert(dpl_sync_lag_bank_choose(&bank));
}

Test(lag_bank, a_delay_that_no_drive_has_has_to_be_better_than_the_likely_drive)
{
    const int late = DPL_SYNC_LAGS - 4, drive = 7;
    struct dpl_sync_lag_bank bank;
    dpl_sync_lag_bank_init(&bank, 0.010, 0.0); /* three windows: 6e-4 */
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        bank.cost[i] = i == drive ? 3e-4 : 1e-3;
    }
    cr_assert_not(dpl_sync_lag_bank_choose(&bank), "likely, but not certain");
    bank.cost[late] = 1.9e-4;
    cr_assert_not(dpl_sync_lag_bank_choose(&bank));
    bank.cost[drive] = 1e-3;
    cr_assert(dpl_sync_lag_bank_choose(&bank));
    cr_assert_eq(bank.chosen, late);
}
