/* SPDX-License-Identifier: Apache-2.0 */
/* Command profile model on a fixed grid. The slew does not depend on the candidate: it is computed
 * once without latency and read by each candidate at its own delay. */
#include "profile_model.h"

#include <string.h>

const struct dpl_sync_lag dpl_sync_lags[DPL_SYNC_LAGS] = {
    {0.00, 0.02}, {0.02, 0.05}, {0.02, 0.10}, {0.04, 0.03}, {0.04, 0.08}, {0.04, 0.15},
    {0.07, 0.08}, {0.07, 0.16}, {0.10, 0.10}, {0.10, 0.20}, {0.04, 0.28}, {0.04, 0.38},
    {0.04, 0.50}, {0.20, 0.06}, {0.25, 0.06}, {0.30, 0.06}, {0.35, 0.06}, {0.40, 0.06},
    {0.45, 0.06}, {0.50, 0.06}, {0.55, 0.06}, {0.04, 0.65},
};

static size_t slot(int64_t k)
{
    return (size_t)((uint64_t)k & (DPL_SYNC_RING - 1));
}

int64_t dpl_sync_grid_index(double time_s)
{
    return (int64_t)floor(time_s / DPL_SYNC_GRID_S);
}

void dpl_sync_profile_init(struct dpl_sync_profile *profile, double axle_m, double acceleration)
{
    memset(profile, 0, sizeof *profile);
    profile->axle_m = axle_m;
    profile->acceleration = acceleration;
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        profile->gain[i] = 1.0 - exp(-DPL_SYNC_GRID_S / dpl_sync_lags[i].lag_s);
        profile->delay[i] = (int64_t)lround(dpl_sync_lags[i].latency_s / DPL_SYNC_GRID_S);
    }
}

static double slew(double from, double to, double step)
{
    return from + dpl_clamp(to - from, -step, step);
}

/* One grid step of the slewed wheels (m/s) towards the held command. */
static struct dpl_twist2 slew_step(const struct dpl_sync_profile *profile, double *left,
                                   double *right)
{
    double half = profile->command.angular * profile->axle_m / 2.0;
    double step = profile->acceleration * DPL_SYNC_GRID_S;
    *left = slew(*left, profile->command.linear - half, step);
    *right = slew(*right, profile->command.linear + half, step);
    return (struct dpl_twist2){(*left + *right) / 2.0, (*right - *left) / profile->axle_m};
}

/* Grid point k + 1 of candidate `lag` from grid point k. */
static void lag_step(struct dpl_sync_profile *profile, int lag, int64_t k)
{
    struct dpl_twist2 a = profile->slewed[slot(k - profile->delay[lag])];
    struct dpl_twist2 b = profile->slewed[slot(k + 1 - profile->delay[lag])];
    struct dpl_twist2 m = profile->trace[lag][slot(k)];
    double gain = profile->gain[lag];
    profile->trace[lag][slot(k + 1)] = (struct dpl_twist2){
        m.linear + gain * ((a.linear + b.linear) / 2.0 - m.linear),
        m.angular + gain * ((a.angular + b.angular) / 2.0 - m.angular),
    };
}

/* Long gaps: what lies before the ring is not needed, only the values it starts from. */
static void skip_gap(struct dpl_sync_profile *profile, int64_t target)
{
    if (target - profile->head <= DPL_SYNC_RING) {
        return;
    }
    int64_t head = target - DPL_SYNC_RING;
    for (int i = 0; i < DPL_SYNC_LAGS; i++) {
        profile->trace[i][slot(head)] = profile->trace[i][slot(profile->head)];
    }
    struct dpl_twist2 held = profile->slewed[slot(profile->head)];
    for (int i = 0; i < DPL_SYNC_RING; i++) {
        profile->slewed[i] = held;
    }
    profile->head = head;
}

