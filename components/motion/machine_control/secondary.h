/* SPDX-License-Identifier: Apache-2.0 */
/* The secondary state machine: the task of the machine while its axes are on. A table gives the
 * result for every state and request; ADMITTANCE ends only through STOPPING. Pure logic. */
#ifndef MACHINE_CONTROL_SECONDARY_H
#define MACHINE_CONTROL_SECONDARY_H

#include <doppel/math/six.h>

#include "states.h"

/* Observations of the motion in a tick. */
struct machine_motion {
    bool planned; /* the planner carries out the newest command */
    enum dpl_planner_mode planner_mode;
    bool at_rest;    /* according to the part that stops it: path or axes */
    bool is_refused; /* the planner does not go to the target */
    bool is_late;    /* the state has lasted longer than ArriveTimeout */
};

struct secondary {
    enum machine_row row;
    uint64_t epoch;         /* increases when the command to the planner changes */
    double target[DPL_SIX]; /* of HOMING and POSITION: m, rad */
    bool arrived;           /* of POSITION */
    bool has_arrived;       /* once */
};

/* The reason for giving up a target. */
enum secondary_end {
    END_NONE,
    END_REFUSED, /* the planner refuses it */
    END_LATE,    /* it did not arrive in time */
    ENDS
};

extern const struct machine_answer secondary_answers[ROWS][DPL_MACHINE_REQUEST_KIND_N];

/* Applies the table for a request that has passed its guards; `target` is that of HOME and
 * POSITION. */
void secondary_accept(struct secondary *secondary, const struct machine_answer *answer,
                      const double target[DPL_SIX]);

/* Goes to STOPPING from any other state; no effect in STOPPED and STOPPING. */
void secondary_stop(struct secondary *secondary);

/* Transitions without a request. Giving up a target leads to STOPPING. */
enum secondary_end secondary_step(struct secondary *secondary, const struct machine_motion *motion);

enum dpl_machine_state secondary_state(enum machine_row row);

/* "stopped", "run" ...; never NULL. */
const char *secondary_row_name(enum machine_row row);

#endif
