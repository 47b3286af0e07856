/* SPDX-License-Identifier: Apache-2.0 */
/* Who says OK: the Localizer as it publishes, the same with its limit, and the monitor, for each
 * basis of its OK. */
#ifndef INTEGRITY_JUDGES_H
#define INTEGRITY_JUDGES_H

#include "diagram.h"

enum judge {
    JUDGE_PUBLISHED, /* decided, whatever the limit */
    JUDGE_LIMITED,   /* and 3.72 deviations are within the alert limit */
    JUDGE_MONITOR,
    JUDGE_TOLD, /* the monitor's, by basis */
    JUDGE_PROVEN,
    JUDGE_FOLLOWED,
    JUDGES,
};

struct judges {
    struct tally tallies[JUDGES];
    struct diagram diagrams[JUDGES];
    /* rows of undisturbed drives, by the monitor's reason */
    size_t withheld[INTEGRITY_REASONS], n_undisturbed;
    size_t run_withheld[INTEGRITY_REASONS];
};

const char *judge_name(enum judge judge);

void judges_begin(struct judges *judges);
void judges_row(struct judges *judges, const struct drive_row *row);
void judges_end(struct judges *judges, const struct drive_about *about);

/* The tables. */
void judges_print(const struct judges *judges);

#endif
