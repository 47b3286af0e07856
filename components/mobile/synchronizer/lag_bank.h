/* SPDX-License-Identifier: Apache-2.0 */
/* Lag bank: chooses the latency and lag whose command profile explains the measured motion best. */
#ifndef DPL_SYNC_LAG_BANK_H
#define DPL_SYNC_LAG_BANK_H

#include "motion_map.h"
#include "profile_model.h"

struct dpl_sync_lag_bank {
    double cost[DPL_SYNC_LAGS];
    int chosen;
    int likely;   /* the better one without regard to noise; a long delay is compared with it */
    double doubt; /* a difference of cost that the noise of poses makes */
};

/* Starts at latency 20 ms, lag 50 ms, with no evidence. The noise is that of one pose: standard
 * deviations, m and rad. */
void dpl_sync_lag_bank_init(struct dpl_sync_lag_bank *bank, double position_noise,
                            double heading_noise);

/* Ages the evidence of all candidates before a window of `duration_s` is added. */
void dpl_sync_lag_bank_age(struct dpl_sync_lag_bank *bank, double duration_s);

/* Adds to candidate `lag` what the model missed in a window: distance in m, heading in rad. */
void dpl_sync_lag_bank_add(struct dpl_sync_lag_bank *bank, int lag, struct dpl_twist2 residual);

/* Changes to the best candidate if it is clearly better. True when the choice changed. */
bool dpl_sync_lag_bank_choose(struct dpl_sync_lag_bank *bank);

/* True for a choice that the bank cannot exceed: the slowest motor, the longest delay it knows. */
bool dpl_sync_lag_bank_at_end(const struct dpl_sync_lag_bank *bank);

#endif
