/* SPDX-License-Identifier: Apache-2.0 */
/* Lag bank: forgetting, bounded squared residuals, and a margin against chatter. */
#include "lag_bank.h"

#define FORGETTING_S  6.0
#define START         1
#define MAX_DISTANCE2 4e-4
#define MAX_TURN2     0.04
#define TURN_WEIGHT   0.01
#define SWITCH_RATIO  0.8
#define SWITCH_MARGIN 1e-6
/* After few windows the candidates differ by their noise: so many windows of it decide nothing. */
#define DOUBT_WINDOWS 3.0
/* A delay that no drive has needs more: in a short start it is like a slow motor. */
#define LONG_DELAY_S  0.20
#define LONG_RATIO    0.4
#define LONG_MARGIN   1.5e-4

void dpl_sync_lag_bank_init(struct dpl_sync_lag_bank *bank, double position_noise,
                            double heading_noise)
{
    /* A window has two poses. */
    double window =
        2.0 * (position_noise * position_noise + TURN_WEIGHT * heading_noise * heading_noise);
    *bank = (struct dpl_sync_lag_bank){
        .chosen = START, .likely = START, .doubt = DOUBT_WINDOWS * window};
}

void dpl_sync_lag_bank_age(struct dpl_sync_lag_bank *bank, double duration_s)
{
    double keep = exp(-duration_s / FORGETTING_S);
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        bank->cost[i] *= keep;
    }
}

void dpl_sync_lag_bank_add(struct dpl_sync_lag_bank *bank, int lag, struct dpl_twist2 residual)
{
    bank->cost[lag] += fmin(residual.linear * residual.linear, MAX_DISTANCE2) +
                       TURN_WEIGHT * fmin(residual.angular * residual.angular, MAX_TURN2);
}

static bool is_long(int lag)
{
    return dpl_sync_lags[lag].latency_s >= LONG_DELAY_S;
}

/* What takes the place of `current`. */
static int choose(const struct dpl_sync_lag_bank *bank, int current, double margin)
{
    int best = 0;
    for (int i = 1; i < DPL_SYNC_LAGS; i++) {
        best = bank->cost[i] < bank->cost[best] ? i : best;
    }
    bool rare = is_long(best) && !is_long(current);
    double ratio = rare ? LONG_RATIO : SWITCH_RATIO;
    double least = ratio * bank->cost[current] - (rare ? LONG_MARGIN : margin);
    return bank->cost[best] < least ? best : current;
}

bool dpl_sync_lag_bank_choose(struct dpl_sync_lag_bank *bank)
{
    int before = bank->chosen;
    bank->likely = choose(bank, bank->likely, SWITCH_MARGIN);
    if (is_long(bank->likely) || is_long(bank->chosen)) {
        bank->chosen = bank->likely;
        return bank->chosen != before;
    }
    /* A long delay has to be better than the likely drive, not only than the one believed. */
    int firm = choose(bank, bank->chosen, SWITCH_MARGIN + bank->doubt);
    bank->chosen = is_long(firm) ? bank->chosen : firm;
    return bank->chosen != before;
}

bool dpl_sync_lag_bank_at_end(const struct dpl_sync_lag_bank *bank)
{
    return bank->chosen >= DPL_SYNC_LAGS - 2;
}