void dpl_sync_profile_advance(struct dpl_sync_profile *profile, double now_s)
{
    int64_t target = dpl_sync_grid_index(now_s + DPL_SYNC_GRID_S / 2.0);
    if (!profile->started) {
        profile->head = target;
        profile->started = true;
    }
    skip_gap(profile, target);
    for (; profile->head < target; profile->head++) {
        profile->slewed[slot(profile->head + 1)] =
            slew_step(profile, &profile->left, &profile->right);
        for (int i = 0; i < DPL_SYNC_LAGS; i++) {
            lag_step(profile, i, profile->head);
        }
    }
}

void dpl_sync_profile_command(struct dpl_sync_profile *profile, struct dpl_twist2 command)
{
    profile->command = command;
}

void dpl_sync_profile_forecast(struct dpl_sync_profile *profile, int lag)
{
    double left = profile->left, right = profile->right;
    for (int64_t k = profile->head; k < profile->head + DPL_SYNC_AHEAD; k++) {
        profile->slewed[slot(k + 1)] = slew_step(profile, &left, &right);
        lag_step(profile, lag, k);
    }
}

struct dpl_twist2 dpl_sync_profile_grid(const struct dpl_sync_profile *profile, int lag, int64_t k)
{
    int64_t low = profile->head - DPL_SYNC_PAST, high = profile->head + DPL_SYNC_AHEAD;
    return profile->trace[lag][slot(k < low ? low : k > high ? high : k)];
}

struct dpl_twist2 dpl_sync_profile_cell(const struct dpl_sync_profile *profile, int lag, int64_t k)
{
    struct dpl_twist2 a = dpl_sync_profile_grid(profile, lag, k);
    struct dpl_twist2 b = dpl_sync_profile_grid(profile, lag, k + 1);
    return (struct dpl_twist2){(a.linear + b.linear) / 2.0, (a.angular + b.angular) / 2.0};
}

struct dpl_twist2 dpl_sync_profile_at(const struct dpl_sync_profile *profile, int lag,
                                      double time_s)
{
    int64_t k = dpl_sync_grid_index(time_s);
    double part = time_s / DPL_SYNC_GRID_S - (double)k;
    struct dpl_twist2 a = dpl_sync_profile_grid(profile, lag, k);
    struct dpl_twist2 b = dpl_sync_profile_grid(profile, lag, k + 1);
    return (struct dpl_twist2){a.linear + part * (b.linear - a.linear),
                               a.angular + part * (b.angular - a.angular)};
}

struct dpl_twist2 dpl_sync_profile_integral(const struct dpl_sync_profile *profile, int lag,
                                            double from_s, double to_s)
{
    struct dpl_twist2 sum = {0.0, 0.0};
    int64_t first = dpl_sync_grid_index(from_s), last = dpl_sync_grid_index(to_s);
    if (last - first > DPL_SYNC_RING) {
        first = last - DPL_SYNC_RING;
    }
    for (int64_t k = first; k <= last; k++) {
        double start = fmax(from_s, (double)k * DPL_SYNC_GRID_S);
        double end = fmin(to_s, (double)(k + 1) * DPL_SYNC_GRID_S);
        struct dpl_twist2 mean = dpl_sync_profile_cell(profile, lag, k);
        sum.linear += mean.linear * fmax(0.0, end - start);
        sum.angular += mean.angular * fmax(0.0, end - start);
    }
    return sum;
}

struct dpl_twist2 dpl_sync_profile_range(const struct dpl_sync_profile *profile, int lag,
                                         double from_s, double to_s)
{
    int64_t first = dpl_sync_grid_index(from_s), last = dpl_sync_grid_index(to_s);
    if (last - first > DPL_SYNC_RING) {
        first = last - DPL_SYNC_RING;
    }
    struct dpl_twist2 low = dpl_sync_profile_grid(profile, lag, last), high = low;
    for (int64_t k = first; k < last; k++) {
        struct dpl_twist2 m = dpl_sync_profile_grid(profile, lag, k);
        low = (struct dpl_twist2){fmin(low.linear, m.linear), fmin(low.angular, m.angular)};
        high = (struct dpl_twist2){fmax(high.linear, m.linear), fmax(high.angular, m.angular)};
    }
    return (struct dpl_twist2){high.linear - low.linear, high.angular - low.angular};
}

/* ---- lag bank: forgetting, bounded squared residuals, and a margin against chatter ---- */

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
