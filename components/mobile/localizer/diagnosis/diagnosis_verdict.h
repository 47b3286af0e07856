/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict that stands: when a rule has fitted for long enough that its verdict rises, when it
 * falls, and what is told of it. Pure; no memory beyond the struct. SI units. */
#ifndef DIAGNOSIS_VERDICT_H
#define DIAGNOSIS_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "residuals.h"
#include "verdicts.h"

#define DIAGNOSIS_EVENTS 16

struct diagnosis_verdict {
    enum verdict verdict; /* NONE: all is well */
    enum verdict_wheel wheel;
    int object;                 /* of the plan, with MAP_CHANGED; else -1 */
    double x, y;                /* m, of the place, with UNKNOWN_OBJECT; else 0 */
    double start_s;             /* the first scan that its rule fitted */
    double off;                 /* RADIUS, LASER, LATENCY: deviation of the calibration (scale, rad,
                                 * m or s) */
    int parameter;              /* whose deviation: enum localizer_parameter; else -1 */
    struct residuals residuals; /* when the verdict rose; of the last known motion */
};

struct diagnosis_event {
    double stamp_s;
    bool rise; /* false: the verdict has fallen */
    struct diagnosis_verdict what;
};

struct diagnosis_standing {
    struct diagnosis_verdict active;
    double clear_s; /* when the active verdict's rule fitted last */
    enum verdict candidate;
    unsigned fitted;
    double held_s; /* for so long no scan was judged */
    double candidate_s;
    struct diagnosis_event events[DIAGNOSIS_EVENTS];
    unsigned n_events, first_event;
    uint64_t rises[VERDICTS]; /* NONE: all of them */
};

void diagnosis_standing_init(struct diagnosis_standing *standing);

/* Judges a scan, or its absence, at `now_s`, `since_s` after the scan before; sets
 * now->impatient. */
void diagnosis_standing_judge(struct diagnosis_standing *standing, struct verdict_case *now,
                              double now_s, double since_s);

/* Lets the verdict fall whose rule has not fitted for 1 s. */
void diagnosis_standing_step(struct diagnosis_standing *standing, double now_s);

/* Takes the oldest event that was not taken; false: none. At most 16 are kept, then the oldest is
 * lost. */
bool diagnosis_standing_take_event(struct diagnosis_standing *standing,
                                   struct diagnosis_event *ret_event);

#endif
