/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the results of a study accept what it says, with its confidence. */
#ifndef DOPPEL_SWEEP_ACCEPT_H
#define DOPPEL_SWEEP_ACCEPT_H

#include "statistics.h"
#include "store.h"

enum sweep_judgement_state {
    SWEEP_ACCEPTED, /* the whole interval is on the good side */
    SWEEP_OPEN,     /* the interval has the limit inside: more runs would tell */
    SWEEP_REFUSED,  /* the whole interval is on the bad side */
};

struct sweep_judgement {
    enum sweep_judgement_state state;
    struct sweep_interval interval; /* of the rate, or of the quantile */
    size_t n;                       /* results it is of */
    char text[320];
};

/* Judges all results that there are. A run that has not been done to its end is no good run; it
 * has no part in quantiles. Allocates. */
void sweep_judge(const struct sweep_table *table, const struct sweep_accept *accept,
                 struct sweep_judgement *ret_judgement);

/* Whether a run is good in the sense of an accept with an expression; false without a result. */
bool sweep_is_good(const struct sweep_study *study, const struct sweep_accept *accept,
                   const struct sweep_result *result);

const char *sweep_judgement_word(enum sweep_judgement_state state);

size_t sweep_count_results(const struct sweep_table *table);

#endif
