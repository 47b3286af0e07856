/* SPDX-License-Identifier: Apache-2.0 */
#include "command_model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define DELAY_STEP_S   0.02
#define KEEP           0.99 /* of the evidence, a window: about ten seconds of motion */
#define COST_MAX       9e-4 /* (30 mm)^2 */
#define MARGIN         2.5e-5
#define WEIGHT_MIN     10.0
#define SPREAD_LEAST_M 0.004 /* candidates that differ by less in a window are not told apart */

static const double accelerations[COMMAND_MODEL_ACCELERATIONS] = {
    0.3, 0.5, 0.8, 1.2, 2.0, 4.0, 1e3,
};

static double *point(struct command_model *model, int a, int wheel, int64_t k)
{
    return &model->travel[a][wheel][(uint64_t)k % COMMAND_MODEL_RING];
}

void command_model_init(struct command_model *model, double axle_m, double speed_max)
{
    memset(model, 0, sizeof *model);
    model->axle_m = axle_m;
    model->speed_max = speed_max;
    memset(model->plausible, true, sizeof model->plausible);
}

static int64_t grid(double time_s)
{
    return (int64_t)floor(time_s / COMMAND_MODEL_GRID_S);
}

static void step(struct command_model *model, int a, int wheel)
{
    double reach = accelerations[a] * COMMAND_MODEL_GRID_S;
    double before = model->speed[a][wheel];
    double after = before + dpl_clamp(model->command[wheel] - before, -reach, reach);
    model->speed[a][wheel] = after;
    *point(model, a, wheel, model->head + 1) =
        *point(model, a, wheel, model->head) + (before + after) / 2.0 * COMMAND_MODEL_GRID_S;
}

static void advance(struct command_model *model, double to_s)
{
    int64_t until = grid(to_s);
    int64_t skipped = until - model->head - COMMAND_MODEL_RING;
    if (skipped > 0) {
        /* a gap longer than the ring: what was commanded before it cannot be asked for any more */
        model->first_s = to_s;
        model->head += skipped;
    }
    for (; model->head < until; model->head++) {
        for (int a = 0; a < COMMAND_MODEL_ACCELERATIONS; a++) {
            step(model, a, 0);
            step(model, a, 1);
        }
    }
}

void command_model_command(struct command_model *model, double stamp_s, struct dpl_twist2 twist)
{
    bool finite = isfinite(stamp_s) && isfinite(twist.linear) && isfinite(twist.angular);
    if (!finite || fabs(stamp_s) > 1e12 || (model->started && stamp_s < model->last_s)) {
        return;
    }
    if (!model->started) {
        model->started = true;
        model->head = grid(stamp_s);
        model->first_s = stamp_s;
    }
    advance(model, stamp_s);
    double turn = twist.angular * model->axle_m / 2.0;
    model->command[0] = dpl_clamp(twist.linear - turn, -model->speed_max, model->speed_max);
    model->command[1] = dpl_clamp(twist.linear + turn, -model->speed_max, model->speed_max);
    model->last_s = stamp_s;
}

static double delay(int d)
{
    return d * DELAY_STEP_S;
}

bool command_model_covers(const struct command_model *model, double from_s, double to_s,
                          double hold_s)
{
    double oldest = (double)(model->head - COMMAND_MODEL_RING + 2) * COMMAND_MODEL_GRID_S;
    double earliest = from_s - delay(COMMAND_MODEL_DELAYS - 1);
    return model->started && earliest >= model->first_s && earliest >= oldest &&
           to_s - model->last_s <= hold_s;
}

static double travel_at(struct command_model *model, int a, int wheel, double time_s)
{
    double place = time_s / COMMAND_MODEL_GRID_S;
    int64_t k = (int64_t)floor(place);
    int64_t oldest = model->head - COMMAND_MODEL_RING + 1;
    if (k < oldest) {
        return *point(model, a, wheel, oldest);
    }
    if (k >= model->head) {
        return *point(model, a, wheel, model->head);
    }
    double before = *point(model, a, wheel, k), after = *point(model, a, wheel, k + 1);
    return before + (place - (double)k) * (after - before);
}

static double travel_between(struct command_model *model, int candidate, int wheel,
                             const double times_s[2])
{
    int a = candidate / COMMAND_MODEL_DELAYS;
    double late = delay(candidate % COMMAND_MODEL_DELAYS);
    return travel_at(model, a, wheel, times_s[1] - late) -
           travel_at(model, a, wheel, times_s[0] - late);
}

static bool *plausible(struct command_model *model, int candidate)
{
    return &model->plausible[candidate / COMMAND_MODEL_DELAYS][candidate % COMMAND_MODEL_DELAYS];
}

#define CANDIDATES (COMMAND_MODEL_ACCELERATIONS * COMMAND_MODEL_DELAYS)

void command_model_travel(struct command_model *model, double from_s, double to_s,
                          struct command_travel *ret_travel)
{
    const double times_s[2] = {from_s, to_s};
    advance(model, to_s);
    for (int wheel = 0; wheel < 2; wheel++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int i = 0; i < CANDIDATES; i++) {
            if (*plausible(model, i)) {
                double way = travel_between(model, i, wheel, times_s);
                low = fmin(low, way);
                high = fmax(high, way);
            }
        }
        ret_travel->low[wheel] = low;
        ret_travel->high[wheel] = high;
    }
}

/* The squared misses of all candidates; false: they do not differ enough to tell. */
static bool misses(struct command_model *model, const double times_s[2], const double wheels_m[2],
                   double ret_miss[CANDIDATES])
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < CANDIDATES; i++) {
        double left = travel_between(model, i, 0, times_s) - wheels_m[0];
        double right = travel_between(model, i, 1, times_s) - wheels_m[1];
        ret_miss[i] = fmin(left * left + right * right, COST_MAX);
        low = fmin(low, ret_miss[i]);
        high = fmax(high, ret_miss[i]);
    }
    return high > low + SPREAD_LEAST_M * SPREAD_LEAST_M;
}

/* Those whose mean squared miss is not worse than the best one's by more than a margin. */
static void choose(struct command_model *model)
{
    const double *cost = &model->cost[0][0];
    double best = (double)INFINITY;
    for (int i = 0; i < CANDIDATES; i++) {
        best = fmin(best, cost[i]);
    }
    for (int i = 0; i < CANDIDATES; i++) {
        *plausible(model, i) = model->weight < WEIGHT_MIN ||
                               cost[i] - best <= (MARGIN + best / model->weight) * model->weight;
    }
}

void command_model_learn(struct command_model *model, double from_s, double to_s,
                         const double wheels_m[2])
{
    const double times_s[2] = {from_s, to_s};
    double miss[CANDIDATES];
    advance(model, to_s);
    if (!misses(model, times_s, wheels_m, miss)) {
        return;
    }
    double *cost = &model->cost[0][0];
    for (int i = 0; i < CANDIDATES; i++) {
        cost[i] = KEEP * cost[i] + miss[i];
    }
    model->weight = KEEP * model->weight + 1.0;
    choose(model);
}

void command_model_best(const struct command_model *model, double *ret_delay_s,
                        double *ret_acceleration)
{
    const double *cost = &model->cost[0][0];
    int best = 0;
    for (int i = 1; i < CANDIDATES; i++) {
        best = cost[i] < cost[best] ? i : best;
    }
    *ret_delay_s = delay(best % COMMAND_MODEL_DELAYS);
    *ret_acceleration = accelerations[best / COMMAND_MODEL_DELAYS];
}
