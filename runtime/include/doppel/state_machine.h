/* SPDX-License-Identifier: Apache-2.0 */
/* State machines from XML (docs/state-machines.md): states, transitions with conditions over
 * channels, actions that put values into channels. What a channel is, the user says: the machine
 * names them, and has a number for each. */
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

/* A channel that is read, or one that is put; a name may be both, with two numbers. */
struct dpl_state_machine_channel {
    char name[DPL_STATE_MACHINE_CHANNEL_SIZE];
    bool put;
    struct dpl_place place; /* where the machine names it first; its file lives with the machine */
};

/* Reads a file, or a text of which `file` is the name. Finds all errors; their places borrow
 * `file`. 0 with *ret_machine, or -EINVAL with at least one error in diags. Allocates and blocks.
 */
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

/* What a machine that runs knows. Zero-initialise; copying it copies the run. */
struct dpl_state_machine_run {
    /* By number of the channel: of one that is read, what the user has read before the step (finite
     * numbers); of one that is put, what was put last. */
    double values[DPL_STATE_MACHINE_CHANNELS_MAX];
    bool is_put[DPL_STATE_MACHINE_CHANNELS_MAX]; /* a value was put, since the beginning */
    /* read-only: */
    bool begun;
    size_t state;
    dpl_ns began, since; /* when the machine began; when it came to its state */
    uint64_t n_transitions;
    double variables[DPL_STATE_MACHINE_VARIABLES_MAX];
};

/* A transition that was taken. */
struct dpl_state_machine_transition {
    size_t from, to;        /* states */
    dpl_ns stayed;          /* in `from` */
    const char *when;       /* the condition as the file has it; "": none. Lives with the machine */
    struct dpl_place place; /* of its element; the file lives with the machine */
};

/* One step at time `now`, which does not go back. The first one comes to the initial state; each
 * further one takes at most one transition: the first that holds, of those from any state, then of
 * those of the state, in the order of the file. A transition does what its old state has for the
 * exit, then what the new state has for the entry. At last each step does what the state has for
 * `while`. Pure: the same values and times give the same bits. No allocation, lock or system call.
 * 1 with *ret_taken: a transition was taken. 0: none. -EDOM with reterr, which has the place:
 * an expression has no value (a division by zero); the run is where that happened, and must begin
 * anew. */
int dpl_state_machine_step(const struct dpl_state_machine *machine,
                           struct dpl_state_machine_run *run, dpl_ns now,
                           struct dpl_state_machine_transition *ret_taken, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
