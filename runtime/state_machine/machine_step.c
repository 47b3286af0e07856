/* SPDX-License-Identifier: Apache-2.0 */
/* A step of a state machine, and what others may ask about it. */
#include <errno.h>
#include <string.h>

#include "machine_parts.h"

const char *dpl_state_machine_name(const struct dpl_state_machine *machine)
{
    return machine->name;
}

size_t dpl_state_machine_n_states(const struct dpl_state_machine *machine)
{
    return machine->n_states;
}

const char *dpl_state_machine_state(const struct dpl_state_machine *machine, size_t i)
{
    return machine->states[i].name;
}

size_t dpl_state_machine_n_channels(const struct dpl_state_machine *machine)
{
    return machine->n_channels;
}

const struct dpl_state_machine_channel *
dpl_state_machine_channel(const struct dpl_state_machine *machine, size_t i)
{
    return &machine->channels[i];
}

/* ---- a step ---- */

struct stepper {
    const struct dpl_state_machine *machine;
    struct dpl_state_machine_run *run;
    dpl_ns now;
    struct dpl__expr_name names[MACHINE_NAMES_MAX];
    struct dpl_diag *reterr;
};

static int value_of(struct stepper *stepper, const struct machine_expr *expr, double *ret_value)
{
    return machine_expr_value(expr, stepper->names, stepper->machine->n_names, stepper->run->values,
                              ret_value, stepper->reterr);
}

/* One after the other: a later one sees the variables that an earlier one has set. */
static int act(struct stepper *stepper, const struct machine_span *span)
{
    struct dpl_state_machine_run *run = stepper->run;
    for (size_t i = 0; i < span->n; i++) {
        const struct machine_action *action = &stepper->machine->actions[span->first + i];
        double value;
        int err = value_of(stepper, &action->value, &value);
        if (err < 0) {
            return err;
        }
        if (action->is_put) {
            run->values[action->target] = value;
            run->is_put[action->target] = true;
        } else {
            run->variables[action->target] = value;
            stepper->names[MACHINE_N_TIMES + action->target].value = value;
        }
    }
    return 0;
}

static int enter(struct stepper *stepper, size_t state)
{
    stepper->run->state = state;
    stepper->run->since = stepper->now;
    stepper->names[MACHINE_TIME].value = 0.0;
    return act(stepper, &stepper->machine->states[state].entry);
}

/* 1: it holds; 0; -EDOM. */
static int holds(struct stepper *stepper, const struct machine_transition *transition)
{
    if (stepper->now - stepper->run->since < transition->after) {
        return 0;
    }
    if (!transition->when.attribute) {
        return 1;
    }
    double value;
    int err = value_of(stepper, &transition->when, &value);
    return err < 0 ? err : value != 0.0;
}

/* The first that holds: 1 with *ret_which; 0: none; -EDOM. */
static int find(struct stepper *stepper, const struct machine_span *span,
                const struct machine_transition **ret_which)
{
    bool from_any = span == &stepper->machine->any;
    for (size_t i = 0; i < span->n; i++) {
        const struct machine_transition *transition =
            &stepper->machine->transitions[span->first + i];
        if (from_any && transition->to == stepper->run->state) {
            continue; /* it is there */
        }
        int result = holds(stepper, transition);
        if (result != 0) {
            *ret_which = transition;
            return result;
        }
    }
    return 0;
}

static int take(struct stepper *stepper, const struct machine_transition *transition,
                struct dpl_state_machine_transition *ret_taken)
{
    struct dpl_state_machine_run *run = stepper->run;
    const struct dpl_xml_attribute *when = transition->when.attribute;
    *ret_taken = (struct dpl_state_machine_transition){
        .from = run->state,
        .to = transition->to,
        .stayed = stepper->now - run->since,
        .when = when ? when->value : "",
        .place = transition->node->place,
    };
    int err = act(stepper, &stepper->machine->states[run->state].exit);
    run->n_transitions++;
    return err < 0 ? err : enter(stepper, transition->to);
}

static int move(struct stepper *stepper, struct dpl_state_machine_transition *ret_taken)
{
    const struct machine_transition *which = NULL;
    int found = find(stepper, &stepper->machine->any, &which);
    if (found == 0) {
        found = find(stepper, &stepper->machine->states[stepper->run->state].transitions, &which);
    }
    if (found <= 0) {
        return found;
    }
    int err = take(stepper, which, ret_taken);
    return err < 0 ? err : 1;
}

static int begin(struct stepper *stepper)
{
    const struct dpl_state_machine *machine = stepper->machine;
    struct dpl_state_machine_run *run = stepper->run;
    run->begun = true;
    run->began = stepper->now;
    for (size_t i = MACHINE_N_TIMES; i < machine->n_names; i++) {
        run->variables[i - MACHINE_N_TIMES] = machine->names[i].value;
        stepper->names[i].value = machine->names[i].value;
    }
    stepper->names[MACHINE_TOTAL].value = 0.0;
    return enter(stepper, machine->initial);
}

int dpl_state_machine_step(const struct dpl_state_machine *machine,
                           struct dpl_state_machine_run *run, dpl_ns now,
                           struct dpl_state_machine_transition *ret_taken, struct dpl_diag *reterr)
{
    struct stepper stepper = {.machine = machine, .run = run, .now = now, .reterr = reterr};
    memcpy(stepper.names, machine->names, machine->n_names * sizeof *stepper.names);
    stepper.names[MACHINE_TIME].value = dpl_ns_to_s(now - run->since);
    stepper.names[MACHINE_TOTAL].value = dpl_ns_to_s(now - run->began);
    for (size_t i = MACHINE_N_TIMES; i < machine->n_names; i++) {
        stepper.names[i].value = run->variables[i - MACHINE_N_TIMES];
    }
    int result = run->begun ? move(&stepper, ret_taken) : begin(&stepper);
    if (result < 0) {
        return result;
    }
    int err = act(&stepper, &machine->states[run->state].during);
    return err < 0 ? err : result;
}
