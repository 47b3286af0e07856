/* SPDX-License-Identifier: Apache-2.0 */
/* One overload of the trajectory planner: a sine that it follows to the last bit, something that it
 * cannot follow, and what is left of that afterwards. Along x; pure logic. */
#ifndef TRANSPARENCY_REALIGN_RUN_H
#define TRANSPARENCY_REALIGN_RUN_H

#include <stdbool.h>

enum realign_kind {
    REALIGN_BLOW,    /* a force on the model, whose answer is added to the sine */
    REALIGN_STEP,    /* the sine goes on elsewhere */
    REALIGN_SPIKE,   /* the sine is elsewhere for a while */
    REALIGN_DROPOUT, /* no reference */
    REALIGN_ZERO,    /* the reference is the centre */
};

struct realign_event {
    const char *name;
    enum realign_kind kind;
    double size;     /* N, m */
    double model_hz; /* natural frequency of the model that is blown at */
    int n_ticks;     /* of 2.5 ms, that it lasts; a step: 0 */
};

/* What happens to a sine. The limit is 10 m/s2; where the sine would leave the workspace with its
 * share of that (low frequencies) it is lower, and forces and ways of the event in proportion. */
struct realign_case {
    double hz, share; /* of the acceleration limit that the sine takes */
    double phase;     /* of the sine as the event begins, in periods */
    const struct realign_event *event;
    bool published; /* planner without feed-forward of the reference's acceleration */
};

/* Times count from the end of the event. */
struct realign_result {
    double limit;                /* of the acceleration, m/s2 */
    double aligned_s;            /* until all outputs are the references, bit by bit */
    double can_follow_s;         /* until the reference itself keeps the limit for good */
    double least_s;              /* until it can be met by whoever knows it beforehand */
    double deadline_s;           /* 2 s, or half as much again as least_s if that is later */
    double gain_db, delay_ms;    /* of the sine, output over reference, from the deadline on */
    double before_db, before_ms; /* the same up to the event */
    double deviation;            /* the largest, from the begin of the event on, m */
    int n_acted;                 /* ticks after the deadline in which a stage acted */
};

#define REALIGN_DEADLINE_S 2.0
#define REALIGN_GAIN_DB    0.05
#define REALIGN_DELAY_MS   0.5

/* Returns 0 or a negative errno. Deterministic; not for two threads at once. */
int realign_run(const struct realign_case *what, struct realign_result *ret_result);

/* Whether the planner came back in time. */
bool realign_met(const struct realign_result *result);

/* Raises every figure of `worst` to at least the magnitude of that of `result`. */
void realign_worst(struct realign_result *worst, const struct realign_result *result);

#endif
