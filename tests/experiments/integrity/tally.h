/* SPDX-License-Identifier: Apache-2.0 */
/* What a judge's OKs were worth. Terms: docs of the Stanford diagram. An error counts as hazardous
 * or misleading once it has been so for longer than the time to alert. */
#ifndef INTEGRITY_TALLY_H
#define INTEGRITY_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "drive.h"

#define TALLY_LIMIT_M 0.3 /* alert limit */
#define TALLY_ALERT_S 0.5 /* time to alert */

struct tally_row {
    double time_s, error_m, level_m;
    bool ok;
};

/* Rows of one kind. */
struct tally_counts {
    size_t rows, ok, hazardous, misleading, misleading_small; /* small: below the alert limit */
    size_t runs, hazardous_runs;
};

struct tally {
    struct tally_counts all, kinds[WORLD_KINDS], cases[DRIVE_CASES];
    struct tally_counts undisturbed, undisturbed_kinds[WORLD_KINDS];
    double worst_alert_s; /* of all, and after a carry of 0.5 m or more */
    double carried_alert_s;
    /* of the run that is on */
    struct tally_counts run;
    double hazard_s, mislead_s, run_alert_s; /* since when; NAN: not now */
};

void tally_begin(struct tally *tally);
void tally_add(struct tally *tally, const struct tally_row *row);
void tally_end(struct tally *tally, const struct drive_about *about);

double tally_share(size_t part, size_t all);

#endif
