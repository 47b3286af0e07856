/* SPDX-License-Identifier: Apache-2.0 */
/* See setpoint.h. */
#include "setpoint.h"

#include <errno.h>
#include <math.h>

static void accept(struct dpl__setpoint *setpoint, double value)
{
    const struct dpl__setpoint_settings *settings = setpoint->settings;
    if (!isfinite(value)) {
        value = settings->safe;
    }
    if (settings->resolution > 0.0) {
        value = settings->resolution * round(value / settings->resolution);
    }
    setpoint->is_cut = settings->limit > 0.0 && fabs(value) > settings->limit;
    setpoint->put = setpoint->is_cut ? copysign(settings->limit, value) : value;
}

int dpl__setpoint_build(struct dpl__setpoint *setpoint, const struct dpl_sim_site *site,
                        const struct dpl__setpoint_settings *settings)
{
    *setpoint = (struct dpl__setpoint){
        .settings = settings,
        .n_delay = (size_t)(settings->delay_s / site->dt + 0.5),
    };
    accept(setpoint, settings->safe);
    setpoint->delay = dpl_world_alloc(site->world, setpoint->n_delay, sizeof *setpoint->delay);
    for (size_t i = 0; setpoint->delay && i < setpoint->n_delay; i++) {
        setpoint->delay[i] = setpoint->put;
    }
    return setpoint->delay ? 0 : -ENOMEM;
}

void dpl__setpoint_put(struct dpl__setpoint *setpoint, double value)
{
    accept(setpoint, value);
}

void dpl__setpoint_release(struct dpl__setpoint *setpoint)
{
    dpl__setpoint_put(setpoint, setpoint->settings->safe);
}

/* Leaves the present one in the place of that of `n_delay` steps ago. */
double dpl__setpoint_next(struct dpl__setpoint *setpoint)
{
    if (setpoint->n_delay == 0) {
        return setpoint->put;
    }
    double value = setpoint->delay[setpoint->at];
    setpoint->delay[setpoint->at] = setpoint->put;
    setpoint->at = setpoint->at + 1 == setpoint->n_delay ? 0 : setpoint->at + 1;
    return value;
}

size_t dpl__setpoint_limit(const struct dpl__setpoint *setpoint, const char *unit,
                           struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX], size_t n)
{
    double limit = setpoint->settings->limit;
    if (limit > 0.0) {
        ret_limits[n++] = (struct dpl_sim_actuator_limit){"limit", limit, unit, setpoint->is_cut};
    }
    return n;
}

void dpl__setpoint_describe(const struct dpl__setpoint *setpoint, struct dpl_channel_desc *inout)
{
    inout->min = -setpoint->settings->limit;
    inout->max = setpoint->settings->limit;
    inout->silence = dpl_ns_from_s(setpoint->settings->silence_s);
}
