/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of commands, and the checks of references and axes. */
#include "supervisor.h"

#include <math.h>

/* Slower references count as rest. */
#define REST_M_S 1e-6

void supervisor_init(struct supervisor *supervisor, const struct supervisor_config *config)
{
    *supervisor = (struct supervisor){.config = *config, .fault_axis = -1};
}

void supervisor_begin(struct supervisor *supervisor)
{
    supervisor->held_off = supervisor->held_off || supervisor->command.axes_on;
    supervisor->command = (struct supervisor_command){0};
    supervisor->has_reference = false;
    supervisor->commanded = false;
    supervisor->halted = false;
    supervisor->was_on = false;
}

const char *supervisor_fault_name(enum dpl_servo_fault fault)
{
    switch (fault) {
    case DPL_SERVO_FAULT_NONE: return "none";
    case DPL_SERVO_FAULT_FOLLOWING: return "following";
    case DPL_SERVO_FAULT_JUMP: return "jump";
    case DPL_SERVO_FAULT_MISSING: return "missing";
    case DPL_SERVO_FAULT_SILENCE: return "silence";
    case DPL_SERVO_FAULT_HALT: return "halt";
    }
    return "unknown";
}

static unsigned fail(struct supervisor *s, enum dpl_servo_fault fault, int axis, int64_t *count)
{
    s->fault = fault;
    s->fault_axis = axis;
    s->has_reference = false;
    (*count)++;
    return SERVO_STOP;
}

/* The actions for changes of the command. */
static unsigned obey(struct supervisor *s, const struct supervisor_command *command)
{
    struct supervisor_command before = s->command;
    unsigned actions = 0;
    s->command = *command;
    s->held_off = s->held_off && command->axes_on;
    if (command->reset && !before.reset) {
        s->fault = DPL_SERVO_FAULT_NONE;
        s->fault_axis = -1;
        actions |= SERVO_RESET;
    }
    if (command->axes_stop && !before.axes_stop) {
        s->has_reference = false;
        actions |= SERVO_STOP;
    }
    bool may_begin = s->fault == DPL_SERVO_FAULT_NONE && !s->held_off;
    if (command->axes_on && !before.axes_on && may_begin) {
        actions |= SERVO_ENABLE;
    }
    if (!command->axes_on && before.axes_on) {
        s->has_reference = false;
        actions |= SERVO_DISABLE;
    }
    return actions;
}

static bool moves(const struct dpl_axes_reference *reference)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        if (fabs(reference->velocity_m_s[i]) > REST_M_S) {
            return true;
        }
    }
    return false;
}

/* The axis with the largest difference of `a` and `b`, if it is more than `most`; the first axis
 * with a NaN; -1: none. */
static int farthest(const double *a, const double *b, double most)
{
    int axis = -1;
    for (int i = 0; i < DPL_AXES_N; i++) {
        double apart = fabs(a[i] - b[i]);
        if (isnan(apart)) {
            return i;
        }
        if (apart > most) {
            axis = i;
            most = apart;
        }
    }
    return axis;
}

/* Distance of the axes from the reference of the cycle before, which they had a cycle to reach. */
static void measure(struct supervisor *s, const struct supervisor_input *input)
{
    s->max_error_m = 0.0;
    for (int i = 0; i < DPL_AXES_N; i++) {
        bool known = input->on && input->valid && s->has_reference;
        s->error_m[i] = known ? s->reference.position_m[i] - input->position_m[i] : 0.0;
        s->max_error_m = fmax(s->max_error_m, fabs(s->error_m[i]));
    }
}

static unsigned watch_axes(struct supervisor *s)
{
    static const double none[DPL_AXES_N];
    double most = s->config.following_error_m;
    int axis = most > 0.0 ? farthest(s->error_m, none, most) : -1;
    return axis >= 0 ? fail(s, DPL_SERVO_FAULT_FOLLOWING, axis, &s->n_following) : 0;
}

static unsigned watch_silence(struct supervisor *s, dpl_ns now)
{
    if (s->commanded && now - s->commanded_at > s->config.command_timeout) {
        return fail(s, DPL_SERVO_FAULT_SILENCE, -1, &s->n_silences);
    }
    return 0;
}

/* When a device is lost, the path brakes and the axes follow it, for at most halt_timeout. */
static unsigned watch_halt(struct supervisor *s, const struct supervisor_input *input)
{
    if (input->halt && !s->halted) {
        s->halted_at = input->now;
    }
    s->halted = input->halt;
    bool late = input->halt && input->now - s->halted_at > s->config.halt_timeout;
    if (late && s->has_reference && moves(&s->reference)) {
        return fail(s, DPL_SERVO_FAULT_HALT, -1, &s->n_halts);
    }
    return 0;
}

/* The first axis whose velocity or acceleration is not finite; -1: none. */
static int not_finite(const struct dpl_axes_reference *reference)
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        if (!isfinite(reference->velocity_m_s[i]) || !isfinite(reference->acceleration_m_s2[i])) {
            return i;
        }
    }
    return -1;
}

static unsigned accept_reference(struct supervisor *s, const struct supervisor_input *input)
{
    const struct dpl_axes_reference *next = input->reference;
    const double *from = s->has_reference ? s->reference.position_m : input->position_m;
    double most = s->has_reference ? s->config.reference_step_m : s->config.first_step_m;
    int axis = farthest(next->position_m, from, most);
    axis = axis >= 0 ? axis : not_finite(next);
    if (axis >= 0) {
        return fail(s, DPL_SERVO_FAULT_JUMP, axis, &s->n_jumps);
    }
    s->reference = *next;
    s->has_reference = true;
    s->referred_at = input->now;
    return SERVO_FOLLOW;
}

static unsigned follow(struct supervisor *s, const struct supervisor_input *input)
{
    if (input->reference && input->valid) {
        return accept_reference(s, input);
    }
    bool late = s->has_reference && input->now - s->referred_at > s->config.reference_timeout;
    if (late && moves(&s->reference)) {
        return fail(s, DPL_SERVO_FAULT_MISSING, -1, &s->n_missing);
    }
    return 0;
}

/* Checks and follows the reference while the axes are on and no fault is present. */
static unsigned drive(struct supervisor *s, const struct supervisor_input *input)
{
    unsigned stop = watch_silence(s, input->now);
    stop = stop ? stop : watch_axes(s);
    stop = stop ? stop : watch_halt(s, input);
    return stop ? stop : follow(s, input);
}

unsigned supervisor_step(struct supervisor *s, const struct supervisor_input *input)
{
    unsigned actions = 0;
    if (!input->on || !s->was_on) {
        s->has_reference = false;
    }
    s->was_on = input->on;
    if (input->command) {
        s->commanded = true;
        s->commanded_at = input->now;
        actions = obey(s, input->command);
    }
    measure(s, input);
    bool may = s->command.axes_on && !s->held_off && !s->command.axes_stop &&
               s->fault == DPL_SERVO_FAULT_NONE;
    if (!may || !input->on) {
        s->halted = s->halted && input->halt;
        return actions;
    }
    return actions | drive(s, input);
}
