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
    char step[128], name[256];
    bool passed;
    double value, limit, time;
};

static const struct dpl_field found_fields[] = {
    DPL_TEXT(struct found_row, step, "step", "", "of the test, or the component that judges"),
    DPL_TEXT(struct found_row, name, "name", "", "of the verdict, or of a number"),
    DPL_EXPORT_BOOL(struct found_row, passed, "passed", 0, "it is as it should be"),
    DPL_EXPORT_NUMBER(struct found_row, value, "value", NULL, 0, "what was measured"),
    DPL_EXPORT_NUMBER(struct found_row, limit, "limit", NULL, 0, "of the value"),
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
        .size = sizeof(struct found_row)};
    return dpl__value_topic_add(topics, &described, ret_tap, reterr);
}

void dpl_runtime_tell_found(struct dpl_runtime *runtime, dpl_ns time, const struct dpl_found *found)
{
    struct dpl__row_tap *tap = dpl__observer_verdicts(runtime->observer);
    struct dpl__row *row = tap ? dpl__row_tap_open(tap) : NULL;
    if (row) {
        struct found_row *to = (void *)row->data;
        *to = (struct found_row){.passed = found->passed,
                                 .value = found->value,
                                 .limit = found->limit,
                                 .time = dpl_ns_to_s(time)};
        snprintf(to->step, sizeof to->step, "%s", found->step);
        snprintf(to->name, sizeof to->name, "%s", found->name);
        dpl__row_tap_send(tap, time);
    }
}

static void tell_verdict(const struct dpl__component *component)
{
    struct dpl_runtime *runtime = component->runtime;
    const struct dpl_verdict *verdict = &runtime->verdict;
    dpl_ns now = dpl__runtime_now(runtime);
    struct dpl_found found = {component->self.name, verdict->name, verdict->expected, (double)NAN,
                              (double)NAN};
    dpl_runtime_tell_found(runtime, now, &found);
    for (size_t i = 0; i < verdict->n_measures; i++) {
        found.name = verdict->measures[i].name;
        found.value = verdict->measures[i].value;
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

const struct dpl_verdict *dpl_runtime_verdict(const struct dpl_runtime *runtime)
{
    return atomic_load(&runtime->verdict_state) == GIVEN ? &runtime->verdict : NULL;
}
