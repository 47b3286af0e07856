/* SPDX-License-Identifier: Apache-2.0 */
/* Command profile model: the speed a differential drive should have, from the commands it was
 * sent. Commands act after a latency, each wheel is slewed at the robot's acceleration, then
 * follows with a first-order lag. One model holds the history of one robot for every candidate
 * (latency, lag), so that the lag bank can compare them; the chosen one can also look ahead. */
#ifndef DPL_SYNC_PROFILE_MODEL_H
#define DPL_SYNC_PROFILE_MODEL_H

#include "doppel/math/geometry.h"
#include "motion_map.h"

#include <stdbool.h>
#include <stdint.h>

#define DPL_SYNC_GRID_S 0.005
#define DPL_SYNC_RING   1024 /* grid points kept: 4.1 s of past and 1 s ahead; a power of two */
#define DPL_SYNC_AHEAD  200  /* the slowest candidate's latency and lag, and half a period */
#define DPL_SYNC_PAST   (DPL_SYNC_RING - DPL_SYNC_AHEAD - 2)
#define DPL_SYNC_LAGS   22

/* One hypothesis about a drive: pure delay of a command, then the time constant of the motor. */
struct dpl_sync_lag {
    double latency_s, lag_s;
};

/* The last is the slowest motor, the one before it the longest delay; latencies are whole grid
 * steps.
 */
extern const struct dpl_sync_lag dpl_sync_lags[DPL_SYNC_LAGS];

struct dpl_sync_profile {
    double axle_m, acceleration;
    double gain[DPL_SYNC_LAGS];
    int64_t delay[DPL_SYNC_LAGS];
    struct dpl_twist2 command;
    double left, right; /* slewed wheel speeds at `head`, m/s */
    int64_t head;       /* newest grid point that no later command can change */
    bool started;
    struct dpl_twist2 slewed[DPL_SYNC_RING];
    struct dpl_twist2 trace[DPL_SYNC_LAGS][DPL_SYNC_RING];
};

/* At rest, with no command. `axle_m` > 0 in m, `acceleration` > 0 in m/s^2 per wheel. */
void dpl_sync_profile_init(struct dpl_sync_profile *profile, double axle_m, double acceleration);

/* Moves the history to `now_s` with the command held. Bounded work for a gap of any length;
 * time that goes back is ignored. */
void dpl_sync_profile_advance(struct dpl_sync_profile *profile, double now_s);

/* The command, after saturation, that is sent at the time of the last advance. */
void dpl_sync_profile_command(struct dpl_sync_profile *profile, struct dpl_twist2 command);

/* Extends the trace of candidate `lag` by 1 s, holding the last command. */
void dpl_sync_profile_forecast(struct dpl_sync_profile *profile, int lag);

/* Speed of candidate `lag` at grid point `k` (k * DPL_SYNC_GRID_S seconds); beyond the ends of the
 * history the nearest point. Points after the head are valid after a forecast of that candidate. */
struct dpl_twist2 dpl_sync_profile_grid(const struct dpl_sync_profile *profile, int lag, int64_t k);

/* The same at a time, interpolated. */
struct dpl_twist2 dpl_sync_profile_at(const struct dpl_sync_profile *profile, int lag,
                                      double time_s);

/* Mean speed in the grid cell that starts at grid point `k`. */
struct dpl_twist2 dpl_sync_profile_cell(const struct dpl_sync_profile *profile, int lag, int64_t k);

/* Distance (m) in `linear` and angle (rad) in `angular` covered from `from_s` to `to_s`. */
struct dpl_twist2 dpl_sync_profile_integral(const struct dpl_sync_profile *profile, int lag,
                                            double from_s, double to_s);

/* Spread (max - min) of the speeds over the interval. */
struct dpl_twist2 dpl_sync_profile_range(const struct dpl_sync_profile *profile, int lag,
                                         double from_s, double to_s);

/* Index of the last grid point at or before `time_s`. */
int64_t dpl_sync_grid_index(double time_s);

/* Lag bank: chooses the latency and lag whose command profile explains the measured motion best. */
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
