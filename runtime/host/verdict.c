/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with which a component ends the run: when its work is done, or with the verdict of a
 * test bench; and reports of motion and faults that affect the end of the run. */
#include <stdatomic.h>

#include <doppel/text.h>

#include "component.h"
#include "control.h"
#include "device.h"
#include "runtime.h"

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
