/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with which a component ends the run: when its work is done, or with the verdict of a
 * test bench; and reports of motion and faults that affect the end of the run. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include <doppel/text.h>

#include "component.h"
#include "control.h"
#include "device.h"
#include "observer.h"
#include "runtime.h"
#include "value_topic.h"

enum { NONE, BEING_WRITTEN, GIVEN };

void dpl_component_finish_run(struct dpl_component *component)
{
    struct dpl__component *self = component->runtime;
    int none = 0; /* a second request would mean: stop immediately */
    if (atomic_compare_exchange_strong(&self->runtime->stop_requested, &none, 1)) {
        dpl__control_wake(self->runtime->control);
    }
}

static void clean(char *text, size_t size)
{
    text[size - 1] = '\0';
    dpl_text_clean_in_place(text, size);
}

/* A component fills it by snprintf or by hand, also with what a controller said. */
static void clean_texts(struct dpl_verdict *verdict)
{
    clean(verdict->name, sizeof verdict->name);
    clean(verdict->text, sizeof verdict->text);
    if (verdict->n_measures > DPL_MEASURES_MAX) {
        verdict->n_measures = DPL_MEASURES_MAX;
    }
    for (size_t i = 0; i < verdict->n_measures; i++) {
        clean(verdict->measures[i].name, sizeof verdict->measures[i].name);
        clean(verdict->measures[i].unit, sizeof verdict->measures[i].unit);
    }
}

/* ---- for observers ---- */

struct found_row {
    char step[128], name[256], verdict[16], unit[24], text[256];
    double value, min, max, number, count, time;
};

static const struct dpl_field found_fields[] = {
    DPL_TEXT(struct found_row, step, "step", "", "of the test, or the component that judges"),
    DPL_TEXT(struct found_row, name, "name", "", "of the verdict, or of a number"),
    DPL_TEXT(struct found_row, verdict, "verdict", "", "runs, passed, failed or error"),
    DPL_TEXT(struct found_row, text, "text", "", "why it has not passed"),
    DPL_EXPORT_NUMBER(struct found_row, value, "value", NULL, 0, "what was measured"),
    DPL_TEXT(struct found_row, unit, "unit", "", "of value, min and max"),
    DPL_EXPORT_NUMBER(struct found_row, min, "min", NULL, 0, "the least that passes"),
    DPL_EXPORT_NUMBER(struct found_row, max, "max", NULL, 0, "the most that passes"),
    DPL_EXPORT_NUMBER(struct found_row, number, "number", NULL, 0, "of the step, from 1"),
    DPL_EXPORT_NUMBER(struct found_row, count, "count", NULL, 0, "of all steps; 0: no plan"),
    DPL_EXPORT_NUMBER(struct found_row, time, "time", "s", 0, "of the run"),
};

int dpl__verdicts_add(struct dpl__topics *topics, struct dpl__row_tap **ret_tap,
                      struct dpl_diag *reterr)
{
    static const struct dpl__value_topic described = {
        .name = "/verdicts",
        .summary = "what test benches and steps of test plans find out",
        .fields = found_fields,
        .n_fields = DPL_COUNT(found_fields),
        .size = sizeof(struct found_row),
        .are_events = true};
    return dpl__value_topic_add(topics, &described, ret_tap, reterr);
}

static double finite_or_none(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

void dpl_runtime_tell_found(struct dpl_runtime *runtime, dpl_ns time, const struct dpl_found *found)
{
    struct dpl__row_tap *tap = dpl__observer_verdicts(runtime->observer);
    struct dpl__row *row = tap ? dpl__row_tap_open(tap) : NULL;
    if (row) {
        struct found_row *to = (void *)row->data;
        *to = (struct found_row){.value = finite_or_none(found->value),
                                 .min = finite_or_none(found->min),
                                 .max = finite_or_none(found->max),
                                 .number = (double)found->number,
                                 .count = (double)found->count,
                                 .time = dpl_ns_to_s(time)};
        snprintf(to->step, sizeof to->step, "%s", found->step);
        snprintf(to->name, sizeof to->name, "%s", found->name);
        snprintf(to->verdict, sizeof to->verdict, "%s", found->verdict);
        snprintf(to->unit, sizeof to->unit, "%s", found->unit ? found->unit : "");
        snprintf(to->text, sizeof to->text, "%s", found->text ? found->text : "");
        dpl__row_tap_send(tap, time);
    }
}

static void tell_verdict(const struct dpl__component *component)
{
    struct dpl_runtime *runtime = component->runtime;
    const struct dpl_verdict *verdict = &runtime->verdict;
    dpl_ns now = dpl__runtime_now(runtime);
    double none = (double)NAN;
    struct dpl_found found = {.step = component->self.name,
                              .name = verdict->name,
                              .verdict = verdict->expected ? "passed" : "failed",
                              .text = verdict->text,
                              .value = none,
                              .min = none,
                              .max = none};
    dpl_runtime_tell_found(runtime, now, &found);
    found.text = NULL;
    for (size_t i = 0; i < verdict->n_measures; i++) {
        found.name = verdict->measures[i].name;
        found.value = verdict->measures[i].value;
        found.unit = verdict->measures[i].unit;
        dpl_runtime_tell_found(runtime, now, &found);
    }
}

void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *verdict)
{
    struct dpl__component *self = component->runtime;
    struct dpl_runtime *runtime = self->runtime;
    int none = NONE;
    if (atomic_compare_exchange_strong(&runtime->verdict_state, &none, BEING_WRITTEN)) {
        runtime->verdict = *verdict;
        clean_texts(&runtime->verdict);
        dpl__devices_tell_losses(runtime, runtime->verdict.text, sizeof verdict->text);
        atomic_store(&runtime->verdict_state, GIVEN);
        tell_verdict(self);
    }
    dpl_component_finish_run(component);
}

void dpl_component_set_moving(struct dpl_component *component, bool moves)
{
    struct dpl__component *self = component->runtime;
    atomic_store_explicit(&self->moves, moves, memory_order_release);
}

void dpl_component_set_fault(struct dpl_component *component, const char *what)
{
    struct dpl__component *self = component->runtime;
    atomic_store_explicit(&self->fault, what, memory_order_release);
}

dpl_ns dpl_runtime_duration(const struct dpl_runtime *runtime)
{
    return runtime->ended;
}

bool dpl_runtime_ended_well(const struct dpl_runtime *runtime)
{
    return !runtime->ended_badly;
}

bool dpl_runtime_was_touched(const struct dpl_runtime *runtime)
{
    return runtime->was_touched;
}

const struct dpl_verdict *dpl_runtime_verdict(const struct dpl_runtime *runtime)
{
    return atomic_load(&runtime->verdict_state) == GIVEN ? &runtime->verdict : NULL;
}
