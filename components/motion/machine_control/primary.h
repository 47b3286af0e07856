/* SPDX-License-Identifier: Apache-2.0 */
/* The primary state machine: whether the machine may move. It checks for faults in every tick and
 * decides which requests are allowed. A table gives the result for every phase and request. Pure
 * logic. */
#ifndef MACHINE_CONTROL_PRIMARY_H
#define MACHINE_CONTROL_PRIMARY_H

#include "faults.h"
#include "states.h"

struct primary {
    enum machine_phase phase;
    dpl_ns since; /* when the phase began */
    enum machine_fault fault;
    enum machine_reaction reaction;
    dpl_ns reacting_since;
    bool off; /* FAULT: the axes have come to rest and are switched off, or were off before */
};

/* Further inputs of a tick. */
struct primary_view {
    bool stopped;  /* the secondary is STOPPED */
    bool stopping; /* the secondary is STOPPING */
    bool at_rest;
    dpl_ns stopping_since;
    uint64_t epoch;
    bool admittance; /* the secondary follows forces */
};

extern const struct machine_answer primary_answers[PHASES][DPL_MACHINE_REQUEST_KIND_N];

void primary_enter(struct primary *primary, enum machine_phase phase, dpl_ns now);

/* Goes to FAULT with a reaction, or, in FAULT, changes to this reaction if it is more severe. True
 * when something changed. */
bool primary_fail(struct primary *primary, enum machine_fault fault, enum machine_reaction reaction,
                  dpl_ns now);

/* One tick: first faults, then transitions without a request. Returns the fault that began in this
 * tick or that made the reaction more severe; FAULT_NONE. */
enum machine_fault primary_step(struct primary *primary, const struct machine_config *config,
                                const struct machine_sight *sight, const struct primary_view *view);

/* Whether the axes must be on: from ENABLING on; in FAULT until rest. */
bool primary_axes_shall_be_on(const struct primary *primary);

/* "boot", "idle" ...; never NULL. */
const char *primary_phase_name(enum machine_phase phase);

/* The phase that other components get: ENABLING is reported as IDLE, RESETTING as FAULT. */
enum dpl_machine_phase primary_told_phase(enum machine_phase phase);

#endif
