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
    *bank = (struct dpl_sync_lag_bank){.chosen = START, .doubt = DOUBT_WINDOWS * window};
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

bool dpl_sync_lag_bank_choose(struct dpl_sync_lag_bank *bank)
{
    int best = 0;
    for (int i = 1; i < DPL_SYNC_LAGS; i++) {
        best = bank->cost[i] < bank->cost[best] ? i : best;
    }
    bool rare = dpl_sync_lags[best].latency_s >= LONG_DELAY_S &&
                dpl_sync_lags[bank->chosen].latency_s < LONG_DELAY_S;
    double ratio = rare ? LONG_RATIO : SWITCH_RATIO,
           margin = rare ? LONG_MARGIN : SWITCH_MARGIN + bank->doubt;
    if (bank->cost[best] >= ratio * bank->cost[bank->chosen] - margin) {
        return false;
    }
    bank->chosen = best;
    return true;
}

bool dpl_sync_lag_bank_at_end(const struct dpl_sync_lag_bank *bank)
{
    return bank->chosen >= DPL_SYNC_LAGS - 2;
}
