/* SPDX-License-Identifier: Apache-2.0 */
/* One overload of the trajectory planner: a sine that it follows exactly, an event that it cannot
 * follow, and the remaining error afterwards. Along x; pure logic. */
#ifndef TRANSPARENCY_REALIGN_RUN_H
#define TRANSPARENCY_REALIGN_RUN_H

#include <stdbool.h>

enum realign_kind {
    REALIGN_BLOW,    /* a force on the model, whose answer is added to the sine */
    REALIGN_STEP,    /* the sine continues at another position */
    REALIGN_SPIKE,   /* the sine is at another position for some time */
    REALIGN_DROPOUT, /* no reference */
    REALIGN_ZERO,    /* the reference is the centre */
};

struct realign_event {
    const char *name;
    enum realign_kind kind;
    double size;     /* N, m */
    double model_hz; /* natural frequency of the model for the impulse */
    int n_ticks;     /* duration in ticks of 2.5 ms; a step: 0 */
};

/* An event during a sine. The limit is 10 m/s2; if the sine would leave the workspace with its part
 * of it (low frequencies), the limit is lower, and forces and distances of the event are reduced in
 * proportion. */
struct realign_case {
    double hz, share; /* part of the acceleration limit that the sine uses */
    double phase;     /* of the sine at the start of the event, in periods */
    const struct realign_event *event;
    bool published; /* planner without feed-forward of the reference's acceleration */
};

/* Times count from the end of the event. */
struct realign_result {
    double limit;        /* of the acceleration, m/s2 */
    double aligned_s;    /* until all outputs are equal to the references, bit by bit */
    double can_follow_s; /* until the reference itself stays within the limit */
    /* shortest time in which a planner with a known future reference could reach it */
    double least_s;
    double deadline_s;           /* 2 s, or 1.5 times least_s if that is later */
    double gain_db, delay_ms;    /* of the sine, output over reference, from the deadline on */
    double before_db, before_ms; /* the same, until the event */
    double deviation;            /* the largest, from the start of the event on, m */
    int n_acted;                 /* ticks after the deadline in which a stage acted */
};

#define REALIGN_DEADLINE_S 2.0
#define REALIGN_GAIN_DB    0.05
#define REALIGN_DELAY_MS   0.5

/* Returns 0 or a negative errno. Deterministic; not for two threads at once. */
int realign_run(const struct realign_case *what, struct realign_result *ret_result);

/* Whether the planner came back in time. */
bool realign_met(const struct realign_result *result);

/* Raises every value of `worst` to at least the magnitude of that of `result`. */
void realign_worst(struct realign_result *worst, const struct realign_result *result);

#endif
