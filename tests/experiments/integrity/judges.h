/* SPDX-License-Identifier: Apache-2.0 */
/* What an OK is worth, for each basis that it may have. */
#ifndef INTEGRITY_JUDGES_H
#define INTEGRITY_JUDGES_H

#include "diagram.h"

enum judge {
    JUDGE_ALL,
    JUDGE_TOLD,
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
