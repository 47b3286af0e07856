/* SPDX-License-Identifier: Apache-2.0 */
/* The actions of a step, one after the other. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_parts.h"

int dpl_plan_run_create(const struct dpl_sim_plan *plan, struct dpl_world_channels *channels,
                        dpl_ns step, uint64_t seed, struct dpl_plan_run **ret_run)
{
    struct dpl_plan_run *run = calloc(1, sizeof *run);
    if (!run) {
        return -ENOMEM;
    }
    run->plan = plan;
    run->channels = channels;
    run->descs = dpl_world_channels_describe(channels, &run->n_channels);
    run->step_s = dpl_ns_to_s(step);
    run->seed = seed;
    run->watches = calloc(DPL_PLAN_ACTIONS_MAX, sizeof *run->watches);
    if (!run->watches) {
        free(run);
        return -ENOMEM;
    }
    *ret_run = run;
    return 0;
}

void dpl_plan_run_destroy(struct dpl_plan_run *run)
{
    if (run) {
        free(run->watches);
        free(run);
    }
}

/* ---- results ---- */

static void note_failure(struct dpl_plan_run *run, const char *text)
{
    size_t i = run->result.n_failures++;
    if (i < DPL_PLAN_FAILURES_MAX) {
        snprintf(run->result.failures[i], sizeof run->result.failures[i], "%s", text);
    }
}

void plan_fail(struct dpl_plan_run *run, const struct dpl_plan_action *action, const char *format,
               ...)
{
    char text[256];
    va_list args;
    int n = snprintf(text, sizeof text, "line %d: ", action->node->place.line);
    va_start(args, format);
    vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    note_failure(run, text);
}

static void add_measure(struct dpl_plan_run *run, const struct dpl_plan_measure *measure)
{
    if (run->result.n_measures < DPL_PLAN_MEASURES_MAX) {
        run->result.measures[run->result.n_measures++] = *measure;
    }
}

static void measure_plain(struct dpl_plan_run *run, const char *name, double value)
{
    add_measure(run, &(struct dpl_plan_measure){.name = name,
                                                .value = value,
                                                .min = (double)-INFINITY,
                                                .max = (double)INFINITY,
                                                .good = true});
}

