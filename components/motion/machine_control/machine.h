/* SPDX-License-Identifier: Apache-2.0 */
/* Both state machines together: sights and requests in, a command out, one call a tick. Pure logic.
 * The three rules it keeps (its test_machine_reach.c walks all that can happen):
 * no motion from FAULT without a reset; from ADMITTANCE only through STOPPING; out of STOPPING only
 * at rest. */
#ifndef MACHINE_CONTROL_MACHINE_H
#define MACHINE_CONTROL_MACHINE_H

#include "primary.h"
#include "secondary.h"

/* What others are to do in this cycle; as MachineCommand. */
struct machine_command {
    enum dpl_machine_state state;
    uint64_t epoch;
    double target[6];
    bool axes_on, axes_stop, reset;
};

struct machine {
    struct machine_config config;
    double home[6]; /* target of HOME: m, rad */
    struct primary primary;
    struct secondary secondary;
    struct machine_sight sight; /* newest */
    bool at_rest;
    bool resting; /* as seen in this tick; at_rest when it lasts */
    dpl_ns resting_since, row_since;
    int64_t n_faults[FAULTS];
    int64_t n_ends[ENDS];
    enum secondary_end end; /* of the newest tick */
};

/* In BOOT, with nothing seen. */
void machine_init(struct machine *machine, const struct machine_config *config,
                  const double home[6]);

/* Asks for something now: accepted at once, or refused with a reason. `target` (m, rad) is used by
 * DPL_REQUEST_POSITION only and may be NULL otherwise. */
struct machine_answer machine_ask(struct machine *machine, enum dpl_machine_request_kind request,
                                  const double target[6]);

/* One tick: looks, changes states. Returns the fault that came up, or FAULT_NONE. */
enum machine_fault machine_step(struct machine *machine, const struct machine_sight *sight);

/* Whether the machine moves, or its axes must still be stopped: not to be left alone. */
bool machine_moves(const struct machine *machine);

void machine_command_of(const struct machine *machine, struct machine_command *ret);

/* "reset", "enable" ...; never NULL. */
const char *machine_request_name(enum dpl_machine_request_kind request);

#endif
