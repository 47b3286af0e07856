/* SPDX-License-Identifier: Apache-2.0 */
/* State machines from XML (docs/guides/state-machines.md): states, transitions with conditions over
 * channels, actions that put values into channels. The user decides what a channel is; the machine
 * only has its name and a number for it. */
#ifndef DOPPEL_STATE_MACHINE_H
#define DOPPEL_STATE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_STATE_MACHINE_CHANNELS_MAX = 64,
    DPL_STATE_MACHINE_CHANNEL_SIZE = 128, /* of a channel's name, with its end */
    DPL_STATE_MACHINE_STATES_MAX = 256,
    DPL_STATE_MACHINE_PARTS_MAX = 2048, /* transitions and actions */
    DPL_STATE_MACHINE_VARIABLES_MAX = 32,
    DPL_STATE_MACHINE_NAME_SIZE = 64, /* of a state's or machine's name, with its end */
};

/* Const: many runs may use it. */
struct dpl_state_machine;

/* A channel that is read or put. A name may be in both roles, with two numbers. */
struct dpl_state_machine_channel {
    char name[DPL_STATE_MACHINE_CHANNEL_SIZE];
    bool put;
    struct dpl_place
        place; /* first place of the name in the file; the machine owns the file's name */
};

/* Reads a file, or a text; `file` is its name then. Finds all errors; their places borrow `file`. 0
 * with *ret_machine, or -EINVAL with at least one error in diags. Allocates and blocks. */
int dpl_state_machine_read(const char *file, struct dpl_diags *diags,
                           struct dpl_state_machine **ret_machine);
int dpl_state_machine_read_text(const char *file, const void *bytes, size_t n,
                                struct dpl_diags *diags, struct dpl_state_machine **ret_machine);
void dpl_state_machine_destroy(struct dpl_state_machine *machine); /* NULL: nothing */

const char *dpl_state_machine_name(const struct dpl_state_machine *machine);
size_t dpl_state_machine_n_states(const struct dpl_state_machine *machine);
/* The name of state `i`, in the order of the file. */
const char *dpl_state_machine_state(const struct dpl_state_machine *machine, size_t i);
size_t dpl_state_machine_n_channels(const struct dpl_state_machine *machine);
const struct dpl_state_machine_channel *
dpl_state_machine_channel(const struct dpl_state_machine *machine, size_t i);

/* The state of a run of a machine. Zero-initialise it; a copy of it is a copy of the run. */
struct dpl_state_machine_run {
    /* By number of the channel. For a channel that is read: the user writes its value before the
     * step (a finite number). For a channel that is put: the last value that was put. */
    double values[DPL_STATE_MACHINE_CHANNELS_MAX];
    bool is_put[DPL_STATE_MACHINE_CHANNELS_MAX]; /* a value was put since the beginning */
    /* read-only: */
    bool begun;
    size_t state;
    dpl_ns began, since; /* start of the machine; start of its present state */
    uint64_t n_transitions;
    double variables[DPL_STATE_MACHINE_VARIABLES_MAX];
};

/* A transition that was taken. */
struct dpl_state_machine_transition {
    size_t from, to;        /* states */
    dpl_ns stayed;          /* in `from` */
    const char *when;       /* the condition, as in the file; "": none. Owned by the machine */
    struct dpl_place place; /* of its element; the machine owns the file's name */
};

/* One step at time `now`, which must not go back. The first step enters the initial state. Each
 * further step takes at most one transition: the first whose condition is true, first of the
 * transitions from any state, then of those of the present state, in the order of the file. A
 * transition executes the exit actions of its old state, then the entry actions of its new state.
 * At the end, each step executes the actions `while` of the state. Pure: the same values and times
 * give the same bits. No allocation, lock or system call. 1 with *ret_taken: a transition was
 * taken. 0: none. -EDOM with reterr, which has the place: an expression has no value (a division by
 * zero); the run has stopped there and must start again. */
int dpl_state_machine_step(const struct dpl_state_machine *machine,
                           struct dpl_state_machine_run *run, dpl_ns now,
                           struct dpl_state_machine_transition *ret_taken, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
