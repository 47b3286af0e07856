/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which references a servo passes on to its axes. It reacts to changes of the machine's
 * commands, refuses references that no axis can follow, detects missing references and axes that do
 * not follow, and keeps a fault until a reset. Pure logic. */
#ifndef SERVO_SUPERVISOR_H
#define SERVO_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/six.h>
#include <doppel/time.h>

#include "servo_faults.h"

struct supervisor_config {
    double reference_step_m;  /* largest difference of a reference to the one before */
    double following_error_m; /* largest distance of an axis from its reference; 0: any */
    double first_step_m;      /* largest distance of the first reference from the axis */
    dpl_ns reference_timeout; /* while moving */
    dpl_ns command_timeout;   /* while the axes are on */
    dpl_ns halt_timeout;      /* for the path to come to rest after a halt */
};

/* Content of the machine's newest command. */
struct supervisor_command {
    bool axes_on, axes_stop, reset;
};

/* Inputs of a cycle. */
struct supervisor_input {
    dpl_ns now;
    bool halt;
    const struct supervisor_command *command;   /* NULL: no new command */
    const struct dpl_axes_reference *reference; /* NULL: no new reference */
    bool on;                                    /* the axes follow references */
    bool valid;                                 /* position_m is known */
    const double *position_m;                   /* of the axes, shape [6] */
};

/* Actions on the axes, in this order. */
enum supervisor_action {
    SERVO_RESET = 1 << 0,
    SERVO_STOP = 1 << 1,
    SERVO_ENABLE = 1 << 2,
    SERVO_DISABLE = 1 << 3,
    SERVO_FOLLOW = 1 << 4, /* the reference of this cycle */
};

struct supervisor {
    struct supervisor_config config;
    struct supervisor_command command;
    enum dpl_servo_fault fault;          /* until a reset */
    int fault_axis;                      /* -1: no particular axis */
    bool has_reference;                  /* since the axes were switched on or stopped */
    struct dpl_axes_reference reference; /* the last one that was followed */
    double error_m[DPL_AXES_N];          /* axes minus reference */
    double max_error_m;                  /* the largest of them now */
    dpl_ns referred_at, commanded_at, halted_at;
    bool halted, commanded, was_on;
    bool held_off; /* started while the command was "on": an "off" must come before "on" is accepted
                    */
    int64_t n_jumps, n_missing, n_following, n_silences, n_halts;
};

void supervisor_init(struct supervisor *supervisor, const struct supervisor_config *config);

/* Deletes references and keeps fault and counters: for a start after a loss. A command "on" from
 * before the loss does not switch the axes on again: an "off" must come first. */
void supervisor_begin(struct supervisor *supervisor);

/* One cycle; returns enum supervisor_action bits. */
unsigned supervisor_step(struct supervisor *supervisor, const struct supervisor_input *input);

/* "none", "following" ...; never NULL. */
const char *supervisor_fault_name(enum dpl_servo_fault fault);

#endif
