/* SPDX-License-Identifier: Apache-2.0 */
/* The secondary state machine: what the machine does while its axes are on. A table says for every
 * state and request what happens; from ADMITTANCE only STOPPING leads out. Pure logic. */
#ifndef MACHINE_CONTROL_SECONDARY_H
#define MACHINE_CONTROL_SECONDARY_H

#include "states.h"

/* What is known of the motion in a tick. */
struct machine_motion {
    bool planned; /* the planner carries out the newest command */
    enum dpl_planner_mode planner_mode;
    bool at_rest;    /* by whom stops it: path or axes */
    bool is_refused; /* the planner does not go to the target */
    bool is_late;    /* the state has lasted for ArriveTimeout */
};

struct secondary {
    enum machine_row row;
    uint64_t epoch;   /* grows when the command to the planner changes */
    double target[6]; /* of HOMING and POSITION: m, rad */
    bool arrived;     /* of POSITION */
    bool has_arrived; /* once */
};

/* Why it gave up going to a target. */
enum secondary_end {
    END_NONE,
    END_REFUSED, /* the planner does not go there */
    END_LATE,    /* it did not arrive in time */
    ENDS
};

extern const struct machine_answer secondary_answers[ROWS][DPL_MACHINE_REQUEST_KIND_N];

/* Does what the table says about a request that the guards let pass; `target` is that of HOME and
 * POSITION. */
void secondary_accept(struct secondary *secondary, const struct machine_answer *answer,
                      const double target[6]);

/* Leaves whatever it does for STOPPING; nothing in STOPPED and STOPPING. */
void secondary_stop(struct secondary *secondary);

/* What comes about by itself. Who gives up is STOPPING then. */
enum secondary_end secondary_step(struct secondary *secondary, const struct machine_motion *motion);

enum dpl_machine_state secondary_state(enum machine_row row);

/* "stopped", "run" ...; never NULL. */
const char *secondary_row_name(enum machine_row row);

#endif
