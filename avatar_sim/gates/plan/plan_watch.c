/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured and compared after each step of the world, beside the actions of a step. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan_parts.h"

/* ---- samples of a watch ---- */

/* A low-pass of first order, exact for a value that is constant within a step. */
static double filter(const struct dpl_plan_run *run, struct plan_watch *watch, double value)
{
    double time = watch->action->filter_s;
    if (time <= 0.0) {
        return value;
    }
    double share = -expm1(-run->step_s / time);
    watch->filtered =
        watch->has_filtered ? watch->filtered + share * (value - watch->filtered) : value;
    watch->has_filtered = true;
    return watch->filtered;
}

/* False: there is no change yet. */
static bool slope(const struct dpl_plan_run *run, struct plan_watch *watch, double *inout_value)
{
    double value = *inout_value;
    bool has = watch->has_before;
    if (watch->action->slope) {
        *inout_value = (value - watch->before) / run->step_s;
    }
    watch->before = value;
    watch->has_before = true;
    return has || !watch->action->slope;
}

static void accumulate(const struct dpl_plan_run *run, struct plan_watch *watch, double value)
{
    bool first = watch->n++ == 0;
    switch ((enum plan_take)watch->action->take) {
    case PLAN_MAX: watch->value = first ? value : fmax(watch->value, value); break;
    case PLAN_MIN: watch->value = first ? value : fmin(watch->value, value); break;
    case PLAN_MEAN: watch->value += (value - watch->value) / (double)watch->n; break;
    case PLAN_RMS: watch->value += (value * value - watch->value) / (double)watch->n; break;
    case PLAN_FIRST: watch->value = first ? value : watch->value; break;
    case PLAN_LAST: watch->value = value; break;
    case PLAN_TIME: watch->value += !first && value != 0.0 ? run->step_s : 0.0; break;
    }
}

/* What the name of a watch stands for. */
static double taken(const struct plan_watch *watch)
{
    if (watch->n == 0) {
        return watch->action->take == PLAN_TIME ? 0.0 : (double)NAN;
    }
    return watch->action->take == PLAN_RMS ? sqrt(watch->value) : watch->value;
}

static void take_sample(struct dpl_plan_run *run, struct plan_watch *watch, double value)
{
    value = filter(run, watch, value);
    if (slope(run, watch, &value)) {
        accumulate(run, watch, value);
    }
    run->names[watch->action->slot].value = taken(watch);
}

/* ---- sequences ---- */

static bool take_next(struct dpl_plan_run *run, struct plan_watch *watch, double value)
{
    const struct dpl_plan_action *action = watch->action;
    if (watch->n < action->n_sequence && action->sequence[watch->n] == value) {
        watch->n++;
        if (action->slot >= 0) {
            run->names[action->slot].value = (double)watch->n;
        }
        return true;
    }
    if (watch->n < action->n_sequence) {
        plan_fail(run, action, "value %llu of the sequence %s is %.9g, expected %.9g",
                  (unsigned long long)watch->n + 1, action->value.attribute->value, value,
                  action->sequence[watch->n]);
    } else {
        plan_fail(run, action, "after the sequence of %s comes %.9g",
                  action->value.attribute->value, value);
    }
    return false;
}

/* Without `when`: each value that differs from the one before, from its beginning on. */
static bool sample_sequence(struct dpl_plan_run *run, struct plan_watch *watch, double value)
{
    const struct plan_expr *when = &watch->action->min;
    bool had = watch->has_before;
    double on = 0.0;
    struct dpl__expr_error error;
    watch->has_before = true;
    if (!when->attribute) {
        bool changed = had && value != watch->before;
        watch->before = value;
        return !changed || take_next(run, watch, value);
    }
    bool holds = plan_expr_value(run, when, &on, &error) == 0 && on != 0.0;
    bool begins = had && holds && !watch->was_on;
    watch->was_on = holds;
    return !begins || take_next(run, watch, value);
}

/* ---- all of them ---- */

static bool sample(struct dpl_plan_run *run, struct plan_watch *watch)
{
    const struct dpl_plan_action *action = watch->action;
    struct dpl__expr_error error;
    double value;
    int err = plan_expr_value(run, &action->value, &value, &error);
    if (err == -EAGAIN) {
        return true;
    }
    if (err < 0) {
        plan_fail(run, action, "%s: %s", action->value.attribute->value, error.text);
        return false;
    }
    if (action->kind == PLAN_ALWAYS) {
        watch->n++;
    }
    if (action->kind == PLAN_WATCH) {
        take_sample(run, watch, value);
    } else if (action->kind == PLAN_SEQUENCE) {
        return sample_sequence(run, watch, value);
    } else if (value == 0.0) {
        char text[200] = "";
        plan_expr_describe(run, &action->value, text, sizeof text);
        plan_fail(run, action, "%s did not hold always%s", action->value.attribute->value, text);
        return false;
    }
    return true;
}

void plan_watch_begin(struct dpl_plan_run *run, size_t at)
{
    const struct dpl_plan_action *action = &run->step->actions[at];
    struct plan_watch *watch = &run->watches[at];
    *watch = (struct plan_watch){.action = action, .active = true};
    if (action->kind == PLAN_WATCH) {
        run->names[action->slot].value = taken(watch);
    }
    (void)sample(run, watch);
}

bool plan_watches_take(struct dpl_plan_run *run)
{
    for (size_t i = 0; i < run->at; i++) {
        if (run->watches[i].active && !sample(run, &run->watches[i])) {
            return false;
        }
    }
    return true;
}

void plan_watch_end(struct dpl_plan_run *run, struct plan_watch *watch)
{
    const struct dpl_plan_action *action = watch->action;
    if (!watch->active) {
        return;
    }
    watch->active = false;
    if (action->kind != PLAN_SEQUENCE && watch->n == 0 && run->result.n_failures == 0) {
        plan_fail(run, action, "%s was never measured", action->value.attribute->value);
    }
    if (action->kind == PLAN_WATCH) {
        plan_measure_once(run, action->name, taken(watch));
    } else if (action->kind == PLAN_SEQUENCE && watch->n < action->n_sequence &&
               run->result.state == DPL_PLAN_RUNNING) {
        plan_fail(run, action, "the sequence of %s has %llu of %zu values",
                  action->value.attribute->value, (unsigned long long)watch->n, action->n_sequence);
    }
}
