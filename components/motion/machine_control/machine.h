/* SPDX-License-Identifier: Apache-2.0 */
/* Both state machines together: inputs are observations and requests, the output is a command; one
 * call per tick. Pure logic. Three rules always hold (its test_machine_reach.c
 * checks all reachable states): no motion from FAULT without a reset; ADMITTANCE ends only through
 * STOPPING; STOPPING ends only at rest. */
#ifndef MACHINE_CONTROL_MACHINE_H
#define MACHINE_CONTROL_MACHINE_H

#include <doppel/math/six.h>

#include "primary.h"
#include "secondary.h"

/* The command to other components in this cycle; as MachineCommand. */
struct machine_command {
    enum dpl_machine_state state;
    uint64_t epoch;
    double target[DPL_SIX];
    bool axes_on, axes_stop, reset;
};

struct machine {
    struct machine_config config;
    double home[DPL_SIX]; /* target of HOME: m, rad */
    struct primary primary;
    struct secondary secondary;
    struct machine_sight sight; /* newest */
    bool at_rest;
    bool resting; /* at rest in this tick; at_rest: for long enough */
    dpl_ns resting_since, row_since;
    int64_t n_faults[FAULTS];
    int64_t n_ends[ENDS];
    enum secondary_end end; /* of the newest tick */
};

/* In BOOT, without observations. */
void machine_init(struct machine *machine, const struct machine_config *config,
                  const double home[DPL_SIX]);

/* A request at the current time: accepted at once, or refused with a reason. `target` (m, rad) is
 * used by DPL_REQUEST_POSITION only and may be NULL otherwise. */
struct machine_answer machine_ask(struct machine *machine, enum dpl_machine_request_kind request,
                                  const double target[DPL_SIX]);

/* One tick: evaluates the observations and changes states. Returns the fault that began, or
 * FAULT_NONE. */
enum machine_fault machine_step(struct machine *machine, const struct machine_sight *sight);

/* Whether the machine moves, or its axes must still be stopped: then a run must not end yet. */
bool machine_moves(const struct machine *machine);

void machine_command_of(const struct machine *machine, struct machine_command *ret);

/* "reset", "enable" ...; never NULL. */
const char *machine_request_name(enum dpl_machine_request_kind request);

#endif