/* What was judged is not measured again. */
static bool is_measured(const struct dpl_plan_run *run, const char *name)
{
    for (size_t i = 0; i < run->result.n_measures; i++) {
        if (strcmp(run->result.measures[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

void plan_measure_once(struct dpl_plan_run *run, const char *name, double value)
{
    if (!is_measured(run, name)) {
        measure_plain(run, name, value);
    }
}

const struct dpl_plan_result *dpl_plan_run_result(const struct dpl_plan_run *run)
{
    return &run->result;
}

static void end_step(struct dpl_plan_run *run)
{
    for (size_t i = 0; i < run->step->n_actions; i++) {
        if (run->watches[i].active) {
            plan_watch_end(run, &run->watches[i]);
        }
    }
    plan_holds_expire(run, true);
    run->result.duration_s = dpl_ns_to_s(run->now - run->began);
    run->result.state = run->result.n_failures > 0 ? DPL_PLAN_FAILED : DPL_PLAN_PASSED;
}

/* ---- actions: true when it is over ---- */

/* The value of an expression, 1 for one that is not given. False after a failure. */
static bool value_of(struct dpl_plan_run *run, const struct dpl_plan_action *action,
                     const struct plan_expr *expr, double *ret_value)
{
    struct dpl__expr_error error;
    *ret_value = 1.0;
    if (!expr->attribute || plan_expr_value(run, expr, ret_value, &error) == 0) {
        return true;
    }
    plan_fail(run, action, "%s: %s", expr->attribute->value, error.text);
    return false;
}

static void hold(struct dpl_plan_run *run, const struct dpl_plan_action *action, double value)
{
    const struct plan_hold hold = {
        .channel = action->target,
        .value = value,
        .literal = action->literal,
        .end = action->kind == PLAN_PULSE ? run->now + dpl_ns_from_s(action->for_s) : INT64_MAX,
        .of_step = action->kind == PLAN_FAULT || action->kind == PLAN_PULSE,
    };
    int err = plan_hold_add(run, &hold);
    if (err == -ERANGE) {
        plan_fail(run, action, "%.9g is outside of what '%s' takes, %g to %g", value,
                  action->desc->path, action->desc->min, action->desc->max);
    } else if (err == -ENOSPC) {
        plan_fail(run, action, "a plan holds at most %d channels", PLAN_HOLDS_MAX);
    } else if (err < 0) {
        plan_fail(run, action, "the world does not take %.9g for '%s'", value, action->desc->path);
    }
}

static bool do_put(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    double value = 0.0;
    if (action->literal || value_of(run, action, &action->value, &value)) {
        hold(run, action, value);
    }
    return true;
}

static bool do_ramp(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    double end = 0.0, begin = dpl_plan_run_held(run, action->target);
    if (!value_of(run, action, &action->max, &end)) {
        return true;
    }
    if (!run->entered) {
        begin = isnan(begin) ? 0.0 : begin;
        if (action->min.attribute && !value_of(run, action, &action->min, &begin)) {
            return true;
        }
        run->ramp = begin;
    }
    double way = action->rate * dpl_ns_to_s(run->now - run->since);
    bool up = end >= run->ramp;
    double value = up ? fmin(run->ramp + way, end) : fmax(run->ramp - way, end);
    hold(run, action, value);
    return value == end;
}

static void begin_wait(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    double seconds = action->for_s;
    if (action->value.attribute) {
        seconds = isnan(action->within_s) ? 1e9 : action->within_s;
    } else if (action->jitter_s > 0.0) {
        uint64_t stream = (uint64_t)(run->step - run->plan->steps) * DPL_PLAN_ACTIONS_MAX + run->at;
        struct dpl_random random = dpl_random_seeded(run->seed, stream + 1);
        seconds += dpl_random_uniform(&random, 0.0, action->jitter_s);
    }
    run->due = run->now + dpl_ns_from_s(seconds);
}

static void end_wait(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    if (action->slot >= 0) {
        run->names[action->slot].value = dpl_ns_to_s(run->now - run->since);
        measure_plain(run, action->name, run->names[action->slot].value);
    }
}

static bool do_wait(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    struct dpl__expr_error error;
    double value = 0.0;
    int err = -EAGAIN;
    if (!run->entered) {
        begin_wait(run, action);
    }
    if (action->value.attribute) {
        err = plan_expr_value(run, &action->value, &value, &error);
    } else if (run->now >= run->due) {
        err = 0;
        value = 1.0;
    }
    if (err == -EINVAL) {
        plan_fail(run, action, "%s: %s", action->value.attribute->value, error.text);
        return true;
    }
    if (err == 0 && value != 0.0) {
        end_wait(run, action);
        return true;
    }
    if (action->value.attribute && run->now >= run->due) {
        char text[200] = "";
        plan_expr_describe(run, &action->value, text, sizeof text);
        plan_fail(run, action, "%s did not hold within %g s%s", action->value.attribute->value,
                  action->within_s, text);
        return true;
    }
    return false;
}

static bool do_let(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    double value;
    if (value_of(run, action, &action->value, &value)) {
        run->names[action->slot].value = value;
        measure_plain(run, action->name, value);
    }
    return true;
}

static void fail_limits(struct dpl_plan_run *run, const struct dpl_plan_action *action,
                        const struct dpl_plan_measure *measure, const char *why)
{
    if (isinf(measure->max)) {
        plan_fail(run, action, "%s is %.6g, expected at least %.6g%s", measure->name,
                  measure->value, measure->min, why);
    } else if (isinf(measure->min)) {
        plan_fail(run, action, "%s is %.6g, expected at most %.6g%s", measure->name, measure->value,
                  measure->max, why);
    } else {
        plan_fail(run, action, "%s is %.6g, expected %.6g to %.6g%s", measure->name, measure->value,
                  measure->min, measure->max, why);
    }
}

/* A failed judgement is noted, and the step goes on: what else it measures may tell more. */
static bool do_expect(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    const char *text = action->value.attribute->value;
    bool limited = action->min.attribute || action->max.attribute;
    struct dpl_plan_measure measure = {.name = action->name[0] != '\0' ? action->name : text,
                                       .min = (double)-INFINITY,
                                       .max = (double)INFINITY};
    struct dpl__expr_error error;
    char why[200] = "";
    if (plan_expr_value(run, &action->value, &measure.value, &error) < 0) {
        plan_fail(run, action, "%s: %s", measure.name, error.text);
        measure.value = (double)NAN;
        add_measure(run, &measure);
        return true;
    }
    bool known = (!action->min.attribute || value_of(run, action, &action->min, &measure.min)) &&
                 (!action->max.attribute || value_of(run, action, &action->max, &measure.max));
    measure.good = known && (limited ? measure.value >= measure.min && measure.value <= measure.max
                                     : measure.value != 0.0);
    add_measure(run, &measure);
    if (known && !measure.good) {
        plan_expr_describe(run, &action->value, why, sizeof why);
        if (limited) {
            fail_limits(run, action, &measure, why);
        } else {
            plan_fail(run, action, "%s does not hold%s", measure.name, why);
        }
    }
    return true;
}

static bool do_beside(struct dpl_plan_run *run, const struct dpl_plan_action *action)
{
    if (action->kind == PLAN_END) {
        plan_watch_end(run, &run->watches[action->target]);
    } else {
        plan_watch_begin(run, run->at);
    }
    return true;
}

static bool (*const doers[])(struct dpl_plan_run *, const struct dpl_plan_action *) = {
    [PLAN_PUT] = do_put,         [PLAN_PULSE] = do_put,    [PLAN_FAULT] = do_put,
    [PLAN_RAMP] = do_ramp,       [PLAN_WAIT] = do_wait,    [PLAN_LET] = do_let,
    [PLAN_EXPECT] = do_expect,   [PLAN_WATCH] = do_beside, [PLAN_ALWAYS] = do_beside,
    [PLAN_SEQUENCE] = do_beside, [PLAN_END] = do_beside,
};

/* ---- steps ---- */

/* False: an action needs more time. Of all failures only that of an <expect> lets the step go on.
 */
static bool do_actions(struct dpl_plan_run *run)
{
    while (run->at < run->step->n_actions) {
        const struct dpl_plan_action *action = &run->step->actions[run->at];
        size_t failures = run->result.n_failures;
        run->since = run->entered ? run->since : run->now;
        bool done = doers[action->kind](run, action);
        run->entered = true;
        run->result.judges |= action->judges;
        if (run->result.n_failures > failures && action->kind != PLAN_EXPECT) {
            return true;
        }
        if (!done) {
            return false;
        }
        run->at++;
        run->entered = false;
    }
    return true;
}

enum dpl_plan_state dpl_plan_run_begin(struct dpl_plan_run *run, size_t step, dpl_ns now)
{
    run->step = &run->plan->steps[step];
    run->result = (struct dpl_plan_result){.state = DPL_PLAN_RUNNING};
    run->now = run->began = now;
    run->at = 0;
    run->entered = false;
    memset(run->watches, 0, DPL_PLAN_ACTIONS_MAX * sizeof *run->watches);
    run->names[0] = (struct dpl__expr_name){"seed", (double)run->seed};
    run->names[1] = (struct dpl__expr_name){"t", 0.0};
    run->n_names = 2;
    for (size_t i = 0; i < run->step->n_actions; i++) {
        const struct dpl_plan_action *action = &run->step->actions[i];
        if (action->slot >= 0) {
            run->names[run->n_names++] = (struct dpl__expr_name){action->name, 0.0};
        }
    }
    if (do_actions(run)) {
        end_step(run);
    }
    return run->result.state;
}

enum dpl_plan_state dpl_plan_run_look(struct dpl_plan_run *run, dpl_ns now)
{
    if (run->result.state != DPL_PLAN_RUNNING) {
        return run->result.state;
    }
    run->now = now;
    run->names[1].value = dpl_ns_to_s(now - run->began);
    plan_holds_expire(run, false);
    bool over = !plan_watches_take(run) || do_actions(run);
    if (!over && run->names[1].value >= run->step->timeout_s) {
        char text[200];
        snprintf(text, sizeof text, "line %d: the step takes longer than its %g s",
                 run->step->actions[run->at].node->place.line, run->step->timeout_s);
        note_failure(run, text);
        over = true;
    }
    plan_holds_put(run);
    if (over) {
        end_step(run);
    }
    return run->result.state;
}

void dpl_plan_run_put(struct dpl_plan_run *run)
{
    plan_holds_put(run);
}

void dpl_plan_run_fail(struct dpl_plan_run *run, const char *why)
{
    note_failure(run, why);
    if (run->result.state == DPL_PLAN_RUNNING) {
        end_step(run);
    }
    run->result.state = DPL_PLAN_FAILED;
}
