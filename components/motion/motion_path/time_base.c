/* SPDX-License-Identifier: Apache-2.0 */
/* The laws of the time base. */
#include "time_base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define STEP_MAX         2 /* percent per move */
#define STATIONARY_EVERY 4 /* moves between steps while the distance stays wrong */

struct dpl_time_base_config dpl_time_base_default(void)
{
    return (struct dpl_time_base_config){
        .law = DPL_TIME_BASE_FRACTIONAL,
        .distance = 2,
        .limit = 20,
        .reversal = STEP_MAX,
        .spread = true,
        .gain = 16,
    };
}

int dpl_time_base_init(struct dpl_time_base *time_base, const struct dpl_time_base_config *config)
{
    if (config->distance < 1 || config->distance > 5 || config->limit < 1 || config->limit > 50 ||
        config->reversal < STEP_MAX || config->gain < 1 || config->gain > 100) {
        return -EINVAL;
    }
    *time_base = (struct dpl_time_base){.config = *config};
    return 0;
}

static int clamp(int value, int limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

/* The additional percent that the distance requires; counts for how long the distance has not
 * changed. */
static int escalation(struct dpl_time_base *time_base, int error)
{
    int before = abs(time_base->error), now = abs(error);
    if (before == 0 || sign(error) != sign(time_base->error)) {
        time_base->n = 1;
        return 1;
    }
    if (now < before) {
        time_base->n = 0;
        return 0;
    }
    time_base->n++;
    if (now > before) {
        return 2;
    }
    return time_base->n % STATIONARY_EVERY == 0;
}

static int evaluate_steps(struct dpl_time_base *time_base, int error)
{
    const struct dpl_time_base_config *config = &time_base->config;
    int m = time_base->m, wanted;
    if (error == 0) {
        time_base->n = 0;
        wanted = m - sign(m);
    } else {
        wanted = (m * error < 0 ? 0 : m) + sign(error) * escalation(time_base, error);
    }
    time_base->error = error;
    return clamp(m + clamp(wanted - m, config->reversal), config->limit);
}

static int evaluate_fractional(const struct dpl_time_base *time_base, double error)
{
    const struct dpl_time_base_config *config = &time_base->config;
    double wanted = fmin(fmax(rint(config->gain * error), -config->limit), config->limit);
    return time_base->m + clamp((int)wanted - time_base->m, STEP_MAX);
}

void dpl_time_base_evaluate(struct dpl_time_base *time_base, int distance, double age)
{
    const struct dpl_time_base_config *config = &time_base->config;
    int error = distance - config->distance;
    if (config->law == DPL_TIME_BASE_STEPS) {
        time_base->m = evaluate_steps(time_base, error);
    } else if (config->law == DPL_TIME_BASE_FRACTIONAL) {
        time_base->m = evaluate_fractional(time_base, error + fmin(age, 1.0));
    }
    int change = 4 * time_base->m - time_base->quarters;
    time_base->tick_change = config->spread ? sign(change) * ((abs(change) + 3) / 4) : change;
}

int dpl_time_base_tick(struct dpl_time_base *time_base)
{
    int left = 4 * time_base->m - time_base->quarters;
    time_base->quarters += abs(left) < abs(time_base->tick_change) ? left : time_base->tick_change;
    return DPL_TIME_BASE_TICK + time_base->quarters;
}

double dpl_time_base_factor(const struct dpl_time_base *time_base)
{
    return (double)(DPL_TIME_BASE_TICK + time_base->quarters) / DPL_TIME_BASE_TICK;
}
