/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan puts. Of several that hold one channel the newest counts; when it ends, the one
 * before it counts again, and without one the channel goes back to 0 and is released. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/geometry.h>

#include "plan_parts.h"

static const struct dpl_channel_desc *desc_of(const struct dpl_plan_run *run,
                                              const struct plan_hold *hold)
{
    return &run->descs[hold->channel];
}

static int put_number(struct dpl_plan_run *run, size_t channel, double value)
{
    const struct dpl_channel_desc *desc = &run->descs[channel];
    union {
        bool flag;
        int64_t integer;
        double number;
    } cell = {.number = value};
    if (desc->type == &dpl_channel_flag) {
        cell.flag = value != 0.0;
    } else if (desc->type == &dpl_channel_integer) {
        cell.integer = dpl_whole(value);
    }
    return dpl_world_channels_put(run->channels, channel, &cell);
}

static int put(struct dpl_plan_run *run, const struct plan_hold *hold)
{
    return hold->literal ? dpl_world_channels_put(run->channels, hold->channel, hold->literal)
                         : put_number(run, hold->channel, hold->value);
}

static bool is_shared_on(const struct dpl_plan_run *run, const struct plan_hold *hold)
{
    return desc_of(run, hold)->dir == DPL_CHANNEL_SHARED && hold->value != 0.0;
}

/* The newest one of a channel; NULL: none. */
static struct plan_hold *find(struct dpl_plan_run *run, size_t channel)
{
    for (size_t i = run->n_holds; i-- > 0;) {
        if (run->holds[i].channel == channel) {
            return &run->holds[i];
        }
    }
    return NULL;
}

/* Nobody puts it any more. Not all channels know a release: a flag goes off, a number to 0. */
static void let_go(struct dpl_plan_run *run, size_t channel)
{
    const struct dpl_channel_desc *desc = &run->descs[channel];
    bool has_range = desc->min != 0.0 || desc->max != 0.0;
    if (desc->size == 1 && desc->dir == DPL_CHANNEL_IN) {
        (void)put_number(run, channel, has_range ? fmin(fmax(0.0, desc->min), desc->max) : 0.0);
    }
    dpl_world_channels_release(run->channels, channel);
}

/* What buses read back of a channel of one value. */
static void overrule(struct dpl_plan_run *run, size_t channel)
{
    const struct plan_hold *newest = find(run, channel);
    dpl_world_channels_overrule(run->channels, channel,
                                newest && !newest->literal ? newest->value : (double)NAN);
}

static void remove_at(struct dpl_plan_run *run, size_t i, bool lets_go)
{
    const struct plan_hold gone = run->holds[i];
    run->n_holds--;
    memmove(&run->holds[i], &run->holds[i + 1], (run->n_holds - i) * sizeof gone);
    if (is_shared_on(run, &gone)) {
        dpl_world_channels_share(run->channels, gone.channel, false);
    } else if (desc_of(run, &gone)->dir == DPL_CHANNEL_IN && lets_go && !find(run, gone.channel)) {
        let_go(run, gone.channel);
    }
    overrule(run, gone.channel);
}

/* A put replaces the one before it. */
static void replace(struct dpl_plan_run *run, const struct plan_hold *hold)
{
    for (size_t i = 0; i < run->n_holds; i++) {
        const struct plan_hold *old = &run->holds[i];
        if (old->channel == hold->channel && old->end == INT64_MAX && !old->of_step) {
            remove_at(run, i, false);
            return;
        }
    }
}

static bool is_in_range(const struct dpl_channel_desc *desc, const struct plan_hold *hold)
{
    bool has_range = desc->min != 0.0 || desc->max != 0.0;
    return hold->literal || !has_range || (hold->value >= desc->min && hold->value <= desc->max);
}

int plan_hold_add(struct dpl_plan_run *run, const struct plan_hold *hold)
{
    const struct dpl_channel_desc *desc = desc_of(run, hold);
    if (!is_in_range(desc, hold)) {
        return -ERANGE;
    }
    if (desc->dir == DPL_CHANNEL_REQUEST) {
        return put(run, hold);
    }
    if (hold->end == INT64_MAX && !hold->of_step) {
        replace(run, hold);
    }
    if (run->n_holds == PLAN_HOLDS_MAX) {
        return -ENOSPC;
    }
    run->holds[run->n_holds++] = *hold;
    overrule(run, hold->channel);
    if (desc->dir == DPL_CHANNEL_SHARED) {
        if (is_shared_on(run, hold)) {
            dpl_world_channels_share(run->channels, hold->channel, true);
        }
        return 0;
    }
    return put(run, hold);
}

void plan_holds_expire(struct dpl_plan_run *run, bool step_ends)
{
    for (size_t i = run->n_holds; i-- > 0;) {
        const struct plan_hold *hold = &run->holds[i];
        if (hold->end <= run->now || (step_ends && hold->of_step)) {
            remove_at(run, i, true);
        }
    }
}

void plan_holds_put(struct dpl_plan_run *run)
{
    for (size_t i = 0; i < run->n_holds; i++) { /* the newest last */
        if (desc_of(run, &run->holds[i])->dir == DPL_CHANNEL_IN) {
            (void)put(run, &run->holds[i]);
        }
    }
}

double dpl_plan_run_held(const struct dpl_plan_run *run, size_t channel)
{
    for (size_t i = run->n_holds; i-- > 0;) {
        const struct plan_hold *hold = &run->holds[i];
        if (hold->channel == channel) {
            return hold->literal ? dpl_channel_element(desc_of(run, hold), hold->literal, 0)
                                 : hold->value;
        }
    }
    return (double)NAN;
}
