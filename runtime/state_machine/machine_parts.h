/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of state machines.
 *
 * - machine_read.c   a file: states, transitions, actions
 * - machine_expr.c   expressions over channels
 * - machine_step.c   a step */
#ifndef DOPPEL_STATE_MACHINE_PARTS_H
#define DOPPEL_STATE_MACHINE_PARTS_H

#include <doppel/state_machine.h>

#include "arena.h"
#include "expr.h"
#include "xml_reader.h"

/* What is in brackets in an expression. */
struct machine_ref {
    size_t offset; /* in its text */
    size_t channel;
};

struct machine_expr {
    const struct dpl_xml_attribute *attribute; /* NULL: it was not given */
    const struct machine_ref *refs;            /* [n_refs], in order */
    size_t n_refs;
};

struct machine_action {
    bool is_put;   /* into a channel, else into a variable */
    size_t target; /* its number */
    struct machine_expr value;
};

struct machine_transition {
    const struct dpl_xml_node *node;
    size_t to;
    dpl_ns after; /* at least so long in the state */
    struct machine_expr when;
};

/* Where the parts of a state are in the lists of the machine. */
struct machine_span {
    size_t first, n;
};

struct machine_state {
    char name[DPL_STATE_MACHINE_NAME_SIZE];
    const struct dpl_xml_node *node;
    struct machine_span entry, during, exit; /* actions */
    struct machine_span transitions;
};

enum {
    MACHINE_TIME,  /* s in the state */
    MACHINE_TOTAL, /* s since the machine began */
    MACHINE_N_TIMES,
    MACHINE_NAMES_MAX = MACHINE_N_TIMES + DPL_STATE_MACHINE_VARIABLES_MAX,
};

struct dpl_state_machine {
    struct dpl_arena arena; /* has all of it, and the tree of the file */
    char name[DPL_STATE_MACHINE_NAME_SIZE];
    struct machine_state states[DPL_STATE_MACHINE_STATES_MAX];
    size_t n_states, initial;
    struct machine_span any; /* transitions from any state */
    struct machine_transition transitions[DPL_STATE_MACHINE_PARTS_MAX];
    struct machine_action actions[DPL_STATE_MACHINE_PARTS_MAX];
    size_t n_transitions, n_actions;
    struct dpl_state_machine_channel channels[DPL_STATE_MACHINE_CHANNELS_MAX];
    size_t n_channels;
    /* Those of MACHINE_TIME and so on, then the variables with what they begin with. */
    struct dpl__expr_name names[MACHINE_NAMES_MAX];
    size_t n_names;
};

/* The number of a channel, which is added if it is new; -ENOSPC: too many; -EINVAL: no name. */
int machine_channel(struct dpl_state_machine *machine, const char *name, size_t n, bool put,
                    struct dpl_place place);

/* Checks an attribute as an expression, and notes its channels. 0, or -EINVAL with an error. */
int machine_expr_bind(struct dpl_state_machine *machine, const struct dpl_xml_attribute *attribute,
                      struct machine_expr *ret_expr, struct dpl_diags *diags);

/* 0, or -EDOM with reterr. */
int machine_expr_value(const struct machine_expr *expr, const struct dpl__expr_name *names,
                       size_t n_names, const double *values, double *ret_value,
                       struct dpl_diag *reterr);

#endif
